//! The names that a piece of code mentions, read from its tokens: what may lie behind them is kept.
//!
//! Tokens, and not the syntax tree, because names in the arguments of macros count as well.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::ops::Range;

/// A path such as `super::board::ALL`, or a single name.
#[derive(Clone, Debug)]
pub struct Path {
    /// Its names in a row.
    pub segments: Vec<String>,
    /// Where its first name stands in the file.
    pub at: Range<usize>,
    /// Whether it calls a macro.
    pub is_macro: bool,
    /// Whether it stands in a `use`, so that it has to lead somewhere.
    pub is_import: bool,
}

/// What a piece of code mentions.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Paths and single names.
    pub paths: Vec<Path>,
    /// Names of methods, associated items and variants: what follows a `.` or a type.
    pub members: BTreeSet<String>,
    /// Macros called, each with all names among its arguments.
    pub calls: Vec<(String, Vec<String>)>,
    /// What a `use` inside of a body calls by which name.
    pub aliases: Vec<(String, Vec<String>)>,
    /// Names that stand where only traits can.
    pub traits: BTreeSet<String>,
}

impl Names {
    /// The names in these tokens.
    pub fn of(tokens: TokenStream) -> Self {
        let mut names = Names::default();
        names.scan(tokens);
        names
    }

    fn scan(&mut self, stream: TokenStream) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut i = 0;
        while i < tokens.len() {
            let before = |back: usize| i.checked_sub(back).and_then(|place| tokens.get(place));
            match &tokens[i] {
                TokenTree::Group(group) if is(before(1), '#') && is_comment(group) => {}
                TokenTree::Group(group) => self.scan(group.stream()),
                TokenTree::Literal(literal) => self.captures(literal),
                TokenTree::Ident(name) if is(before(1), '\'') || is(before(1), '$') && name != "crate" => {}
                TokenTree::Ident(name) if is(before(1), '.') && !is(before(2), '.') => {
                    self.members.insert(name.to_string());
                }
                TokenTree::Ident(_) if is_word(before(1), "fn") => {}
                TokenTree::Ident(_) if is(before(1), ':') && is(before(2), ':') && is(before(3), '>') => {
                    let (path, next) = path(&tokens, i);
                    self.members.extend(path.segments);
                    i = next;
                    continue;
                }
                TokenTree::Ident(name) if name == "use" => {
                    let end = (i..tokens.len()).find(|&end| is(tokens.get(end), ';')).unwrap_or(tokens.len());
                    self.import(&tokens[i + 1..end], &[]);
                    i = end;
                    continue;
                }
                TokenTree::Ident(_) => {
                    let (path, next) = path(&tokens, i);
                    let bounds = ["impl", "dyn"].iter().any(|word| is_word(before(1), word))
                        || is(before(1), '+')
                        || is(before(1), ':') && is(before(3), '<')
                        || is_word(tokens.get(next), "for");
                    if bounds {
                        self.traits.extend(path.segments.last().cloned());
                    }
                    if path.is_macro {
                        let arguments = tokens[next..].iter().take(3).find_map(group);
                        let mut idents = Vec::new();
                        arguments.into_iter().for_each(|group| all_idents(group.stream(), &mut idents));
                        self.calls.push((path.segments.last().cloned().unwrap_or_default(), idents));
                    }
                    self.paths.push(path);
                    i = next;
                    continue;
                }
                TokenTree::Punct(_) => {}
            }
            i += 1;
        }
    }

    /// Names that a string may take up, as in `"{name}"` and `"{:width$}"`.
    fn captures(&mut self, literal: &Literal) {
        let text = literal.to_string();
        if !text.contains('"') {
            return;
        }
        let is_part = |letter: char| letter == '_' || letter.is_alphanumeric();
        for (start, _) in text.match_indices(|letter| "{:.".contains(letter)) {
            let rest = &text[start + 1..];
            let name: String = rest.chars().take_while(|&letter| is_part(letter)).collect();
            let ends = rest[name.len()..].starts_with(|letter| "}:$".contains(letter));
            if ends && name.starts_with(|letter: char| letter == '_' || letter.is_alphabetic()) {
                let at = literal.span().byte_range();
                self.paths.push(Path { segments: vec![name], at, is_macro: false, is_import: false });
            }
        }
    }

    /// The tree of a `use` inside of a body.
    fn import(&mut self, tokens: &[TokenTree], before: &[(String, Range<usize>)]) {
        let mut path = before.to_vec();
        let mut alias = None;
        for (i, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(name) if name == "as" => alias = tokens.get(i + 1).map(ToString::to_string),
                TokenTree::Ident(name) if alias.is_none() => path.push((name.to_string(), range(name))),
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    inner.split(|token| is(Some(token), ',')).for_each(|part| self.import(part, &path));
                    return;
                }
                _ => {}
            }
        }
        if path.len() > 1 && path.last().is_some_and(|(name, _)| name == "self") {
            path.pop();
        }
        let Some((_, at)) = path.first().cloned() else { return };
        let segments: Vec<String> = path.into_iter().map(|(name, _)| name).collect();
        let alias = alias.or_else(|| segments.last().cloned()).unwrap_or_default();
        self.aliases.push((alias, segments.clone()));
        self.paths.push(Path { segments, at, is_macro: false, is_import: true });
    }
}

