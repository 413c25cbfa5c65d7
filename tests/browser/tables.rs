//! Tables are looked into, and a value leads to the board.

use serde_json::json;

use crate::driver::window;
use crate::proofs::walk;
use crate::site::{lumbung, site};

const POSITION: &str = "1,2,0/0,2,1/5,3/n";

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn a_table_is_looked_up() {
    let window = window("/tables");
    window.wait("return document.getElementById('look-up')");
    window.write("#look-up", POSITION);
    window.click("#tables form button");
    window.wait("return document.querySelector('#found table')");
    let expected = lumbung(&["table", "query", &site().table, "--position", POSITION]);
    let values: Vec<i64> =
        expected["moves"].as_array().expect("moves").iter().filter_map(|choice| choice["value"].as_i64()).collect();
    let shown = window.script(
        "return [...document.querySelectorAll('#found tbody tr')].map((row) => Number(row.cells[1].textContent.replace('−', '-')))",
    );
    assert_eq!(shown, json!(values));
    // The same values stand on the pits.
    window.click("#found a");
    window.wait("return document.querySelectorAll('#play-board .worth b').length");
    let pits = window.script(
        "return [...document.querySelectorAll('#play-board .row.north .pit')].reverse().filter((pit) => pit.querySelector('.worth b')) \
         .map((pit) => Number(pit.querySelector('.worth b').textContent.replace('−', '-')))",
    );
    assert_eq!(pits, json!(values));
    assert_eq!(window.text("#values-note"), "Exact, from the table k3.");
    // An extreme position is one click from the board.
    window.go("/tables?table=k3&seeds=8");
    window.click("#tables section:nth-of-type(3) p a");
    window.wait("return location.pathname === '/' && document.getElementById('status').textContent");
    let expected = lumbung(&["table", "stats", &site().table, "--seeds", "8"]);
    let lowest = expected["layers"][0]["min_position"].as_str().expect("a position");
    assert_eq!(window.script("return document.getElementById('text-position').value"), lowest);
    assert_eq!(window.complaints(), Vec::<String>::new());
}

/// What a table and a proof of rules of their own say is played by those rules.
#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn rules_of_their_own_are_played_by() {
    let window = window("/tables?table=own&position=0,3/1,0");
    window.wait("return document.querySelector('#found a')");
    window.click("#found a");
    window.wait("return document.querySelectorAll('#play-board .worth b').length");
    assert_eq!(window.text("#values-note"), "Exact, from the table own.");
    assert!(window.text("#changed").contains("the table own, the proof own"), "{}", window.text("#changed"));
    window.choose("#speed", "instant");
    // Three seeds from the second pit: the store and both pits of the other row.
    window.click("[data-pit=south-2]");
    window.wait("return document.getElementById('text-moves').value === '2'");
    assert_eq!(window.text("#play-board-store-south .count"), "1");
    let address = window.script("return location.search");
    let address = address.as_str().expect("an address");
    assert!(address.contains("position=0,3/1,0/0,0/s&moves=2") && !address.contains("game=kalah"), "{address}");
    window.go(&format!("/{address}"));
    assert_eq!(window.text("#play-board-store-south .count"), "1");
    // And so is the proof.
    window.go("/certificates?certificate=own");
    assert!(window.text("#certificates").contains("Its rules are its own"));
    window.choose("#walk-speed", "instant");
    walk(&window, 20, |_| {});
    assert!(window.text("#walk-status").starts_with("The game is over"));
    assert_eq!(window.complaints(), Vec::<String>::new());
}
