//! How much work a search without relays will be, told from the board alone.
//!
//! Kalah and its like are regular: the positions that a search visits grow by about the same factor with each seed in play, and the
//! endgame table takes away more of them with each of its layers, the more the higher they are. That suffices to choose a table before
//! much has been searched: the least of building and searching together is flat, and a wrong guess by a factor of three moves it by a layer.

/// The natural logarithm of the factor by which the work grows with each seed in play, for boards of 1, 2, 3 ... pits a row; from 6 pits on it
/// is about the same. Fitted to searches from the start of Kalah, both captures, on 3 to 6 pits (see `docs/search.md`); those for 1 and 2 pits are guesses, and
/// so is that it rises no further.
const GROWTH: [f64; 6] = [0.10, 0.15, 0.22, 0.31, 0.352, 0.351];
/// How steeply the layers of the table, the higher they are, take work away.
const STEEPNESS: f64 = 2.9;

/// About how many positions a search visits from the start of a game of `in_play` seeds, with a table of all positions of up to
/// `table_seeds`: an order of magnitude, since boards of the same size differ by up to ten times.
pub(crate) fn visits(pits: usize, in_play: usize, table_seeds: usize) -> f64 {
    let growth = GROWTH[pits.clamp(1, GROWTH.len()) - 1];
    let tabled = table_seeds as f64 / in_play.max(1) as f64;
    (growth * in_play as f64 * (1.0 - tabled.min(1.0).powf(STEEPNESS))).exp()
}

/// What a choice of table is weighed by.
pub(crate) struct Choice {
    /// Pits a row.
    pub(crate) pits: usize,
    /// Seeds in play.
    pub(crate) in_play: usize,
    /// Seeds of the table that is there; 0 if there is none.
    pub(crate) have: usize,
    /// The most positions that may be visited yet.
    pub(crate) left: f64,
    /// Table positions built in the time of one visit.
    pub(crate) built_per_visit: f64,
}

impl Choice {
    /// About how many positions will yet be visited with a table of so many seeds.
    pub(crate) fn visits(&self, table_seeds: usize) -> f64 {
        visits(self.pits, self.in_play, table_seeds).min(self.left)
    }

    /// Seeds of the table with which building and searching together take the least; `positions` are those of a table that may be built,
    /// and nothing from the first one on that may not.
    pub(crate) fn best(&self, positions: impl Fn(usize) -> Option<u64>) -> usize {
        let with = |seeds: usize| Some((seeds, positions(seeds)? as f64 / self.built_per_visit + self.visits(seeds)));
        let larger = (self.have + 1..=self.in_play).map_while(with);
        let all = std::iter::once((self.have, self.visits(self.have))).chain(larger);
        all.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(self.have, |(seeds, _)| seeds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(pits: usize, in_play: usize) -> Choice {
        Choice { pits, in_play, have: 0, left: f64::INFINITY, built_per_visit: 200.0 }
    }

    fn table(pits: usize) -> impl Fn(usize) -> Option<u64> {
        move |seeds| lumbung_tables::Index::count(pits, seeds)
    }

    /// Searches that were run with a table from the beginning: pits, seeds in play, seeds of the table, positions visited in all under
    /// standard and under empty capture.
    const MEASURED: [(usize, usize, usize, f64, f64); 16] = [
        (3, 48, 29, 1e3, 1e3),
        (4, 32, 15, 32e3, 24e3),
        (4, 40, 25, 13e3, 8e3),
        (4, 48, 12, 1.07e6, 906e3),
        (4, 48, 27, 16e3, 15e3),
        (5, 30, 14, 5e3, 4e3),
        (5, 40, 12, 1.70e6, 904e3),
        (5, 40, 21, 125e3, 78e3),
        (5, 50, 16, 29.9e6, 22.3e6),
        (5, 50, 28, 1.95e6, 1.19e6),
        (6, 36, 12, 398e3, 168e3),
        (6, 36, 15, 150e3, 64e3),
        (6, 48, 18, 13.5e6, 6.27e6),
        (6, 48, 20, 8.64e6, 3.78e6),
        (6, 48, 22, 4.12e6, 2.18e6),
        (6, 48, 24, 2.07e6, 1.20e6),
    ];

    #[test]
    fn forecasts_are_of_the_order_of_what_was_measured() {
        for (pits, in_play, seeds, standard, empty) in MEASURED {
            let foreseen = visits(pits, in_play, seeds);
            for measured in [standard, empty] {
                // Where there is little to do, all that matters is that it is known to be little.
                let wrong =
                    if measured >= 100e3 { foreseen < measured / 4.0 || foreseen > 4.0 * measured } else { foreseen > 200e3 };
                assert!(!wrong, "{pits} {in_play} {seeds}: {foreseen} {measured}");
            }
        }
    }

    #[test]
    fn a_table_is_as_large_as_the_search_is_worth() {
        let best = choice(6, 48).best(table(6));
        assert!((20..=23).contains(&best), "{best}");
        // Boards of few positions have tables in no time, and easy searches need none.
        assert!(choice(4, 48).best(table(4)) > best);
        assert!(choice(6, 12).best(table(6)) < 8);
        // A search that may visit little needs none either, nor does one that is given none.
        assert_eq!(Choice { left: 10.0, ..choice(6, 48) }.best(table(6)), 0);
        assert_eq!(choice(6, 48).best(|_| None), 0);
    }

    #[test]
    fn memory_bounds_the_table_and_what_is_there_is_kept() {
        let bounded = |seeds| table(6)(seeds).filter(|_| seeds <= 17);
        assert_eq!(choice(6, 60).best(bounded), 17);
        assert_eq!(Choice { have: 30, ..choice(6, 48) }.best(table(6)), 30);
        // Sixty seeds are worth as large a table as 21 GiB allow to build.
        let memory = 21 << 30;
        let fits = |seeds: usize| table(6)(seeds).filter(|_| lumbung_tables::rows::memory(6, seeds, 2).unwrap() <= memory);
        assert_eq!(choice(6, 60).best(fits), 30);
    }
}
