/** Every trial as a point, and the gain of the incumbent on top. */
function historySection(run, several, place) {
  const { history } = run;
  if (!history || history.trial.length === 0) return null;
  const related = history.is_related;
  const kept = historySection.kept.get(run.name) ?? { height: related ? 'gain' : 'score', log: false };
  historySection.kept.set(run.name, kept);
  const heights = [related && ['gain', 'Gain'], ['score', 'Score'], history.axes.durations && ['seconds', 'Seconds']].filter(Boolean);
  const holder = make('div');
  const log = make('button', { type: 'button', onclick: () => { kept.log = !kept.log; list(); } }, 'Logarithm');
  const list = () => {
    const scales = { score: history.axes.scores, seconds: history.axes.durations }[kept.height];
    log.disabled = !scales?.log;
    log.setAttribute('aria-pressed', String(kept.log && !log.disabled));
    holder.replaceChildren(historyChart(run, kept.height, scales && (kept.log && scales.log ? scales.log : scales.plain)));
  };
  list();
  return make('section', { id: `history-${place}` },
    make('h2', {}, several ? `History of ${run.name}` : 'History'),
    quiet(related
      ? [`Each point is a trial: its gain over the baseline on the same instance${history.is_modelled ? ' or, where the baseline did not play, over the score that the model expects of the baseline there' : ''}. Above zero is better. `,
        history.course.length > 0 && `The line is the gain of the incumbent, the values that the run would have recommended after that trial, as the model of the search estimates it ${run.landscape ? `from ${number(run.landscape.gains.length, 0)} trials` : ''}; the band is its 95 % interval.`]
      : 'Each point is the score of a trial. A run without a model, and without the baseline on the same instances, shows scores only.',
    history.all > history.trial.length && ` Shown are ${number(history.trial.length, 0)} of ${number(history.all, 0)} trials, evenly spaced.`),
    make('div', { class: 'bar' }, heights.length > 1 && buttons('Vertical axis', heights, kept.height, (height) => { kept.height = height; list(); }), log),
    holder, distributionOf(run));
}

historySection.kept = new Map();

function historyChart(run, height, scale) {
  const { history } = run;
  const isGain = height === 'gain';
  const value = (i) => history[height][i] ?? null;
  const all = history.trial.map((trial, i) => ({ trials: trial, seconds: history.elapsed[i], y: value(i), i, name: `trial ${trial}${history.instances[history.instance[i]] ? ` on ${history.instances[history.instance[i]]}` : ''}` })).filter((point) => point.y !== null);
  const series = history.groups.map(({ name, colour, is_cross: cross }, g) => ({ name, colour, kind: 'points', cross, points: all.filter(({ i }) => history.group[i] === g) }));
  if (isGain) {
    const { held, verdict } = differences(run);
    const last = history.trial.length - 1;
    series.push({ name: 'incumbent, by the model', colour: 'var(--s0)', kind: 'line', points: courseOf(run) },
      { name: 'incumbent, in validation', colour: 'var(--s3)', kind: 'dots', points: held.map((point) => ({ ...point, trials: point.trials - 1 })) },
      { name: 'held-out test', colour: 'var(--s1)', kind: 'diamond', points: verdict.map((point) => ({ ...point, trials: history.trial[last], seconds: history.elapsed[last] })) });
  }
  const axes = [['trials', 'Trial', 'Trial', history.axes.trials], ...(history.elapsed.length ? [['seconds', 'Time spent on trials', 'Time', history.axes.seconds]] : [])];
  const names = { gain: ['History', 'Gain'], score: ['Scores', 'Score'], seconds: ['Run times', 'Seconds'] }[height];
  return chart({ label: `${names[0]} of ${run.name}`, title: names[1], axes, scale: scale ?? history.axes.height, series: series.filter((one) => one.points.length), zero: isGain, pick: ({ i }) => i !== undefined && tableSection.kept.get(run.name)?.open(i) });
}

/** The gain of the incumbent by the model. */
function courseOf({ history }) {
  return history ? history.course.map(([trials, seconds, [y, low, high]]) => ({ trials, seconds, y, low, high })) : [];
}

/** The largest number of points in the curve of a distribution. */
const CURVE = 400;

