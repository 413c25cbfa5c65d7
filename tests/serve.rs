//! `serve` as it is started, used and ended.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::contract::valid;
use crate::run::binary;

/// A running server, ended with the test.
struct Server {
    child: Child,
    started: Value,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(words: &[&str]) -> Server {
        let mut command = binary();
        let bind = if words.contains(&"--bind") { &[][..] } else { &["--bind", "127.0.0.1:0"] };
        command.args(["serve", "--json"]).args(bind).args(words).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let (mut text, mut line) = (String::new(), String::new());
        while output.read_line(&mut line).expect("a line") > 0 {
            text += &line;
            if line == "}\n" {
                break;
            }
            line.clear();
        }
        let started = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text:?}"));
        Server { child, started, output }
    }

    fn address(&self) -> &str {
        self.started["address"].as_str().expect("an address")
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        stream
    }

    /// What comes back for these bytes, until the server hangs up.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(bytes).expect("sent");
        let mut answer = Vec::new();
        // A server that hangs up on what is still being sent resets the connection.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> Value {
        let answer = ureq::get(format!("http://{}{path}", self.address())).call();
        answer.unwrap_or_else(|error| panic!("{path}: {error}")).body_mut().read_json().expect("a document")
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().expect("kill");
        assert!(sent.success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_says_where_it_is_and_ends_when_told() {
    for signal in ["-INT", "-TERM"] {
        let since = Instant::now();
        let mut server = Server::start(&[]);
        assert!(since.elapsed() < Duration::from_secs(5));
        valid("serve", &server.started);
        assert_eq!(server.get("/api/v1/games")["games"].as_array().map(Vec::len), Some(10));
        // A search under way does not keep it.
        let mut stream = server.connect();
        stream.write_all(b"GET /api/v1/values?game=awari HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("sent");
        std::thread::sleep(Duration::from_millis(100));
        server.signal(signal);
        let status = server.child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0), "{signal}");
        let mut rest = String::new();
        server.output.read_to_string(&mut rest).expect("text");
        assert_eq!(rest, "");
    }
}

#[test]
fn who_goes_away_leaves_her_place_to_the_next() {
    let server = Server::start(&["--threads", "1", "--limit", "10m"]);
    for _ in 0..3 {
        let mut stream = server.connect();
        stream.write_all(b"GET /api/v1/values?game=awari HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("sent");
        std::thread::sleep(Duration::from_millis(200));
    }
    let since = Instant::now();
    assert_eq!(server.get("/api/v1/values?game=dakon&board=3x3")["proven"], true);
    assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
}

#[test]
fn broken_and_slow_requests_are_hung_up_on() {
    let server = Server::start(&[]);
    let before = server.get("/api/v1/games");
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| {
            let since = Instant::now();
            server.send(b"GET /api/v1/games HTTP/1.1\r\nhost: local");
            since.elapsed()
        });
        let deaf = scope.spawn(|| {
            let mut stream = server.connect();
            stream.set_write_timeout(Some(Duration::from_secs(30))).expect("a timeout");
            let since = Instant::now();
            // More answers than the system keeps for a client that reads none of them.
            let sent = stream.write_all(&b"GET /api/v1/games HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(1 << 18));
            (sent.expect_err("nobody waits for a reader for ever").kind(), since.elapsed())
        });
        for broken in [
            "\r\n\r\n",
            "nonsense\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
            "GET /%zz HTTP/1.1\r\nhost\r\n\r\n",
            "\u{0}\u{1}\u{2}\r\n\r\n",
        ] {
            let answer = server.send(broken.as_bytes());
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{broken:?}: {answer}");
        }
        let endless = format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "x".repeat(1 << 20));
        let answer = server.send(endless.as_bytes());
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
        let (kind, waited) = deaf.join().expect("no panic");
        assert!(matches!(kind, ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "{kind:?} after {waited:?}");
        let slow = slow.join().expect("no panic");
        assert!((Duration::from_secs(5)..Duration::from_secs(25)).contains(&slow), "{slow:?}");
    });
    assert_eq!(server.get("/api/v1/games"), before);
}

#[test]
fn whoever_lets_others_in_is_warned() {
    let mut server = Server::start(&["--bind", "0.0.0.0:0"]);
    server.signal("-TERM");
    let mut told = String::new();
    server.child.stderr.take().expect("its errors").read_to_string(&mut told).expect("text");
    assert!(told.starts_with("lumbung: warning: 0.0.0.0:") && told.lines().count() == 1, "{told}");
}

#[test]
fn what_cannot_be_served_is_told_in_a_line() {
    let server = Server::start(&[]);
    for (words, told) in [
        (&["--bind", server.address()][..], "cannot listen at"),
        (&["--bind", "8080"], "127.0.0.1:8080"),
        (&["--bind", "127.0.0.1:0", "--tables", "nowhere"], "nowhere"),
        (&["--bind", "127.0.0.1:0", "--certificates", "Cargo.toml"], "certificate"),
        (&["--bind", "127.0.0.1:0", "--reading", "german-end"], "?game=dakon&reading=german-end"),
    ] {
        let ran = crate::run::run(&[&["serve"], words].concat());
        assert_eq!((ran.code, ran.stderr.lines().count()), (Some(2), 1), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{words:?}: {}", ran.stderr);
    }
}

/// A table is mapped into memory. If a program cuts a file of it off all the same, the server ends with a line and not without a word.
#[test]
fn a_table_that_is_cut_off_is_told() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let out = place.path().join("k3");
    let table = out.to_str().expect("UTF-8");
    crate::run::run(&["table", "build", "kalah", "--pits", "3", "--seeds", "4", "--encoding", "raw", "--out", table]).text();
    let mut server = Server::start(&["--tables", table]);
    let look_up = "/api/v1/tables/k3/value?position=0,1,1/0,1,0";
    assert!(server.get(look_up)["value"].is_number());
    let layer = std::fs::File::options().write(true).open(out.join("layer-003.lum")).expect("a layer");
    layer.set_len(0).expect("cut off");
    let answer = ureq::get(format!("http://{}{look_up}", server.address())).call();
    assert!(answer.is_err());
    assert_eq!(server.child.wait().expect("it ends").code(), Some(2));
    let mut said = String::new();
    server.child.stderr.take().expect("its errors").read_to_string(&mut said).expect("text");
    assert!(said.lines().count() == 1 && said.contains("became shorter"), "{said:?}");
}
