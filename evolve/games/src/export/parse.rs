//! Reading crates into their tree of modules.

use super::code::{Code, File, Import, Item, Kind, Module, Part, ROOT};
use super::names::{Layout, Names};
use super::sources::Sources;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, TraitItem, UseTree};

/// Where the modules that a file declares are looked for.
#[derive(Clone, Copy)]
struct Folder<'a> {
    /// The crate; the program's own text has no files.
    sources: Option<&'a Sources>,
    /// The folder of the file.
    beside: &'a str,
    /// The folder of the modules inside it.
    inside: &'a str,
}

impl Code {
    /// Reads the program's own text and the crates that it may use.
    ///
    /// # Errors
    /// If a text cannot be parsed, or the source of a module is missing.
    pub fn read(entry: &str, crates: &[&Sources]) -> Result<Self, String> {
        let mut code = Code::default();
        let root = Module { name: String::new(), declared: None, file: 0, head: 0..0, items: Vec::new() };
        code.modules.push(root);
        code.load(ROOT, "the program".to_string(), entry, Folder { sources: None, beside: "", inside: "" })?;
        code.own = code.items.len();
        let head = code.modules[ROOT].head.clone();
        for sources in crates {
            let root = ["lib.rs", "main.rs"].into_iter().find_map(|root| Some((root, sources.text(root)?)));
            let (root, text) = root.ok_or_else(|| format!("the sources of `{}` have no `lib.rs`", sources.name()))?;
            let folder = Folder { sources: Some(sources), beside: "", inside: "" };
            code.load(ROOT, format!("{}/{root}", sources.name()), text, folder)?;
            code.crates.push(sources.name().to_string());
        }
        let root = &mut code.modules[ROOT];
        (root.file, root.head) = (0, head);
        Ok(code)
    }

    /// Reads a file as the text of a module.
    fn load(&mut self, module: usize, name: String, text: &str, folder: Folder<'_>) -> Result<(), String> {
        let fault = |error: syn::Error| format!("{name}:{}: {error}", error.span().start().line);
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let tokens = text.parse().map_err(|error: proc_macro2::LexError| fault(error.into()))?;
        let layout = Layout::of(&text, tokens);
        let parsed = syn::parse_str::<syn::File>(&text).map_err(fault)?;
        let (file, end) = (self.files.len(), text.len());
        self.files.push(File { name, text, layout });
        self.modules[module].file = file;
        self.items(module, &parsed.attrs, parsed.items, 0..end, folder)
    }

    /// Reads the items of a module whose text stands in its file between two places.
    fn items(
        &mut self,
        module: usize,
        attributes: &[Attribute],
        items: Vec<syn::Item>,
        body: Range<usize>,
        folder: Folder<'_>,
    ) -> Result<(), String> {
        let file = self.modules[module].file;
        let inner = |attribute: &&Attribute| matches!(attribute.style, syn::AttrStyle::Inner(_));
        let head = attributes.iter().filter(inner).map(|attribute| attribute.span().byte_range().end).max();
        let mut end = head.map_or(body.start, |end| self.files[file].line_end(end));
        self.modules[module].head = body.start..end;
        for item in items {
            let own = item.span().byte_range();
            let text = end..self.files[file].line_end(own.end).min(body.end);
            end = text.end;
            if !is_test(attributes_of(&item)) {
                let (kind, names, mentions) = self.item(file, item, folder)?;
                let id = self.items.len();
                if let Kind::Module { inside, .. } = kind {
                    self.modules[inside].declared = Some((module, id));
                }
                self.modules[module].items.push(id);
                self.items.push(Item { module, file, kind, names, text, mentions });
            }
        }
        Ok(())
    }