/** How the trials of each stage spread around the level of the baseline. */
function distributionOf(run) {
  const { history } = run;
  const related = history.is_related;
  const values = related ? history.gain : history.score;
  const curve = (g) => {
    const sorted = values.filter((of, i) => of !== null && history.group[i] === g).sort((a, b) => a - b);
    const step = Math.max(1, Math.ceil(sorted.length / CURVE));
    return sorted.map((value, i) => ({ value, y: (i + 1) / sorted.length })).filter((_, i) => i % step === 0 || i === sorted.length - 1);
  };
  const series = history.groups.map(({ name, colour, is_cross: cross }, g) => ({ name, colour, kind: 'line', points: cross ? [] : curve(g) })).filter(({ points }) => points.length > 1 && points[0].value < points[points.length - 1].value);
  if (!series.length) return null;
  const title = related ? 'Gain' : 'Score';
  return folded(`distribution of ${run.name}`, 'Distribution of the trials',
    quiet(`The share of trials at or below each value, by stage.${related ? ' The dashes are the level of the baseline: a curve to their right is better.' : ''}`),
    chart({ label: `Distribution of ${run.name}`, title: 'Share of trials', axes: [['value', title, related ? 'Gain' : 'Score', related ? history.axes.spread : history.axes.scores.plain]], scale: history.axes.shares, series, upright: related, height: 260 }));
}

