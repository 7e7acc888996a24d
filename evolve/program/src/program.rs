//! The declaration of a program that can be tuned.

use crate::command::Command;
use crate::constraints::Constraints;
use crate::failure::{Counts, OnFailure, Trouble};
use crate::features::no_group;
use crate::file::{File, ProgramKeys, Scalars};
use crate::gauge::Gauge;
use crate::instances::{self, Instance, Instances, Splits};
use crate::parameters::Parameters;
use crate::parameters::by::Known;
use crate::private::{Private, Used};
use crate::scale::{Best, Scale};
use crate::scenarios::Scenarios;
use crate::score::{Score, Scored};
use crate::template::{BuiltIn, Placeholder, Template, ValueFormat};
use crate::watched::contents;
use evolve_search::document::Complaint;
use evolve_search::model::behaviour::{Behaviour, Variation};
use evolve_search::model::features::Features;
use evolve_search::model::problem::{OpenError, Problem};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::FailureKind;
use evolve_search::statistics::counted;
use indexmap::IndexMap;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A program that a job declares.
#[derive(Clone)]
pub struct Program {
    pub(crate) declared: Arc<Declaration>,
    pub(crate) behaviour: Behaviour,
}

/// The result of a candidate in one scenario.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub result: Result<Scored, Trouble>,
    pub time: Duration,
}

/// The declaration of a job's program: its keys with all defaults, and the values read from them.
#[derive(Clone)]
pub(crate) struct Declaration {
    pub name: String,
    pub keys: ProgramKeys,
    pub parameters: Parameters,
    pub instances: Instances,
    pub scenarios: Scenarios,
    pub variables: IndexMap<String, Scalars>,
    pub score: Score,
    /// The best known scores by instance, for a scale that uses them.
    pub best: BTreeMap<String, f64>,
    pub constraints: Constraints,
    /// `None` in a job that is read to show a run or a study, which leaves the files unread.
    pub known: Option<Arc<Known>>,
}

impl Program {
    pub(crate) fn new(declared: Declaration) -> Self {
        let behaviour = declared.behaviour();
        Program { declared: Arc::new(declared), behaviour }
    }

    pub(crate) fn with_keys(&self, keys: ProgramKeys) -> Self {
        Program::new(Declaration { keys, ..Declaration::clone(&self.declared) })
    }

    /// Returns the program behind a problem; `None` for other problems.
    pub fn of(problem: &dyn Problem) -> Option<&Program> {
        (problem as &dyn Any).downcast_ref()
    }

    /// Returns the features of the instances, which are read now if they were not.
    pub(crate) fn known(&self) -> Result<Arc<Known>, OpenError> {
        match &self.declared.known {
            Some(known) => Ok(Arc::clone(known)),
            None => Ok(Arc::new(self.declared.read_known().map_err(|error| error.to_string())?)),
        }
    }

    /// Returns the program that a run played: its own copies, which need no build. `None` if the
    /// run has none. The scorer is the current one, so that it measures all versions alike.
    pub fn of_run(&self, run: &Path) -> Option<Self> {
        let private = Private::recall(run)?;
        let keys = &self.declared.keys;
        let keys = ProgramKeys { build: None, command: private.played(&keys.command), ..keys.clone() };
        Some(self.with_keys(keys))
    }

    /// Returns a file of the program, as far as its commands show, that has changed since a run,
    /// also one that the run did not copy.
    pub fn changed_since(&self, run: &Path) -> Option<PathBuf> {
        Used::of(&self.declared.keys).ok()?.changed_since(run)
    }

    /// Returns the files that trials read, besides the program.
    pub fn inputs(&self) -> Vec<PathBuf> {
        self.declared.files()
    }

    /// Returns the numbers that the program receives with fewer decimals than tables and exports
    /// have, and these decimals.
    pub fn rounded(&self) -> Vec<(&str, usize)> {
        let Declaration { keys, parameters, .. } = &*self.declared;
        let is_continuous = |name: &str| parameters.all().iter().any(|one| one.name == name && one.grid.is_none());
        let decimals = |placeholder: &Placeholder| match placeholder.format {
            ValueFormat::Decimals(decimals) => Some(decimals),
            _ => None,
        };
        let all = keys.placeholders().filter_map(|placeholder| Some((&*placeholder.name, decimals(placeholder)?)));
        all.filter(|(name, _)| is_continuous(name)).collect()
    }

    /// Returns the score of a trial whose program ends with an error, if such a trial counts as a
    /// score.
    pub fn score_of_failure(&self) -> Option<f64> {
        if let Counts::Score(score) = self.declared.counts(FailureKind::Exit) { Some(score) } else { None }
    }

    /// Returns the source files whose markers declare parameters.
    pub fn sources(&self) -> &[String] {
        &self.declared.keys.source
    }

    /// Returns the same program without its build, for machines that receive the built files.
    #[must_use]
    pub fn as_built(&self) -> Self {
        self.with_keys(ProgramKeys { build: None, ..self.declared.keys.clone() })
    }
}

