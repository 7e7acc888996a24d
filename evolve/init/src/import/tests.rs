mod hostile;

use super::*;
use crate::job::{Facts, written};
use crate::suggest::Way;
use evolve_program::file::ParameterKeys;
use evolve_program::parameters::Parameters;
use evolve_search::model::parameter::Kind;

fn read(name: &str, text: &str) -> Imported {
    import(Path::new(name), text).unwrap_or_else(|message| panic!("{message}"))
}

/// Returns the parameters as lines of a job.
fn declared(imported: &Imported) -> Vec<String> {
    let mut parameters = Parameters::default();
    imported.reads.iter().for_each(|read| parameters.add(read.parameter.clone()).unwrap());
    let shown = |(name, keys): (String, ParameterKeys)| {
        let keys = serde_json::to_value(ParameterKeys { unit: None, ..keys }).unwrap();
        let mut keys = keys.as_object().unwrap().clone();
        keys.retain(|_, value| !value.is_null());
        format!("{name} {}", serde_json::Value::Object(keys))
    };
    parameters.keys().into_iter().map(shown).collect()
}

/// The part of pahcer's sample (`optuna-sample/optimize.py`, MIT) that users edit.
const OPTUNA: &str = r#"
import optuna

def generate_params(trial: optuna.trial.Trial) -> dict[str, str]:
    params = {
        "AHC_X": str(trial.suggest_int("x", -10, 10)),
        "AHC_Y": str(trial.suggest_float("y", -10.0, 10.0)),
    }
    return params

def get_direction() -> str:
    direction = "minimize"
    # direction = "maximize"
    return direction
"#;

#[test]
fn the_middle_of_a_range_of_tiny_numbers_lies_within_it() {
    let imported = read("a.py", "a = trial.suggest_float('a', 1e-220, 1e-180, log=True)\n");
    let start = imported.reads[0].parameter.start;
    assert!((start / 1e-200 - 1.0).abs() < 1e-9, "{start:e}");
}

