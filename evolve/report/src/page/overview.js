/** The places of a row on every axis. */
const placed = (row) => ({ generation: row.generation, trials: row.trials, seconds: row.seconds });

/** The horizontal axes that runs have: key, title, short title, axis. */
function axesOf(runs, axes) {
  const timed = runs.every((run) => run.generations.seconds.some((seconds) => seconds > 0));
  const all = [['generation', 'Generation', 'Generations', axes.generation], ['trials', 'Trials', 'Trials', axes.trials]];
  return timed ? [...all, ['seconds', 'Time spent searching', 'Time', axes.seconds]] : all;
}

function verdictSection(run, several, place) {
  const { result, headline, detail, cost, fewer, gain, interval, folder, next } = run.words;
  const isOpen = result === 'open';
  // The status of a live page has the cost, and the page refreshes itself.
  const commands = show.state === undefined ? next : show.state === 'running' ? [] : next.filter(([command]) => !isOpen || !command.startsWith('evolve report '));
  return make('section', { id: `verdict-${place}`, class: `verdict ${result}` },
    several && make('p', { class: 'soft small' }, run.name),
    make('h2', {}, headline), make('p', {}, detail),
    quiet(gain, interval && ` ${interval}`),
    !(isOpen && show.state) && make('p', { class: 'soft' }, `${cost}.`, fewer && ` ${fewer}`),
    commands.length > 0 && make('h3', {}, 'Next commands'),
    commands.length > 0 && quiet('In ', home(folder), ':'),
    commands.length > 0 && make('ul', { class: 'next' }, commands.map(([command, what]) => make('li', {}, make('code', {}, command), make('span', { class: 'soft small' }, what)))));
}

/** The folder in which commands find a run: from the place of this page, if it lies in the folder of the run. */
function home(folder) {
  const path = location.protocol === 'file:' ? decodeURIComponent(location.pathname) : '';
  const end = `/${folder}/report.html`;
  return path.endsWith(end)
    ? make('code', { class: 'home' }, path.slice(0, -end.length).replace(/^\/(?=[A-Za-z]:)/, '') || '/')
    : ['the folder that contains ', make('code', {}, folder)];
}

/** Held-out estimates as points of a difference, and the verdict behind them. */
function differences(run) {
  const held = run.estimates.filter((row) => row.stage === 'validation' && row.difference);
  const verdict = run.estimates.filter((row) => row.stage === 'test').pop();
  const point = (row, at) => ({ ...at, y: row.difference[0], low: row.difference[1], high: row.difference[2] });
  const { generation, seconds } = run.generations;
  const end = (list) => list[list.length - 1] ?? 0;
  return {
    held: held.map((row) => point(row, placed(row))),
    verdict: verdict?.difference ? [point(verdict, { generation: end(generation) + 1, trials: verdict.trials, seconds: end(seconds) })] : [],
  };
}

/** The values that a run recommends, or would recommend now. */
function nowSection(run, several, place) {
  const isOpen = run.weights.some((weight) => weight.incumbent !== undefined);
  const valueIn = ({ incumbent, recommended }) => (isOpen ? incumbent : recommended);
  const tuned = run.weights.filter((weight) => (valueIn(weight) ?? null) !== null);
  const moved = tuned.filter((weight) => valueIn(weight) !== weight.start);
  if (!tuned.length || (!isOpen && !moved.length)) return null;
  const still = tuned.filter((weight) => valueIn(weight) === weight.start);
  const shown = [...moved, ...still].slice(0, NOW);
  const name = isOpen ? 'Incumbent' : 'Tuned values';
  const note = (weight) => (valueIn(weight) === weight.start ? 'unchanged' : edgeOf(weight, valueIn(weight)));
  return make('section', { id: `now-${place}` },
    make('h2', {}, several ? `${name} of ${run.name}` : name),
    quiet(isOpen ? 'The incumbent: the values that the run would recommend now.' : 'The values that the run recommends after its test.'),
    moved.length
      ? scroller(`${name} of ${run.name}`, make('table', {},
        make('thead', {}, make('tr', {}, ['Parameter', 'Baseline', isOpen ? 'Incumbent' : 'Tuned', ''].map((text) => make(text ? 'th' : 'td', {}, text)))),
        make('tbody', {}, shown.map((weight) => make('tr', {}, make('td', {}, weight.name), make('td', {}, valueOf(weight, weight.start)),
          make('td', {}, make('strong', {}, valueOf(weight, valueIn(weight)))), make('td', { class: valueIn(weight) === weight.start ? 'soft' : 'edge' }, note(weight)))))))
      : quiet('The baseline itself: nothing better is known yet.'),
    hourOf(run),
    tuned.length > NOW && quiet(`${tuned.length - NOW} more, of which ${Math.max(0, moved.length - NOW)} changed: see Parameters.`));
}