/// Returns the file for standard input, as far as only the instance determines it.
fn standard_input(stdin: &Template, instance: &Instance) -> PathBuf {
    PathBuf::from(stdin.render(&|placeholder| instance.shown(placeholder.built_in?)))
}

impl Declaration {
    fn behaviour(&self) -> Behaviour {
        let keys = &self.keys;
        let mentions = |any: &[BuiltIn]| any.iter().any(|&built_in| keys.mentions(built_in));
        let variation = match keys.deterministic {
            false => Variation::Chance,
            true if keys.worker || mentions(&[BuiltIn::Random]) => Variation::Cases,
            true if keys.files.is_some() || mentions(&[BuiltIn::Seed, BuiltIn::Instance, BuiltIn::Input]) => {
                Variation::Instances
            }
            true => Variation::OneCase,
        };
        Behaviour {
            is_external: true,
            variation,
            has_rivals: self.factor().is_some(),
            is_timed: self.score.clock().is_some(),
            limits_time: self.constraints.limits_time(),
        }
    }

    /// Returns the names of the numbers beside the score: metrics that the program prints, and
    /// measured quantities.
    pub(crate) fn metrics(&self) -> impl Iterator<Item = &str> {
        self.score.metrics().iter().map(String::as_str).chain(self.gauges().iter().map(|gauge| gauge.name()))
    }

    /// Returns the quantities that the supervisor measures.
    pub(crate) fn gauges(&self) -> &[Gauge] {
        &self.constraints.gauges
    }

    /// Returns how a failed trial of one kind counts.
    pub(crate) fn counts(&self, kind: FailureKind) -> Counts {
        let scale = &self.keys.scale;
        self.keys.on_failure.clone().unwrap_or_else(|| OnFailure::of_scale(scale)).counts(kind, scale)
    }

    /// Returns whether a trial may leave files in its folder.
    pub(crate) fn leaves_files(&self) -> bool {
        let paths = [BuiltIn::Dir, BuiltIn::Output, BuiltIn::Params];
        self.keys.scorer.is_some() || paths.into_iter().any(|path| self.keys.mentions(path))
    }

