//! Everything can be done without a mouse.

use crate::driver::window;

const RIGHT: &str = "\u{E014}";
const UP: &str = "\u{E013}";
const ENTER: &str = "\u{E007}";
const TAB: &str = "\u{E004}";

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn pits_are_reached_by_arrows() {
    let window = window("/?game=dakon&board=4x4");
    window.choose("#speed", "instant");
    window.script("document.querySelector('#play-board .pit[tabindex=\"0\"]').focus()");
    window.keys(&[RIGHT, RIGHT]);
    let label = "return document.activeElement.querySelector('.unseen').textContent";
    assert_eq!(window.script(label), "South's pit 3, 4 seeds, may be played");
    window.keys(&[UP]);
    assert_eq!(window.script(label), "North's pit 2, 4 seeds");
    window.keys(&["2"]);
    window.wait("return document.getElementById('text-moves').value === '2'");
    window.keys(&["u"]);
    window.wait("return document.getElementById('text-moves').value === ''");
    window.script("document.querySelector('[data-pit=south-3]').focus()");
    window.keys(&[ENTER]);
    window.wait("return document.getElementById('text-moves').value === '3'");
    // What happened is told to those who do not see it.
    assert_eq!(window.script("return document.getElementById('said').getAttribute('aria-live')"), "polite");
    assert!(window.text("#said").starts_with("South plays pit 3, "));
}

/// Whoever listens hears every lap, what was taken, and whose turn it is.
#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn a_sowing_is_told_lap_by_lap() {
    let window = window("/?game=dakon");
    window.choose("#speed", "laps");
    window.script(
        "window.heard = []; \
         for (const region of document.querySelectorAll('[aria-live], [role=status], [role=alert]')) \
           new MutationObserver(() => heard.push(region.textContent)).observe(region, { childList: true, characterData: true })",
    );
    window.script("document.querySelector('#play-board .pit[tabindex=\"0\"]').focus()");
    window.keys(&["7"]);
    let hears = |what: &str| window.wait(&format!("return heard.includes({what:?})"));
    hears("Lap 1: 7 seeds from pit 7.");
    // The next lap, and to wait after it; then on.
    window.keys(&["n"]);
    hears("Lap 2: 8 seeds from North's pit 6.");
    window.keys(&[" "]);
    hears("South plays pit 7, 2 laps. Nembak: takes 8 from North's pit 1.");
    hears("North to move.");
}

/// Whatever can be pressed, chosen or written into is reached by the tabulator key; of the pits one, and the others by arrows.
#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn every_control_is_reached() {
    let window = window("/");
    for path in [
        "/?game=san-yao&reading=winner-chooses&moves=2+1+4+3+1+2+4+1+3+5+3+5+4+;+[6+8]+3",
        "/tables?table=k3&position=1,2,0/0,2,1",
        "/claims?claim=dakon-first-player-win",
        "/certificates?certificate=dakon-3x5",
    ] {
        window.go(path);
        window.script(
            "document.getElementById('edit').click(); \
             for (const details of document.querySelectorAll('details')) details.open = true; \
             window.reached = new Set(); \
             document.addEventListener('focusin', (event) => reached.add(event.target))",
        );
        window.keys(&[TAB; 90]);
        let missed = window.script(
            "return [...document.querySelectorAll('a[href], button, select, input, textarea, summary')] \
               .filter((one) => !one.disabled && one.offsetParent && !reached.has(one)) \
               .filter((one) => !one.matches('.pit[tabindex=\"-1\"], [type=radio]:not(:checked)')) \
               .map((one) => one.outerHTML.slice(0, 100))",
        );
        assert_eq!(missed, serde_json::json!([]), "{path}");
        assert_eq!(window.complaints(), Vec::<String>::new());
    }
}
