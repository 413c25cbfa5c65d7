//! Data sets of one's own, and what shells and readers of manual pages get.

use std::path::Path;

use crate::contract::document;
use crate::run::run;

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Margins as solved one by one; a second run finds everything settled.
#[test]
fn a_grid_of_boards() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().to_str().expect("a path of letters");
    let words = ["study", "grid", "dakon", "--pits", "2..3", "--seeds", "1..2", "--readings", "no-mikul", "--out", out];
    let grid = document("study-grid", 0, &words);
    let cells = grid["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 8, "two readings on four boards");
    for cell in cells.iter().filter(|cell| cell["reading"] == "no-mikul") {
        let board = format!("{}x{}", cell["pits"], cell["seeds"]);
        let solved = lumbung!("solve", "dakon", "--board", board, "--reading", "no-mikul", "--json").json();
        assert_eq!((&cell["low"], &cell["high"]), (&solved["margin"], &solved["margin"]), "{board}");
    }
    assert_eq!(document("study-grid", 0, &words), grid);
    let csv = text(&directory.path().join("grid.csv"));
    assert_eq!(csv.lines().count(), 9);
    assert!(csv.lines().any(|line| line.starts_with("default,2,1,4,4,1,")), "{csv}");
    let page = text(&directory.path().join("README.md"));
    assert!(page.contains("Share of readings under which South wins") && page.contains("of 2 |"), "{page}");
    for reading in ["default", "no-mikul"] {
        assert!(text(&directory.path().join(format!("margins-{reading}.svg"))).ends_with("</svg>\n"));
    }
    assert!(page.contains("--pits 2..3 --seeds 1..2 ") && !page.contains("several commands"), "{page}");
    document("study-grid", 0, &["study", "grid", "dakon", "--pits", "2", "--seeds", "3", "--readings", "no-mikul", "--out", out]);
    let page = text(&directory.path().join("README.md"));
    assert!(page.contains("--pits 2 --seeds 3 ") && page.contains("Made by several commands, the last"), "{page}");
    // Under the other reading alone it has not made what is there of both.
    document("study-grid", 0, &["study", "grid", "dakon", "--pits", "2..3", "--seeds", "1..3", "--out", out]);
    let page = text(&directory.path().join("README.md"));
    assert!(page.contains("--seeds 1..3 ") && page.contains("Made by several commands, the last"), "{page}");
    let other = run(&["study", "grid", "kalah", "--pits", "2", "--seeds", "1", "--out", out]);
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("a data set of dakon"), "{}", other.stderr);
}

/// C(12 + s - 1, s) boards of twelve pits with s seeds; and one seed: whoever has it in her last pit stores it.
#[test]
fn endgames_layer_by_layer() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().to_str().expect("a path of letters");
    let study = document("study-tables", 0, &["study", "tables", "kalah", "awari", "--positions", "2000", "--out", out]);
    let games = study["games"].as_array().expect("games");
    let names: Vec<&str> = games.iter().filter_map(|game| game["game"].as_str()).collect();
    assert_eq!(names, ["kalah", "awari"]);
    for game in games {
        let layers = game["layers"].as_array().expect("layers");
        let positions: Vec<u64> = layers.iter().filter_map(|layer| layer["positions"].as_u64()).collect();
        assert_eq!(positions, [1, 12, 78, 364, 1365]);
        for layer in layers {
            let count = |field: &str| layer[field].as_u64().expect("a count");
            assert_eq!(count("win") + count("draw") + count("loss"), count("positions"));
        }
    }
    // Of one seed in Kalah, six positions are over: the player to move has none, and the opponent keeps it.
    let one = &games[0]["layers"][1];
    assert_eq!(one["nothing"], one["loss"]);
    assert!(one["loss"].as_u64() >= Some(6), "{one}");
    assert_eq!(text(&directory.path().join("tables.csv")).lines().count(), 11);
    assert!(text(&directory.path().join("README.md")).contains("## awari, 6 pits a row"));
    let unknown = run(&["study", "tables", "go", "--out", out]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("\"go\"") && unknown.stderr.contains("kalah"), "{}", unknown.stderr);
}

/// San-Yao's tables are built position by position, so each position counts as a hundred: of one seed there are 1 + 10.
#[test]
fn a_game_without_a_table_is_told_with_the_reason() {
    let directory = tempfile::tempdir().expect("a directory");
    let words =
        ["study", "tables", "san-yao", "--positions", "500", "--out", directory.path().to_str().expect("a path of letters")];
    let study = document("study-tables", 3, &words);
    assert_eq!((study["games"].as_array().map(Vec::len), &study["left_out"][0]["game"]), (Some(0), &"san-yao".into()));
    let ran = run(&words);
    let says = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(ran.code, Some(3));
    assert!(says.contains("san-yao has no table here: its smallest table, of 11 positions"), "{says}");
    assert!(says.contains("counts as 1,100") && says.contains("--positions 500"), "{says}");
    let fits = document("study-tables", 0, &[&words[..4], &["1100"], &words[5..]].concat());
    assert_eq!(fits["games"][0]["layers"][1]["positions"], 10);
}

/// Every command has its page and its completions.
#[test]
fn manual_pages_and_completions() {
    let directory = tempfile::tempdir().expect("a directory");
    run(&["man", "--out", directory.path().to_str().expect("a path of letters")]).text();
    let page = text(&directory.path().join("lumbung-solve.1"));
    assert!(page.contains(".TH lumbung\\-solve 1") || page.contains(".TH lumbung-solve 1"), "{page}");
    assert!(page.contains("certificate"));
    assert!(lumbung!("man").text().contains("internal error"), "all exit codes are told");
    for (shell, sign) in [("bash", "complete -F"), ("zsh", "#compdef lumbung"), ("fish", "complete -c lumbung")] {
        let script = lumbung!("completions", shell);
        assert!(script.text().contains(sign) && script.text().contains("reproduce"), "{shell}");
    }
    assert_eq!(lumbung!("completions", "tcsh").code, Some(2));
}
