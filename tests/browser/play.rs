//! Games are played through the page's own controls, and end as the engine says.

use serde_json::{Value, json};

use crate::driver::{Window, window};
use crate::site::lumbung;

/// The board's stores, South's and North's.
fn stores(window: &Window) -> Value {
    window.script(
        "return ['south', 'north'].map((side) => Number(document.querySelector(`#play-board-store-${side} .count`).textContent))",
    )
}

/// Moves of the game so far, as the page writes them.
fn moves(window: &Window) -> String {
    window.script("return document.getElementById('text-moves').value").as_str().expect("moves").to_owned()
}

/// Waits until the page waits for a move after these, and returns the moves so far and the pits that may be played; `over` once the
/// game is.
fn choices(window: &Window, after: Option<&str>) -> (String, Vec<String>) {
    let after = after.map_or("null".to_owned(), |moves| format!("{moves:?}"));
    let found = window.wait(&format!(
        "const moves = document.getElementById('text-moves').value; \
         if (moves === {after}) return false; \
         const over = document.querySelector('#status.over'); \
         const legal = [...document.querySelectorAll('#play-board .pit.legal')].map((pit) => pit.dataset.pit); \
         const pass = !document.getElementById('pass').hidden; \
         return over ? [moves, 'over'] : pass ? [moves, 'pass'] : legal.length ? [moves, ...legal] : false"
    ));
    let mut found = found.as_array().into_iter().flatten().map(|text| text.as_str().expect("a text").to_owned());
    (found.next().expect("moves"), found.collect())
}

/// Plays a game to its end by pressing pits, and holds the stores against the referee's.
fn plays_to_the_end(game: &str) -> String {
    let window = window("/");
    window.choose("#game", game);
    window.wait(&format!("return location.search.includes('game={game}')"));
    window.choose("#speed", "instant");
    let mut random = 7_usize;
    let (mut played, mut pits) = choices(&window, None);
    for number in 0.. {
        assert!(number < 600, "{game}: {played}");
        if pits == ["over"] {
            break;
        }
        if pits == ["pass"] {
            window.click("#pass");
        } else {
            random = random.wrapping_mul(25_214_903_917).wrapping_add(11);
            let pit = &pits[(random >> 20) % pits.len()];
            // Every eighth one with the mouse, the others by their numbers, after a pit has the focus.
            match pit.split_once('-') {
                Some((_, key)) if number % 8 != 0 => window.keys(&[key]),
                _ => window.click(&format!("[data-pit={pit}]")),
            }
        }
        (played, pits) = choices(&window, Some(&played));
    }
    let record = lumbung(&["play", game, "--moves", &played]);
    assert_eq!(record["over"], true, "{game}: {played}");
    let position = record["position"].as_str().expect("a position");
    let expected = position.split('/').nth(2).expect("stores");
    let shown = stores(&window);
    assert_eq!(format!("{},{}", shown[0], shown[1]), expected, "{game}: {played}");
    let unit = if game == "san-yao" { "round" } else { "game" };
    assert!(window.text("#status").starts_with(&format!("The {unit} is over")));
    assert_eq!(window.complaints(), Vec::<String>::new());
    played
}

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn dakon_is_played_to_its_end() {
    plays_to_the_end("dakon");
}

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn djenon_abe_is_played_to_its_end() {
    plays_to_the_end("djenon-abe");
}

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn san_yao_is_played_to_its_end_and_into_the_next_round() {
    let played = plays_to_the_end("san-yao");
    let window = window(&format!("/?game=san-yao&moves={}", played.replace(' ', "+")));
    window.wait("return document.querySelector('#status.over')");
    let expected = lumbung(&["play", "san-yao", "--match", "--moves", &played]);
    let refill = &expected["match"]["rounds"][0]["refill"];
    window.click("#next-round");
    window.wait("return document.getElementById('said').textContent.includes('Totals')");
    let said = window.text("#said");
    assert!(said.contains(&format!("South {}, North {}", refill["stores"][0], refill["stores"][1])), "{said}");
    // South's pits of the next round are as many as the match of the command line says.
    let owned = window.script("return document.querySelectorAll('#play-board .pit.owned-south').length");
    assert_eq!(owned, refill["pits"][0], "{said}");
    // A link holds the match: whoever gets it goes on with the second round of it.
    let first = choices(&window, None).1.remove(0);
    window.click(&format!("[data-pit={first}]"));
    let before = window.wait("return !document.getElementById('undo').disabled && location.search");
    let (round, board) = (window.text("#round"), stores(&window));
    assert!(round.starts_with("Round 2: South owns "), "{round}");
    window.go(&format!("/{}", before.as_str().expect("an address")));
    assert_eq!((window.text("#round"), stores(&window), window.script("return location.search")), (round, board, before));
    let text = moves(&window);
    let record = lumbung(&["play", "san-yao", "--match", "--moves", &text]);
    let rounds = record["match"]["rounds"].as_array().expect("rounds");
    assert_eq!((rounds.len(), &rounds[1]["refill"]), (2, &Value::Null));
    assert_eq!(window.complaints(), Vec::<String>::new());
}

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn a_link_is_a_citation() {
    let window = window("/?game=dakon&board=7x7&moves=1+2+7+7+1+3+1+4+7");
    assert_eq!(stores(&window), json!([53, 0]));
    assert_eq!(window.text("#status"), "North to move.");
    window.click("#undo");
    window.wait("return document.getElementById('text-moves').value === '1 2 7 7 1 3 1 4'");
    let address = window.script("return location.search");
    assert_eq!(address, "?game=dakon&board=7x7&moves=1+2+7+7+1+3+1+4");
    // Whoever gets that link sees the same; and what was taken back can be played again.
    window.click("#redo");
    window.wait("return document.getElementById('text-moves').value === '1 2 7 7 1 3 1 4 7'");
    window.go(address.as_str().map(|address| format!("/{address}")).as_deref().unwrap());
    assert_eq!(moves(&window), "1 2 7 7 1 3 1 4");
    // A reading is part of it.
    window.go("/?game=dakon&reading=german-end,no-mikul&position=0,0,1/0,4,0/40,53/n");
    let checked = window.script("return [...document.querySelectorAll('#readings input:checked')].map((box) => box.value)");
    assert_eq!(checked, json!(["german-end", "no-mikul"]));
    // A link that cannot be is told, in a line.
    window.go("/?game=dakon&board=0x7");
    assert!(window.wait("return document.getElementById('problem').textContent").as_str().unwrap().contains("pits"));
}

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn a_position_is_edited_and_played_from() {
    let window = window("/?game=dakon&board=3x3");
    window.click("#edit");
    for (field, seeds) in
        [("pit-0", "0"), ("pit-1", "0"), ("pit-2", "1"), ("pit-4", "4"), ("pit-3", "0"), ("pit-5", "0"), ("store-north", "9")]
    {
        window.write(&format!("#editor [name={field}]"), seeds);
    }
    window.click("#editor [value=north]");
    window.click("#editor button[type=submit]");
    window.wait("return location.search === '?game=dakon&position=0,0,1/0,4,0/0,9/n'");
    assert_eq!(stores(&window), json!([0, 9]));
    window.choose("#speed", "instant");
    window.click("[data-pit=north-2]");
    window.wait("return document.getElementById('text-moves').value === '2'");
    let expected = lumbung(&["play", "dakon", "--position", "0,0,1/0,4,0/0,9/n", "--moves", "2"]);
    let shown = stores(&window);
    assert!(expected["position"].as_str().unwrap().contains(&format!("/{},{}/", shown[0], shown[1])));
}

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn two_perfect_players_end_where_the_solver_says() {
    let window = window("/?game=dakon&board=3x5");
    window.choose("#speed", "instant");
    window.choose("#player-south", "perfect");
    window.choose("#player-north", "perfect");
    window.wait("return document.querySelector('#status.over')");
    // The first player loses by 10 on this board.
    assert!(window.text("#status").ends_with("North wins by 10, 20 to 10."), "{}", window.text("#status"));
}

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn a_sowing_waits_steps_and_ends_when_told() {
    let window = window("/?game=dakon&board=7x7");
    window.choose("#speed", "slow");
    window.click("[data-pit=south-7]");
    window.wait("return !document.getElementById('pause').disabled");
    window.click("#pause");
    assert_eq!(window.text("#pause"), "Go on");
    window.click("#step");
    window.click("#finish");
    window.wait("return document.getElementById('text-moves').value === '7'");
    assert_eq!(window.text("#said"), "South plays pit 7, 2 laps. Nembak: takes 8 from North's pit 1.");
    window.choose("#speed", "fast");
    window.click("#undo");
    window.wait("return document.getElementById('text-moves').value === ''");
    window.click("[data-pit=south-1]");
    window.wait("return document.getElementById('text-moves').value === '1'");
    assert_eq!(window.text("#said"), "South plays pit 1, 1 lap. Bonus move: South moves again.");
}

