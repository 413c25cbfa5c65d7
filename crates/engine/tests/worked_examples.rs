//! The worked examples of the three games, each with its text. Pits in the texts count from 0; `pit 3` of a text is `Pit(3)`.
//!
//! Dakon's examples use page numbers: row 1 holds pits 0 to 6 and belongs to P1, row 0 holds pits 7 to 13 and belongs to P0.
//! Seen from South, who is P0, page `7 + k` is ring pit `k` and page `6 - k` is ring pit `7 + k`.

use std::collections::HashSet;

use lumbung_engine::referee::{CaptureKind, GameOver, IllegalMove, Landing, Next, OverReason, Played, State};
use lumbung_engine::rules::preset;
use lumbung_engine::{Pit, Position, Referee, RuleSet, Side};

fn rules(game: &str, readings: &[&str], sets: &[&str]) -> RuleSet {
    preset(game).expect("a preset").rules.with_changes(readings, sets).expect("a reading of the preset")
}

fn at(text: &str) -> Position {
    text.parse().expect("a position")
}

/// Plays with laps recorded, and checks that no seed is lost.
fn play(rules: &RuleSet, position: &Position, pit: u8) -> Played {
    let played = Referee::new(rules).play_traced(position, Pit(pit)).expect("a legal move");
    let all = |position: &Position| position.seeds_in_play() + usize::from(position.stores.iter().sum::<u16>());
    assert_eq!(all(&played.after), all(position), "seeds are conserved");
    assert_eq!(played.laps.len() as u64, played.lap_count);
    played
}

fn legal(rules: &RuleSet, position: &Position) -> Vec<u8> {
    match Referee::new(rules).state(position) {
        State::ToMove(pits) => pits.into_iter().map(|pit| pit.0).collect(),
        state => panic!("{position}: {state:?}"),
    }
}

fn over(rules: &RuleSet, position: &Position) -> GameOver {
    match Referee::new(rules).state(position) {
        State::Over(over) => over,
        state => panic!("{position}: {state:?}"),
    }
}

const TURN: Next = Next::Turn { bonus_lapsed: false };

mod dakon {
    use super::*;

    /// A position in page numbering, P0's and P1's stores, P0 (South) or P1 to move.
    fn page(row1: [u16; 7], row0: [u16; 7], stores: [u16; 2], to_move: Side) -> Position {
        let mut position = at("0,0,0,0,0,0,0/0,0,0,0,0,0,0");
        for k in 0..7 {
            position.board[k] = row0[k];
            position.board[7 + k] = row1[6 - k];
        }
        Position { stores, to_move, ..position }
    }

    fn start() -> Position {
        page([7; 7], [7; 7], [0, 0], Side::South)
    }

    /// P0 plays a page pit.
    fn p0(rules: &RuleSet, position: &Position, page: u8) -> Played {
        play(rules, position, page - 7)
    }

    /// DK1: start, P0 plays 7: 8-13 become 8, last in store. `row0 0 8 8 8 8 8 8`, stores (1,0), P0 again.
    #[test]
    fn dk1_a_last_seed_in_the_own_store_earns_a_move() {
        let played = p0(&rules("dakon", &[], &[]), &start(), 7);
        assert_eq!(played.after, page([7; 7], [0, 8, 8, 8, 8, 8, 8], [1, 0], Side::South));
        assert_eq!(played.next, Next::Bonus);
        assert_eq!(played.lap_count, 1);
    }

    /// DK2: start, P0 plays 13: store 1, pits 6..1 become 8, last in 1 (occupied): lift 8, sow 0, 7..13; last in 13 (emptied):
    /// nembak on 6 (8 seeds). `row1 8 0 8 8 8 8 0`, `row0 8 8 8 8 8 8 1`, stores (9,0), P1 to move.
    #[test]
    fn dk2_a_relay_and_a_nembak() {
        let played = p0(&rules("dakon", &[], &[]), &start(), 13);
        assert_eq!(played.after, page([8, 0, 8, 8, 8, 8, 0], [8, 8, 8, 8, 8, 8, 1], [9, 0], Side::North));
        assert_eq!(played.next, TURN);
        // Page 1 is ring 12, page 13 ring 6, page 6 ring 7.
        assert_eq!(played.laps.iter().map(|lap| lap.last).collect::<Vec<_>>(), [Landing::Pit(12), Landing::Pit(6)]);
        assert_eq!(played.laps[1].lifted, 8);
        let capture = played.capture.expect("a nembak");
        assert_eq!((capture.kind, capture.taken), (CaptureKind::Opposite, vec![(7, 8)]));
    }

