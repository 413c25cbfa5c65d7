//! Rules in words: a sentence for every key that has an effect, made from the typed rules.

use lumbung_engine::rules::{
    About, BonusOnEmptyRow, Captures, CountSide, Cycle, End, EndWhen, Endless, Feeding, GrandSlam, LandingSeed, Lending, NoMove,
    Origin, Relay, Remainder, Repeat, Rounds, Rules, Sons, Sowing, Stores, TieStarter,
};
use serde::Serialize;

use crate::layout;

/// What one key says.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Sentence {
    pub(crate) key: &'static str,
    pub(crate) value: String,
    pub(crate) says: String,
}

fn sentence(key: &'static str, value: impl ToString, says: impl Into<String>) -> Sentence {
    Sentence { key, value: value.to_string(), says: says.into() }
}

/// All rules, in the order of the keys.
pub(crate) fn sentences(rules: &Rules) -> Vec<Sentence> {
    let mut all = stores(rules);
    all.extend(sowing(rules));
    all.extend(captures(&rules.capture, &rules.about));
    all.push(feeding(rules.feeding));
    all.extend(end(&rules.end, rules.can_repeat()));
    all.extend(rounds(rules.rounds));
    all
}

fn stores(rules: &Rules) -> Vec<Sentence> {
    vec![match rules.stores {
        Stores::Sown { .. } => sentence(
            "board.stores",
            "sown",
            "Each player's store is a slot of her circuit, after the last pit of her row; the other player's is passed over.",
        ),
        Stores::Scored => sentence("board.stores", "scored", "Stores only receive captures and what is shared out at the end."),
    }]
}

fn sowing(rules: &Rules) -> Vec<Sentence> {
    let Sowing { relay, origin, min_seeds, endless } = &rules.sowing;
    let mut all = relay_sentences(relay);
    all.push(sentence(
        "sowing.origin",
        origin,
        match origin {
            Origin::Normal => "The emptied pit is an ordinary slot: a long lap fills it again.",
            Origin::Skipped => "A long lap passes over the pit it was lifted from.",
            Origin::First => "The first seed of every lap goes back into the pit it was lifted from.",
        },
    ));
    all.push(sentence(
        "sowing.min-seeds",
        min_seeds,
        if *min_seeds == 1 {
            "Any own pit that holds a seed may be lifted.".to_owned()
        } else {
            format!("Only own pits with at least {min_seeds} seeds may be lifted.")
        },
    ));
    if let Stores::Sown { bonus } = rules.stores {
        all.extend(bonus_sentences(bonus));
    }
    if rules.can_be_endless() {
        all.push(sentence(
            "sowing.endless",
            endless,
            match endless {
                Endless::Illegal => "A move that would never stop may not be chosen.",
                Endless::Pass => "Choosing a move that would never stop leaves the board as it is, and the turn passes.",
                Endless::End => "Choosing a move that would never stop ends the game.",
            },
        ));
    }
    all
}

fn relay_sentences(relay: &Relay) -> Vec<Sentence> {
    match relay {
        Relay::Single => vec![sentence("sowing.relay", "single", "A move is a single lap.")],
        Relay::Next => vec![sentence(
            "sowing.relay",
            "next",
            "After each lap the pit after the last seed is lifted and sown on; the move ends when that pit is empty.",
        )],
        Relay::Landing { stop_at } => vec![
            sentence("sowing.relay", "landing", "After each lap the pit of the last seed is lifted and sown on."),
            sentence(
                "sowing.stop-at",
                joined(stop_at),
                format!("The move ends instead when that pit now holds {}{}.", or(stop_at), empty_before(stop_at)),
            ),
        ],
    }
}

fn empty_before(stop_at: &[u16]) -> &'static str {
    if stop_at == [1] { " seed, that is, was empty" } else { " seeds" }
}

fn bonus_sentences(bonus: Option<BonusOnEmptyRow>) -> Vec<Sentence> {
    let Some(on_empty_row) = bonus else {
        return vec![sentence("sowing.bonus-move", "none", "A last seed in the own store ends the turn.")];
    };
    vec![
        sentence("sowing.bonus-move", "own-store", "A last seed in the own store earns another move at once."),
        sentence(
            "sowing.bonus-on-empty-row",
            on_empty_row,
            match on_empty_row {
                BonusOnEmptyRow::End => "If the own row is empty then, the game is over.",
                BonusOnEmptyRow::Pass => "If the own row is empty then, the bonus lapses and the turn passes.",
            },
        ),
    ]
}