    /// Returns further files that are read, besides those named in commands: inputs, and the
    /// tables of best scores and of features.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            self.instances.all().iter().filter_map(|instance| instance.file.clone()).collect();
        files.extend(self.standard_inputs());
        if let Scale::Best(Best { file, .. }) = &self.keys.scale {
            files.push(PathBuf::from(file));
        }
        files.extend(self.keys.features.file().map(PathBuf::from));
        files
    }

    /// Returns the files for standard input, as far as only the instances determine them.
    pub(crate) fn standard_inputs(&self) -> Vec<PathBuf> {
        let Some(stdin) = self.stdin_of_instances() else { return Vec::new() };
        match &self.instances {
            Instances::Endless => stdin.literal().map(PathBuf::from).into_iter().collect(),
            Instances::Listed { list, .. } => list.iter().map(|instance| standard_input(stdin, instance)).collect(),
        }
    }

    /// Returns the file for standard input, if only the instance determines it.
    fn stdin_of_instances(&self) -> Option<&Template> {
        let by_instance =
            |placeholder: &Placeholder| matches!(placeholder.built_in, Some(BuiltIn::Seed | BuiltIn::Instance));
        self.keys.stdin.as_ref().filter(|stdin| stdin.placeholders().all(by_instance))
    }

    /// Returns the input of an instance: its own file, or the one for standard input.
    pub(crate) fn input_of(&self, instance: &Instance) -> Option<PathBuf> {
        instance.file.clone().or_else(|| Some(standard_input(self.stdin_of_instances()?, instance)))
    }

    /// Returns what the programs of a comparison are given and measured with, beside their
    /// commands: the inputs of a split, and the words of the scorer. Files are known by their
    /// contents, so that it does not matter where they are.
    pub(crate) fn known_inputs(&self, split: Split) -> (Vec<String>, Option<Command>) {
        let Declaration { keys: ProgramKeys { stdin, scorer, .. }, instances, .. } = self;
        let instances = instances.of(split).unwrap_or_default();
        let mut inputs: Vec<String> =
            instances.iter().filter_map(|one| self.input_of(one)).map(|input| contents(&input)).collect();
        // Another standard input depends on the candidate or on the scenario, or is the same in all
        // trials.
        let is_input = |stdin: &&Template| stdin.sole().is_some_and(|sole| sole.built_in == Some(BuiltIn::Input));
        let is_known = inputs.len() == instances.len() && !instances.is_empty();
        if let Some(stdin) = stdin.as_ref().filter(|stdin| !is_known && !is_input(stdin)) {
            inputs.push(stdin.literal().map_or_else(|| stdin.text().to_string(), |file| contents(Path::new(file))));
        }
        let file = |word: &str| Path::new(word).is_file().then(|| contents(Path::new(word)));
        (inputs, scorer.as_ref().map(|scorer| scorer.replacing(file)))
    }

    /// Reads the features of all instances.
    ///
    /// # Errors
    /// If an instance lacks one, or there is no such feature to group by.
    pub(crate) fn read_known(&self) -> Result<Known, Complaint> {
        let all = self.instances.all();
        let (Some(searched), false) = (self.instances.places(Split::Search), self.keys.features.is_empty()) else {
            return Ok(Known::default());
        };
        let inputs: Vec<_> = all.iter().map(|instance| (instance.name.as_str(), self.input_of(instance))).collect();
        let features = self.keys.features.read(&inputs)?;
        let mut groups: Vec<Vec<String>> = vec![Vec::new(); all.len()];
        for name in self.grouping_features() {
            let feature = features.iter().find(|feature| feature.name == name);
            let of_feature = feature.ok_or_else(|| no_group(name, &features))?.groups();
            groups.iter_mut().zip(of_feature).for_each(|(groups, group)| groups.push(group));
        }
        let searched = Arc::new(Features::new(features.iter().map(|feature| feature.at(&searched)).collect()));
        let places = all.iter().map(|instance| instance.name.clone()).zip(0..).collect();
        Ok(Known { features, searched, places, groups })
    }

    /// Returns whether a metric groups the instances. A quantity measured from outside never does.
    pub(crate) fn groups_by(&self, metric: &str) -> bool {
        self.keys.group_by.iter().any(|group| group == metric) && self.score.metrics().iter().any(|own| own == metric)
    }

    /// Returns the names in `group_by` that are features, not metrics.
    pub(crate) fn grouping_features(&self) -> impl Iterator<Item = &str> {
        let is_feature = |name: &&String| !self.score.metrics().contains(name);
        self.keys.group_by.iter().filter(is_feature).map(String::as_str)
    }

    /// Returns the message about missing inputs, if any.
    pub(crate) fn missing_inputs(&self) -> Option<String> {
        const NAMED: usize = 3;
        let paths = self.standard_inputs();
        let missing: Vec<&PathBuf> = paths.iter().filter(|path| !path.is_file()).collect();
        let named: Vec<_> = missing.iter().take(NAMED).map(|path| path.to_string_lossy()).collect();
        let more = if missing.len() > NAMED { ", ..." } else { "" };
        let (count, all, named) = (missing.len(), paths.len(), named.join(", "));
        let are = if count == 1 { "is" } else { "are" };
        (count > 0).then(|| format!("{count} of {} {are} missing: {named}{more}", counted(all as u64, "input")))
    }

    /// Returns the message about seeds whose inputs have the same bytes, if any. With `files`, such
    /// inputs are one instance.
    fn repeated_inputs(&self) -> Option<String> {
        let (seeds, files) = (self.keys.seeds.as_ref()?, self.standard_inputs());
        if self.keys.passes_seed() || !self.keys.stdin.as_ref().is_some_and(|stdin| stdin.mentions(BuiltIn::Seed)) {
            return None;
        }
        let copies = instances::copies(&files);
        let dropped: BTreeSet<&PathBuf> = copies.iter().map(|copy| &copy.file).collect();
        let kept = self.instances.all().iter().zip(&files).filter(|(_, file)| !dropped.contains(file));
        let kept: Vec<u64> = kept.filter_map(|(instance, _)| instance.seed).collect();
        (!copies.is_empty()).then(|| {
            format!(
                "`seeds = \"{seeds}\"`: {} of {} inputs have the bytes of another one: {}; list every input once: `seeds = \
                 \"{}\"`",
                copies.len(),
                files.len(),
                instances::named(&copies),
                instances::seeds(&kept)
            )
        })
    }

    /// Returns the message about an instance that the table of best scores lacks, if any.
    pub(crate) fn missing_best(&self) -> Option<String> {
        let Scale::Best(Best { file, keep: false }) = &self.keys.scale else { return None };
        let unknown = self.instances.all().iter().find(|instance| !self.best.contains_key(&instance.name))?;
        Some(format!("{file} has no score for the instance `{}`", unknown.name))
    }

    /// Returns the message about missing instances, if any.
    fn missing_instances(&self) -> Option<String> {
        let is_gone = matches!(&self.instances, Instances::Listed { list, .. } if list.is_empty());
        let files = self.keys.files.as_ref().filter(|_| is_gone)?;
        Some(match self.keys.split {
            true => format!("fewer than {} files match {files}", Splits::LEAST),
            false => format!("no file matches {files}"),
        })
    }

    /// Returns the message about anything that trials need and that is missing or listed twice.
    pub(crate) fn missing(&self) -> Option<String> {
        self.missing_instances()
            .or_else(|| self.missing_inputs())
            .or_else(|| self.repeated_inputs())
            .or_else(|| self.missing_best())
    }

    /// Returns the sections that declare the program.
    pub(crate) fn file(&self) -> File {
        let (program, parameters, scenarios) = (self.keys.clone(), self.parameters.keys(), self.variables.clone());
        File { program, parameters, scenarios, constraints: self.constraints.written.clone() }
    }
}
