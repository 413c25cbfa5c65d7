//! A certificate is walked through to its end.

use crate::driver::{Window, window};

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn a_proof_is_walked_to_its_end() {
    let window = window("/claims?claim=dakon-first-player-win");
    // From the claim to its proof.
    window.click("a[href=\"/certificates?certificate=dakon-7x7\"]");
    window.wait("return document.getElementById('walk-speed')");
    window.choose("#walk-speed", "instant");
    walk(&window, 100, |said| assert!(said.starts_with("North to move: choose any reply"), "{said}"));
    assert_eq!(window.text("#walk-status"), "The game is over: South has a margin of +98, as promised.");
    assert_eq!(window.complaints(), Vec::<String>::new());
    // The other claim of the same certificate: now the reader plays South.
    window.choose("#walk-claim", "1");
    window.wait("return document.getElementById('walk-status').textContent.endsWith('South to move.')");
}

/// Walks through the proof that is shown, with the first legal pit at each choice, in fewer than `most` choices. `at_choice` sees what
/// is said at each.
pub(crate) fn walk(window: &Window, most: usize, at_choice: impl Fn(&str)) {
    for number in 0.. {
        let state = window.wait(
            "const over = document.querySelector('#walk-status.over'); \
             const legal = document.querySelectorAll('#walk-board .pit.legal'); \
             return over ? 'over' : legal.length ? 'choose' : false",
        );
        if state == "over" {
            return;
        }
        assert!(number < most);
        at_choice(&window.text("#walk-status"));
        let before = window.script("return location.search");
        window.click("#walk-board .pit.legal");
        window.wait(&format!("return location.search !== {before} || document.querySelector('#walk-status.over')"));
    }
}