    /// DK3: nembak, landing seed stays. row1 `0 0 0 5 0 0 1`, row0 `2 0 1 0 0 0 0`, (40,49); P0 plays 9 -> row1
    /// `0 0 0 0 0 0 1`, row0 `2 0 0 1 0 0 0`, (45,49).
    #[test]
    fn dk3_the_landing_seed_of_a_nembak_stays() {
        let before = page([0, 0, 0, 5, 0, 0, 1], [2, 0, 1, 0, 0, 0, 0], [40, 49], Side::South);
        let played = p0(&rules("dakon", &[], &[]), &before, 9);
        assert_eq!(played.after, page([0, 0, 0, 0, 0, 0, 1], [2, 0, 0, 1, 0, 0, 0], [45, 49], Side::North));
        for reading in ["landing-seed-taken", "landing-seed-always"] {
            let played = p0(&rules("dakon", &[reading], &[]), &before, 9);
            assert_eq!(played.after, page([0, 0, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 0, 0], [46, 49], Side::North));
        }
        // The move never reached P1's row.
        let played = p0(&rules("dakon", &["visit-first"], &[]), &before, 9);
        assert_eq!(played.after, page([0, 0, 0, 5, 0, 0, 1], [2, 0, 0, 1, 0, 0, 0], [40, 49], Side::North));
    }

    /// DK4: opposite empty. row1 `0 4 0 0 0 0 1`, row0 `2 0 1 0 0 0 0`, (41,49); P0 plays 9 -> only the seed moves to 10,
    /// (41,49).
    #[test]
    fn dk4_nothing_opposite() {
        let before = page([0, 4, 0, 0, 0, 0, 1], [2, 0, 1, 0, 0, 0, 0], [41, 49], Side::South);
        let moved = page([0, 4, 0, 0, 0, 0, 1], [2, 0, 0, 1, 0, 0, 0], [41, 49], Side::North);
        for reading in [&[][..], &["landing-seed-taken"]] {
            let played = p0(&rules("dakon", reading, &[]), &before, 9);
            assert_eq!((played.after, played.capture), (moved.clone(), None), "{reading:?}");
        }
        let played = p0(&rules("dakon", &["landing-seed-always"], &[]), &before, 9);
        assert_eq!(played.after, page([0, 4, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 0, 0], [42, 49], Side::North));
    }

    /// DK5: mikul. row1 `0 0 0 0 3 0 2`, row0 all 0 but 13 = 3, (45,45); P0 plays 13: store, 6, 5. Pit 5 was empty,
    /// neighbours 4 = 3 and 6 = 3: takes 7. Board empty, (53,45). (Then P1 has nothing: over.)
    #[test]
    fn dk5_a_mikul_takes_both_neighbours_and_the_landing_seed() {
        let rules = rules("dakon", &[], &[]);
        let before = page([0, 0, 0, 0, 3, 0, 2], [0, 0, 0, 0, 0, 0, 3], [45, 45], Side::South);
        let played = p0(&rules, &before, 13);
        assert_eq!(played.after, page([0; 7], [0; 7], [53, 45], Side::North));
        let capture = played.capture.expect("a mikul");
        assert_eq!(capture.kind, CaptureKind::Sandwich);
        assert_eq!(capture.taken.iter().map(|&(_, seeds)| seeds).sum::<u16>(), 7);
        assert_eq!(over(&rules, &played.after).last.stores, [53, 45]);
        let played = p0(&super::rules("dakon", &["no-mikul"], &[]), &before, 13);
        assert_eq!(played.after, page([0, 0, 0, 0, 3, 1, 3], [0; 7], [46, 45], Side::North));
    }

    /// DK6: unequal. As DK5 with pit 6 = 3, (45,44): after sowing 3 against 4, nothing. row1 `0 0 0 0 3 1 4`, (46,44).
    #[test]
    fn dk6_unequal_neighbours() {
        let before = page([0, 0, 0, 0, 3, 0, 3], [0, 0, 0, 0, 0, 0, 3], [45, 44], Side::South);
        let played = p0(&rules("dakon", &[], &[]), &before, 13);
        assert_eq!(played.after, page([0, 0, 0, 0, 3, 1, 4], [0; 7], [46, 44], Side::North));
        assert_eq!(played.capture, None);
    }

    /// DK7: end pit. row1 `0 0 0 0 0 4 0`, pit 13 = 2, (46,46); P0 plays 13 -> last in 6, one neighbour only. row1
    /// `0 0 0 0 0 4 1`, (47,46).
    #[test]
    fn dk7_no_mikul_from_an_end_pit() {
        let before = page([0, 0, 0, 0, 0, 4, 0], [0, 0, 0, 0, 0, 0, 2], [46, 46], Side::South);
        let played = p0(&rules("dakon", &[], &[]), &before, 13);
        assert_eq!(played.after, page([0, 0, 0, 0, 0, 4, 1], [0; 7], [47, 46], Side::North));
        assert_eq!(played.capture, None);
    }