#[test]
fn an_optuna_script_is_imported() {
    let imported = read("optimize.py", OPTUNA);
    assert_eq!(imported.minimizes, Some(true));
    assert_eq!(declared(&imported), [r#"x {"int":[-10,10],"start":0}"#, r#"y {"float":[-10.0,10.0],"start":0.0}"#]);
    assert_eq!(imported.reads[0].way, Way::Variable("AHC_X".to_string()));
    let other = read(
        "a.py",
        "study = optuna.create_study(direction='maximize')\nlr = trial.suggest_float('lr', 1e-5, 1e-1, log=True)\n\
         n = trial.suggest_int(name=\"n\", low=1, high=1_000, step=10)\n\
         m = trial.suggest_categorical('move', ['swap', '2opt'])\nb = trial.suggest_categorical('fast', [True, False])\n\
         z = trial.suggest_float(f'w{i}', 0, 1)\n# trial.suggest_int('no', 1, 2)\n\
         q = trial.suggest_int('q', *ENDS)\nr = trial.suggest_int('r{}'.format(i), 1, 2)\n\
         s = trial.suggest_int('s', 1, f(g(h(2))))\nt = trial.suggest_normal('t', 1, 2)\n",
    );
    assert_eq!(other.minimizes, Some(false));
    assert_eq!(
        declared(&other),
        [
            r#"lr {"float":[0.00001,0.1],"log":true,"start":0.001}"#,
            r#"n {"int":[1,991],"step":10,"start":501}"#,
            r#"move {"choice":["swap","2opt"],"start":"swap"}"#,
            r#"fast {"bool":true,"start":false}"#,
        ]
    );
    assert_eq!(
        other.notes,
        [
            "suggest_float(f'w{i}', ..): its name is not a plain string",
            "q: its range is not two numbers: 'q', *ENDS",
            "suggest_int('r{}'.format(i), ..): its name is not a plain string",
            "s: `f(g(h(2)))` is not a number",
            "t = trial.suggest_normal('t', 1, 2)",
        ]
    );
}

#[test]
fn steps_of_optuna_and_config_space_are_imported() {
    let optuna = read(
        "a.py",
        "study = optuna.create_study()\nSTEP = 0.1\na = trial.suggest_float('a', 0.1, 0.95, step=STEP)\n\
         b = trial.suggest_float('b', 0, 10, step=1)\nc = trial.suggest_int('c', 1, 100, 25)\n\
         d = trial.suggest_int('d', 1, 9, step=1)\ne = trial.suggest_discrete_uniform('e', 0, 1, 0.25)\n\
         f = trial.suggest_int('f', 1, 9, step=20)\ng = trial.suggest_int('g', 1, 9, step=2, log=True)\n\
         h = trial.suggest_int('h', 1, 9, step=of(3))\ni = trial.suggest_float('i', 1, 9, step=None)\n\
         j = trial.suggest_int('j', 1, 9, step=0)\n",
    );
    assert_eq!(
        declared(&optuna),
        [
            r#"a {"float":[0.1,0.9],"step":0.1,"start":0.5}"#,
            r#"b {"float":[0.0,10.0],"step":1.0,"start":5.0}"#,
            r#"c {"int":[1,76],"step":25,"start":51}"#,
            r#"d {"int":[1,9],"start":5}"#,
            r#"e {"float":[0.0,1.0],"step":0.25,"start":0.5}"#,
            r#"g {"int":[1,9],"log":true,"start":3}"#,
            r#"h {"int":[1,9],"start":5}"#,
            r#"i {"float":[1.0,9.0],"start":5.0}"#,
            r#"j {"int":[1,9],"start":5}"#,
        ]
    );
    assert_eq!(arguments(&optuna)[10..12], ["--f", "1"]);
    assert_eq!(
        optuna.notes,
        [
            "the step of(3) of h",
            "the step 2 of g: a logarithmic parameter has no step: the values of a grid have equal distances",
            "the step 0 of j: a step is a number above 0, not 0",
        ]
    );
    let config_space = read(
        "space.json",
        r#"{"hyperparameters": [
            {"type": "uniform_float", "name": "a", "lower": 0.1, "upper": 0.9, "default_value": 0.3, "q": 0.1},
            {"type": "uniform_int", "name": "b", "lower": 1, "upper": 21, "default_value": 7, "q": 5},
            {"type": "uniform_int", "name": "c", "lower": 1, "upper": 21, "default_value": 7, "q": null}]}"#,
    );
    assert_eq!(
        declared(&config_space),
        [
            r#"a {"float":[0.1,0.9],"step":0.1,"start":0.3}"#,
            r#"b {"int":[1,21],"step":5,"start":11}"#,
            r#"c {"int":[1,21],"start":7}"#,
        ]
    );
    assert_eq!(
        config_space.notes,
        ["the start 7 of b, which is not a whole number from 1 to 21 in steps of 5; the nearest are 6 and 11"]
    );
}