fn captures(capture: &Captures, about: &About) -> Vec<Sentence> {
    let named = |kind: &str, says: &str| match about.words.get(kind) {
        Some(word) => format!("{word}: {says}"),
        None => layout::capital(says),
    };
    let off = |key, what: &str| sentence(key, "off", format!("No capture {what}."));
    let mut all = Vec::new();
    match capture.opposite {
        None => all.push(off("capture.opposite", "of the pit opposite")),
        Some(opposite) => {
            let says = "a last seed in an empty pit of the own row captures everything in the pit opposite.";
            all.push(sentence("capture.opposite", "on", named("opposite", says)));
            let says = match opposite.landing_seed {
                LandingSeed::Leave => "The seed that captured stays.",
                LandingSeed::TakeOnCapture => "The seed that captured goes along, if something was captured.",
                LandingSeed::Take => "The seed that captured goes along, and is stored even when nothing lies opposite.",
            };
            all.push(sentence("capture.opposite.landing-seed", opposite.landing_seed, says));
            let says = if opposite.require_visit {
                "It captures only if the move has dropped a seed in the other row."
            } else {
                "It captures whether or not the move has dropped a seed in the other row."
            };
            all.push(sentence("capture.opposite.require-visit", opposite.require_visit, says));
        }
    }
    all.push(if capture.sandwich {
        let says = "a last seed in an empty pit of the other row, between two pits of that row that hold equally many seeds, \
                    captures those two pits and itself.";
        sentence("capture.sandwich", "on", named("sandwich", says))
    } else {
        off("capture.sandwich", "between two equal pits")
    });
    match &capture.count {
        None => all.push(off("capture.count", "by the number in the last pit")),
        Some(count) => {
            let says = "the last pit is captured when it now holds a certain number of seeds.";
            all.push(sentence("capture.count", "on", named("count", says)));
            let says = format!("The numbers that are captured: {}.", or(&count.counts));
            all.push(sentence("capture.count.counts", joined(&count.counts), says));
            let says = match count.side {
                CountSide::Opponent => "Only pits of the other row are captured.",
                CountSide::Any => "Pits of either row are captured.",
            };
            all.push(sentence("capture.count.side", count.side, says));
            all.push(if count.chain_back {
                sentence(
                    "capture.count.chain",
                    "back",
                    "Pits before the last one are captured too, one by one, while they qualify.",
                )
            } else {
                sentence("capture.count.chain", "none", "Only the last pit is captured.")
            });
            let says = match count.grand_slam {
                GrandSlam::Legal => "A capture of all the other player's seeds is a capture like any other.",
                GrandSlam::Forbidden => "A move that would capture all the other player's seeds may not be chosen.",
                GrandSlam::NoCapture => "A move that would capture all the other player's seeds captures nothing.",
            };
            all.push(sentence("capture.count.grand-slam", count.grand_slam, says));
        }
    }
    match capture.beyond_gap {
        None => all.push(off("capture.beyond-gap", "beyond an empty pit")),
        Some(gap) => {
            let says = "when the pit after the last seed is empty and the one beyond it is not, the one beyond is captured.";
            all.push(sentence("capture.beyond-gap", "on", named("beyond-gap", says)));
            let says = if gap.chain {
                "It goes on as long as single empty pits part the occupied ones."
            } else {
                "Only one pit is captured."
            };
            all.push(sentence("capture.beyond-gap.chain", gap.chain, says));
            if gap.chain {
                let says = if gap.wrap {
                    "It may come round to the pit of the last seed and take it too."
                } else {
                    "It never takes the pit of the last seed."
                };
                all.push(sentence("capture.beyond-gap.wrap", gap.wrap, says));
            }
        }
    }
    all
}

fn feeding(feeding: Feeding) -> Sentence {
    sentence(
        "feeding.rule",
        feeding,
        match feeding {
            Feeding::None => "Nobody owes seeds to a player who has none.",
            Feeding::MoverMust => "A player who faces an empty row must bring it seeds; if she cannot, she has no move.",
            Feeding::Rescue => {
                "A player who faces an empty row must bring it seeds; a player without seeds passes while the other can feed her."
            }
            Feeding::LeaveAMove => "A move that leaves the other player without seeds may not be chosen while another exists.",
        },
    )
}

