//! Which items a program needs: what its own text mentions, what that mentions, and so on.
//!
//! Paths are followed as the compiler follows them. What comes after a `.` or a type is only known by its name, so an
//! associated item is kept if its type is and its name occurs in anything kept. Too much may be kept, but not too little.

use super::code::{Code, Import, Kind};
use super::names::{Names, Path};
use super::paths::{Found, STANDARD};
use std::collections::BTreeSet;
use std::ops::Range;

/// What is kept.
pub struct Kept<'a> {
    code: &'a Code,
    items: Vec<bool>,
    /// By item, of its parts or imports.
    inner: Vec<Vec<bool>>,
    members: BTreeSet<String>,
    /// Names of macros that the crates define.
    macros: BTreeSet<&'a str>,
    /// Names of crates in paths, which become `crate`.
    renamed: BTreeSet<(usize, usize, usize)>,
    todo: Vec<(usize, &'a Names)>,
}

/// Macros of the standard library that take in what this program does not have.
const HIDING: [&str; 5] = ["include", "include_str", "include_bytes", "env", "option_env"];

impl<'a> Kept<'a> {
    /// Follows what the program's own items mention.
    ///
    /// # Errors
    /// If a path leads nowhere, or a macro takes in another file.
    pub fn of(code: &'a Code) -> Result<Self, String> {
        let macros = code.items.iter().filter(|item| matches!(item.kind, Kind::Macro));
        let inner = code.items.iter().map(|item| match &item.kind {
            Kind::Impl { parts, .. } => vec![false; parts.len()],
            Kind::Use { imports, .. } => vec![false; imports.len()],
            _ => Vec::new(),
        });
        let mut kept = Kept {
            code,
            items: vec![false; code.items.len()],
            inner: inner.collect(),
            members: BTreeSet::new(),
            macros: macros.flat_map(|item| &item.names).map(String::as_str).collect(),
            renamed: BTreeSet::new(),
            todo: Vec::new(),
        };
        for item in 0..code.own {
            kept.keep(item);
            for import in 0..kept.inner[item].len() {
                if matches!(code.items[item].kind, Kind::Use { .. }) {
                    kept.import(item, import)?;
                }
            }
        }
        loop {
            while let Some((item, names)) = kept.todo.pop() {
                kept.follow(item, names)?;
            }
            if !kept.complete()? && kept.todo.is_empty() {
                return Ok(kept);
            }
        }
    }

    /// Whether an item is kept.
    pub fn has(&self, item: usize) -> bool {
        self.items[item]
    }

    /// Whether a part or an import of an item is kept.
    pub fn has_inner(&self, item: usize, inner: usize) -> bool {
        self.inner[item][inner]
    }

    /// The names of crates in a range of a file, which become `crate`.
    pub fn renamed(&self, file: usize, range: &Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        self.renamed.range((file, range.start, 0)..(file, range.end, 0)).map(|&(_, start, end)| start..end)
    }

    fn keep(&mut self, item: usize) {
        if !std::mem::replace(&mut self.items[item], true) {
            self.todo.push((item, &self.code.items[item].mentions));
            if let Some((_, declaration)) = self.code.modules[self.code.items[item].module].declared {
                self.keep(declaration);
            }
        }
    }

    fn follow(&mut self, item: usize, names: &'a Names) -> Result<(), String> {
        self.members.extend(names.members.iter().cloned());
        for (name, arguments) in &names.calls {
            if self.macros.contains(name.as_str()) {
                self.members.extend(arguments.iter().cloned());
            }
        }
        for path in &names.paths {
            if path.is_macro {
                self.call(item, path)?;
                continue;
            }
            let is_alias = names.aliases.iter().find(|(alias, _)| !path.is_import && *alias == path.segments[0]);
            let segments: Vec<String> = match is_alias {
                Some((_, meant)) => meant.iter().chain(&path.segments[1..]).cloned().collect(),
                None => path.segments.clone(),
            };
            let found = self.code.resolve(item, &segments, path.at.start, path.is_import)?;
            self.take(item, found, &path.at)?;
        }
        Ok(())
    }

    fn take(&mut self, item: usize, found: Found, at: &Range<usize>) -> Result<(), String> {
        if found.starts_with_crate {
            self.renamed.insert((self.code.items[item].file, at.start, at.end));
        }
        self.members.extend(found.members);
        for item in found.items {
            self.keep(item);
        }
        for (item, import) in found.imports {
            self.import(item, import)?;
        }
        Ok(())
    }

    /// Keeps an import and what it leads to.
    fn import(&mut self, item: usize, import: usize) -> Result<(), String> {
        if std::mem::replace(&mut self.inner[item][import], true) {
            return Ok(());
        }
        self.keep(item);
        let Import { path, at, .. } = &self.code.imports(item)[import];
        let found = self.code.resolve(item, path, at.start, true)?;
        self.take(item, found, at)
    }