/// A round that South wins with 39 stones to 11: seven pits, and 4 stones to lend.
const FIRST_ROUND: &str = "2 / 1 / 4 / 3 / 1 / 2 / 4 / 1 / 3 / 5 / 3 / 5 / 4";

/// Debts, chosen sons and the score belong to a match, and a link to it restores them.
#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn a_link_restores_a_match_with_its_debts_and_sons() {
    let window = window(&format!("/?game=san-yao&reading=winner-chooses,debt&moves={}", FIRST_ROUND.replace(' ', "+")));
    window.wait("return document.querySelector('#status.over')");
    let record = |moves: &str| {
        let words = ["play", "san-yao", "--reading", "winner-chooses", "--reading", "debt", "--match", "--moves"];
        lumbung(&[&words[..], &[moves]].concat())
    };
    let refill = record(FIRST_ROUND)["match"]["rounds"][0]["refill"].clone();
    assert!(refill["sons"].as_u64() > Some(0) && refill["lent"].as_u64() > Some(0), "{refill}");
    window.click("#next-round");
    window.wait("return !document.getElementById('sons-choice').hidden");
    // Another choice than the first.
    window.choose("#sons", "1");
    let sons = window.script("return document.getElementById('sons').selectedOptions[0].textContent");
    window.click("#next-round");
    window.wait("return document.getElementById('text-moves').value.includes(';')");
    let text = moves(&window);
    assert!(text.ends_with(sons.as_str().expect("sons")), "{text}");
    let round = record(&text)["match"]["rounds"][1].clone();
    let says = window.text("#round");
    let debt = &round["debt"];
    let debtor = if debt["debtor"] == "south" { "South" } else { "North" };
    assert!(
        says.ends_with(&format!("{debtor} owes {} seed{}.", debt["seeds"], if debt["seeds"] == 1 { "" } else { "s" })),
        "{says}"
    );
    let owners = "return [...document.querySelectorAll('#play-board .pit')].sort((a, b) => a.dataset.ring - b.dataset.ring) \
                  .map((pit) => pit.classList.contains('owned-south') ? 's' : 'n').join('')";
    assert_eq!(window.script(owners), round["owners"]);
    let address = window.script("return location.search");
    window.go(&format!("/{}", address.as_str().expect("an address")));
    assert_eq!((window.text("#round"), window.script(owners)), (says, round["owners"].clone()));
}
