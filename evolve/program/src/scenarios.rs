//! Scenarios: rows of values for variables such as the opponent and the side, in which a deal is played.

use crate::keys::{Aggregate, Dealing, ScenarioKeys, names};
use crate::parameters::{Parameters, RESERVED};
use crate::template::Shown;
use evolve_core::document::{Free, Section};
use evolve_core::key::quoted;

/// A value for every variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Values in the order of the variables.
    pub values: Vec<Shown>,
    /// How much it counts in a weighted mean; above 0.
    pub weight: f64,
    /// Its name in tables, such as `./old side=0`; empty if there are no variables.
    pub name: String,
}

/// The scenarios of a program, at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenarios {
    variables: Vec<String>,
    rows: Vec<Scenario>,
    keys: ScenarioKeys,
    declared: bool,
}

/// The most scenarios.
const MOST: usize = 10_000;

impl Scenarios {
    /// Reads the section `[scenarios]`. What is wrong is reported.
    pub fn read(section: &mut Section<'_>, parameters: &Parameters) -> Self {
        let keys = ScenarioKeys::read(section);
        let rows = section.take("rows");
        let lists = section.rest();
        section.finish(&names(2));
        let mut scenarios = Scenarios { variables: Vec::new(), rows: Vec::new(), keys, declared: true };
        let result = match rows {
            Some(rows) if lists.is_empty() => scenarios.read_rows(&rows, section),
            Some(rows) => Err((rows.line, "scenarios are `rows`, or lists of values by name, not both".to_string())),
            None if lists.is_empty() => {
                scenarios.declared = false;
                Ok(())
            }
            None => scenarios.read_product(&lists),
        };
        let weighted = scenarios.keys.aggregate == Aggregate::Weighted;
        let has_weights = scenarios.rows.iter().any(|row| row.weight != 1.0);
        if let Err((line, message)) = result {
            section.report(Some(line), message);
        } else if weighted != has_weights {
            section
                .report(section.line_of("rows"), "weights go with aggregate = \"weighted\", and the other way round");
        }
        for name in &scenarios.variables {
            if RESERVED.contains(&name.as_str()) || parameters.names().any(|other| other == name) {
                section.report(section.line_of(name), format!("`{{{name}}}` stands for something else already"));
            }
        }
        if scenarios.rows.is_empty() {
            scenarios.rows.push(Scenario { values: Vec::new(), weight: 1.0, name: String::new() });
        }
        scenarios
    }

