/**
 * What the trials of a run are placed, coloured, filtered and listed by. A column has a key, its `text`, the value `of` a trial,
 * or `null`, and its text by `print`. It has an `axis` if it places trials, perhaps another one by ratios, `log`, and `names` if
 * its values are places of names.
 */
function columnsOf(run) {
  return run.columns ??= allColumns(run);
}

function allColumns(run) {
  const { history } = run;
  const { axes, digits: [ofScores, ofGains, ofSeconds] } = history;
  const list = (values) => (i) => values[i] ?? null;
  const named = (key, text, names, of) => ({ key, text, names, of: list(of), print: (value) => names[value] });
  return [
    { key: 'trial', text: 'Trial', axis: axes.trials, of: list(history.trial), print: String, down: true },
    named('stage', 'Stage', history.stages, history.stage),
    named('instance', 'Instance', history.instances, history.instance),
    { key: 'score', text: 'Score', axis: axes.scores.plain, log: axes.scores.log, of: list(history.score), print: (value) => number(value, ofScores) },
    history.is_related && { key: 'gain', text: 'Gain', axis: axes.height, unit: run.rating === 'ratio' ? 0.01 : 1, of: list(history.gain), print: (value) => gainOf(run, value, ofGains), down: true },
    { key: 'rank', text: 'Rank', axis: axes.ranks, of: list(history.rank), print: (value) => number(value, 0), isBestSmall: true },
    named('end', 'End', history.ends, history.end),
    axes.durations && { key: 'seconds', text: 'Seconds', axis: axes.durations.plain, log: axes.durations.log, of: list(history.seconds), print: (value) => number(value, ofSeconds), kind: 'wide' },
    ...run.weights.map((weight, p) => ({ key: `value.${weight.name}`, text: weight.name, weight, axis: weight.axis, names: weight.names, whole: weight.whole, of: list(history.values[p]), print: (value) => valueOf(weight, value) })),
    ...history.columns.map(({ name, axis, log, digits, names, values }) => ({ key: `column.${name}`, text: name, axis, log, names, of: list(values), print: (value) => names?.[value] ?? number(value, digits) })),
  ].filter(Boolean);
}

/** The parameters in the text of a trial. */
const TOLD = 8;

/** A trial in a line: some columns first, then its instance, score and gain, and its values. */
function trialText(run, i, first = []) {
  const { history } = run;
  const columns = columnsOf(run);
  const values = new Set(foremost(run, TOLD));
  const told = columns.filter(({ key }) => ['score', 'gain'].includes(key) || values.has(key));
  const text = ({ key, text, of, print }) => `${key === 'gain' || key === 'score' ? text.toLowerCase() : text} ${print(of(i))}`;
  const all = [...first.filter(({ key }) => key !== 'trial'), ...told.filter((column) => first.every(({ of }) => of !== column.of))].filter(({ of }) => of(i) !== null && !Number.isNaN(of(i)));
  const instance = history.instances[history.instance[i]];
  const end = history.end[i] > 0 ? `, ${history.ends[history.end[i]]}` : '';
  return `Trial ${history.trial[i]}, ${history.stages[history.stage[i]]}${instance ? `, instance ${instance}` : ''}${end}: ${all.map(text).join(', ')}`;
}

/** How a chart of a run's trials tells of a point, opens its trial, and marks the one that is open. */
function ofTrials(run, first) {
  const opened = openedOf(run);
  return { describe: ({ i }) => trialText(run, i, first), pick: ({ i }) => i >= 0 && openTrial(run, i), marked: () => run.history.trial.indexOf(opened.trial), listen: (key, mark) => opened.listeners.set(key, mark) };
}

/** A box for a column, which adds it to those that are shown, or removes it. */
const choiceOf = (shown, list) => ({ key, text }) => make('label', {}, make('input', { type: 'checkbox', checked: shown.has(key), onchange: (event) => { shown[event.target.checked ? 'add' : 'delete'](key); list(); } }), ` ${text}`);

/** The parameters whose effect is largest, those that moved most if no effect is known. */
function foremost(run, most) {
  const alone = new Map((run.landscape?.shares ?? []).filter(([, other]) => other === null).map(([p, , [share]]) => [p, share]));
  const weight = (p) => alone.get(p) ?? Math.abs(run.weights[p].moved ?? 0) / 1e3;
  const own = run.weights.map((_, p) => p).filter((p) => !run.weights[p].is_coefficient);
  const first = new Set([...own].sort((a, b) => weight(b) - weight(a) || a - b).slice(0, most));
  return own.filter((p) => first.has(p)).map((p) => `value.${run.weights[p].name}`);
}

/** The largest number of names that have colours. */
const NAMED = 7;
/** The colours of small to large numbers. */
const RAMP = [0, 1, 2, 3, 4].map((place) => `var(--r${place})`);

/** The trials in bands of a column, each with its colour: a band for each name, or about as many trials in each band of numbers. */
function bandsOf(column, trials) {
  const known = trials.filter((i) => column.of(i) !== null);
  if (column.names) {
    const used = [...new Set(known.map(column.of))].sort((a, b) => a - b);
    const place = new Map(used.map((value, i) => [value, Math.min(i, NAMED - 1)]));
    const shown = used.slice(0, NAMED);
    return shown.map((value, i) => ({ name: used.length > NAMED && i === NAMED - 1 ? 'others' : column.print(value), colour: colour(i), trials: known.filter((t) => place.get(column.of(t)) === i) }));
  }
  const sorted = known.map(column.of).sort((a, b) => a - b);
  const ends = RAMP.map((_, band) => sorted[Math.ceil(sorted.length * (band + 1) / RAMP.length) - 1]);
  const bandOf = (value) => ends.findIndex((end) => value <= end);
  return RAMP.map((ink, band) => {
    const own = known.filter((t) => bandOf(column.of(t)) === band);
    const values = own.map(column.of);
    const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
    return { name: `${column.text} ${column.print(low)}${high > low ? ` to ${column.print(high)}` : ''}`, colour: column.isBestSmall ? RAMP[RAMP.length - 1 - band] : ink, trials: own };
  }).filter((band) => band.trials.length);
}
