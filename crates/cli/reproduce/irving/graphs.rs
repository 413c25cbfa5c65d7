//! Tables 3 and 5: the positions that can be reached from the start of a game, and how many of them each player wins.

use lumbung_engine::RuleSet;
use lumbung_solver::graph::{Counting, Explored, Graph, Options, explore};

use super::super::cell::{Cell, Need};
use super::super::desk::{Desk, start};
use super::Figures;
use crate::exit::Failure;
use crate::{units, work};

/// Bytes that a position takes while it is found.
const POSITION: u64 = 30;

/// Why the figures of two boards are not believed.
const TEN_MORE: &str = "the shares of Table 5 on this board are 44, 4 and 10 of 58 positions; 44 and 4 were found, and no draw: ten \
                        positions were counted that cannot be reached";
const NOT_WHOLE: &str = "the shares of Table 5 on this board add up to 90 and not to 100, so its count of positions is in doubt";

pub(super) fn cells(desk: &Desk, rules: &RuleSet, figures: &Figures) -> Result<Vec<Cell>, Failure> {
    let (mut sizes, mut shares) = (Vec::new(), Vec::new());
    for ((pits, seeds, size), (_, _, share)) in figures.table_3.each(1).zip(figures.table_5.each(1)) {
        let board = format!("{pits}x{seeds}");
        desk.work.progress.say(format!("all positions of {} on {board}", rules.name));
        let options = Options { counting: Counting::Irving, ..Options::default() };
        let found = explore(rules, &start(pits, seeds)?, options, &desk.limits(), &desk.work.progress);
        match found.map_err(Failure::new)? {
            Explored::Complete(graph) => {
                let size = Cell::new("3", &board, size, graph.positions);
                let share = shares_cell(&board, share, &graph);
                let (size, share) = match board.as_str() {
                    "2x5" => (size.misprint(48, TEN_MORE), share.misprint("92/8/0", TEN_MORE)),
                    "3x6" => (size.misprint(1_522_350, NOT_WHOLE), share.misprint("32/58/10", NOT_WHOLE)),
                    _ => (size, share),
                };
                sizes.push(size);
                shares.push(share);
            }
            Explored::Stopped { reason, found } => {
                let says = format!("{} were found: {}", units::counted(found, "position"), work::why(Some(reason)));
                let need = Need { positions: Some(*size), memory: Some(size * POSITION), seconds: None, says };
                sizes.push(Cell::out_of_reach("3", &board, size, need.clone()));
                shares.push(Cell::out_of_reach("5", &board, share, need));
            }
        }
    }
    sizes.append(&mut shares);
    Ok(sizes)
}

/// Shares in percent. Some are printed one off, which makes their three add up to 100: such a cell agrees if it does so.
fn shares_cell(board: &str, printed: &str, graph: &Graph) -> Cell {
    let percent = |outcome| 100.0 * graph.values.get(&outcome).copied().unwrap_or(0) as f64 / graph.positions as f64;
    let exact = [1, -1, 0].map(percent);
    let found = exact.map(|share| format!("{share:.0}")).join("/");
    let cell = Cell::new("5", board, printed, &found);
    let figures: Vec<f64> = printed.split('/').filter_map(|share| share.parse().ok()).collect();
    let whole = figures.len() == 3 && figures.iter().sum::<f64>() == 100.0;
    if printed != found && whole && figures.iter().zip(exact).all(|(printed, exact)| (printed - exact).abs() <= 1.0) {
        let exact = exact.map(|share| format!("{share:.2}")).join(" ");
        return cell.agreeing(true).note(format!("one off, which makes them add up to 100: {exact}"));
    }
    cell
}
