//! What `graph` tells people.

use lumbung_solver::StopReason;
use lumbung_solver::graph::random::{Estimate, MOST_MOVES, RandomPlay};
use lumbung_solver::graph::{Aside, Counting, Explored, Found, Graph, Options};

use super::{advice, margin_of, outcome_of};
use crate::layout::{self, Align};
use crate::output::{FAINT, HEADING, STRONG, styled};
use crate::start::Start;
use crate::units::{bytes, count, counted};
use crate::work::{self, Work};

/// Values of which a histogram is printed whole; longer ones are in the JSON document.
const VALUES_SHOWN: usize = 120;

pub(super) fn graph(start: &Start, options: Options, explored: &Explored, all: Option<&Found>, work: &Work) -> String {
    let Options { counting, scratch, .. } = options;
    let has_scratch = scratch.is_some();
    let by = match counting {
        Counting::Ours => "",
        Counting::Irving => ", counted as Irving, Donkers and Uiterwijk 2000 do",
    };
    let mut page = format!("{}{by}\n\n", styled(STRONG, start.title()));
    match (explored, all) {
        (Explored::Complete(graph), _) => page += &facts(start, counting, graph),
        (Explored::Stopped { reason, .. }, Some(all)) => page += &without_values(*reason, all, work.limits.memory, has_scratch),
        (Explored::Stopped { reason, found }, None) => {
            let why = work::why(Some(*reason));
            let some = if has_scratch { "At least " } else { "" };
            let told = format!(
                "Not done: {why}. {some}{} positions were found until then. {}",
                count(*found),
                advice(*reason, has_scratch)
            );
            page += &layout::paragraphs(&told, "");
        }
    }
    page + &format!("\n{}\n", styled(FAINT, work::time(work.seconds())))
}

/// All positions were found, but not their values.
fn without_values(reason: StopReason, all: &Found, allowed: u64, has_scratch: bool) -> String {
    let Found { positions, widest, widest_positions, memory, aside, .. } = *all;
    let found = format!("All {} were found", counted(positions, "position"));
    let largest =
        format!("The largest layer, with {} in play, has {} of them.", counted(widest as u64, "seed"), count(widest_positions));
    let memory = if has_scratch { memory.min(aside.memory) } else { memory };
    let (why, advice) = if reason == StopReason::Memory {
        let why = format!("their values would take {} of memory, and {} are allowed (--memory)", bytes(memory), bytes(allowed));
        let Aside { memory: less, disk } = aside;
        let with = format!(
            "With --scratch DIR, {} of memory would do for positions and values, and the values would take at most {} of disk.",
            bytes(less),
            bytes(disk)
        );
        (why, if has_scratch || less >= memory { advice(reason, true).to_owned() } else { with })
    } else {
        (format!("not their values: {}", work::why(Some(reason))), advice(reason, has_scratch).to_owned())
    };
    layout::paragraphs(&format!("{found}, but {why}. {largest} {advice}"), "")
}

fn facts(start: &Start, counting: Counting, graph: &Graph) -> String {
    let row = |name: &str, number: String| vec![name.to_owned(), number];
    let mean = |pair: Option<(f64, f64)>, of: fn((f64, f64)) -> f64| {
        pair.map_or_else(|| "-".to_owned(), |pair| format!("{:.3}", of(pair)))
    };
    let mut rows = vec![
        row("", String::new()),
        row("positions", count(graph.positions)),
        row("  the game is over", count(graph.terminal)),
        row("  the turn passes", count(graph.passing)),
        row("legal moves", count(graph.moves)),
        row("  that end the game", count(graph.ending_moves)),
        row("endless moves", count(graph.endless_moves)),
        row("moves a position: mean", mean(graph.branching, |(mean, _)| mean)),
        row("  standard deviation", mean(graph.branching, |(_, deviation)| deviation)),
        row("laps of the longest turn", count(graph.longest_turn_laps)),
        row("strongly connected components", count(graph.components)),
        row("  in which play can go round", count(graph.cyclic_components)),
        row("  positions of the largest", count(graph.largest_component)),
    ];
    if let Some(plies) = graph.plies {
        rows.push(row("moves of the shortest game of best moves", count(plies)));
    }
    let mut page = layout::table(&[Align::Left, Align::Right], &rows);
    if let Some(position) = &graph.longest_turn_position {
        page += &format!("\nThe longest turn begins in {position}.\n");
    }
    page += &match margin_of(start, counting, graph) {
        Some(margin) => format!("\nUnder best play: {}.", layout::verdict(margin)),
        None => format!("\nUnder best play: {}.", outcome_of(start, counting, graph)),
    };
    page += match graph.plies {
        Some(_) => "\n",
        None => " Best play need never end.\n",
    };
    page + &histogram(counting, graph)
}

fn histogram(counting: Counting, graph: &Graph) -> String {
    if graph.values.len() > VALUES_SHOWN {
        return String::new();
    }
    let mut rows = vec![vec!["value".to_owned(), "positions".to_owned(), "share".to_owned()]];
    rows.extend(graph.values.iter().map(|(value, number)| {
        let share = 100.0 * *number as f64 / graph.positions as f64;
        vec![format!("{value:+}"), count(*number), format!("{share:.2} %")]
    }));
    let heading = styled(
        HEADING,
        match counting {
            Counting::Ours => "Values for the player to move",
            Counting::Irving => "Outcomes for South",
        },
    );
    format!("\n{heading}\n{}", layout::table(&[Align::Right; 3], &rows))
}

pub(super) fn games(start: &Start, seed: u64, played: &RandomPlay, seconds: f64) -> String {
    let title = styled(STRONG, start.title());
    let mut page = format!("{title}, {} games at random from seed {seed}\n\n", count(played.games));
    let mut rows = vec![["", "mean", "95 % interval"].map(str::to_owned).to_vec()];
    let quantities = [
        ("moves a game", played.moves),
        ("turns a game", played.turns),
        ("legal moves at a move", played.branching),
        ("South's margin", played.margin),
    ];
    rows.extend(quantities.into_iter().filter_map(|(name, estimate)| Some(estimated(name, estimate?))));
    page += &layout::table(&[Align::Left, Align::Right, Align::Left], &rows);
    if let Some((shortest, longest)) = played.moves_between {
        page += &format!("\nThe shortest game had {} moves, the longest {}.\n", count(shortest), count(longest));
    }
    let [south, draws, north] = played.outcomes.map(count);
    page += &format!("South won {south}, North {north}, {draws} were drawn.\n");
    if played.repeated > 0 {
        page += &format!("{} came back to a position.\n", count(played.repeated));
    }
    if played.given_up > 0 {
        let most = count(MOST_MOVES);
        page += &format!("{} were given up after {most} moves and are left out of the figures.\n", count(played.given_up));
    }
    if played.stopped.is_some() {
        page += &format!("Not all were played: {}.\n", work::why(played.stopped));
    }
    page + &format!("\n{}\n", styled(FAINT, work::time(seconds)))
}

fn estimated(name: &str, Estimate { mean, interval }: Estimate) -> Vec<String> {
    let interval = interval.map_or_else(|| "-".to_owned(), |(low, high)| format!("{low:.3} to {high:.3}"));
    vec![name.to_owned(), format!("{mean:.3}"), interval]
}
