//! The modules of each crate have no cyclic dependencies. Siblings are compared together with their
//! submodules; a module and its submodules may depend on each other.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::{Item, UseTree};

/// A path, as names from the root of a crate or as written.
type Place = Vec<String>;
type Modules = BTreeMap<Place, Module>;

/// The meaning of the names that a module imports, and all paths in it.
#[derive(Default)]
struct Module {
    imports: BTreeMap<String, Place>,
    mentions: BTreeSet<Place>,
}

fn joined(place: &[String], name: impl ToString) -> Place {
    [place, &[name.to_string()]].concat()
}

/// Reads a module and its submodules without tests; `load` returns the text of a module's file.
fn read(load: &dyn Fn(&Place) -> String, place: Place, inline: Option<Vec<Item>>, modules: &mut Modules) {
    let items = inline.unwrap_or_else(|| syn::parse_file(&load(&place)).unwrap().items);
    let (mut module, mut text) = (Module::default(), String::new());
    for item in items.into_iter().filter(|item| !is_test(item.to_token_stream())) {
        match item {
            // Files outside this folder, such as the slow twins in tests, are separate.
            Item::Mod(item) if item.attrs.iter().any(|attribute| attribute.path().is_ident("path")) => {}
            Item::Mod(item) => read(load, joined(&place, item.ident), item.content.map(|(_, items)| items), modules),
            Item::Use(item) => import(&item.tree, &[], &mut module),
            item => flatten(item.to_token_stream(), &mut text),
        }
    }
    module.mentions.extend(text.split_whitespace().map(|path| path.split("::").map(String::from).collect()));
    modules.insert(place, module);
}

/// Whether an item has the attribute `#[cfg(test)]`.
fn is_test(item: TokenStream) -> bool {
    let tokens: Vec<String> = item.into_iter().map(|token| token.to_string()).collect();
    tokens.chunks(2).take_while(|pair| pair[0] == "#").any(|pair| pair[1] == "[cfg (test)]")
}

fn import(tree: &UseTree, before: &[String], module: &mut Module) {
    let (name, path) = match tree {
        UseTree::Path(path) => return import(&path.tree, &joined(before, &path.ident), module),
        UseTree::Group(group) => return group.items.iter().for_each(|tree| import(tree, before, module)),
        UseTree::Name(name) => (name.ident.to_string(), joined(before, &name.ident)),
        UseTree::Rename(name) => (name.rename.to_string(), joined(before, &name.ident)),
        UseTree::Glob(_) => ("*".to_string(), before.to_vec()),
    };
    module.mentions.insert(path.clone());
    module.imports.insert(name, path);
}

/// The names and paths among some tokens, with blanks between them, including unparsed macros.
fn flatten(tokens: TokenStream, text: &mut String) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => *text += &format!("{}{name}", if text.ends_with("::") { "" } else { " " }),
            TokenTree::Punct(colon) if colon.as_char() == ':' => text.push(':'),
            TokenTree::Group(group) => flatten(group.stream(), text),
            _ => text.push(' '),
        }
    }
}

/// The module that a path refers to, through re-exports; `None` if it is outside the crate.
fn find(modules: &Modules, from: &Place, path: &[String]) -> Option<Place> {
    let mut place = from.clone();
    if !["crate", "self", "super"].contains(&path[0].as_str()) && !modules.contains_key(&joined(from, &path[0])) {
        return None;
    }
    for (i, name) in path.iter().enumerate() {
        match name.as_str() {
            "self" => {}
            "crate" => place.clear(),
            "super" => drop(place.pop()),
            name if modules.contains_key(&joined(&place, name)) => place.push(name.to_string()),
            name => {
                let import = modules[&place].imports.get(name).filter(|_| place != *from);
                return import.and_then(|to| find(modules, &place, &[to, &path[i + 1..]].concat())).or(Some(place));
            }
        }
    }
    Some(place)
}

/// The dependencies that form a cycle, each with a path that causes it.
fn rings(load: &dyn Fn(&Place) -> String) -> Vec<String> {
    let mut modules = Modules::new();
    read(load, Place::new(), None, &mut modules);
    let mut links = BTreeMap::new();
    for (from, module) in &modules {
        for (path, to) in module.mentions.iter().filter_map(|path| Some((path, find(&modules, from, path)?))) {
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if shared < from.len().min(to.len()) {
                let link = (from[..=shared].join("::"), to[..=shared].join("::"));
                links.entry(link).or_insert_with(|| format!("{} has {}", from.join("::"), path.join("::")));
            }
        }
    }
    let leads = |from: &str, to: &str| {
        let mut seen = BTreeSet::from([from]);
        while links.keys().filter(|(from, to)| seen.contains(from.as_str()) && seen.insert(to)).count() > 0 {}
        seen.contains(to)
    };
    let in_ring = links.iter().filter(|((from, to), _)| leads(to, from));
    in_ring.map(|((from, to), why)| format!("{from} -> {to} ({why})")).collect()
}

#[test]
fn modules_depend_in_one_direction() {
    let workspace: toml::Table = include_str!("../../../../Cargo.toml").parse().unwrap();
    for member in workspace["workspace"]["members"].as_array().unwrap() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(member.as_str().unwrap()).join("src");
        let load = |place: &Place| {
            let path = folder.join(place.join("/"));
            let files = [path.join("lib.rs"), path.with_extension("rs"), path.join("mod.rs"), path.join("main.rs")];
            files.iter().find_map(|file| fs::read_to_string(file).ok()).unwrap_or_else(|| panic!("{path:?}"))
        };
        assert_eq!(rings(&load), [""; 0], "modules of {member} in a ring");
    }
}

#[test]
fn a_cycle_is_found() {
    let found = |b: &str| {
        let load = |place: &Place| match place.concat().as_str() {
            "" => "mod a; mod b; mod c { pub use crate::a::A; } #[cfg(test)] mod tests;".to_string(),
            "a" => "pub struct A { b: crate::b::B }".to_string(),
            _ => b.to_string(),
        };
        rings(&load).len()
    };
    assert_eq!(found("use std::a::A; #[cfg(test)] mod tests { use crate::a::A; }"), 0);
    for ring in ["use super::{a::{self}};", "fn f() { crate::a::f() }", "macro_rules! m { () => { $crate::a::A } }"] {
        assert_eq!(found(ring), 2, "{ring}");
    }
    assert_eq!(found("use crate::c; struct B(c::A);"), 3);
}
