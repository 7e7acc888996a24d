//! What is kept, as one text: every piece as it stands in its file, but for the indentation.

use super::code::{Code, Import, Kind, ROOT};
use super::follow::Kept;
use std::ops::Range;

/// How much is written besides code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether what is inside a module is indented.
    pub nests: bool,
    /// Whether items keep the comments that document them.
    pub explains: bool,
}

/// The whole program, after its header.
pub fn write(code: &Code, kept: &Kept<'_>, style: Style) -> String {
    let mut writer = Writer { code, kept, style, out: String::new() };
    writer.module(ROOT, 0);
    let text = writer.out.trim();
    format!("{text}\n")
}

struct Writer<'a> {
    code: &'a Code,
    kept: &'a Kept<'a>,
    style: Style,
    out: String,
}

impl Writer<'_> {
    /// What stands in a module.
    fn module(&mut self, module: usize, depth: usize) {
        let Self { code, kept, .. } = *self;
        let head = code.modules[module].head.clone();
        self.piece(code.modules[module].file, head, depth);
        for &id in code.modules[module].items.iter().filter(|id| kept.has(**id)) {
            let item = &code.items[id];
            let (file, text) = (item.file, item.text.clone());
            match &item.kind {
                Kind::Module { inside, opens } => {
                    let declaration = self.lines(file, text.start..*opens, depth);
                    // As a block it stands apart.
                    self.put(&format!("\n\n{}", declaration.trim_start_matches('\n')), false);
                    self.open_brace();
                    self.module(*inside, depth + usize::from(self.style.nests));
                    self.close_brace(depth);
                }
                Kind::Impl { parts, body, .. } => {
                    self.piece(file, text.start..body.start, depth);
                    let start = self.out.len();
                    for (_, part) in parts.iter().enumerate().filter(|(i, _)| kept.has_inner(id, *i)) {
                        self.piece(file, part.text.clone(), depth);
                    }
                    if self.out.len() > start {
                        self.close_brace(depth + indent(&code.files[file].text, body.end));
                    } else {
                        self.out.push('}');
                    }
                }
                Kind::Use { starts, imports } if (0..imports.len()).any(|i| !kept.has_inner(id, i)) => {
                    let mut before = self.lines(file, text.start..*starts, depth);
                    if before.is_empty() || before.ends_with('\n') {
                        before.extend(std::iter::repeat_n('\t', depth));
                    }
                    let imports = imports.iter().enumerate().filter(|(i, _)| kept.has_inner(id, *i));
                    let imports: Vec<&Import> = imports.map(|(_, import)| import).collect();
                    self.put(&(before + &self.imports(file, &imports)), text.start == 0);
                }
                _ => self.piece(file, text, depth),
            }
        }
    }

    /// A `use` of some of the imports of one.
    fn imports(&self, file: usize, imports: &[&Import]) -> String {
        let mut names: Vec<String> = Vec::new();
        let mut modules: Vec<&[String]> = Vec::new();
        for import in imports {
            let is_whole = import.binding.is_none();
            let split = if is_whole { import.path.len() } else { import.path.len() - 1 };
            modules.push(&import.path[..split]);
        }
        let first = modules[0];
        let common = modules.iter().fold(first.len(), |common, module| {
            first[..common].iter().zip(*module).take_while(|(a, b)| a == b).count()
        });
        for import in imports {
            let mut name = import.path[common..].join("::");
            match &import.binding {
                None if name.is_empty() => name = "*".to_string(),
                None => name += "::*",
                Some(binding) if import.is_renamed => name += &format!(" as {binding}"),
                Some(_) => {}
            }
            names.push(name);
        }
        let mut path = first[..common].to_vec();
        if self.kept.renamed(file, &imports[0].at).next().is_some() {
            match path.first_mut() {
                Some(first) => *first = "crate".to_string(),
                // Crates have no items of their own in common with others.
                None => {
                    return imports.iter().map(|import| self.imports(file, &[import])).collect::<Vec<_>>().join("\n");
                }
            }
        }
        path.push(if let [name] = &names[..] { name.clone() } else { format!("{{{}}}", names.join(", ")) });
        format!("use {};", path.join("::"))
    }

    fn open_brace(&mut self) {
        self.out.truncate(self.out.trim_end().len());
        self.out.push_str(" {");
    }

    fn close_brace(&mut self, depth: usize) {
        self.out.truncate(self.out.trim_end().len());
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n('\t', depth));
        self.out.push('}');
    }

    /// A piece of a file, with tabs for its indentation.
    fn piece(&mut self, file: usize, range: Range<usize>, depth: usize) {
        let text = self.lines(file, range.clone(), depth);
        self.put(&text, range.start == 0);
    }

    /// Adds text: after one empty line at most, even where something was left out, and after none at the start of a block.
    fn put(&mut self, text: &str, starts_file: bool) {
        let lines = text.trim_start_matches('\n');
        if lines.is_empty() {
            return;
        }
        let empty = text.len() - lines.len();
        let starts_block = self.out.ends_with('{');
        if !self.out.is_empty() && (empty > 0 || starts_file || starts_block) {
            let wanted = if starts_block {
                1
            } else if starts_file {
                2
            } else {
                empty.min(2)
            };
            self.out.truncate(self.out.trim_end_matches('\n').len());
            self.out.extend(std::iter::repeat_n('\n', wanted));
        }
        self.out.push_str(lines);
    }

    fn lines(&self, file: usize, range: Range<usize>, depth: usize) -> String {
        let text = &self.code.files[file].text;
        let mut start = range.start;
        let mut written = String::new();
        while start < range.end {
            let end = text[start..range.end].find('\n').map_or(range.end, |length| start + length + 1);
            self.line(file, start..end, depth, &mut written);
            start = end;
        }
        written
    }

    fn line(&self, file: usize, range: Range<usize>, depth: usize, written: &mut String) {
        let source = &self.code.files[file];
        let is_start = range.start == 0 || source.text.as_bytes()[range.start - 1] == b'\n';
        let is_inside = source.layout.literals.iter().any(|place| place.start < range.start && range.start < place.end);
        let mut start = range.start;
        if is_start && !is_inside {
            let line = source.text[range.start..].lines().next().unwrap_or_default();
            let code = line.trim_start_matches(' ');
            let spaces = (line.len() - code.len()).min(range.len());
            start += spaces;
            if !self.style.explains && source.layout.comments.iter().any(|comment| comment.start == start) {
                return;
            }
            if !code.trim().is_empty() {
                written.extend(std::iter::repeat_n('\t', depth + spaces / 4));
                written.extend(std::iter::repeat_n(' ', spaces % 4));
            }
        }
        for name in self.kept.renamed(file, &(start..range.end)) {
            written.push_str(&source.text[start..name.start]);
            written.push_str("crate");
            start = name.end;
        }
        written.push_str(&source.text[start..range.end]);
    }
}

/// How far the line of a place is indented, in steps of four spaces.
fn indent(text: &str, place: usize) -> usize {
    let line = &text[text[..place].rfind('\n').map_or(0, |end| end + 1)..];
    (line.len() - line.trim_start_matches(' ').len()) / 4
}