    /// DK8: lap of 15. Only pit 10 = 15, (41,42); P0 plays 10: every pit gets 1, store 1, last in 10 itself: nembak on 3. row1
    /// `1 1 1 0 1 1 1`, row0 all 1, (43,42).
    #[test]
    fn dk8_a_full_circuit_ends_in_the_emptied_pit() {
        let before = page([0; 7], [0, 0, 0, 15, 0, 0, 0], [41, 42], Side::South);
        let played = p0(&rules("dakon", &[], &[]), &before, 10);
        assert_eq!(played.after, page([1, 1, 1, 0, 1, 1, 1], [1; 7], [43, 42], Side::North));
        // This lap has visited P1's row.
        assert_eq!(p0(&rules("dakon", &["visit-first"], &[]), &before, 10).after, played.after);
    }

    /// DK9: bonus, empty side. row1 pit 1 = 3, row0 pit 13 = 1, (46,48); P0 plays 13 -> (47,48), row0 empty. Default: over, P1
    /// takes 3, final 47-51. Other reading: P1 to move.
    #[test]
    fn dk9_a_bonus_with_the_own_row_empty() {
        let before = page([0, 3, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1], [46, 48], Side::South);
        let played = p0(&rules("dakon", &[], &[]), &before, 13);
        assert_eq!(played.after, page([0; 7], [0; 7], [47, 51], Side::South));
        let Next::Over(over) = played.next else { panic!("{:?}", played.next) };
        assert_eq!((over.reason, over.last), (OverReason::BonusOnEmptyRow, played.after));

        let lapses = rules("dakon", &["bonus-lapses"], &[]);
        let played = p0(&lapses, &before, 13);
        assert_eq!(played.next, Next::Turn { bonus_lapsed: true });
        assert_eq!(played.after, page([0, 3, 0, 0, 0, 0, 0], [0; 7], [47, 48], Side::North));
        // Page 1 is P1's sixth pit.
        assert_eq!(legal(&lapses, &played.after), [5]);
    }

    /// "Game ends when the player to move has no seed in any own pit; the opponent stores whatever remains."
    /// german-end tests either row after every move; must-pass lets the empty player pass.
    #[test]
    fn readings_of_the_end_differ_where_the_mover_empties_her_own_row() {
        let before = page([0, 3, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 2], [46, 47], Side::South);
        let after = page([0, 3, 0, 0, 0, 0, 1], [0; 7], [47, 47], Side::North);
        let faithful = rules("dakon", &[], &[]);
        assert_eq!(p0(&faithful, &before, 13).after, after);
        assert_eq!(legal(&faithful, &after), [0, 5]);
        assert_eq!(over(&rules("dakon", &["german-end"], &[]), &after).last.stores, [47, 51]);

        let empty = Position { to_move: Side::South, ..after };
        assert_eq!(over(&faithful, &empty).last.stores, [47, 51]);
        let referee = rules("dakon", &["must-pass"], &[]);
        assert_eq!(Referee::new(&referee).state(&empty), State::Pass);
    }

    /// The clockwise game with the own store at the left is the mirror image of the default: replacing every page number `i` by
    /// its mirror image (`6 - i` in row 1, `20 - i` in row 0) turns one into the other, move by move.
    #[test]
    fn the_clockwise_game_is_the_mirror_image() {
        let rules = rules("dakon", &[], &[]);
        let referee = Referee::new(&rules);
        let mut random = super::Random(7);
        for _ in 0..200 {
            let mut position = start();
            while let State::ToMove(pits) = referee.state(&position) {
                let pit = pits[random.below(pits.len())];
                let played = referee.play(&position, pit).expect("a legal move");
                let mut mirrored = clockwise::Board::mirror_of(&position);
                let again = mirrored.play(clockwise::mirror_pit(position.to_move, pit), position.to_move);
                assert_eq!(again, played.next == Next::Bonus || matches!(played.next, Next::Over(_)));
                if let Next::Over(_) = played.next {
                    break;
                }
                assert_eq!(mirrored, clockwise::Board::mirror_of(&played.after), "{position}, pit {pit}");
                position = played.after;
            }
        }
    }

    /// Dakon sown clockwise, on page numbers: South's circuit is 13..7, her store, 0..6; North's is 0..6, his store, 13..7.
    mod clockwise {
        use super::*;

        #[derive(Debug, PartialEq, Eq)]
        pub(super) struct Board {
            pages: [u16; 14],
            stores: [u16; 2],
        }