#[test]
fn branches_of_an_optuna_script_become_conditions() {
    let imported = read(
        "a.py",
        "\
def objective(trial):
    move = trial.suggest_categorical('move', ['swap', '2opt', 'none'])
    params = {'fast': trial.suggest_categorical('fast', [True, False])}
    if move == 'swap' and params[\"fast\"]:
        k = trial.suggest_int('k', 1, 9)
        if k > 3:
            a = trial.suggest_float('a', 0, 1)
    elif move in ('2opt', 'other'):  # a comment
        b = trial.suggest_float(
            'b', 0, 1)
    else:
        c = trial.suggest_int('c', 1, 9)
    if move == 'swap':
        d = trial.suggest_int('d', 1, 9)
    elif move == '2opt':
        d = trial.suggest_int('d', 1, 9)
    else:
        e = trial.suggest_int('e', 1, 9)
    f = trial.suggest_int('f', 1, 9) if not params['fast'] else 3
    if len(move) > 3:
        g = trial.suggest_int('g', 1, 9)
    for i in range(3):
        h = trial.suggest_discrete_uniform('h', 0, 1, 0.25)
    if move == 'none':
        h = trial.suggest_int('h', 2, 3)
if __name__ == '__main__':
    optuna.create_study().optimize(lambda trial: trial.suggest_int('z', 1, 2), n_trials=3)
",
    );
    let conditions: Vec<(&str, &str)> = (imported.reads.iter())
        .filter_map(|read| Some((&read.parameter.name[..], read.parameter.condition.as_ref()?.text())))
        .collect();
    assert_eq!(
        conditions,
        [
            ("k", "move == 'swap' && fast == true"),
            ("a", "move == 'swap' && fast == true && k > 3"),
            ("b", "move == '2opt' && !(move == 'swap' && fast == true)"),
            ("c", "!(move == '2opt') && !(move == 'swap' && fast == true)"),
            ("d", "move == 'swap' || move == '2opt' && !(move == 'swap')"),
            ("e", "!(move == '2opt') && !(move == 'swap')"),
            ("f", "!(fast == true)"),
        ]
    );
    assert_eq!(imported.notes, ["condition of g: len(move) > 3", "another range of h: 'h', 2, 3",]);
}

#[test]
fn variables_with_other_values_than_the_suggested_one_make_no_conditions() {
    let imported = read(
        "a.py",
        "\
def objective(trial):
    n = trial.suggest_int('k', 1, 20) * 10
    if n > 15:
        a = trial.suggest_float('a', 0, 1)
    m = trial.suggest_int('m', 1, 20)
    m += 1
    if m > 15:
        b = trial.suggest_float('b', 0, 1)
    algo = trial.suggest_categorical('algo', ['x', 'y'])
    if algo == 'y': algo = 'x'
    if algo == 'x':
        c = trial.suggest_float('c', 0, 1)
    d = None
    if trial.params['algo'] == 'x':
        d = trial.suggest_int('d', 1, 9)
    if d > 3:
        e = trial.suggest_int('e', 1, 9)
",
    );
    let conditions: Vec<(&str, &str)> = (imported.reads.iter())
        .filter_map(|read| Some((&read.parameter.name[..], read.parameter.condition.as_ref()?.text())))
        .collect();
    assert_eq!(conditions, [("d", "algo == 'x'"), ("e", "d > 3")]);
    assert_eq!(
        imported.notes,
        [
            "direction: the script does not create the study",
            "condition of a: n > 15",
            "condition of b: m > 15",
            "condition of c: algo == 'x'"
        ]
    );
}

#[test]
fn parameters_of_irace_are_imported() {
    // Adapted from the example in irace's user guide.
    let imported = read(
        "parameters.txt",
        "# name switch type values [| conditions]\n\
         rasrank   \"--rasranks=\"  i  (1, 100)       | algorithm == \"ras\"\n\
         algorithm \"--\"  c  (as, mmas, eas, ras, acs)\n\
         localsearch \"--localsearch \"  c  (0, 1, 2, 3)\n\
         rho \"--rho \"  r,log  (0.01, 1.00)\n\
         nnls \"--nnls \" i (5, 50) | localsearch %in% c(1, 2, 3) & rho > 0.1\n\n\
         [forbidden]\n(algorithm == \"as\") & (localsearch == 0)\nlocalsearch %in% c(\"1\", \"2\") & nnls > 40\nrasrank + nnls > 9\n[global]\ndigits = 4\n",
    );
    assert_eq!(
        declared(&imported),
        [
            r#"algorithm {"choice":["as","mmas","eas","ras","acs"],"start":"mmas"}"#,
            r#"rasrank {"int":[1,100],"start":51,"condition":"algorithm == 'ras'"}"#,
            r#"localsearch {"choice":["0","1","2","3"],"start":"0"}"#,
            r#"rho {"float":[0.01,1.0],"log":true,"start":0.1}"#,
            "nnls {\"int\":[5,50],\"start\":28,\"condition\":\"localsearch in ['1', '2', '3'] && rho > 0.1\"}",
        ]
    );
    assert_eq!(imported.reads[0].way, Way::Prefix("--".to_string()));
    assert_eq!(imported.reads[2].way, Way::Option("--localsearch".to_string()));
    assert_eq!(
        imported.passed.iter().map(|one| one.value.as_str()).collect::<Vec<_>>(),
        ["{rasrank:--rasranks=}", "{algorithm}", "{localsearch}", "{rho:.4}", "{nnls:--nnls}"]
    );
    assert_eq!(imported.forbid, ["algorithm == 'as' && localsearch == '0'", "localsearch in ['1', '2'] && nnls > 40"]);
    // The combination of both starts is forbidden, and the first one has an allowed neighbour.
    assert_eq!(
        imported.notes,
        [
            "forbidden: rasrank + nnls > 9: `rasrank + nnls > 9` is not a comparison",
            "the start as of algorithm, which is forbidden; the start is now mmas"
        ]
    );
    let said = import(Path::new("parameters.txt"), "a \"--a\" i (1, 10)\nb c (1)\n").unwrap_err();
    assert_eq!(said.to_string(), "parameters.txt: line 2: `b c (1)` does not declare a parameter");
}

#[test]
fn a_scenario_of_irace_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.txt"), "k \"-k \" i (1, 20)\n").unwrap();
    std::fs::write(folder.path().join("f.txt"), "# none above\n\nk > 15 # too slow\n").unwrap();
    let scenario = "parameterFile = \"p.txt\"\nforbiddenFile = \"f.txt\"\ntrainInstancesDir = \"./tests\"\n# targetRunner = \"x\"\nmaxExperiments = 180\n";
    let path = folder.path().join("scenario.txt");
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let read = |scenario: &str| read(path.to_str().unwrap(), scenario);
    let imported = read(scenario);
    assert_eq!(imported.command, Some(format!("{} 1 1 {{random}} {{input}}", at("target-runner"))));
    assert_eq!((imported.files, imported.budget), (vec![at("./tests/**/*")], Some(180)));
    assert_eq!(imported.forbid, ["k > 15"]);
    assert_eq!((imported.reads.len(), imported.reads[0].parameter.start), (1, 11.0));

    // A list of instances, in a folder or not; an empty folder is not the root of the file system.
    std::fs::write(folder.path().join("list.txt"), "# two\na[1].txt\n'b c.txt' --time 1\n\n").unwrap();
    std::fs::write(folder.path().join("a[1].txt"), "").unwrap();
    let set = "parameterFile = 'p.txt'\ntrainInstancesFile <- \"list.txt\"\n";
    let listed = read(&format!("{set}trainInstancesDir = \"\"\ndeterministic = 1\ntargetEvaluator = \"./e\"\n"));
    assert_eq!(listed.files, [at("a[[]1[]].txt"), at("b c.txt")]);
    assert_eq!(listed.command, Some(format!("{} 1 1 1 {{input}}", at("target-runner"))));
    let missing = format!("1 of 2 instances, which are not files, such as {}", at("b c.txt"));
    assert_eq!(
        listed.notes,
        ["the arguments of the instance b c.txt: 'b c.txt' --time 1", &missing, "targetEvaluator = ./e"]
    );
    assert_eq!(read(&format!("{set}trainInstancesDir = \"in/\"\n")).files[1], at("in/b c.txt"));
    std::fs::write(folder.path().join("list.txt"), "3\n7\n").unwrap();
    let numbers = read(set);
    assert_eq!((numbers.seeds.as_deref(), numbers.files.len()), (Some("3, 7"), 0));
    assert!(numbers.command.unwrap().ends_with(" 1 1 {random} {seed}"));

    // Without a folder, as irace names files of the current one.
    std::fs::write(folder.path().join("starts.txt"), "k other\n7 NA\n21 1\n").unwrap();
    let started =
        read("parameterFile = \"p.txt\"\nconfigurationsFile = \"starts.txt\"\ntargetRunnerLauncher = \"python\"\n");
    assert!(started.command.unwrap().starts_with("python "));
    assert_eq!(started.reads[0].parameter.start, 7.0);
    assert_eq!(started.notes, ["a further configuration: 21 1"]);
    assert!(import(&path, "parameterFile = \"p.txt\"\ntrainInstancesFile = \"gone\"\n").is_err());
}

