//! The constants of languages in which `init` adds only markers.

use super::{Declared, Sites, Way};
use crate::suggest::literal::LITERAL;
use crate::suggest::regex;
use regex::Regex;
use std::sync::LazyLock;

static CONSTANT: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?m)^[ \t]*(?:(?:public|private|protected|static|final|const|let|var|val|export)\s+)*(?<type>\w+\s+)?(?<name>[A-Z]\w*)(?:\s*:\s*\w+|\s+\w+)?\s*=\s*(?<value>{LITERAL})\s*;?[ \t]*$"
    ))
});
static FLOAT: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(?:double|float|float64|float32|Double|Float)\b"));
static WHOLE: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(?:int|long|short|u?int\d+|Int|Long)\b"));

impl Sites<'_> {
    pub(super) fn others(&mut self) {
        let code = self.code.clone();
        for parts in CONSTANT.captures_iter(&code) {
            let kind = parts.name("type").map_or("", |kind| kind.as_str());
            let declared = Declared {
                name: parts["name"].to_string(),
                at: parts.name("name").expect("it matched").start(),
                way: Way::Constant,
                is_whole: if FLOAT.is_match(kind) { Some(false) } else { WHOLE.is_match(kind).then_some(true) },
                read: [String::new(), String::new()],
                edits: Vec::new(),
                valid: 0..code.len(),
                lazy: None,
            };
            self.value(&declared, parts.name("value").expect("it matched").range());
        }
    }
}
