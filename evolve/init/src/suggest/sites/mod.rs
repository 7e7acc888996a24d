//! Finds the literals of a source that parameters could replace: the values of constants, of
//! variables that never change, of the elements of lists, and of the fields of structs.

mod cpp;
mod other;
mod python;
mod rust;

use super::brackets::{Brackets, Scope, trimmed};
use super::literal::{LITERAL, Numbers};
use super::regex;
use evolve_program::source::{Language, Piece, PieceKind, blanked, scan};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

pub type Edit = (Range<usize>, String);

/// How a value is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Constant,
    /// As a variable, which may change later.
    Variable,
    /// As a field of a struct of parameters, by its name.
    Parameter,
    /// As a field of another struct.
    Field,
}

/// A literal that a parameter could replace.
#[derive(Clone, Debug)]
pub struct Site {
    pub name: String,
    /// The list that the literal is an element of.
    pub list: Option<String>,
    /// The literal, with its suffix.
    pub literal: Range<usize>,
    /// The beginning of the element or field, which gets a line of its own; `None` for a whole
    /// declaration.
    pub element: Option<usize>,
    /// The numbers of its type, if known.
    pub numbers: Option<Numbers>,
    pub way: Way,
    /// The text around the literal that reads the parameter, with `NAME` for its variable.
    pub read: [String; 2],
    /// Changes of the declaration, which the elements of a list share.
    pub edits: Vec<Edit>,
    /// The place where the name is valid.
    pub valid: Range<usize>,
    /// The declaration.
    pub declared: Range<usize>,
    /// The name of a constant of Rust whose uses must be dereferenced.
    pub lazy: Option<String>,
}

/// A constant that cannot become a parameter, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub name: String,
    pub line: usize,
    pub reason: &'static str,
}

/// The part of a declaration before its value.
struct Declared {
    name: String,
    at: usize,
    way: Way,
    numbers: Option<Numbers>,
    read: [String; 2],
    edits: Vec<Edit>,
    valid: Range<usize>,
    lazy: Option<String>,
}

/// A source, and the declarations found in it.
pub struct Sites<'t> {
    pub text: &'t str,
    pub language: Language,
    /// The text without comments, strings and directives of the preprocessor.
    pub code: String,
    pub pieces: Vec<Piece>,
    pub brackets: Brackets,
    pub found: Vec<Site>,
    pub left_out: Vec<LeftOut>,
}

/// The most elements of a list that could be tuned. Longer ones are data.
const MOST: usize = 16;

/// Matches a whole literal, without and with its suffix.
static WHOLE_LITERAL: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"^(?<value>{LITERAL})(?:_?(?<suffix>f32|f64|[iu](?:8|16|32|64|128|size)))?$")));

/// Returns a literal without its suffix.
pub fn number(literal: &str) -> &str {
    WHOLE_LITERAL.captures(literal).map_or(literal, |parts| parts.name("value").expect("it matched").as_str())
}

impl<'t> Sites<'t> {
    pub fn of(text: &'t str, language: Language) -> Self {
        let pieces = scan(text, language);
        let code = blanked(text, &pieces, &[PieceKind::Comment, PieceKind::Text]);
        let code = if matches!(language, Language::C | Language::Cpp) { without_directives(&code) } else { code };
        let brackets = Brackets::of(&code, language);
        let mut sites = Sites { text, language, code, pieces, brackets, found: Vec::new(), left_out: Vec::new() };
        match language {
            Language::C | Language::Cpp => sites.cpp(),
            Language::Rust => sites.rust(),
            Language::Python => sites.python(),
            Language::Java | Language::Slashes | Language::Hashes => sites.others(),
            Language::Dashes | Language::Other => {}
        }
        sites.found.sort_by_key(|site| site.literal.start);
        sites.left_out.sort_by_key(|left_out| left_out.line);
        sites
    }

