//! Where paths lead, from module to module and through imports.

use super::code::{Code, Import, Item, Kind, ROOT};

/// What a path leads to, and what it passes.
#[derive(Default)]
pub struct Found {
    /// Items.
    pub items: Vec<usize>,
    /// Imports, by item and place in it.
    pub imports: Vec<(usize, usize)>,
    /// Names after the last item.
    pub members: Vec<String>,
    /// Whether the path starts with the name of a crate.
    pub starts_with_crate: bool,
}

/// The crates that every program has.
pub const STANDARD: [&str; 3] = ["std", "core", "alloc"];

impl Code {
    /// The imports of a `use`.
    pub fn imports(&self, item: usize) -> &[Import] {
        match &self.items[item].kind {
            Kind::Use { imports, .. } => imports,
            _ => &[],
        }
    }

    /// Where a path leads from the module of an item. What starts with an unknown name is none of the crates'.
    ///
    /// # Errors
    /// If it starts with something known and leads nowhere.
    pub fn resolve(&self, item: usize, segments: &[String], at: usize, is_import: bool) -> Result<Found, String> {
        let mut way = Way { is_value: segments.len() == 1 && !is_import, ..Way::default() };
        let Err(what) = self.lead(self.items[item].module, segments, is_import, &mut way) else {
            return Ok(way.found);
        };
        if way.met_module && way.fault.is_none() {
            return Ok(way.found);
        }
        let here = (item, at, segments.join("::"), what);
        let (item, at, path, what) = way.fault.unwrap_or(here);
        let place = self.files[self.items[item].file].place(at);
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
            _ if self.crates.iter().any(|known| known == first) && (is_import || segments.len() > 1) => {
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
            let around = self.modules[module].declared.ok_or("nothing is around the root")?;
            (module, rest) = (around.0, &rest[1..]);
        }
        if self.descend(module, rest, way) {
            return Ok(());
        }
        let name = &self.modules[module].name;
        let inside = if name.is_empty() { "at the root".to_string() } else { format!("in `{name}`") };
        Err(format!("there is no `{}` {inside}", rest.join("::")))
    }

    /// Follows a path down from a module; whether it leads anywhere.
    fn descend(&self, module: usize, path: &[String], way: &mut Way) -> bool {
        let Some((name, rest)) = path.split_first() else { return true };
        let items = &self.modules[module].items;
        let mut leads = false;
        for &id in items.iter().filter(|id| self.items[**id].names.contains(name)) {
            match self.items[id].kind {
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
        let is_open = |item: &Item| matches!(item.kind, Kind::Call) && item.names.is_empty();
        leads || items.iter().any(|&id| is_open(&self.items[id]))
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
