//! Everything can be done without a mouse.

use crate::driver::window;

const RIGHT: &str = "\u{E014}";
const UP: &str = "\u{E013}";
const ENTER: &str = "\u{E007}";

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