/** All trials in a table, to be filtered and sorted. */
function tableSection(run, several, place) {
  const { history } = run;
  if (!history || history.trial.length === 0) return null;
  const kept = tableSection.kept.get(run.name) ?? { words: '', opened: null, shown: new Set(run.weights.slice(0, 6).map((weight) => weight.name)) };
  tableSection.kept.set(run.name, kept);
  const timed = history.seconds.length > 0;
  const text = {
    stage: (i) => history.stages[history.stage[i]], instance: (i) => history.instances[history.instance[i]], end: (i) => history.ends[history.end[i]],
  };
  const numbers = { trial: (i) => history.trial[i], score: (i) => history.score[i], gain: (i) => history.gain[i], seconds: (i) => history.seconds[i] ?? null };
  const column = (key, title, of, kind, print = (value) => value) => ({ key, text: title, sort: of, cell: (i) => (of(i) === null ? '–' : print(of(i))), kind });
  const [ofScores, ofGains, ofSeconds] = history.digits;
  const fixed = [
    { ...column('trial', 'Trial', numbers.trial, '', String), down: true },
    column('stage', 'Stage', text.stage), history.instances.some((name) => name !== '') && column('instance', 'Instance', text.instance),
    column('score', 'Score', numbers.score, '', (value) => number(value, ofScores)), history.is_related && { ...column('gain', 'Gain', numbers.gain, '', (value) => gainOf(run, value, ofGains)), down: true },
    history.ends.length > 2 || history.end.includes(1) ? column('end', 'End', text.end) : null, timed && column('seconds', 'Seconds', numbers.seconds, 'wide', (value) => number(value, ofSeconds)),
  ].filter(Boolean);
  const ofParameter = (weight, p) => ({ key: weight.name, text: weight.name, sort: (i) => history.values[p][i], cell: (i) => (history.values[p][i] === null ? '–' : valueOf(weight, history.values[p][i])) });
  const holder = make('div');
  const count = make('span', { class: 'soft small', 'aria-live': 'polite' });
  const search = make('input', { type: 'search', placeholder: `Filter: test, gain>${run.rating === 'ratio' ? '10%' : '0'}, ${run.weights.length ? example(run.weights[0]) : 'score<100'}`, 'aria-label': 'Filter trials', value: kept.words, oninput: () => { kept.words = search.value; kept.opened = null; list(); } });
  const every = history.trial.map((_, i) => i);
  const faults = make('p', { class: 'edge small', role: 'status' });
  function list() {
    const found = wordsOf(search.value).map(condition);
    const conditions = found.filter((of) => typeof of === 'function');
    faults.textContent = found.filter((of) => typeof of === 'string').join(' ');
    const rows = every.filter((i) => conditions.every((holds) => holds(i)));
    count.textContent = rows.length < every.length ? `${number(rows.length, 0)} of ${number(every.length, 0)}` : `${number(every.length, 0)} trials`;
    const columns = [...fixed, ...run.weights.map(ofParameter).filter(({ key }) => kept.shown.has(key))];
    holder.replaceChildren(sortable({ kind: 'tall', label: `Trials of ${run.name}`, columns, rows, order: 'trial', detail, opened: kept.opened }));
  }
  /** The test of a word, or its fault. */
  function condition(word) {
    const [, name, sign, to] = /^([^<>=]+)(<=|>=|<|>|=)(.*)$/.exec(word) ?? [];
    if (name === undefined) return (i) => Object.values(text).some((value) => value(i).toLowerCase().includes(word));
    const p = run.weights.findIndex((weight) => weight.name.toLowerCase() === name);
    const weight = run.weights[p];
    if (text[name] && sign === '=') return (i) => text[name](i).toLowerCase() === to;
    const of = numbers[name] ?? (p >= 0 ? (i) => history.values[p][i] : null);
    if (!of) return `No column "${name}": ${[...Object.keys(numbers).filter((key) => key !== 'gain' || history.is_related), ...Object.keys(text), ...run.weights.map((one) => one.name)].join(', ')}.`;
    const named = weight?.names?.findIndex((other) => other.toLowerCase() === to) ?? -1;
    if (weight?.names && named < 0) return `${weight.name} has no value "${to}": ${weight.names.join(', ')}.`;
    // Gains of ratios are shown in percent, and meant so, with or without the sign.
    const unit = name === 'gain' && run.rating === 'ratio' ? 0.01 : 1;
    const typed = to.replace(/\s*%$/, '').replace('\u2212', '-').replace(/,(?=\d{3}\b)/g, '');
    const value = named >= 0 ? named : unit * Number(typed);
    if (typed === '' || Number.isNaN(value)) return `"${word}": "${to}" is not a number.`;
    const isSame = (x) => x === value || (!weight?.names && (weight ? plain(x) === plain(value) : Math.abs(x - value) < 1e-4 * Math.abs(value)));
    const holds = { '<': (x) => x < value, '>': (x) => x > value, '<=': (x) => x <= value, '>=': (x) => x >= value, '=': isSame }[sign];
    return (i) => of(i) !== null && holds(of(i));
  }
  function detail(i) {
    const values = run.weights.map((weight, p) => `${weight.name} = ${history.values[p][i] === null ? '–' : valueOf(weight, history.values[p][i])}`);
    return [make('p', { class: 'small' }, `Trial ${history.trial[i]}, ${text.stage(i)}: ${text.end(i)}`, timed && numbers.seconds(i) !== null && `, in ${number(numbers.seconds(i), ofSeconds)} s`, '. ', ...caseOf(i)),
      make('div', { class: 'small' }, make('code', {}, values.join(', ')), make('span', { class: 'soft' }, ` (baseline: ${run.weights.map((weight) => `${weight.name} = ${valueOf(weight, weight.start)}`).join(', ')})`)), repeating(run, history.trial[i], 'this trial'), outputOf(keptOf(i)?.output)];
  }
  /** The case of a trial, and what the baseline scored there. */
  function caseOf(i) {
    const score = number(history.score[i], ofScores);
    const baseline = history.baseline[i];
    return [text.instance(i) && `Instance ${text.instance(i)}, `, history.replicate[i] > 0 && `replicate ${history.replicate[i] + 1}, `, `seed ${history.seed[i]}. Score ${score}`,
      baseline !== null && `; the baseline scored ${number(baseline, ofScores)} there`, numbers.gain(i) !== null && `; gain ${gainOf(run, numbers.gain(i), ofGains)}`, '.'].filter(Boolean);
  }
  /** The kept output of a failure with the same values. */
  function keptOf(i) {
    return history.end[i] > 1 ? run.trials?.kept.find(({ reason, values }) => reason.startsWith(text.end(i)) && values.every((value, p) => value === history.values[p][i])) : null;
  }
  const choice = (weight) => make('label', {}, make('input', { type: 'checkbox', checked: kept.shown.has(weight.name), onchange: (event) => { kept.shown[event.target.checked ? 'add' : 'delete'](weight.name); list(); } }), ` ${weight.name}`);
  kept.open = (i) => {
    kept.opened = i;
    kept.words = search.value = `trial=${history.trial[i]}`;
    list();
    section.scrollIntoView();
    holder.querySelector('button.open')?.focus({ preventScroll: true });
  };
  list();
  const section = make('section', { id: `table-${place}` },
    make('h2', {}, several ? `Trials of ${run.name}` : 'Trials'),
    history.all > every.length && quiet(`Listed are ${number(every.length, 0)} of ${number(history.all, 0)} trials, evenly spaced; trials.csv has all of them.`),
    make('div', { class: 'bar' }, search, count), faults,
    make('details', {}, make('summary', { class: 'small' }, 'Columns'), make('div', { class: 'choices' }, run.weights.map(choice))), holder);
  return section;
}

/** A condition on a parameter, as an example. */
const example = (weight) => `${weight.name}=${weight.names ? weight.names[weight.start] : plain(weight.start)}`;

/** The words of a filter: spaces separate them, and commas, unless thousands follow. */
const wordsOf = (text) => text.toLowerCase().replace(/\s*(<=|>=|<|>|=)\s*/g, '$1').replace(/(\d)\s+%/g, '$1%').split(/\s+|,(?!\d{3}\b)\s*/).filter(Boolean);

tableSection.kept = new Map();