        const STORE: usize = 99;
        const SOUTH: [usize; 15] = [13, 12, 11, 10, 9, 8, 7, STORE, 0, 1, 2, 3, 4, 5, 6];
        const NORTH: [usize; 15] = [0, 1, 2, 3, 4, 5, 6, STORE, 13, 12, 11, 10, 9, 8, 7];

        fn page_of(ring: usize) -> usize {
            if ring < 7 { 7 + ring } else { 13 - ring }
        }

        fn mirror(page: usize) -> usize {
            if page < 7 { 6 - page } else { 20 - page }
        }

        pub(super) fn mirror_pit(side: Side, pit: Pit) -> usize {
            mirror(page_of(usize::from(pit.0) + 7 * side.index()))
        }

        impl Board {
            pub(super) fn mirror_of(position: &Position) -> Self {
                let mut pages = [0; 14];
                for ring in 0..14 {
                    pages[mirror(page_of(ring))] = position.board[ring];
                }
                Board { pages, stores: position.stores }
            }

            /// Plays a page pit; whether the last seed fell into the own store.
            pub(super) fn play(&mut self, mut page: usize, side: Side) -> bool {
                let (circuit, own) = match side {
                    Side::South => (SOUTH, 7..14),
                    Side::North => (NORTH, 0..7),
                };
                let store = &mut self.stores[side.index()];
                loop {
                    let mut hand = std::mem::take(&mut self.pages[page]);
                    let mut slot = circuit.iter().position(|&at| at == page).expect("a slot");
                    while hand > 0 {
                        slot = (slot + 1) % 15;
                        hand -= 1;
                        match circuit[slot] {
                            STORE => *store += 1,
                            at => self.pages[at] += 1,
                        }
                    }
                    page = circuit[slot];
                    if page == STORE {
                        return true;
                    }
                    if self.pages[page] == 1 {
                        break;
                    }
                }
                if own.contains(&page) {
                    *store += std::mem::take(&mut self.pages[(page + 7) % 14]);
                } else if (1..=5).contains(&(page % 7)) {
                    let (left, right) = (self.pages[page - 1], self.pages[page + 1]);
                    if left == right && left > 0 {
                        *store += left + right + 1;
                        self.pages[page - 1..=page + 1].fill(0);
                    }
                }
                false
            }
        }
    }
}

mod djenon_abe {
    use super::*;

    /// DJ1: start, pit 0: laps end 4(5), 9(5), 2(6), 8(6), 2(1). `S 2 7 1 6 1 6 | N 6 6 0 1 6 6`, nothing taken.
    #[test]
    fn dj1_five_laps_from_the_start() {
        let played = play(&rules("djenon-abe", &[], &[]), &at("4,4,4,4,4,4/4,4,4,4,4,4"), 0);
        let ends: Vec<_> = played
            .laps
            .iter()
            .map(|lap| match lap.last {
                Landing::Pit(ring) => (ring, lap.board[ring]),
                Landing::Store => panic!("no store is sown"),
            })
            .collect();
        assert_eq!(ends, [(4, 5), (9, 5), (2, 6), (8, 6), (2, 1)]);
        assert_eq!(played.after, at("2,7,1,6,1,6/6,6,0,1,6,6/0,0/n"));
    }

    /// "All six opening moves give the same pattern rotated (5 laps, no capture)."
    #[test]
    fn all_openings_are_the_same_rotated() {
        let rules = rules("djenon-abe", &[], &[]);
        let first = play(&rules, &at("4,4,4,4,4,4/4,4,4,4,4,4"), 0);
        for pit in 1..6 {
            let mut played = play(&rules, &at("4,4,4,4,4,4/4,4,4,4,4,4"), pit);
            played.after.board.rotate_left(usize::from(pit));
            assert_eq!((&played.after.board, played.lap_count), (&first.after.board, 5));
            assert_eq!(played.capture, None);
        }
    }

    /// DJ2: `S 0 0 2 1 0 0 | N 3 0 0 0 0 1`, pit 2: last in 4, empty. `S 0 0 0 2 1 0 | N 3 0 0 0 0 1`, 0.
    #[test]
    fn dj2_a_last_seed_in_an_empty_pit() {
        let played = play(&rules("djenon-abe", &[], &[]), &at("0,0,2,1,0,0/3,0,0,0,0,1"), 2);
        assert_eq!(played.after, at("0,0,0,2,1,0/3,0,0,0,0,1/0,0/n"));
        assert_eq!(played.capture, None);
    }

