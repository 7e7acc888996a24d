//! `evolve init --from`: parameters from the file of another tuner.

use super::super::Failure;
use super::super::progress::say;
use super::Args;
use super::source::Source;
use evolve_init::import::import;
use evolve_init::job::Facts;
use evolve_init::suggest::{insert, reads, tuned};
use evolve_init::{FoundProgram, find, pahcer};
use evolve_program::source::Language;
use evolve_search::document::{read_exact, read_text};
use evolve_search::file::is_same;
use std::path::Path;

impl Args {
    /// Reads the parameters of another tuner's file and finds their program. Replaces `@tune`
    /// comments in a source by markers.
    pub(super) fn import(&self, folder: &Path, file: &Path) -> Result<(Option<Facts>, FoundProgram), Failure> {
        let usage = |message: String| Failure::Usage(message);
        let text = read_exact(file).map_err(|error| usage(format!("{}: {error}", file.display())))?;
        // Before a source is changed.
        if self.output().exists() && !self.may_replace() {
            return Err(self.is_there());
        }
        if file.file_name().is_some_and(|name| name == pahcer::FILE) {
            if file.parent().is_some_and(|parent| !parent.as_os_str().is_empty() && parent != Path::new(".")) {
                return Err(usage(format!("{}: its commands are relative to its folder: start there", file.display())));
            }
            let found = pahcer::read(&text, folder)?;
            let source = self.program.clone().or(found.source);
            return Ok((None, FoundProgram { source, foreign: Some(file.to_path_buf()), ..found }));
        }
        let language = Language::of(file);
        let (marked, others) = tuned(&text, language);
        for line in &others {
            say(&format!("not imported: {}: {line}", file.display()));
        }
        if !others.is_empty() {
            say(
                "@tune takes a constant or a variable that never changes: a number within the range after @tune, or true or false",
            );
        }
        if marked.is_empty() && !others.is_empty() {
            return Err(usage(format!("{}: no line with @tune can be imported", file.display())));
        }
        if !marked.is_empty() {
            let found = find(folder, Some(self.program.as_deref().unwrap_or(file)))?;
            let mut source = Source::of(file, text);
            source.write(insert(&source.text, language, &marked))?;
            say(&match marked.len() {
                1 => format!("{}: 1 constant is now a parameter", file.display()),
                count => format!("{}: {count} constants are now parameters", file.display()),
            });
            source.report_constexpr();
            return Ok((None, FoundProgram { because: format!("found @tune in {}", file.display()), ..found }));
        }
        let mut imported = import(file, &text).map_err(|error| usage(error.to_string()))?;
        let mut found = match &imported.command {
            Some(command) => {
                FoundProgram { command: command.clone(), foreign: Some(file.to_path_buf()), ..FoundProgram::default() }
            }
            None => find(folder, self.program.as_deref())?,
        };
        // Only the user can know that the script itself is the program to tune.
        let is_script = found.source.as_ref().is_some_and(|source| is_same(source, file));
        if is_script && self.program.is_none() {
            let file = file.display();
            return Err(usage(format!(
                "no program beside {file}: name the program to tune: evolve init PROGRAM --from {file}"
            )));
        }
        if imported.command.is_none() {
            let beside = read_text(&file.with_file_name(pahcer::FILE)).ok();
            found.minimizes = beside.and_then(|text| pahcer::minimizes(&text)).or(found.minimizes);
        }
        if let (Some(found), Some(own)) = (found.minimizes, imported.minimizes)
            && found != own
        {
            let name = |minimizes| if minimizes { "minimize" } else { "maximize" };
            let (own, known) = (name(own), name(found));
            imported.notes.push(format!("direction: {own}, because {} says {known}", pahcer::FILE));
        }
        for note in &imported.notes {
            say(&format!("not imported: {note}"));
        }
        // The program's own defaults are better start values than the middle of a range.
        let source = found.source.as_deref().and_then(|source| Some((read_text(source).ok()?, Language::of(source))));
        let own = source.map_or_else(Vec::new, |(text, language)| reads(&text, language));
        for read in &mut imported.reads {
            let start = own.iter().find(|own| own.has_default && own.way == read.way).map(|own| own.parameter.start);
            let start = start.filter(|&start| read.parameter.is_number() && read.parameter.allows(start));
            read.parameter.start = start.unwrap_or(read.parameter.start);
        }
        found.because = format!("parameters from {}", file.display());
        found.minimizes = found.minimizes.or(imported.minimizes);
        if found.minimizes.is_none() {
            say("set `goal` in the job: it is not certain whether smaller scores are better");
        }
        found.score = found.score.or_else(|| imported.score.clone());
        found.files = (!imported.files.is_empty()).then(|| imported.files.clone().into());
        found.seeds = found.seeds.or_else(|| imported.seeds.clone());
        found.budget = imported.budget;
        let origin = file.display().to_string();
        Ok((Some(Facts::imported(origin, imported)), found))
    }
}