/// The path that starts at a place, and the place after it.
fn path(tokens: &[TokenTree], start: usize) -> (Path, usize) {
    let mut segments = Vec::new();
    let mut at = 0..0;
    let mut next = start;
    while let Some(TokenTree::Ident(name)) = tokens.get(next) {
        if segments.is_empty() {
            at = range(name);
        }
        segments.push(name.to_string());
        next += 1;
        let goes_on = is(tokens.get(next), ':') && is(tokens.get(next + 1), ':');
        match tokens.get(next + 2) {
            Some(TokenTree::Ident(_)) if goes_on => next += 2,
            _ => break,
        }
    }
    let called = |place: usize| tokens.get(place).is_some_and(|token| group(token).is_some());
    let is_macro =
        is(tokens.get(next), '!') && (called(next + 1) || called(next + 2) && !is(tokens.get(next + 1), '='));
    (Path { segments, at, is_macro, is_import: false }, next)
}

fn range(name: &Ident) -> Range<usize> {
    name.span().byte_range()
}

fn is(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(name)) if name == word)
}

fn group(token: &TokenTree) -> Option<&Group> {
    match token {
        TokenTree::Group(group) => Some(group),
        _ => None,
    }
}

/// Whether this is the bracket of an attribute that is a comment.
fn is_comment(group: &Group) -> bool {
    let mut tokens = group.stream().into_iter();
    let is_doc = is_word(tokens.next().as_ref(), "doc");
    is_doc && group.delimiter() == Delimiter::Bracket && tokens.all(|token| !matches!(token, TokenTree::Ident(_)))
}

fn all_idents(stream: TokenStream, into: &mut Vec<String>) {
    for token in stream {
        match token {
            TokenTree::Ident(name) => into.push(name.to_string()),
            TokenTree::Group(group) => all_idents(group.stream(), into),
            _ => {}
        }
    }
}

/// Where the comments of items and the literals with line ends stand in a file.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Doc comments outside of macros.
    pub comments: Vec<Range<usize>>,
    /// Literals of several lines.
    pub literals: Vec<Range<usize>>,
}

impl Layout {
    /// The layout of the file with this text and these tokens.
    pub fn of(text: &str, tokens: TokenStream) -> Self {
        let mut layout = Layout::default();
        layout.scan(text, tokens, true);
        layout
    }

    fn scan(&mut self, text: &str, stream: TokenStream, outside: bool) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        for (i, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    let place = group.span().byte_range();
                    // A comment is the attribute that the tokenizer makes of it; each of its tokens has its place.
                    if is_comment(group) && text[place.clone()].starts_with('/') {
                        if outside && text[place.clone()].starts_with("//") {
                            self.comments.push(place);
                        }
                        continue;
                    }
                    let name = matches!(tokens[..i], [.., TokenTree::Ident(_)]);
                    let called = is(tokens[..i].last(), '!') || name && is(tokens.get(i.wrapping_sub(2)), '!');
                    self.scan(text, group.stream(), outside && !called || is_attribute(&tokens[..i]));
                }
                TokenTree::Literal(literal) => {
                    let place = literal.span().byte_range();
                    if text[place.clone()].contains('\n') {
                        self.literals.push(place);
                    }
                }
                _ => {}
            }
        }
    }
}

fn is_attribute(before: &[TokenTree]) -> bool {
    matches!(before, [.., mark, not] if is(Some(mark), '#') && is(Some(not), '!'))
}
