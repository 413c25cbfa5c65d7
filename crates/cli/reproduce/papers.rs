//! The papers whose figures can be recomputed.

use super::cell::Cell;
use super::desk::Desk;
use super::{donkers, herik, irving, lincke, rawlings, romein};
use crate::exit::Failure;

/// See the [module](self).
pub(super) struct Paper {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) source: &'static str,
    /// Finds every figure, or says that it is out of reach.
    pub(super) cells: fn(&Desk) -> Result<Vec<Cell>, Failure>,
}

pub(super) const PAPERS: [Paper; 6] = [
    Paper {
        id: "irving-2000",
        title: "Solving Kalah",
        source: "G. Irving, J. Donkers and J. Uiterwijk, ICGA Journal 23(3), September 2000, pp. 139-147: Tables 2, 3, 8, 9 and 10, and \
                 the printed games. Table 1 comes from randomised play, and how Table 4 averages is not stated.",
        cells: irving::cells,
    },
    Paper {
        id: "rawlings-2015",
        title: "Values of Kalah with six pits a row",
        source: "M. Rawlings, article Kalah of Wikipedia, November and December 2015, both capture rules.",
        cells: rawlings::cells,
    },
    Paper {
        id: "lincke-2002",
        title: "Endgame tables of Awari",
        source: "T. R. Lincke, Exploring the Computational Limits of Large Exhaustive Search Problems, PhD thesis, ETH Zurich, 2002, \
                 appendix B: how many positions have each value, for 0 to 20 seeds.",
        cells: lincke::cells,
    },
    Paper {
        id: "romein-bal-2003",
        title: "Awari is solved",
        source: "J. W. Romein and H. E. Bal, ICGA Journal 25(3), 2002, pp. 162-165, and IEEE Computer 36(10), 2003, pp. 26-33.",
        cells: romein::cells,
    },
    Paper {
        id: "donkers-2000",
        title: "Winning openings in Dakon",
        source: "J. Donkers, A. de Voogt and J. Uiterwijk, Human versus Machine Problem-Solving, Board Games Studies 3, 2000, pp. 79-88, \
                 as told by van den Herik, Uiterwijk and van Rijswijck 2002.",
        cells: donkers::cells,
    },
    Paper {
        id: "herik-2002",
        title: "Games solved: now and in the future",
        source: "H. J. van den Herik, J. Uiterwijk and J. van Rijswijck, Artificial Intelligence 134, 2002, pp. 277-311, section 2.2.",
        cells: herik::cells,
    },
];

pub(super) fn find(id: &str) -> Result<&'static Paper, Failure> {
    let known = || PAPERS.iter().map(|paper| paper.id).collect::<Vec<_>>().join(", ");
    PAPERS
        .iter()
        .find(|paper| paper.id == id)
        .ok_or_else(|| Failure::new(format!("there is no paper {id:?}; the papers are {}", known())))
}