    /// DJ3: `S 0 0 0 3 1 3 | N 1 6 0 0 0 5`, pit 3: 4->2, 5->4, 6->2. Takes 6 (2), 5 (4), 4 (2), stops at origin 3: 8 taken,
    /// own pits included. `S 0 0 0 0 0 0 | N 0 6 0 0 0 5`. South is now empty but North moves next (ordinary mover facing an
    /// empty row, must feed).
    #[test]
    fn dj3_a_chain_backwards_over_own_pits() {
        let rules = rules("djenon-abe", &[], &[]);
        let played = play(&rules, &at("0,0,0,3,1,3/1,6,0,0,0,5"), 3);
        assert_eq!(played.after, at("0,0,0,0,0,0/0,6,0,0,0,5/8,0/n"));
        let capture = played.capture.expect("a capture");
        assert_eq!((capture.kind, capture.taken), (CaptureKind::Count, vec![(6, 2), (5, 4), (4, 2)]));
        // Both moves reach South's row: six seeds from ring pit 7, five from ring pit 11.
        assert_eq!(legal(&rules, &played.after), [1, 5]);
        // Three seeds in ring pit 7 would not.
        let short = at("0,0,0,0,0,0/0,3,0,0,0,5/8,0/n");
        assert_eq!(legal(&rules, &short), [5]);
        let refused = Referee::new(&rules).play(&short, Pit(1)).expect_err("it does not feed");
        assert_eq!(refused.to_string(), "North may not play pit 2: South has no seeds, and this move brings none; legal: 6");
    }

    /// DJ4: `S 0 2 0 2 0 0 | N 3 0 0 0 2 0`, pit 1: last in 3 (3) relays; last in 6 (4): takes 4.
    /// `S 0 0 1 0 1 1 | N 0 0 0 0 2 0`.
    #[test]
    fn dj4_a_relay_and_a_capture() {
        let played = play(&rules("djenon-abe", &[], &[]), &at("0,2,0,2,0,0/3,0,0,0,2,0"), 1);
        assert_eq!(played.after, at("0,0,1,0,1,1/0,0,0,0,2,0/4,0/n"));
        assert_eq!(played.laps.iter().map(|lap| lap.last).collect::<Vec<_>>(), [Landing::Pit(3), Landing::Pit(6)]);
    }

    /// DJ5: only pit 0 = 13: origin refilled, last in 1 (2): takes 2 (pit 0 holds 1, chain stops).
    /// `S 1 0 1 1 1 1 | N 1 1 1 1 1 1`. With 12 seeds the last falls in the origin (empty): ends, nothing.
    #[test]
    fn dj5_the_origin_is_an_ordinary_slot() {
        let rules = rules("djenon-abe", &[], &[]);
        let played = play(&rules, &at("13,0,0,0,0,0/0,0,0,0,0,0"), 0);
        assert_eq!(played.after, at("1,0,1,1,1,1/1,1,1,1,1,1/2,0/n"));
        let played = play(&rules, &at("12,0,0,0,0,0/0,0,0,0,0,0"), 0);
        assert_eq!(played.after, at("1,1,1,1,1,1/1,1,1,1,1,1/0,0/n"));
    }

    /// DJ6: `S 1 0 0 0 0 1 | N 1 0 0 0 0 0`, pit 5: takes 2, North empty. R1: could South feed? pit 0 -> pit 1: no. Over;
    /// South's last seed is the gift to North. R2: over at once, same settlement.
    #[test]
    fn dj6_nobody_can_feed() {
        for readings in [&[][..], &["oware-feeding"]] {
            let rules = rules("djenon-abe", readings, &[]);
            let played = play(&rules, &at("1,0,0,0,0,1/1,0,0,0,0,0"), 5);
            assert_eq!(played.after, at("1,0,0,0,0,0/0,0,0,0,0,0/2,0/n"));
            let over = over(&rules, &played.after);
            assert_eq!(over.reason, OverReason::NoMove);
            assert_eq!(over.gift, Some((Side::South, 1)));
            assert_eq!(over.last, at("0,0,0,0,0,0/0,0,0,0,0,0/2,1/n"));
        }
        let rules = rules("djenon-abe", &["no-gift"], &[]);
        assert_eq!(over(&rules, &at("1,0,0,0,0,0/0,0,0,0,0,0/2,0/n")).last.stores, [3, 0]);
    }

    /// DJ7: `S 1 0 0 0 0 1 | N 5 0 0 0 2 0`, pit 5: 6 becomes 6, relays over 7-11 and 0 (2): takes 2.
    /// `S 0 0 0 0 0 0 | N 0 1 1 1 3 1`.
    #[test]
    fn dj7_six_relays() {
        let played = play(&rules("djenon-abe", &[], &[]), &at("1,0,0,0,0,1/5,0,0,0,2,0"), 5);
        assert_eq!(played.after, at("0,0,0,0,0,0/0,1,1,1,3,1/2,0/n"));
        assert_eq!(played.lap_count, 2);
    }