    /// What an item is, its names, and what it mentions.
    fn item(&mut self, file: usize, item: syn::Item, folder: Folder<'_>) -> Result<(Kind, Vec<String>, Names), String> {
        Ok(match item {
            syn::Item::Mod(item) => {
                let attributes = item.attrs.iter().map(ToTokens::to_token_stream).collect();
                let name = item.ident.to_string();
                (self.declared(file, item, folder)?, vec![name], Names::of(attributes))
            }
            syn::Item::Use(item) => {
                let starts = item.use_token.span().byte_range().start;
                let mut imports = Vec::new();
                flatten(&item.tree, &mut Vec::new(), &mut imports);
                (Kind::Use { starts, imports }, Vec::new(), Names::default())
            }
            syn::Item::Impl(mut item) => {
                let braces = item.brace_token.span;
                let body = braces.open().byte_range().end..braces.close().byte_range().start;
                let parts = self.parts(file, std::mem::take(&mut item.items), body.clone());
                let mut header = item.self_ty.to_token_stream();
                if let Some((path, _)) = &item.trait_ {
                    header.extend([TokenTree::Punct(proc_macro2::Punct::new(',', proc_macro2::Spacing::Alone))]);
                    path.to_tokens(&mut header);
                }
                let (is_trait, header) = (item.trait_.is_some(), Names::of(header));
                (Kind::Impl { is_trait, header, parts, body }, Vec::new(), Names::of(item.to_token_stream()))
            }
            syn::Item::Trait(item) => {
                let methods = item.items.iter().filter_map(|item| match item {
                    TraitItem::Fn(method) => Some(method.sig.ident.to_string()),
                    _ => None,
                });
                (Kind::Trait(methods.collect()), vec![item.ident.to_string()], Names::of(item.to_token_stream()))
            }
            syn::Item::Macro(item) => {
                let mut names: Vec<String> = item.ident.iter().map(ToString::to_string).collect();
                let kind = if item.ident.is_some() { Kind::Macro } else { Kind::Call };
                if matches!(kind, Kind::Call) {
                    defined(item.mac.tokens.clone(), &mut names);
                }
                (kind, names, Names::of(item.to_token_stream()))
            }
            other => {
                let Some(name) = name_of(&other) else {
                    let place = self.files[file].place(other.span().byte_range().start);
                    return Err(format!("{place}: an exported program cannot have an item of this kind"));
                };
                let kind = if matches!(other, syn::Item::Type(_)) { Kind::Alias } else { Kind::Other };
                (kind, vec![name], Names::of(other.to_token_stream()))
            }
        })
    }

    /// Reads a module where it is declared.
    fn declared(&mut self, file: usize, item: syn::ItemMod, folder: Folder<'_>) -> Result<Kind, String> {
        let name = item.ident.to_string();
        let place = self.files[file].place(item.mod_token.span().byte_range().start);
        let inside = self.modules.len();
        let below = format!("{}{name}/", folder.inside);
        self.modules.push(Module { name: name.clone(), declared: None, file, head: 0..0, items: Vec::new() });
        if let Some((brace, items)) = item.content {
            let (opens, body) = (brace.span.open().byte_range(), brace.span.close().byte_range().start);
            let folder = Folder { inside: &below, ..folder };
            self.items(inside, &item.attrs, items, opens.end..body, folder)?;
            return Ok(Kind::Module { inside, opens: opens.start });
        }
        let opens = item.semi.map_or(0, |semi| semi.span().byte_range().start);
        let lacking = |looked: &str| format!("{place}: the source of `mod {name};` is not there ({looked})");
        let sources = folder.sources.ok_or_else(|| lacking("a program's own text has no files"))?;
        let given = item.attrs.iter().find(|attribute| attribute.path().is_ident("path")).map(path_of);
        let (path, below) = match given {
            Some(path) => {
                let path = format!("{}{}", folder.beside, path.ok_or_else(|| lacking("its `#[path]` is no string"))?);
                let below = path.rfind('/').map_or("", |slash| &path[..=slash]).to_string();
                (path, below)
            }
            None => {
                let [flat, deep] = [format!("{}{name}.rs", folder.inside), format!("{below}mod.rs")];
                (if sources.text(&flat).is_some() { flat } else { deep }, below)
            }
        };
        let text = sources.text(&path).ok_or_else(|| lacking(&path))?;
        let beside = path.rfind('/').map_or("", |slash| &path[..=slash]);
        let folder = Folder { beside, inside: &below, ..folder };
        self.load(inside, format!("{}/{path}", sources.name()), text, folder)?;
        Ok(Kind::Module { inside, opens })
    }