fn end(end: &End, can_repeat: bool) -> Vec<Sentence> {
    let when = match end.when {
        EndWhen::MoverEmpty => "The game is over when the row of the player to move is empty.".to_owned(),
        EndWhen::AnyRowEmpty => "The game is over when either row is empty.".to_owned(),
        EndWhen::BothRowsEmpty => "The game is over when both rows are empty.".to_owned(),
        EndWhen::OnlySingletons => "The game is over when no pit holds more than one seed.".to_owned(),
        EndWhen::FewerThan(seeds) => format!("The game is over when fewer than {seeds} seeds are on the board."),
        EndWhen::NoLegalMove => "The game goes on as long as somebody has a legal move.".to_owned(),
    };
    let no_move = match end.no_move {
        NoMove::End => "It is over, too, when the player to move has no legal move.",
        NoMove::Pass => "A player without a legal move passes; if neither has one, the game is over.",
    };
    let one_each = if end.one_each {
        "It is over, too, when both rows hold exactly one seed; each player stores hers."
    } else {
        "One seed in each row does not end it."
    };
    let remainder = match end.remainder {
        Remainder::Opponent => "The seeds left go to the player who was not to move.",
        Remainder::RowOwner => "Each player stores the seeds left in her own row.",
        Remainder::Mover => "The seeds left go to the player who was to move.",
        Remainder::Split => "The seeds left are split evenly; an odd one counts for nobody.",
        Remainder::Unscored => "The seeds left count for nobody.",
    };
    let gift = match end.gift {
        0 => "Nothing is given away before that.".to_owned(),
        1 => "Before that, a player who alone has seeds gives one of them to the other.".to_owned(),
        seeds => format!("Before that, a player who alone has seeds gives {seeds} of them to the other."),
    };
    let mut all = vec![
        sentence("end.when", end.when, when),
        sentence("end.no-move", end.no_move, no_move),
        sentence("end.one-each", end.one_each, one_each),
        sentence("end.remainder", end.remainder, remainder),
        sentence("end.gift", end.gift, gift),
    ];
    if can_repeat {
        let says = match end.cycle {
            Cycle::None => "No position can come back.",
            Cycle::Zero => "If play goes on for ever, the seeds left count for neither.",
            Cycle::RowOwner => "The first time a position comes back, each player stores her row and the game is over.",
        };
        all.push(sentence("end.cycle", end.cycle, says));
    }
    all
}

fn rounds(rounds: Rounds) -> Vec<Sentence> {
    let Rounds::Territory { sons, lending, tie_starter, repeat } = rounds else {
        return vec![sentence("rounds.kind", "single", "The game is one round.")];
    };
    let sons_says = match sons {
        Sons::AfterOwnRow => "They are the pits that follow her own row.",
        Sons::WinnerChooses => "She chooses which.",
    };
    let lending_says = match lending {
        Lending::Gift => "What she has left over goes to the other player for good.",
        Lending::Debt => "What she has left over is lent to the other player, who repays it before the next division.",
    };
    let tie = match tie_starter {
        TieStarter::Other => "After equal totals the player who did not start the last round starts.",
        TieStarter::Same => "After equal totals the same player starts again.",
    };
    let repeat_says = match repeat {
        Repeat::Split => {
            "The seeds of a round that never ends are split evenly, an odd one going to the player who did not start it."
        }
        Repeat::Void => "A round that never ends is void and played again.",
    };
    vec![
        sentence(
            "rounds.kind",
            "territory",
            "Rounds follow one another: pits are filled anew, and the winner of a round takes pits of the other player with her surplus.",
        ),
        sentence("rounds.sons", sons, sons_says),
        sentence("rounds.lending", lending, lending_says),
        sentence("rounds.tie-starter", tie_starter, tie),
        sentence("rounds.repeat", repeat, repeat_says),
    ]
}

/// `1,2,4`, as the canonical form of rules has it.
fn joined(numbers: &[u16]) -> String {
    numbers.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
}

/// `1, 2 or 4`.
fn or(numbers: &[u16]) -> String {
    let words: Vec<String> = numbers.iter().map(u16::to_string).collect();
    match &words[..] {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use lumbung_engine::rules::presets;

    use super::*;

    /// The canonical form lists every key that has an effect; the sentences must tell the same, `[rounds]` beside it.
    #[test]
    fn every_key_with_an_effect_has_its_sentence() {
        for preset in presets() {
            let readings: Vec<_> = preset.rules.readings.keys().collect();
            let mut all = vec![preset.rules.clone()];
            all.extend(readings.iter().map(|name| preset.rules.with_reading(name).expect("a reading of the preset")));
            for rules in all {
                let canonical = rules.canonical();
                let expected: Vec<&str> = canonical.lines().skip(1).collect();
                let told: Vec<String> = sentences(&rules)
                    .iter()
                    .filter(|sentence| !sentence.key.starts_with("rounds."))
                    .map(|sentence| format!("{}={}", sentence.key, sentence.value))
                    .collect();
                assert_eq!(told, expected, "{}", preset.name);
            }
        }
    }

    #[test]
    fn captures_go_by_the_games_own_words() {
        let dakon = &presets()[0].rules;
        let all = sentences(dakon);
        let says = |key| all.iter().find(|sentence| sentence.key == key).map(|sentence| sentence.says.as_str());
        assert!(says("capture.opposite").is_some_and(|says| says.starts_with("nembak: ")));
        assert!(says("capture.sandwich").is_some_and(|says| says.starts_with("mikul: ")));
    }
}