/// What irace's example for ACOTSP declares, with its two spaces after a switch.
#[test]
fn the_example_of_irace_is_imported() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/import/files");
    let path = format!("{folder}/acotsp/scenario.txt");
    let imported = read(&path, &std::fs::read_to_string(&path).unwrap());
    assert!(imported.notes.len() == 1 && imported.notes[0].starts_with("execDir = "), "{:?}", imported.notes);
    assert_eq!((imported.reads.len(), imported.budget), (11, Some(5000)));
    assert!(imported.files[0].ends_with("acotsp/./Instances/**/*"), "{:?}", imported.files);
    let of = |name: &str| imported.reads.iter().find(|read| read.parameter.name == name).unwrap();
    assert_eq!((&of("rho").way, of("rho").parameter.start), (&Way::Option("--rho".to_string()), 0.95));
    let condition = of("dlb").parameter.condition.as_ref().map(|condition| condition.text().to_string());
    assert_eq!(condition.as_deref(), Some("localsearch in ['1', '2', '3']"));
}

#[test]
fn both_forms_of_pcs_are_imported() {
    let first = read(
        "solver.pcs",
        "sp-var-dec-heur {0, 2} [0]\nsp-rand-var-dec-scaling [0.3,1.1] [1.0]l # log\nk [1,20] [5]i\n\
         sp-rand-var-dec-scaling | sp-var-dec-heur in {2}\nConditionals:\nForbidden:\n{sp-var-dec-heur=0,k=3}\n\
         {sp-var-dec-heur == 2 && k > 9}\n{k = 20, sp-var-dec-heur in {0, 2}}\n",
    );
    let second = read(
        "solver.pcs",
        "sp-var-dec-heur categorical {0, 2} [0]\nsp-rand-var-dec-scaling real [0.3,1.1] [1.0] log\n\
         k integer [1,20] [5]\nsp-rand-var-dec-scaling | sp-var-dec-heur == 2\n",
    );
    assert_eq!(
        declared(&first),
        [
            r#"sp_var_dec_heur {"choice":["0","2"],"start":"0"}"#,
            "sp_rand_var_dec_scaling {\"float\":[0.3,1.1],\"log\":true,\"start\":1.0,\
             \"condition\":\"sp_var_dec_heur == '2'\"}",
            r#"k {"int":[1,20],"start":5}"#,
        ]
    );
    assert_eq!(declared(&first), declared(&second));
    assert_eq!(
        first.forbid,
        [
            "sp_var_dec_heur == '0' && k == 3",
            "sp_var_dec_heur == '2' && k > 9",
            "k == 20 && sp_var_dec_heur in ['0', '2']"
        ]
    );
    assert!(first.notes.is_empty() && second.forbid.is_empty());
    assert_eq!(first.reads[0].way, Way::Option("--sp-var-dec-heur".to_string()));
    assert!(
        import(Path::new("a.pcs"), "k [1] [5]\n").unwrap_err().to_string().contains("line 1: k: a range has two ends")
    );
}