    fn read_product(&mut self, lists: &[Free<'_>]) -> Result<(), (usize, String)> {
        let mut product: Vec<Vec<Shown>> = vec![vec![]];
        for free in lists {
            let fault = || (free.line, format!("`{}` is a list of texts or numbers", free.name));
            let values: Option<Vec<Shown>> = free.list().and_then(|list| list.iter().map(value).collect());
            let values = values.filter(|values| !values.is_empty()).ok_or_else(fault)?;
            if product.len() * values.len() > MOST {
                return Err((free.line, format!("these are more than {MOST} scenarios")));
            }
            let extended = |row: &Vec<Shown>| {
                let row = row.clone();
                values.iter().map(move |value| [&row[..], std::slice::from_ref(value)].concat()).collect::<Vec<_>>()
            };
            product = product.iter().flat_map(extended).collect();
            self.variables.push(free.name.clone());
        }
        self.rows = product.into_iter().map(|values| self.scenario(values, 1.0)).collect();
        Ok(())
    }

    fn read_rows(&mut self, rows: &Free<'_>, section: &Section<'_>) -> Result<(), (usize, String)> {
        let form = || (rows.line, "rows = [{ side = 0, weight = 1 }, ..]".to_string());
        let list = rows.list().filter(|list| (1..=MOST).contains(&list.len())).ok_or_else(form)?;
        for (i, row) in list.iter().enumerate() {
            let mut table = row.section(section).ok_or_else(form)?;
            let weight = match table.take("weight") {
                None => 1.0,
                Some(weight) => {
                    let fault = || (weight.line, "a weight is a number above 0".to_string());
                    weight.number().filter(|&weight| weight > 0.0).ok_or_else(fault)?
                }
            };
            let mut entries = table.rest();
            if i > 0 {
                // In the order of the first row, by which scenarios are named.
                entries.sort_by_key(|entry| self.variables.iter().position(|name| *name == entry.name));
            }
            let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
            if i == 0 {
                self.variables = names;
            } else if names != self.variables {
                return Err((row.line, "every row has a value for the same variables".to_string()));
            }
            let values: Option<Vec<Shown>> = entries.iter().map(value).collect();
            let values = values.ok_or_else(|| (row.line, "values are texts or numbers".to_string()))?;
            self.rows.push(self.scenario(values, weight));
        }
        Ok(())
    }

    fn scenario(&self, values: Vec<Shown>, weight: f64) -> Scenario {
        // Texts tell what they are; a bare number does not.
        let named = |(variable, value): (&String, &Shown)| match value {
            Shown::Text(text) => text.clone(),
            other => format!("{variable}={other}"),
        };
        let name = self.variables.iter().zip(&values).map(named).collect::<Vec<_>>().join(" ");
        Scenario { values, weight, name }
    }

    /// The names of the variables.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// All scenarios.
    pub fn rows(&self) -> &[Scenario] {
        &self.rows
    }

    /// The value of a variable.
    pub fn shown(&self, name: &str, scenario: &Scenario) -> Option<Shown> {
        let place = self.variables.iter().position(|variable| variable == name)?;
        scenario.values.get(place).cloned()
    }

    /// Whether a trial is played in one scenario only, although there are several.
    pub fn is_dealt_out(&self) -> bool {
        self.keys.deal == Dealing::Out && self.rows.len() > 1
    }

    /// Places of the scenarios of a deal, by its number among those of its purpose; `round` is the number of instances,
    /// 0 if they never end. Dealt out, every instance comes to every scenario, and all scenarios come up alike often.
    pub fn of_deal(&self, number: u64, round: u64) -> Vec<usize> {
        let count = self.rows.len();
        if !self.is_dealt_out() {
            return (0..count).collect();
        }
        let turn = if round == 0 { number } else { number % round + number / round };
        vec![(turn % count as u64) as usize]
    }

    /// One number of those of the scenarios at some places, larger ones better if `larger`.
    pub fn aggregate(&self, places: &[usize], numbers: &[f64], larger: bool) -> f64 {
        let worst = |a: f64, b: f64| if larger { a.min(b) } else { a.max(b) };
        let weights = || places.iter().map(|&place| self.rows[place].weight);
        match self.keys.aggregate {
            Aggregate::Worst => numbers.iter().copied().reduce(worst).unwrap_or(0.0),
            Aggregate::Mean | Aggregate::Weighted => {
                let sum: f64 = numbers.iter().zip(weights()).map(|(number, weight)| number * weight).sum();
                sum / weights().sum::<f64>()
            }
        }
    }

    /// A section of TOML that declares the same scenarios; empty if none were declared.
    pub fn toml(&self) -> String {
        if !self.declared {
            return String::new();
        }
        let weighted = self.keys.aggregate == Aggregate::Weighted;
        let row = |row: &Scenario| {
            let values = self.variables.iter().zip(&row.values).map(|(name, value)| {
                let value = match value {
                    Shown::Text(text) => quoted(text),
                    other => other.to_string(),
                };
                format!("{} = {value}", quoted(name))
            });
            let weight = weighted.then(|| format!("weight = {:?}", row.weight));
            format!("    {{ {} }},\n", values.chain(weight).collect::<Vec<_>>().join(", "))
        };
        let rows: String = self.rows.iter().map(row).collect();
        let keys: String = self.keys.write().into_iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        format!("[scenarios]\n{keys}rows = [\n{rows}]\n")
    }
}

fn value(free: &Free<'_>) -> Option<Shown> {
    let int = || free.integer().map(Shown::Int);
    let float = || free.number().map(Shown::Float);
    let switch = || free.switch().map(Shown::Switch);
    free.text().map(|text| Shown::Text(text.to_string())).or_else(int).or_else(float).or_else(switch)
}
