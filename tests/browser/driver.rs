//! A window of a browser, by the WebDriver protocol.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::site::site;

/// How long a page may take for anything.
const PATIENCE: Duration = Duration::from_secs(20);
/// The key by which the protocol names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A program that ends with this one, and what it has started with it: the shell between them waits for the end of its input.
pub(crate) fn tied(command: &str) -> Child {
    let script = format!("{command} & child=$!; read _; kill $(cat /proc/$child/task/*/children) $child");
    Command::new("sh")
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// The first line a program prints that has what is looked for.
pub(crate) fn line(child: &mut Child, what: &str) -> String {
    let output = child.stdout.take().expect("its output");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let found = lines.find(|line| line.contains(what)).unwrap_or_else(|| panic!("it ended without a word of {what:?}"));
    // Whatever it says further is read, so that it never waits for a reader.
    std::thread::spawn(move || lines.for_each(drop));
    found
}

/// The one window.
pub(crate) struct Window {
    session: String,
    agent: ureq::Agent,
    _driver: Child,
}

static WINDOW: OnceLock<Mutex<Window>> = OnceLock::new();

/// The window, wide and light, at an address of the site.
pub(crate) fn window(path: &str) -> MutexGuard<'static, Window> {
    let window = WINDOW.get_or_init(|| Mutex::new(Window::open()));
    // A test that failed has left the window at some page, which is left now.
    let window = window.lock().unwrap_or_else(PoisonError::into_inner);
    window.look(1280, 900, false);
    window.complaints();
    window.go(path);
    window
}

impl Window {
    fn open() -> Window {
        let mut driver = tied("chromedriver --port=0");
        let started = line(&mut driver, "started successfully on port");
        let port: String = started.chars().filter(char::is_ascii_digit).collect();
        let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(Duration::from_secs(60)));
        let mut window =
            Window { session: format!("http://127.0.0.1:{port}/session"), agent: config.build().into(), _driver: driver };
        let arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
        let wanted = json!({"alwaysMatch": {"goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}});
        let session = window.post("", &json!({"capabilities": wanted}));
        let id = session["sessionId"].as_str().expect("a session");
        window.session = format!("{}/{id}", window.session);
        window
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let address = format!("{}{path}", self.session);
        let mut response = self.agent.post(&address).send_json(body).unwrap_or_else(|error| panic!("{address}: {error}"));
        let answer: Value = response.body_mut().read_json().unwrap_or_else(|error| panic!("{address}: {error}"));
        let value = answer["value"].clone();
        assert!(value.get("error").is_none(), "{path} {body:.300}: {value:#}");
        value
    }

    /// How large the page is, and whether in the dark.
    pub(crate) fn look(&self, width: u32, height: u32, dark: bool) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.browser("Emulation.setDeviceMetricsOverride", &size);
        let scheme = json!({"name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" }});
        self.browser("Emulation.setEmulatedMedia", &json!({"features": [scheme]}));
    }

    pub(crate) fn browser(&self, command: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// Goes to an address of the site, and waits until its view is there.
    pub(crate) fn go(&self, path: &str) {
        self.post("/url", &json!({"url": format!("{}{path}", site().page)}));
        self.wait("return document.body.dataset.ready");
    }

    /// What a script returns.
    pub(crate) fn script(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// What a script returns as soon as that is true.
    pub(crate) fn wait(&self, script: &str) -> Value {
        let since = Instant::now();
        loop {
            let value = self.script(script);
            if !matches!(value, Value::Null | Value::Bool(false)) && value != "" && value != 0 {
                return value;
            }
            assert!(since.elapsed() < PATIENCE, "{script}: {}", self.script("return document.querySelector('main').innerText"));
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    fn element(&self, css: &str) -> String {
        let found = self.post("/element", &json!({"using": "css selector", "value": css}));
        found[ELEMENT].as_str().expect("an element").to_owned()
    }

    /// Presses what is there, as a mouse would.
    pub(crate) fn click(&self, css: &str) {
        let element = self.element(css);
        self.post(&format!("/element/{element}/click"), &json!({}));
    }

    /// Writes into a field in place of what is there.
    pub(crate) fn write(&self, css: &str, text: &str) {
        let element = self.element(css);
        self.post(&format!("/element/{element}/clear"), &json!({}));
        self.post(&format!("/element/{element}/value"), &json!({"text": text}));
    }

    /// Chooses in a list.
    pub(crate) fn choose(&self, css: &str, value: &str) {
        self.click(&format!("{css} option[value=\"{value}\"]"));
    }

    /// Presses keys where the focus is.
    pub(crate) fn keys(&self, keys: &[&str]) {
        let actions: Vec<Value> = keys
            .iter()
            .flat_map(|key| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})])
            .collect();
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}));
    }

    /// The text of what is there.
    pub(crate) fn text(&self, css: &str) -> String {
        let text = self.script(&format!("return document.querySelector({css:?}).textContent"));
        text.as_str().expect("a text").to_owned()
    }

    /// What went wrong on the page since this was last asked.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({"type": "browser"}));
        log.as_array().into_iter().flatten().map(|entry| entry["message"].to_string()).collect()
    }
}