    /// DJ8 (R1 and R2 diverge): `S 0 0 0 0 3 1 | N 1 0 0 0 0 0`, pit 5: takes 2, North empty. R1: North passes, South must feed
    /// with pit 4 -> `S 0 0 0 0 0 1 | N 1 1 0 0 0 0`, play goes on. R2: over; of South's 3 seeds 1 goes to North, 2 to South.
    #[test]
    fn dj8_rescue_and_oware_feeding_part() {
        let rescue = rules("djenon-abe", &[], &[]);
        let played = play(&rescue, &at("0,0,0,0,3,1/1,0,0,0,0,0"), 5);
        assert_eq!(played.after, at("0,0,0,0,3,0/0,0,0,0,0,0/2,0/n"));
        assert_eq!(Referee::new(&rescue).state(&played.after), State::Pass);
        let passed = Referee::new(&rescue).pass(&played.after);
        assert_eq!(legal(&rescue, &passed), [4]);
        let fed = play(&rescue, &passed, 4).after;
        assert_eq!(fed, at("0,0,0,0,0,1/1,1,0,0,0,0/2,0/n"));
        assert_eq!(legal(&rescue, &fed), [0, 1]);

        let oware = rules("djenon-abe", &["oware-feeding"], &[]);
        let over = over(&oware, &played.after);
        assert_eq!(over.gift, Some((Side::South, 1)));
        assert_eq!(over.last.stores, [4, 1]);
    }

    /// "Both rows hold exactly 1 seed each: over, each keeps his own seed", whatever the position: "S ring 5 next to N ring 6,
    /// South to move" would capture.
    #[test]
    fn one_seed_each_ends_the_game() {
        for readings in [&[][..], &["unscored"], &["split"]] {
            let over = over(&rules("djenon-abe", readings, &[]), &at("0,0,0,0,0,1/1,0,0,0,0,0/20,26"));
            assert_eq!((over.reason, over.gift), (OverReason::OneEach, None));
            assert_eq!(over.last.stores, [21, 27], "{readings:?}: each scores his own");
        }
    }

    /// The readings of the remainder: `unscored` leaves it, `split` halves what the gift has left.
    #[test]
    fn readings_of_the_remainder() {
        let stranded = at("2,0,0,0,0,0/0,0,0,0,0,0/20,26/n");
        let settled = |readings: &[&str], sets: &[&str]| {
            let over = over(&rules("djenon-abe", readings, sets), &stranded);
            (over.last.stores, over.last.seeds_in_play())
        };
        assert_eq!(settled(&[], &[]), ([21, 27], 0));
        assert_eq!(settled(&["no-gift"], &[]), ([22, 26], 0));
        assert_eq!(settled(&["unscored"], &[]), ([20, 27], 1));
        assert_eq!(settled(&["no-gift"], &["end.remainder=split"]), ([21, 27], 0));
        // With the gift given one seed is left, which counts for neither.
        assert_eq!(settled(&[], &["end.remainder=split"]), ([20, 27], 1));
    }
}

mod san_yao {
    use super::*;

    /// SY1: start, pit 0: lifts 0, 6, 2, 9, 6, 8; last in 5 (9), pit 6 empty, pit 7 = 8 taken, 8 empty, 9 = 1 taken.
    /// `S 3 9 2 9 9 | N 9 0 0 0 0`, 9 taken.
    #[test]
    fn sy1_indian_laps_and_a_sweep_from_the_start() {
        let played = play(&rules("san-yao", &[], &[]), &at("5,5,5,5,5/5,5,5,5,5"), 0);
        assert_eq!(played.laps.iter().map(|lap| lap.from).collect::<Vec<_>>(), [0, 6, 2, 9, 6, 8]);
        assert_eq!(played.laps.last().map(|lap| (lap.last, lap.board[5])), Some((Landing::Pit(5), 9)));
        assert_eq!(played.after, at("3,9,2,9,9/9,0,0,0,0/9,0/n"));
        let capture = played.capture.expect("a sweep");
        assert_eq!((capture.kind, capture.taken), (CaptureKind::BeyondGap, vec![(7, 8), (9, 1)]));
    }

    /// "All five opening moves give the same pattern rotated (6 laps, 9 stones captured)."
    #[test]
    fn all_openings_are_the_same_rotated() {
        let rules = rules("san-yao", &[], &[]);
        for pit in 0..5 {
            let mut played = play(&rules, &at("5,5,5,5,5/5,5,5,5,5"), pit);
            played.after.board.rotate_left(usize::from(pit));
            assert_eq!((played.after.board, played.lap_count), (at("3,9,2,9,9/9,0,0,0,0").board, 6));
            assert_eq!(played.after.stores, [9, 0]);
        }
    }

