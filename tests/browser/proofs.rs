//! A certificate is walked through to its end.

use crate::driver::window;

#[test]
#[ignore = "needs Chromium and its driver; run with: cargo test --test browser -- --ignored"]
fn a_proof_is_walked_to_its_end() {
    let window = window("/claims?claim=dakon-first-player-win");
    // From the claim to its proof.
    window.click("a[href=\"/certificates?certificate=dakon-7x7\"]");
    window.wait("return document.getElementById('walk-speed')");
    window.choose("#walk-speed", "instant");
    for number in 0.. {
        let state = window.wait(
            "const over = document.querySelector('#walk-status.over'); \
             const legal = document.querySelectorAll('#walk-board .pit.legal'); \
             return over ? 'over' : legal.length ? 'choose' : false",
        );
        if state == "over" {
            break;
        }
        assert!(number < 100);
        let said = window.text("#walk-status");
        assert!(said.starts_with("North to move: choose any reply"), "{said}");
        let before = window.script("return location.search");
        window.click("#walk-board .pit.legal");
        window.wait(&format!("return location.search !== {before} || document.querySelector('#walk-status.over')"));
    }
    assert_eq!(window.text("#walk-status"), "The game is over: South has a margin of +98, as promised.");
    assert_eq!(window.complaints(), Vec::<String>::new());
    // The other claim of the same certificate: now the reader plays South.
    window.choose("#walk-claim", "1");
    window.wait("return document.getElementById('walk-status').textContent.endsWith('South to move.')");
}