    fn parts(&self, file: usize, items: Vec<ImplItem>, body: Range<usize>) -> Vec<Part> {
        let mut end = body.start;
        let mut parts = Vec::new();
        for item in items {
            let (name, attributes) = match &item {
                ImplItem::Fn(item) => (Some(item.sig.ident.to_string()), &item.attrs[..]),
                ImplItem::Const(item) => (Some(item.ident.to_string()), &item.attrs[..]),
                ImplItem::Type(item) => (Some(item.ident.to_string()), &item.attrs[..]),
                _ => (None, &[][..]),
            };
            let text = end..self.files[file].line_end(item.span().byte_range().end).min(body.end);
            end = text.end;
            if !is_test(attributes) {
                parts.push(Part { name, text, mentions: Names::of(item.to_token_stream()) });
            }
        }
        parts
    }
}

impl File {
    /// The end of the line after a place, if nothing but a comment stands there.
    fn line_end(&self, place: usize) -> usize {
        let rest = &self.text[place..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let is_over = line.trim().is_empty() || line.trim().starts_with("//");
        if is_over { place + line.len() } else { place }
    }
}

/// The imports of a tree.
fn flatten(tree: &UseTree, before: &mut Vec<syn::Ident>, imports: &mut Vec<Import>) {
    let mut add = |last: Option<&syn::Ident>, binding: Option<String>, is_renamed| {
        let mut names: Vec<&syn::Ident> = before.iter().chain(last).collect();
        // What is called `self` is the module before it.
        if names.len() > 1 {
            names.pop_if(|name| *name == "self");
        }
        let at = names.first().map_or(0..0, |first| first.span().byte_range());
        let path: Vec<String> = names.iter().map(ToString::to_string).collect();
        let binding = binding.or_else(|| last.and(path.last().cloned()));
        imports.push(Import { path, at, binding, is_renamed });
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.clone());
            flatten(&path.tree, before, imports);
            before.pop();
        }
        UseTree::Name(name) => add(Some(&name.ident), None, false),
        UseTree::Rename(name) => add(Some(&name.ident), Some(name.rename.to_string()), true),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, imports)),
        _ => add(None, None, false),
    }
}

fn path_of(attribute: &Attribute) -> Option<String> {
    let value = &attribute.meta.require_name_value().ok()?.value;
    syn::parse2::<syn::LitStr>(value.to_token_stream()).ok().map(|text| text.value())
}

fn attributes_of(item: &syn::Item) -> &[Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Union(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item is there for tests alone.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        is_cfg && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

fn name_of(item: &syn::Item) -> Option<String> {
    Some(match item {
        syn::Item::Const(item) => item.ident.to_string(),
        syn::Item::Enum(item) => item.ident.to_string(),
        syn::Item::Fn(item) => item.sig.ident.to_string(),
        syn::Item::Static(item) => item.ident.to_string(),
        syn::Item::Struct(item) => item.ident.to_string(),
        syn::Item::Type(item) => item.ident.to_string(),
        syn::Item::Union(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// The names of items among the arguments of a macro, which makes them.
fn defined(arguments: TokenStream, names: &mut Vec<String>) {
    const KINDS: [&str; 8] = ["const", "enum", "fn", "static", "struct", "trait", "type", "union"];
    let mut is_next = false;
    for token in arguments {
        if let TokenTree::Group(group) = &token {
            defined(group.stream(), names);
        }
        if let (TokenTree::Ident(name), true) = (&token, is_next) {
            names.push(name.to_string());
        }
        is_next = matches!(&token, TokenTree::Ident(name) if KINDS.iter().any(|kind| name == kind));
    }
}
