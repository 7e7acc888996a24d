//! Crates as a tree of modules with their items, found by a parser; the text of each item stays as it is.

use super::names::{Layout, Names};
use std::ops::Range;

/// A file of a crate.
pub struct File {
    /// How messages call it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its comments and literals.
    pub layout: Layout,
}

impl File {
    /// A place in the file, for messages.
    pub fn place(&self, offset: usize) -> String {
        format!("{}:{}", self.name, self.text[..offset].matches('\n').count() + 1)
    }
}

/// A module.
pub struct Module {
    /// Its name; empty at the root.
    pub name: String,
    /// The module around it and its declaration there; `None` at the root.
    pub declared: Option<(usize, usize)>,
    /// The file with its text.
    pub file: usize,
    /// Its inner comments and attributes.
    pub head: Range<usize>,
    /// Its items in their order.
    pub items: Vec<usize>,
}

/// An item of a module.
pub struct Item {
    /// The module it stands in.
    pub module: usize,
    /// The file with its text.
    pub file: usize,
    /// What it is.
    pub kind: Kind,
    /// Names by which it can be mentioned.
    pub names: Vec<String>,
    /// Its text, with the comments and empty lines before it.
    pub text: Range<usize>,
    /// What it mentions; of an `impl` what stands before its brace.
    pub mentions: Names,
}

/// Kinds of items, as far as they are told apart.
pub enum Kind {
    /// A module, whose text starts after this place of the declaration.
    Module {
        /// The module.
        inside: usize,
        /// Where its `;` or `{` stands.
        opens: usize,
    },
    /// A `use`, which starts at a place after its attributes.
    Use {
        /// Where the `use` stands.
        starts: usize,
        /// Its imports.
        imports: Vec<Import>,
    },
    /// An `impl`.
    Impl {
        /// Whether it implements a trait.
        is_trait: bool,
        /// The type and the trait.
        header: Names,
        /// What stands inside.
        parts: Vec<Part>,
        /// The text between its braces.
        body: Range<usize>,
    },
    /// A trait with these methods.
    Trait(Vec<String>),
    /// Another name for a type.
    Alias,
    /// A macro's definition.
    Macro,
    /// A macro's call, which makes items.
    Call,
    /// Anything else.
    Other,
}

/// One import of a `use`.
pub struct Import {
    /// What is imported; for `*` the module.
    pub path: Vec<String>,
    /// Where its first name stands.
    pub at: Range<usize>,
    /// The name it gets here; `None` for `*`.
    pub binding: Option<String>,
    /// Whether another name than its own.
    pub is_renamed: bool,
}

/// An item of an `impl`.
pub struct Part {
    /// Its name; `None` if it has none.
    pub name: Option<String>,
    /// Its text, with what stands before it.
    pub text: Range<usize>,
    /// What it mentions.
    pub mentions: Names,
}

/// All that there is to choose from. Module 0 is the root, where the program's own items stand beside those at the roots
/// of the crates.
#[derive(Default)]
pub struct Code {
    /// Files.
    pub files: Vec<File>,
    /// Modules.
    pub modules: Vec<Module>,
    /// Items.
    pub items: Vec<Item>,
    /// Names of the crates.
    pub crates: Vec<String>,
    /// How many items at the front of the root are the program's own.
    pub own: usize,
}

/// The module that everything else stands in.
pub const ROOT: usize = 0;