    /// Keeps a macro that is called.
    fn call(&mut self, item: usize, path: &Path) -> Result<(), String> {
        let name = path.segments.last().expect("a path has a name");
        let place = || self.code.files[self.code.items[item].file].place(path.at.start);
        let first = path.segments[0].as_str();
        if self.macros.contains(name.as_str()) {
            let is_named = |id: &usize| {
                let item = &self.code.items[*id];
                matches!(item.kind, Kind::Macro) && item.names.contains(name)
            };
            for definition in (0..self.items.len()).filter(is_named).collect::<Vec<_>>() {
                self.keep(definition);
            }
            if path.segments.len() > 1 && self.code.crates.iter().any(|known| known == first) {
                self.renamed.insert((self.code.items[item].file, path.at.start, path.at.end));
            }
            if let Ok(found) = self.code.resolve(item, &path.segments, path.at.start, false) {
                for (item, import) in found.imports {
                    self.import(item, import)?;
                }
            }
        } else if HIDING.contains(&name.as_str()) {
            return Err(format!("{}: `{name}!` takes in what an exported program does not have", place()));
        } else if path.segments.len() > 1 && !STANDARD.contains(&first) {
            return Err(format!("{}: there is no macro `{}!`", place(), path.segments.join("::")));
        }
        Ok(())
    }

    /// Keeps what is needed though nothing leads there by a path; whether there was anything.
    fn complete(&mut self) -> Result<bool, String> {
        let mut changed = false;
        for id in 0..self.items.len() {
            let item = &self.code.items[id];
            match &item.kind {
                Kind::Impl { is_trait, header, parts, .. } => {
                    let is_used = |name: &Option<String>| name.as_ref().is_none_or(|name| self.members.contains(name));
                    let wanted: Vec<usize> = (0..parts.len())
                        .filter(|&i| !self.inner[id][i] && (*is_trait || is_used(&parts[i].name)))
                        .collect();
                    let is_new = !self.items[id] && (*is_trait || !wanted.is_empty());
                    if (is_new || !wanted.is_empty()) && self.has_all(id, header) {
                        self.keep(id);
                        for part in wanted {
                            self.inner[id][part] = true;
                            self.todo.push((id, &parts[part].mentions));
                        }
                        changed = true;
                    }
                }
                Kind::Other if item.names == ["_"] && !self.items[id] && self.has_all(id, &item.mentions) => {
                    self.keep(id);
                    changed = true;
                }
                Kind::Trait(methods)
                    if !self.items[id]
                        && self.is_alive(item.module)
                        && methods.iter().any(|method| self.members.contains(method)) =>
                {
                    self.keep(id);
                    changed = true;
                }
                Kind::Call if item.names.is_empty() && !self.items[id] && self.is_alive(item.module) => {
                    self.keep(id);
                    changed = true;
                }
                Kind::Use { imports, .. } if self.is_alive(item.module) => {
                    for (i, import) in imports.iter().enumerate() {
                        if !self.inner[id][i] && self.may_be_a_trait_in_use(id, import) {
                            self.import(id, i)?;
                            changed = true;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(changed)
    }

    /// Whether a module has anything of its own that is kept.
    fn is_alive(&self, module: usize) -> bool {
        let counts = |id: &usize| !matches!(self.code.items[*id].kind, Kind::Module { .. } | Kind::Use { .. });
        let mut items = self.code.modules[module].items.iter();
        items.any(|id| *id >= self.code.own && self.items[*id] && counts(id))
    }

    /// Whether an import may be a trait that is there for its methods, which do not name it.
    fn may_be_a_trait_in_use(&self, item: usize, import: &Import) -> bool {
        let Some(binding) = &import.binding else { return false };
        // What leads nowhere is none of the crates' traits.
        let Ok(found) = self.code.resolve(item, &import.path, import.at.start, true) else { return false };
        let mut traits = found.items.iter().map(|&id| &self.code.items[id].kind);
        if !STANDARD.contains(&import.path[0].as_str()) {
            return traits.any(
                |kind| matches!(kind, Kind::Trait(methods) if methods.iter().any(|name| self.members.contains(name))),
            );
        }
        let module = &self.code.modules[self.code.items[item].module];
        let mut is_named = false;
        for &id in &module.items {
            let item = &self.code.items[id];
            let parts: &[_] = if let Kind::Impl { parts, .. } = &item.kind { parts } else { &[] };
            for names in parts.iter().map(|part| &part.mentions).chain([&item.mentions]) {
                if names.traits.contains(binding) {
                    return true;
                }
                is_named |= names.paths.iter().any(|path| path.segments[0] == *binding);
            }
        }
        !is_named && binding.starts_with(char::is_uppercase) || binding == "_"
    }

    /// Whether everything of the crates that is mentioned here is kept, and anything is.
    fn has_all(&self, item: usize, names: &Names) -> bool {
        let mut any = false;
        for path in names.paths.iter().filter(|path| !path.is_macro) {
            // What leads nowhere is none of what is kept.
            let Ok(found) = self.code.resolve(item, &path.segments, path.at.start, false) else { return false };
            for id in found.items {
                let other = &self.code.items[id];
                let is_alias = matches!(other.kind, Kind::Alias);
                let has = self.items[id] || is_alias && self.has_all(id, &other.mentions);
                if !has && !matches!(other.kind, Kind::Module { .. }) {
                    return false;
                }
                any |= !matches!(other.kind, Kind::Module { .. });
            }
        }
        any
    }
}