/// Written by ConfigSpace 1.2.
#[test]
fn a_file_of_config_space_is_imported() {
    let imported = read("space.json", include_str!("files/space.json"));
    assert_eq!(
        declared(&imported),
        [
            r#"fast {"bool":true,"start":false}"#,
            r#"k {"int":[1,20],"start":5}"#,
            r#"level {"choice":["low","mid","high"],"start":"mid"}"#,
            r#"move {"choice":["swap","2opt","or-opt"],"start":"swap"}"#,
            r#"rate {"float":[0.0001,1.0],"log":true,"start":0.02}"#,
            r#"share {"float":[0.0,1.0],"start":0.2}"#,
            r#"temp {"float":[0.001,1000.0],"log":true,"start":10.0}"#,
            "depth {\"int\":[1,100],\"log\":true,\"start\":8,\"condition\":\"move in ['2opt', 'or-opt']\"}",
            "noise {\"float\":[0.0,1.0],\"start\":0.25,\"condition\":\"level != 'low'\",\
             \"prior\":{\"normal\":[0.3,0.1]}}",
            "tabu {\"int\":[1,50],\"start\":10,\"condition\":\"move == 'swap' && k > 3\",\
             \"prior\":{\"normal\":[12.0,4.0]}}",
        ]
    );
    assert_eq!(imported.forbid, ["move == 'swap' && k in [19, 20]", "temp < rate"]);
    let notes: Vec<&str> = imported.notes.iter().map(|note| note.split(':').next().unwrap()).collect();
    assert_eq!(notes, ["the distribution of rate", "the distribution of share"]);
    let fixed = |one: &&Passed| one.way == Way::Option("--fixed".to_string());
    assert_eq!(imported.passed.iter().find(fixed).map(|one| one.value.contains('{')), Some(false));
}