    /// SY2: `S 0 2 0 0 0 | N 4 1 0 0 0`, pit 1: last in 3, pit 4 empty, takes 5 (4); pit 6 occupied stops.
    /// `S 0 0 1 1 0 | N 0 1 0 0 0`.
    #[test]
    fn sy2_an_occupied_pit_stops_the_sweep() {
        let played = play(&rules("san-yao", &[], &[]), &at("0,2,0,0,0/4,1,0,0,0"), 1);
        assert_eq!(played.after, at("0,0,1,1,0/0,1,0,0,0/4,0/n"));
    }

    /// SY3: `S 1 0 0 3 0 | N 6 0 2 0 0`, pit 0: last in 1; takes 3, 5, 7 = 3+6+2 = 11, then two empties. `S 0 1 0 0 0`, N
    /// empty: one stone left, round over, it goes to its owner South.
    #[test]
    fn sy3_a_lone_stone_goes_to_its_owner() {
        let rules = rules("san-yao", &[], &[]);
        let played = play(&rules, &at("1,0,0,3,0/6,0,2,0,0"), 0);
        assert_eq!(played.after, at("0,1,0,0,0/0,0,0,0,0/11,0/n"));
        let ended = over(&rules, &played.after);
        assert_eq!((ended.reason, ended.last.stores), (OverReason::EndCondition, [12, 0]));
        // Were the pit a son of North's, the stone would be his.
        assert_eq!(over(&rules, &at("0,1,0,0,0/0,0,0,0,0/11,0/n/snsssnnnnn")).last.stores, [11, 1]);
    }

    /// SY4: `S 0 0 1 0 0 | N 0 3 0 0 0`, pit 2: last in 3, pits 4 and 5 empty: nothing. `S 0 0 0 1 0 | N 0 3 0 0 0`.
    #[test]
    fn sy4_two_empty_pits_save_what_follows() {
        let played = play(&rules("san-yao", &[], &[]), &at("0,0,1,0,0/0,3,0,0,0"), 2);
        assert_eq!(played.after, at("0,0,0,1,0/0,3,0,0,0/0,0/n"));
    }

    /// SY5: `S 2 0 1 1 0 | N 0 3 0 0 4`, pit 0: last in 2, lifts 3, last in 4; 5 empty, takes 6 (3).
    /// `S 0 1 2 0 1 | N 0 0 0 0 4`.
    #[test]
    fn sy5_an_indian_lap() {
        let played = play(&rules("san-yao", &[], &[]), &at("2,0,1,1,0/0,3,0,0,4"), 0);
        assert_eq!(played.after, at("0,1,2,0,1/0,0,0,0,4/3,0/n"));
        assert_eq!(
            played.laps.iter().map(|lap| (lap.from, lap.last)).collect::<Vec<_>>(),
            [(0, Landing::Pit(2)), (3, Landing::Pit(4))]
        );
    }

    /// SY6: `S 1 0 0 2 0 | N 2 0 2 0 2`, pit 0: last in 1; takes 3, 5, 7, 9 and, wrapping, the landing stone: 9, board empty.
    /// No-wrap reading: 8, one stone left on pit 1.
    #[test]
    fn sy6_a_sweep_round_to_the_landing_stone() {
        let before = at("1,0,0,2,0/2,0,2,0,2");
        let played = play(&rules("san-yao", &[], &[]), &before, 0);
        assert_eq!(played.after, at("0,0,0,0,0/0,0,0,0,0/9,0/n"));
        let played = play(&rules("san-yao", &["no-wrap"], &[]), &before, 0);
        assert_eq!(played.after, at("0,1,0,0,0/0,0,0,0,0/8,0/n"));
    }

    /// SY7: `S 0 1 0 1 1 | N 0 1 0 2 1`, pit 4: endless. "Illegal"; "it would leave the board unchanged".
    #[test]
    fn sy7_an_endless_move_is_illegal() {
        let before = at("0,1,0,1,1/0,1,0,2,1");
        let rules = rules("san-yao", &[], &[]);
        assert_eq!(legal(&rules, &before), [1, 3]);
        let refused = Referee::new(&rules).play(&before, Pit(4)).expect_err("an endless move");
        assert_eq!(refused.to_string(), "South may not play pit 5: its laps would go on for ever; legal: 2 4");
    }

