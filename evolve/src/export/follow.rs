//! Which items a program needs: what its own text mentions, what that mentions, and so on.
//!
//! Paths are followed as the compiler follows them. What comes after a `.` or a type is only known by its name, so an
//! associated item is kept if its type is and its name occurs in anything kept. Too much may be kept, but not too little.

use super::code::{Code, Import, Kind, ROOT};
use super::names::{Names, Path};
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

/// What a path leads to.
#[derive(Default)]
struct Found {
    items: Vec<usize>,
    imports: Vec<(usize, usize)>,
    members: Vec<String>,
    /// The path starts with the name of a crate.
    starts_with_crate: bool,
}

/// The crates that every program has.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];
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
            let found = self.resolve(item, &segments, path.at.start, path.is_import)?;
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
        let Import { path, at, .. } = &self.imports(item)[import];
        let found = self.resolve(item, path, at.start, true)?;
        self.take(item, found, at)
    }

    fn imports(&self, item: usize) -> &'a [Import] {
        match &self.code.items[item].kind {
            Kind::Use { imports, .. } => imports,
            _ => &[],
        }
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
            if let Ok(found) = self.resolve(item, &path.segments, path.at.start, false) {
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
                    if (is_new || !wanted.is_empty()) && self.has_all(id, header)? {
                        self.keep(id);
                        for part in wanted {
                            self.inner[id][part] = true;
                            self.todo.push((id, &parts[part].mentions));
                        }
                        changed = true;
                    }
                }
                Kind::Other if item.names == ["_"] && !self.items[id] && self.has_all(id, &item.mentions)? => {
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
                        if !self.inner[id][i] && self.may_be_a_trait_in_use(id, import)? {
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
        module != ROOT && self.code.modules[module].items.iter().any(|id| self.items[*id] && counts(id))
    }

    /// Whether an import may be a trait that is there for its methods, which do not name it.
    fn may_be_a_trait_in_use(&self, item: usize, import: &Import) -> Result<bool, String> {
        let Some(binding) = &import.binding else { return Ok(false) };
        let found = self.resolve(item, &import.path, import.at.start, true)?;
        let mut traits = found.items.iter().map(|&id| &self.code.items[id].kind);
        if !STANDARD.contains(&import.path[0].as_str()) {
            return Ok(traits.any(
                |kind| matches!(kind, Kind::Trait(methods) if methods.iter().any(|name| self.members.contains(name))),
            ));
        }
        let module = &self.code.modules[self.code.items[item].module];
        let mut is_named = false;
        for &id in &module.items {
            let item = &self.code.items[id];
            let parts: &[_] = if let Kind::Impl { parts, .. } = &item.kind { parts } else { &[] };
            for names in parts.iter().map(|part| &part.mentions).chain([&item.mentions]) {
                if names.traits.contains(binding) {
                    return Ok(true);
                }
                is_named |= names.paths.iter().any(|path| path.segments[0] == *binding);
            }
        }
        Ok(!is_named && binding.starts_with(char::is_uppercase) || binding == "_")
    }

    /// Whether everything of the crates that is mentioned here is kept, and anything is.
    fn has_all(&self, item: usize, names: &Names) -> Result<bool, String> {
        let mut any = false;
        for path in names.paths.iter().filter(|path| !path.is_macro) {
            let found = self.resolve(item, &path.segments, path.at.start, false)?;
            for id in found.items {
                let other = &self.code.items[id];
                let is_alias = other.names.len() == 1 && self.is_type_alias(id);
                let has = self.items[id] || is_alias && self.has_all(id, &other.mentions)?;
                if !has && !matches!(other.kind, Kind::Module { .. }) {
                    return Ok(false);
                }
                any |= !matches!(other.kind, Kind::Module { .. });
            }
        }
        Ok(any)
    }

    fn is_type_alias(&self, id: usize) -> bool {
        let item = &self.code.items[id];
        let text = &self.code.files[item.file].text[item.text.clone()];
        text.lines().any(|line| {
            let line = line.trim_start();
            let line = line.strip_prefix("pub").map_or(line, |rest| rest.split_once(' ').map_or("", |(_, rest)| rest));
            line.starts_with("type ")
        })
    }

    /// Where a path leads from the module of an item. What starts with an unknown name is none of the crates'.
    fn resolve(&self, item: usize, segments: &[String], at: usize, is_import: bool) -> Result<Found, String> {
        let mut way = Way { is_value: segments.len() == 1 && !is_import, ..Way::default() };
        let Err(what) = self.lead(self.code.items[item].module, segments, is_import, &mut way) else {
            return Ok(way.found);
        };
        if way.met_module && way.fault.is_none() {
            return Ok(way.found);
        }
        let here = (item, at, segments.join("::"), what);
        let (item, at, path, what) = way.fault.unwrap_or(here);
        let place = self.code.files[self.code.items[item].file].place(at);
        Err(format!("{place}: `{path}` leads nowhere: {what}"))
    }

    fn lead(&self, module: usize, segments: &[String], is_import: bool, way: &mut Way) -> Result<(), String> {
        let first = segments[0].as_str();
        let (mut module, mut rest) = match first {
            "crate" => (ROOT, &segments[1..]),
            "self" if segments.len() > 1 || is_import => (module, &segments[1..]),
            "super" => (module, segments),
            _ if self.descend(module, segments, way) => return Ok(()),
            _ if way.breaks_off => return Err(format!("there is no `{}`", segments[1..].join("::"))),
            _ if self.code.crates.iter().any(|known| known == first) && (is_import || segments.len() > 1) => {
                way.found.starts_with_crate |= way.open.is_empty();
                (ROOT, &segments[1..])
            }
            _ if is_import && !STANDARD.contains(&first) => {
                return Err(format!("there is no `{first}`, and an exported program has no other crates"));
            }
            _ => {
                way.found.members.extend(segments[1..].iter().cloned());
                return Ok(());
            }
        };
        while let Some("super") = rest.first().map(String::as_str) {
            let around = self.code.modules[module].declared.ok_or("nothing is around the root")?;
            (module, rest) = (around.0, &rest[1..]);
        }
        if self.descend(module, rest, way) {
            return Ok(());
        }
        let name = &self.code.modules[module].name;
        let inside = if name.is_empty() { "at the root".to_string() } else { format!("in `{name}`") };
        Err(format!("there is no `{}` {inside}", rest.join("::")))
    }

    /// Follows a path down from a module; whether it leads anywhere.
    fn descend(&self, module: usize, path: &[String], way: &mut Way) -> bool {
        let Some((name, rest)) = path.split_first() else { return true };
        let items = &self.code.modules[module].items;
        let mut leads = false;
        for &id in items.iter().filter(|id| self.code.items[**id].names.contains(name)) {
            match self.code.items[id].kind {
                Kind::Module { .. } if way.is_value && rest.is_empty() => way.met_module = true,
                Kind::Module { inside, .. } => {
                    way.found.items.push(id);
                    let goes_on = self.descend(inside, rest, way);
                    way.breaks_off |= !goes_on;
                    leads |= goes_on;
                }
                Kind::Macro if !rest.is_empty() => {}
                _ => {
                    way.found.items.push(id);
                    way.found.members.extend(rest.iter().cloned());
                    leads = true;
                }
            }
        }
        // What stands here comes before what is imported, and that by its name before that with all the rest.
        for is_named in [true, false] {
            if leads || way.breaks_off {
                break;
            }
            for &id in items {
                for (i, import) in self.imports(id).iter().enumerate() {
                    let fits = if is_named { import.binding.as_ref() == Some(name) } else { import.binding.is_none() };
                    if !fits || way.open.contains(&(id, i)) {
                        continue;
                    }
                    let behind = if is_named { rest } else { path };
                    if STANDARD.contains(&import.path[0].as_str()) {
                        if is_named {
                            way.found.imports.push((id, i));
                            way.found.members.extend(rest.iter().cloned());
                            leads = true;
                        }
                        continue;
                    }
                    let meant: Vec<String> = import.path.iter().chain(behind).cloned().collect();
                    way.open.push((id, i));
                    let met_before = std::mem::take(&mut way.met_module);
                    let led = self.lead(module, &meant, true, way);
                    way.open.pop();
                    way.breaks_off &= is_named;
                    let goes_on = led.is_ok();
                    let met = std::mem::replace(&mut way.met_module, met_before);
                    if !goes_on && met {
                        way.met_module = true;
                        continue;
                    }
                    if let (true, Err(what)) = (is_named, led) {
                        way.fault.get_or_insert((id, import.at.start, meant.join("::"), what));
                    }
                    if goes_on {
                        way.found.imports.push((id, i));
                    }
                    way.breaks_off |= is_named && !goes_on;
                    leads |= goes_on;
                }
            }
        }
        // A macro may have made it.
        let is_open = |item: &super::code::Item| matches!(item.kind, Kind::Call) && item.names.is_empty();
        leads || items.iter().any(|&id| is_open(&self.code.items[id]))
    }
}

/// A path on its way.
#[derive(Default)]
struct Way {
    found: Found,
    /// A single name in code, which cannot mean a module; one of that name may have been met.
    is_value: bool,
    met_module: bool,
    /// It starts with a known name, but what comes after that is not there.
    breaks_off: bool,
    /// The import where it did: its item and place, what it imports, and why it leads nowhere.
    fault: Option<(usize, usize, String, String)>,
    /// The imports that are being followed: they may go round in circles.
    open: Vec<(usize, usize)>,
}
