//! A run as an HTML page: its verdict, progress, weights and replays.
//!
//! The page is a single HTML file that loads nothing else: it contains its style, scripts and data.
//! This module creates the data as JSON; `page.html`, the style sheet and the scripts beside this
//! file draw it.

mod commands;
mod contest;
mod data;
mod explained;
mod functions;
mod heights;
mod history;
mod hour;
mod input;
mod landscape;
mod thin;
mod trials;
mod weights;
mod words;

pub use commands::{Command, next, search_on};
pub use contest::{Contestant, Contests};
pub use data::Page;
pub(crate) use history::History;
pub use input::{Input, Known, distinguish_names};
pub(crate) use landscape::{by_importance, heights, large_shares};
pub(crate) use thin::thin;

use crate::draw::declarations;
use evolve_search::document::text::has_power;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// The scripts in order: each depends on earlier ones.
const SCRIPTS: [&str; 23] = [
    include_str!("basics.js"),
    include_str!("scales.js"),
    include_str!("save.js"),
    include_str!("pointer.js"),
    include_str!("chart.js"),
    include_str!("table.js"),
    include_str!("overview.js"),
    include_str!("columns.js"),
    include_str!("filter.js"),
    include_str!("functions.js"),
    include_str!("history.js"),
    include_str!("map.js"),
    include_str!("landscape.js"),
    include_str!("several.js"),
    include_str!("parallel.js"),
    include_str!("scatter.js"),
    include_str!("trials-table.js"),
    include_str!("weights.js"),
    include_str!("trials.js"),
    include_str!("boards.js"),
    include_str!("why.js"),
    include_str!("replay.js"),
    include_str!("main.js"),
];
/// Draws the data contained in the page.
const START: &str = include_str!("start.js");
/// Requests new data repeatedly.
const LIVE: &str = include_str!("live.js");

impl Page {
    pub fn html(&self) -> String {
        html(&self.title, &serde_json::to_string(self).expect("plain data becomes JSON"), "", START)
    }
}

/// Returns the page without data. It requests `state.json` from its own folder: an object with a
/// [`Page`] under the name `page`, and the state of the run.
pub fn live() -> String {
    html("evolve", "null", "; connect-src 'self'", LIVE)
}

fn html(title: &str, data: &str, connect: &str, last: &str) -> String {
    let fill = |name: &str| match name {
        "title" => escaped(title),
        "style" => {
            let [light, dark] = declarations();
            format!(":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n{STYLE}")
        }
        "data" => in_script(data),
        "connect" => connect.to_string(),
        "script" => SCRIPTS.concat() + last,
        _ => unreachable!("the template names no other part"),
    };
    // Fill the template part by part, so that inserted text is never taken for a placeholder.
    let mut html = String::with_capacity(data.len() + 100_000);
    for (i, piece) in TEMPLATE.split("%%").enumerate() {
        match i % 2 {
            0 => html.push_str(piece),
            _ => html.push_str(&fill(piece)),
        }
    }
    html
}

/// Escapes JSON for a script element, so that no text in it can end the element or a line of the
/// script, or control the terminal or editor that shows the file.
fn in_script(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            _ if "<>&".contains(letter) || has_power(letter) => text.push_str(&format!("\\u{:04x}", letter as u32)),
            _ => text.push(letter),
        }
    }
    text
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