    /// The other readings of an endless move: the turn passes, or the round ends.
    #[test]
    fn sy7_an_endless_move_may_pass_or_end_the_round() {
        let before = at("0,1,0,1,1/0,1,0,2,1");
        let passes = rules("san-yao", &[], &["sowing.endless=pass"]);
        assert_eq!(legal(&passes, &before), [1, 3, 4]);
        let played = play(&passes, &before, 4);
        assert!(played.endless);
        assert_eq!((played.after, played.next), (at("0,1,0,1,1/0,1,0,2,1/0,0/n"), TURN));
        // "An infinite relay is periodic through its own first state": the laps recorded end where they began.
        assert_eq!(played.laps.last().map(|lap| &lap.board), Some(&before.board));

        let ends = rules("san-yao", &[], &["sowing.endless=end"]);
        let played = play(&ends, &before, 4);
        let Next::Over(over) = played.next else { panic!("{:?}", played.next) };
        assert_eq!((over.reason, over.last.stores), (OverReason::Endless, [3, 4]));
    }

    /// "Only the conqueror may start" in a son. Ring pit 5, North's first, is South's son here.
    #[test]
    fn only_the_owner_starts_in_a_son() {
        let rules = rules("san-yao", &[], &[]);
        let before = at("0,0,0,0,2/1,0,3,0,0/0,0/s/ssssssnnnn");
        assert_eq!(legal(&rules, &before), [4, 5]);
        let played = play(&rules, &before, 5);
        // The stone falls in ring pit 6; the three of pit 7 follow, to 8, 9 and 0.
        assert_eq!(played.after.board, at("1,0,0,0,2/0,1,0,1,1").board);
        let north = Position { to_move: Side::North, ..before };
        assert_eq!(legal(&rules, &north), [2]);
        let refused = Referee::new(&rules).play(&north, Pit(0)).expect_err("South's son");
        assert_eq!(refused.to_string(), "North may not play pit 1: that pit is South's; legal: 3");
    }

    /// "Player has an occupied owned pit: must move; else passes."
    #[test]
    fn a_player_without_stones_passes() {
        let rules = rules("san-yao", &[], &[]);
        assert_eq!(Referee::new(&rules).state(&at("0,0,0,0,0/1,0,3,0,0")), State::Pass);
        assert_eq!(Referee::new(&rules).play(&at("0,0,0,0,0/1,0,3,0,0"), Pit(0)), Err(IllegalMove::NoMove(Side::South)));
    }
}

mod djenon_aboure {
    use super::*;

    /// `S 4 1 0 3 1 | N 5 4 3 2 1` on five pits a row, ring pit 3: an endless move whose cycle never contains the starting
    /// board.
    #[test]
    fn an_endless_move_need_not_return_to_its_start() {
        let before = at("4,1,0,3,1/5,4,3,2,1");
        let rules = rules("djenon-aboure", &[], &["sowing.endless=pass"]);
        let played = play(&rules, &before, 3);
        assert!(played.endless);
        assert_eq!(played.after.board, before.board);

        let mut seen = HashSet::from([(before.board.clone(), 3)]);
        let states: Vec<_> = played
            .laps
            .iter()
            .map(|lap| match lap.last {
                Landing::Pit(ring) => (lap.board.clone(), ring),
                Landing::Store => panic!("no store is sown"),
            })
            .collect();
        let (last, earlier) = states.split_last().expect("laps");
        for state in earlier {
            assert!(seen.insert(state.clone()), "the record stops at the first recurrence");
        }
        assert!(earlier.contains(last), "the last state is one that was there before");
        assert_ne!(last, &(before.board.clone(), 3), "and not the start");

        let illegal = super::rules("djenon-aboure", &[], &[]);
        assert!(!legal(&illegal, &before).contains(&3));
    }

    /// "Single seeds may not be lifted, the first seed of every lap goes back into the pit just emptied."
    #[test]
    fn the_first_seed_goes_back() {
        let rules = rules("djenon-aboure", &[], &[]);
        let before = at("1,0,2,0,0,0/3,0,0,0,0,0");
        assert_eq!(legal(&rules, &before), [2]);
        let played = play(&rules, &before, 2);
        assert_eq!(played.after, at("1,0,1,1,0,0/3,0,0,0,0,0/0,0/n"));
        let refused = Referee::new(&rules).play(&before, Pit(0)).expect_err("a single seed");
        assert_eq!(refused.to_string(), "South may not play pit 1: it holds 1, and a move lifts at least 2; legal: 3");
    }

    /// "A player without a move passes, the game ends when every pit holds at most one seed, each player keeps his row."
    #[test]
    fn only_single_seeds_end_the_game() {
        let rules = rules("djenon-aboure", &[], &[]);
        assert_eq!(Referee::new(&rules).state(&at("1,0,1,0,0,0/3,0,0,0,0,0")), State::Pass);
        let over = over(&rules, &at("1,0,1,0,0,0/1,1,0,0,0,1/20,23"));
        assert_eq!((over.reason, over.last.stores), (OverReason::EndCondition, [22, 26]));
    }
}

/// A small generator of random numbers (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}