/// The parameters of the solver Spear, as the example of SMAC and ParamILS declares them.
#[test]
fn the_parameters_of_spear_are_imported() {
    let imported = read("spear.pcs", include_str!("files/spear.pcs"));
    assert_eq!((imported.reads.len(), imported.notes.len(), imported.forbid.len()), (26, 0, 1));
    let of = |name: &str| imported.reads.iter().find(|read| read.parameter.name == name).unwrap();
    let condition = |name| of(name).parameter.condition.as_ref().map(|condition| condition.text());
    assert_eq!(condition("sp_res_cutoff_cls"), Some("sp_resolution in ['1', '2']"));
    assert_eq!(of("sp_first_restart").parameter.kind, Kind::Int { min: 25, max: 3200, log: true });
    assert_eq!(of("sp_clause_decay").parameter.start, 1.4);
}

#[test]
fn a_space_of_config_space_is_imported() {
    let imported = read(
        "space.json",
        r#"{"hyperparameters": [
            {"type": "uniform_int", "name": "depth", "lower": 1, "upper": 10, "default_value": 3, "log": false},
            {"type": "categorical", "name": "kind", "choices": ["a", "b", "c"], "default_value": "b"},
            {"type": "uniform_float", "name": "rate", "lower": 0.001, "upper": 1.0, "default_value": 0.1, "log": true},
            {"type": "constant", "name": "c", "value": 4}],
          "conditions": [{"child": "depth", "parent": "kind", "type": "IN", "values": ["a", "c"]}],
          "forbiddens": [{"name": "kind", "type": "EQUALS", "value": "c"},
            {"type": "AND", "clauses": [{"name": "depth", "type": "IN", "values": [3, 4]},
                                        {"left": "rate", "right": "depth", "type": "RELATION", "lambda": "LESS"}]},
            {"name": "c", "type": "EQUALS", "value": 4}]}"#,
    );
    assert_eq!(
        declared(&imported),
        [
            r#"kind {"choice":["a","b","c"],"start":"b"}"#,
            r#"depth {"int":[1,10],"start":3,"condition":"kind in ['a', 'c']"}"#,
            r#"rate {"float":[0.001,1.0],"log":true,"start":0.1}"#,
        ]
    );
    assert_eq!(imported.forbid, ["kind == 'c'", "depth in [3, 4] && rate < depth"]);
    let [everything] = &imported.notes[..] else { panic!("{:?}", imported.notes) };
    assert!(everything.ends_with("it forbids everything"), "{everything}");
    assert!(import(Path::new("a.json"), "{}").unwrap_err().to_string().contains("declares no parameters"));
    assert!(import(Path::new("a.json"), "{").is_err());
}

/// The arguments of the command after the program.
fn arguments(imported: &Imported) -> Vec<String> {
    let found = crate::FoundProgram { command: "./s".to_string(), ..crate::FoundProgram::default() };
    let known = Facts::imported("FILE".to_string(), imported.clone());
    let job: toml::Table = written(&found, &known).unwrap().parse().unwrap();
    let words = evolve_program::split(job["program"]["command"].as_str().unwrap()).unwrap();
    words.into_iter().skip(1).collect()
}

#[test]
fn single_values_become_parts_of_the_command() {
    let irace = read(
        "parameters.txt",
        "x \"--x \" c (5)\ny \"-y\" i (7, 7)\nflag \"\" c (\"\", \"--elitism \")\nboth \"\" c (\"--a 1\")\n\
         k \"--k \" i (1, 9) | x == 5 & flag == \"--elitism \"\nl \"--l \" i (1, 9) | y > 7\n\
         m \"--m \" c (a, b) | y < 8\n[forbidden]\nx == 5 & k > y\nx == 4 & k > 1\n",
    );
    assert_eq!(arguments(&irace), ["--x", "5", "-y7", "{flag:--elitism}", "--a", "1", "{k:--k}", "--m", "{m}"]);
    assert_eq!(
        declared(&irace),
        [
            r#"flag {"bool":true,"start":false}"#,
            r#"k {"int":[1,9],"start":5,"condition":"flag == true"}"#,
            r#"m {"choice":["a","b"],"start":"a"}"#,
        ]
    );
    assert_eq!(
        (&irace.forbid[..], &irace.notes[..]),
        (&["k > 7".to_string()][..], &["l: its condition is never true".to_string()][..])
    );
    let pcs = read(
        "a.pcs",
        "x {False} [False]\ny [7,7] [7]i\na {u, v} [u]\nb {u, v} [v]\na | x in {False}\nb | x in {True}\n{x=False, a=v}\n",
    );
    assert_eq!(arguments(&pcs), ["--x", "False", "--y", "7", "--a", "{a}"]);
    assert_eq!(
        (&pcs.forbid[..], &pcs.notes[..]),
        (&["a == 'v'".to_string()][..], &["b: its condition is never true".to_string()][..])
    );
    let optuna = read(
        "a.py",
        "a = trial.suggest_int('a', 7, 7)\nb = trial.suggest_categorical('b', [True])\nif b and a == 7:\n    \
         c = trial.suggest_int('c', 1, 9)\noptuna.create_study()\n",
    );
    assert_eq!(arguments(&optuna), ["--a", "7", "--b", "true", "--c", "{c}"]);
    assert!(optuna.reads[0].parameter.condition.is_none() && optuna.notes.is_empty(), "{:?}", optuna.notes);
}

