//! The guide: its commands are run, in order, and print what it says they print.
//!
//! In a page of `docs/`, every line of a `sh` block is a command; a remark `# exit code N` says how it ends if not well. A `text` block
//! after it holds lines that it prints, in this order; `...` stands for any others. A `toml` block after "as `FILE`:" is that file.

use std::path::Path;
use std::process::Command;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");

fn read(name: &str) -> String {
    let path = format!("{DOCS}/{name}");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Runs a command of the guide in a directory, and returns what it prints.
fn shell(command: &str, directory: &Path) -> String {
    let code = command.split_once("# exit code ").map_or(0, |(_, code)| code.trim().parse().expect("an exit code"));
    let programs = Path::new(env!("CARGO_BIN_EXE_lumbung")).parent().expect("a directory").display();
    let ran = Command::new("sh")
        .args(["-c", command])
        .current_dir(directory)
        .env("PATH", format!("{programs}:{}", std::env::var("PATH").expect("a path")))
        .output()
        .expect("a shell");
    assert_eq!(ran.status.code(), Some(code), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("UTF-8")
}

fn prints(shown: &str, printed: &str) {
    let mut lines = printed.lines().map(str::trim_end);
    for line in shown.lines().map(str::trim_end).filter(|line| !line.is_empty() && line.trim() != "...") {
        assert!(lines.any(|other| other == line), "{line:?} is not in, or not in this place:\n{printed}");
    }
}

/// Does what a page says, and returns how many commands that were.
fn follow(page: &str) -> usize {
    let directory = tempfile::tempdir().expect("a directory");
    let (mut commands, mut printed, mut words) = (0, String::new(), String::new());
    let text = read(page);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            words = if line.is_empty() { words } else { line.to_owned() };
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match kind {
            "sh" => {
                let block: Vec<&&str> = block.iter().filter(|line| !line.is_empty()).collect();
                commands += block.len();
                printed = block.into_iter().map(|command| shell(command, directory.path())).collect();
            }
            "text" => prints(&block.join("\n"), &printed),
            "toml" => {
                if let Some((_, file)) = words.trim_end_matches("`:").rsplit_once("as `") {
                    std::fs::write(directory.path().join(file), block.join("\n") + "\n").expect("written");
                }
            }
            _ => {}
        }
    }
    commands
}

#[test]
fn the_first_claim() {
    assert!(follow("first-claim.md") >= 5);
}

#[test]
fn rules_as_data() {
    assert!(follow("rules-as-data.md") >= 5);
}

#[test]
fn endgame_tables() {
    assert!(follow("endgame-tables.md") >= 5);
}

#[test]
fn proofs() {
    assert!(follow("proofs.md") >= 4);
}

#[test]
fn papers_and_studies() {
    assert!(follow("papers-and-studies.md") >= 4);
}

/// Every page has its place in the book, and every place its page.
#[test]
fn the_summary_is_complete() {
    let summary = read("SUMMARY.md");
    let listed: Vec<&str> = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    for page in &listed {
        assert!(Path::new(DOCS).join(page).is_file(), "{page}");
    }
    for entry in std::fs::read_dir(DOCS).expect("the docs") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name of letters");
        if name.ends_with(".md") && name != "SUMMARY.md" {
            assert!(listed.contains(&name.as_str()), "{name} is not in SUMMARY.md");
        }
    }
}
