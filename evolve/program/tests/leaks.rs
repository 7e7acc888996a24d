//! Tests that search, validation, selection and test have separate instances, and that each of
//! their trials is played.

mod common;

use common::Place;
use evolve_core::job::Catalogue;
use evolve_core::job::Job;
use evolve_core::run::{Ending, Nobody, Run};
use evolve_program::PROGRAM;
use evolve_search::document::Document;
use evolve_search::evaluator::Threads;
use evolve_search::model::problem::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

#[test]
fn stages_share_neither_instances_nor_outcomes() {
    for scale in ["raw", "relative"] {
        let place = Place::new();
        place.file("solver.sh", "echo $2 >> $DIR/log; echo Score = $((1000 + $1 * ($2 % 7 + 1)))");
        let text = place.here(&format!(
            "name = \"run\"\n[program]\ncommand = \"sh $DIR/solver.sh {{k}} {{seed}}\"\nseeds = \"0-99\"\nscale = \"{scale}\"\n\
             [parameters]\nk = {{ int = [1, 20], start = 5 }}\n[search]\nbudget = 250\n\
             validation = 6\nselection = 6\n"
        ));
        let catalogue = Catalogue::new(&[]).declaring(&PROGRAM);
        let job = Job::parse(&Document::new(Path::new("job.toml"), text), &catalogue);
        let job = job.unwrap_or_else(|fault| panic!("{fault}"));
        let results = place.path().join("results");
        let threads = Threads::open(&*job.problem, 2, Context::default()).unwrap();
        let mut run = Run::start(&job, &threads, &results).unwrap_or_else(|error| panic!("{error}"));
        assert!(matches!(run.execute(&AtomicBool::new(false), &mut Nobody), Ok(Ending::Complete(_))));

        let table = fs::read_to_string(run.folder().join("trials.csv")).unwrap();
        let mut stages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for row in table.lines().skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            // Validations compare with the baseline on its instances.
            let stage = if cells[1] == "baseline" { "validation" } else { cells[1] };
            stages.entry(stage).or_default().push(cells[3]);
        }
        assert_eq!(stages.keys().copied().collect::<Vec<_>>(), ["search", "selection", "test", "validation"]);
        let sets = stages.values().map(|instances| instances.iter().collect::<BTreeSet<_>>());
        let apart: usize = sets.clone().map(|set| set.len()).sum();
        assert_eq!(apart, sets.flatten().collect::<BTreeSet<_>>().len(), "no instance is in two stages");
        // No outcome is reused: the program played an instance as often as it has rows. Before its
        // first trial, a run plays the baseline on four instances of the validation, side by side
        // and then alone.
        let log = fs::read_to_string(place.path().join("log")).unwrap();
        for (stage, instances) in stages.iter().filter(|(stage, _)| **stage != "search") {
            let played = log.lines().filter(|seed| instances.contains(seed)).count();
            let before = if *stage == "validation" { 8 } else { 0 };
            assert_eq!(played, before + instances.len(), "{scale}, {stage}");
        }
    }
}