#[test]
fn unusual_declarations_cost_a_note_at_most() {
    let irace = read(
        "parameters.txt",
        "\u{feff}ants \"--ants \" i (5, 100)\ni \"--i \" i (1, \"min(ants, 10)\") | ants > 6\nj \"--j \" i (1, ants)\n\
         svm@c \"-c \" r,log (2^-5, 2**10)\nseed \"-s \" i (1, 9)\n[forbidden]\nsvm@c > 300 & ants > 50\n",
    );
    assert_eq!(
        declared(&irace),
        [
            r#"ants {"int":[5,100],"start":53}"#,
            r#"svm_c {"float":[0.03125,1024.0],"log":true,"start":5.66}"#,
            r#"seed_ {"int":[1,9],"start":5}"#,
        ]
    );
    assert_eq!(irace.forbid, ["svm_c > 300 && ants > 50"]);
    assert_eq!(
        irace.notes,
        [
            "line 2: i: (1, \"min(ants, 10)\") is not a range of two numbers",
            "line 3: j: (1, ants) is not a range of two numbers"
        ]
    );
    let optuna = read(
        "a.py",
        "LOW = 10 ** -4\nMOVES = (\n    'swap',  # first (\n    '2opt',\n)\nstudy = optuna.create_study()\n\
         a = trial.suggest_float(\n    \"a\",\n    LOW,  # lower\n    2**10 / 8,\n    log=True,\n)\n\
         b = trial.suggest_categorical(\"b\", MOVES)\nif (\n    b == \"swap\"\n    and a > 1\n):\n    \
         c = trial.suggest_int(\n        \"c\", 1, 9\n    )\nif b == '2opt': d = trial.suggest_int('d', 1, 9)\n\
         e = trial.suggest_normal(\n    \"e\",\n    1,\n)\n",
    );
    assert_eq!(
        declared(&optuna),
        [
            r#"a {"float":[0.0001,128.0],"log":true,"start":0.113}"#,
            r#"b {"choice":["swap","2opt"],"start":"swap"}"#,
            r#"c {"int":[1,9],"start":5,"condition":"b == 'swap' && a > 1"}"#,
            r#"d {"int":[1,9],"start":5,"condition":"b == '2opt'"}"#,
        ]
    );
    assert_eq!(optuna.notes, ["e = trial.suggest_normal( \"e\", 1, )"]);
    // Names that a job cannot have, and names that would be the same.
    let names = read("a.pcs", "a-b [1,2] [1]\na.b [1,2] [1]\na_b_2 [1,2] [1]\na-b [1,3] [1]\ninput [1,2] [1]\n");
    let names: Vec<&str> = names.reads.iter().map(|read| read.parameter.name.as_str()).collect();
    assert_eq!(names, ["a_b", "a_b_3", "a_b_2", "input_"]);
}

