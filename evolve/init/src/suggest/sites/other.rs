//! The constants of languages in which `init` adds only markers.

use super::{Declared, Sites, Way};
use crate::suggest::literal::{LITERAL, Numbers};
use crate::suggest::regex;
use regex::Regex;
use std::sync::LazyLock;

static CONSTANT: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?m)^[ \t]*(?:(?:public|private|protected|static|final|const|let|var|val|export)\s+)*(?<type>\w+\s+)?(?<name>[A-Z]\w*)(?<behind>\s*:\s*\w+|\s+\w+)?\s*=\s*(?<value>{LITERAL})\s*;?[ \t]*$"
    ))
});

impl Sites<'_> {
    pub(super) fn others(&mut self) {
        let code = self.code.clone();
        for parts in CONSTANT.captures_iter(&code) {
            let kind = ["type", "behind"].map(|place| parts.name(place).map_or("", |kind| kind.as_str())).concat();
            let declared = Declared {
                name: parts["name"].to_string(),
                at: parts.name("name").expect("it matched").start(),
                way: Way::Constant,
                numbers: Numbers::of(&kind, self.language),
                read: [String::new(), String::new()],
                edits: Vec::new(),
                valid: 0..code.len(),
                lazy: None,
            };
            self.value(&declared, parts.name("value").expect("it matched").range());
        }
    }
}
