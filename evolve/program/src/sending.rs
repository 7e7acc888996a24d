//! Collects the files that another machine needs to run a program.

use crate::program::Program;
use crate::watched::{InputError, find, is_path};
use std::path::PathBuf;

impl Program {
    /// Returns the files that the commands, instances and scale name, as far as they are known in
    /// advance. If outcomes are not deterministic, adds programs found in `PATH`, with absolute
    /// paths, because nothing else identifies them.
    ///
    /// # Errors
    /// If a program is missing.
    pub fn sent(&self) -> Result<Vec<PathBuf>, InputError> {
        let declared = &self.declared;
        let mut files = Vec::new();
        for command in declared.keys.commands() {
            if let Some(program) = command.templates()[0].literal() {
                let found = find(program).ok_or_else(|| InputError::missing(program))?;
                if is_path(program) || !declared.keys.deterministic {
                    files.push(found);
                }
            }
            let words = command.fixed_words().filter(|word| !word.starts_with('-'));
            files.extend(words.map(PathBuf::from).filter(|path| path.is_file()));
        }
        files.extend(declared.files().into_iter().filter(|path| path.is_file()));
        files.sort();
        files.dedup();
        Ok(files)
    }
}