    pub fn line(&self, at: usize) -> usize {
        self.text[..at].matches('\n').count() + 1
    }

    /// Leaves out a constant. Variables and fields that cannot become parameters are not worth a
    /// word.
    fn leave_out(&mut self, declared: &Declared, reason: &'static str) {
        if matches!(declared.way, Way::Constant | Way::Parameter) {
            self.left_out.push(LeftOut { name: declared.name.clone(), line: self.line(declared.at), reason });
        }
    }

    /// Leaves out a constant whose value is a string. Returns whether it is one.
    fn is_word(&mut self, declared: &Declared, value: Range<usize>) -> bool {
        static WORD: LazyLock<Regex> = LazyLock::new(|| regex(r#"^\{?\s*["'][A-Za-z0-9][\w+-]+["']\s*\}?$"#));
        let is_word = WORD.is_match(self.text[value].trim());
        if is_word {
            self.leave_out(declared, "a string: declare it as a choice (docs/programs.md#markers)");
        }
        is_word
    }

    /// Adds the value of a declaration: a literal, or a list of literals.
    fn value(&mut self, declared: &Declared, value: Range<usize>) {
        if self.is_word(declared, value.clone()) {
            return;
        }
        let value = trimmed(&self.code, value);
        let inner = self.peeled(value.clone());
        if WHOLE_LITERAL.is_match(&self.code[inner.clone()]) {
            return self.add(declared, declared.name.clone(), None, inner, None);
        }
        let list = value.start + self.code[value.clone()].find(['[', '{']).unwrap_or(0);
        let is_list = ["", "vec!"].contains(&self.code[value.start..list].trim());
        let Some(pair) = self.brackets.opening(list).filter(|pair| is_list && pair.close + 1 == value.end) else {
            return;
        };
        let mut elements = Vec::new();
        let is_all = self.elements(pair.inside(), "", &mut elements);
        let is_sign = |place: &Range<usize>| ["-1", "0", "1", "+1"].contains(&&self.code[place.clone()]);
        let has_numbers = !elements.is_empty();
        match () {
            () if !has_numbers => {}
            () if !is_all => self.leave_out(declared, "not all of its elements are numbers"),
            () if elements.len() > MOST => self.leave_out(declared, "a list of more than 16 numbers"),
            () if elements.iter().all(|(_, place)| is_sign(place)) => {
                self.leave_out(declared, "a list of only -1, 0 and 1");
            }
            () => {
                for (suffix, place) in elements {
                    // Elements have no name in the source but that of their variable.
                    let name = format!("{}{suffix}", declared.name).to_ascii_uppercase();
                    let start = place.start;
                    self.add(declared, name, Some(declared.name.clone()), place, Some(start));
                }
            }
        }
    }

    /// Returns the place within brackets around a single literal, as in `{5}` and `(5)`.
    fn peeled(&self, mut value: Range<usize>) -> Range<usize> {
        while let Some(pair) = self.brackets.opening(value.start).filter(|_| !value.is_empty()) {
            let is_whole = pair.close + 1 == value.end && pair.scope != Scope::Square;
            if !is_whole || self.brackets.parts(&self.code, pair.inside()).len() != 1 {
                break;
            }
            value = trimmed(&self.code, pair.inside());
        }
        value
    }

    /// Collects the literals of a list, with the indices of each. Returns whether there is nothing
    /// else in the list.
    fn elements(&self, place: Range<usize>, index: &str, found: &mut Vec<(String, Range<usize>)>) -> bool {
        let parts = self.brackets.parts(&self.code, place);
        if let [only] = &parts[..]
            && let Some(pair) = self.brackets.opening(only.start)
            && pair.close + 1 == only.end
        {
            return self.elements(pair.inside(), index, found);
        }
        let mut is_all = true;
        for (i, part) in parts.into_iter().enumerate() {
            let index = format!("{index}_{i}");
            if WHOLE_LITERAL.is_match(&self.code[part.clone()]) {
                found.push((index, part));
                continue;
            }
            is_all &= match self.brackets.opening(part.start) {
                Some(pair) if pair.close + 1 == part.end => self.elements(pair.inside(), &index, found),
                _ => false,
            };
        }
        is_all
    }

    fn add(
        &mut self,
        declared: &Declared,
        name: String,
        list: Option<String>,
        literal: Range<usize>,
        element: Option<usize>,
    ) {
        let suffix = WHOLE_LITERAL.captures(&self.code[literal.clone()]);
        let suffix = suffix.and_then(|parts| Numbers::of(parts.name("suffix")?.as_str(), self.language));
        let end = declared.edits.iter().map(|(place, _)| place.end).max().unwrap_or(0).max(literal.end);
        self.found.push(Site {
            name,
            list,
            literal,
            element,
            numbers: declared.numbers.clone().or(suffix),
            way: declared.way,
            read: declared.read.clone(),
            edits: declared.edits.clone(),
            valid: declared.valid.clone(),
            declared: declared.at..end,
            lazy: declared.lazy.clone(),
        });
    }

    /// Returns the offsets at which statements and declarations begin.
    fn statements(&self) -> Vec<usize> {
        let ends = self.code.char_indices().filter(|(_, c)| matches!(c, ';' | '{' | '}'));
        let starts = [0].into_iter().chain(ends.map(|(at, _)| at + 1));
        let starts = starts.map(|at| at + (self.code[at..].len() - self.code[at..].trim_start().len()));
        let is_outside = |at: &usize| {
            matches!(self.brackets.scope(*at), Scope::Top | Scope::Module | Scope::Class | Scope::Body)
                && *at < self.code.len()
        };
        starts.filter(is_outside).collect()
    }

    /// Returns the semicolon that ends a statement.
    fn end(&self, mut at: usize) -> usize {
        while let Some(next) = self.code[at..].find([';', '(', '[', '{', '}']) {
            at += next;
            match self.code.as_bytes()[at] {
                b';' | b'}' => return at,
                _ => at = self.brackets.opening(at).map_or(at, |pair| pair.close) + 1,
            }
            if at >= self.code.len() {
                break;
            }
        }
        self.code.len()
    }

    /// Returns whether a place is inside the parentheses of a call or an index, within its
    /// statement.
    fn is_argument(&self, at: usize) -> bool {
        let inner = self.brackets.around(at).map(|pair| pair.scope);
        inner
            .take_while(|scope| !matches!(scope, Scope::Body | Scope::Class | Scope::Top | Scope::Module))
            .any(|scope| scope == Scope::Parentheses)
    }

    /// Returns the place where a name that is declared at `at` is valid: the braces around it.
    fn valid(&self, at: usize) -> Range<usize> {
        let mut around =
            self.brackets.around(at).filter(|pair| matches!(pair.scope, Scope::Body | Scope::Class | Scope::Module));
        match around.next() {
            // The members of a class are also used elsewhere.
            Some(pair) if pair.scope != Scope::Class => pair.inside(),
            _ => 0..self.code.len(),
        }
    }
}

/// Returns the way in which a field of a struct with this name is declared.
fn field_of(name: &str) -> Way {
    static PARAMETERS: LazyLock<Regex> =
        LazyLock::new(|| regex(r"(?i)param|config|setting|option|weight|hyper|coef|tun(?:e|ing)|knob"));
    if PARAMETERS.is_match(name) { Way::Parameter } else { Way::Field }
}

/// Replaces the directives of a preprocessor by blanks.
fn without_directives(code: &str) -> String {
    let mut is_continued = false;
    let mut result = String::with_capacity(code.len());
    for line in code.split_inclusive('\n') {
        if is_continued || line.trim_start().starts_with('#') {
            is_continued = line.trim_end().ends_with('\\');
            result.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        } else {
            result.push_str(line);
        }
    }
    result
}