/** The changes of the last hour of trials. */
function hourOf(run) {
  const { hour, weights } = run;
  if (!hour) return null;
  const [before, now, digits] = hour.gain ?? [];
  const moved = hour.moved.map(([place, from, to]) => `${weights[place].name} ${valueOf(weights[place], weights[place].names ? Math.round(from) : from)} \u2192 ${valueOf(weights[place], weights[place].names ? Math.round(to) : to)}`);
  return quiet(`In the last hour: ${number(hour.trials, 0)} trials`, hour.gain && `; the gain by the model went from ${gainOf(run, before, digits)} to ${gainOf(run, now, digits)}`,
    moved.length ? `; the mean of the search moved: ${moved.join(', ')}.` : '; no parameter moved by more than a twentieth of its range.');
}

/** The largest number of parameters at the top. */
const NOW = 24;

/** A value of a parameter as people write it. */
const valueOf = (weight, value) => (weight.names ? weight.names[value] ?? '' : plain(value));

/** The bound at which a value is, in words. */
function edgeOf({ names, axis }, value) {
  if (names || value === null || value === undefined) return '';
  const at = share(axis, value);
  return at <= 1e-3 ? 'at its lower bound' : at >= 1 - 1e-3 ? 'at its upper bound' : '';
}

function curveSection(runs, axes) {
  const series = runs.flatMap((run, i) => {
    const { held, verdict } = differences(run);
    const name = runs.length > 1 ? `${run.name}, validation` : 'mean of the search, validation';
    return [
      { name, colour: colour(i), kind: 'dots', points: held },
      { name: `${run.name}, incumbent, by the model`, colour: colour(i), kind: 'line', points: runs.length > 1 ? courseOf(run).map((of) => ({ ...of, trials: of.trials + 1 })) : [] },
      { name: runs.length > 1 ? `held-out test of ${run.name}` : 'held-out test', colour: runs.length > 1 ? colour(i) : 'var(--s1)', kind: 'diamond', points: verdict },
    ];
  }).filter((one) => one.points.length);
  return make('section', { id: 'curve' },
    make('h2', {}, 'Gain of the search'),
    quiet('The gain over the baseline, with its 95 % confidence interval; where the band lies above zero, it is better. ',
      series.some(({ kind }) => kind === 'line') && 'A line is the gain of the incumbent as the model of the search estimates it from all trials. ',
      series.some(({ kind }) => kind === 'dots') && 'Dots are measured in validations, and ', series.some(({ kind }) => kind === 'diamond') && `${series.some(({ kind }) => kind === 'dots') ? 'a' : 'A'} diamond is measured in the held-out test, in the same trials as the baseline.`),
    series.length
      ? chart({ label: 'Gain of the search', title: 'Gain', axes: axesOf(runs, axes), scale: axes.gain, series, zero: true })
      : quiet(runs.some((run) => [null, 'untested'].includes(run.words.found)) ? 'No validation so far.' : 'This run has no validation.'),
    runs.length > 1 && distributions(runs));
}

function trainingSection(runs) {
  const holder = make('div');
  const show = (i) => {
    const run = runs[i];
    const { best, mean } = run.generations;
    const rows = run.generations.generation.map((generation, j) => ({ generation: generation + 1, trials: run.generations.trials[j], seconds: run.generations.seconds[j] }));
    // A history has the validations, on the scale of gains.
    const held = run.history ? [] : run.estimates.filter((row) => row.stage === 'validation').map((row) => ({ ...placed(row), y: row.mean }));
    const series = [
      { name: 'search: best of the generation', colour: 'var(--s5)', kind: 'line', thin: true, points: rows.map((row, j) => ({ ...row, y: best[j] })) },
      { name: 'search: mean of the search', colour: 'var(--s6)', kind: 'line', thin: true, points: rows.map((row, j) => ({ ...row, y: mean[j] })) },
      { name: 'validation', colour: 'var(--s0)', kind: 'dots', points: held },
    ].filter((one) => one.points.length);
    holder.replaceChildren(series.length ? chart({ label: `Search and validation of ${run.name}`, title: run.objective, axes: axesOf([run], run.axes), scale: run.height, series, height: 280 }) : quiet('No generation is complete yet.'));
  };
  show(0);
  const isAll = runs.every((run) => run.history);
  const parts = [
    quiet('The lines of the search come from the trials that it selects on; the best of many is partly the luckiest.', !isAll && ' If they rise while validation falls, the search overfits.'),
    runPicker(runs, show), holder];
  // A history of all trials has more to say than the means of generations.
  return make('section', { id: 'training' }, isAll ? folded('training', 'Objectives by generation', ...parts) : [make('h2', {}, 'Search and validation'), parts]);
}

/** A choice among runs, where there are several. */
function runPicker(runs, show) {
  if (runs.length < 2) return null;
  return make('p', {}, make('label', { class: 'small' }, 'Run ',
    make('select', { onchange: (event) => show(Number(event.target.value)) }, runs.map((run, i) => make('option', { value: i }, run.name)))));
}
