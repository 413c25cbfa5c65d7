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

/// Waits until the page waits for a move, and returns the pits that may be played; none once the game is over.
fn choices(window: &Window) -> Vec<String> {
    let found = window.wait(
        "const over = document.querySelector('#status.over'); \
         const legal = [...document.querySelectorAll('#play-board .pit.legal')].map((pit) => pit.dataset.pit); \
         const pass = !document.getElementById('pass').hidden; \
         return over ? ['over'] : pass ? ['pass'] : legal.length ? legal : false",
    );
    found.as_array().into_iter().flatten().map(|pit| pit.as_str().expect("a pit").to_owned()).collect()
}

/// Plays a game to its end by pressing pits, and holds the stores against the referee's.
fn plays_to_the_end(game: &str) -> String {
    let window = window("/");
    window.choose("#game", game);
    window.wait(&format!("return location.search.includes('game={game}')"));
    window.choose("#speed", "instant");
    let mut random = 7_usize;
    for number in 0.. {
        assert!(number < 600, "{game}: {}", moves(&window));
        let pits = choices(&window);
        if pits == ["over"] {
            break;
        }
        let before = moves(&window);
        if pits == ["pass"] {
            window.click("#pass");
        } else {
            random = random.wrapping_mul(25_214_903_917).wrapping_add(11);
            let pit = &pits[(random >> 20) % pits.len()];
            // Every third one by its number, after a pit has the focus; the others with the mouse.
            match pit.split_once('-') {
                Some((_, key)) if number % 3 == 1 => window.keys(&[key]),
                _ => window.click(&format!("[data-pit={pit}]")),
            }
        }
        window.wait(&format!("return document.getElementById('text-moves').value !== {before:?}"));
    }
    let played = moves(&window);
    let record = lumbung(&["play", game, "--moves", &played]);
    assert_eq!(record["over"], true, "{game}: {played}");
    let position = record["position"].as_str().expect("a position");
    let expected = position.split('/').nth(2).expect("stores");
    let shown = stores(&window);
    assert_eq!(format!("{},{}", shown[0], shown[1]), expected, "{game}: {played}");
    assert!(window.text("#status").starts_with("The game is over"));
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