#[test]
fn the_direction_of_a_study_is_certain_or_left_open() {
    for (script, minimizes) in [
        ("optuna.create_study()", Some(true)),
        ("optuna.create_study(direction='maximize')", Some(false)),
        ("create_study(\n    direction=optuna.study.StudyDirection.MAXIMIZE,\n)", Some(false)),
        ("create_study(direction=StudyDirection.MINIMIZE)", Some(true)),
        ("def f(direction: str = \"maximize\"):\n    return create_study(direction=direction)", Some(false)),
        ("create_study(None, None, None, 'x', 'maximize')", Some(false)),
        ("GOAL = 'maximize'\ncreate_study(direction=GOAL)", Some(false)),
        (
            "def g():\n    # direction = 'maximize'\n    direction = 'minimize'\n    return direction\ncreate_study(direction=g())",
            Some(true),
        ),
        ("def g():\n    return 'maximize'\ncreate_study(direction=g())", Some(false)),
        ("options = {'direction': 'maximize'}\ncreate_study(**options)", Some(false)),
        ("create_study(**options)", None),
        ("create_study(direction='minimize' if F else 'maximize')", None),
        ("direction = 'minimize' if F else 'maximize'\ncreate_study(direction=direction)", None),
        ("create_study(direction=args.direction)", None),
        ("create_study(directions=['minimize', 'maximize'])", None),
        ("create_study(direction='minimize')\ncreate_study(direction='maximize')", None),
        ("from optuna import create_study\nload_study('x')", None),
        ("", None),
    ] {
        let imported = read("a.py", &format!("{script}\nk = trial.suggest_int('k', 1, 9)\n"));
        assert_eq!(imported.minimizes, minimizes, "{script}");
        let has_note = imported.notes.iter().any(|note| note.starts_with("direction: "));
        assert_eq!(has_note, minimizes.is_none(), "{script}: {:?}", imported.notes);
    }
}

#[test]
fn large_conditions_are_not_multiplied_out() {
    // Sets of ten values in twenty comparisons have 10^20 combinations.
    let mut pcs = "c [1,9] [5]\n".to_string();
    let values: Vec<String> = (0..10).map(|i| format!("v{i}")).collect();
    for i in 0..20 {
        pcs += &format!("p{i} {{{}, w}} [w]\n", values.join(", "));
    }
    let parts: Vec<String> = (0..20).map(|i| format!("p{i} in {{{}}}", values.join(", "))).collect();
    pcs += &format!("c | {}\n", parts.join(" && "));
    let imported = read("a.pcs", &pcs);
    let last = imported.reads.last().unwrap().parameter.condition.as_ref().unwrap();
    assert_eq!((last.comparisons().len(), &imported.notes[..]), (200, &[][..]));
    // Nested branches, each an alternative to two sets.
    let mut script = "optuna.create_study()\n".to_string();
    for i in 0..30 {
        script += &format!("p{i} = trial.suggest_categorical('p{i}', ['a', 'b', 'c', 'd'])\n");
    }
    for i in 0..30 {
        let indent = " ".repeat(i);
        script += &format!("{indent}if p{i} in ('a', 'b') or p{i} == 'c':\n");
    }
    script += &format!("{}k = trial.suggest_int('k', 1, 9)\n", " ".repeat(30));
    let imported = read("a.py", &script);
    let last = imported.reads.last().unwrap().parameter.condition.as_ref().unwrap();
    assert_eq!((last.comparisons().len(), &imported.notes[..]), (90, &[][..]));
    // More comparisons than a condition may have.
    let parts: Vec<String> = (0..1001).map(|i| format!("p0 == v{}", i % 10)).collect();
    let imported = read("a.pcs", &format!("{pcs}\nc | {}\n", parts.join(" || ")));
    assert_eq!(imported.notes, ["condition of c: it has 1201 comparisons, and the maximum is 1000"]);
}

/// Each parameter has a condition on the next one, so that their order is reversed.
#[test]
fn chained_conditions_are_ordered() {
    const COUNT: usize = 1500;
    let declared: String = (0..COUNT).map(|i| format!("p{i} [0,1] [0.5]\n")).collect();
    let chained: String = (1..COUNT).map(|i| format!("p{} | p{i} > 0.25\n", i - 1)).collect();
    let imported = read("a.pcs", &format!("{declared}{chained}"));
    let names = imported.reads.iter().map(|read| read.parameter.name.as_str());
    assert!(names.eq((0..COUNT).rev().map(|i| format!("p{i}")).collect::<Vec<_>>().iter().map(String::as_str)));
    assert!(imported.notes.is_empty());
    let circle = read("a.pcs", "a {u, v} [u]\nb {u, v} [u]\na | b in {v}\nb | a in {v}\n");
    assert_eq!(circle.notes, ["condition of a: no parameter `b`"]);
}
