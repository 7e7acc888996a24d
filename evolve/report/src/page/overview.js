/** The places of a row on every axis. */
const placed = (row) => ({ generation: row.generation, trials: row.trials, seconds: row.seconds });

/** The horizontal axes that runs have: key, title, short title. */
function axesOf(runs) {
  const timed = runs.every((run) => Math.max(0, ...run.generations.seconds) > 0);
  const all = [['generation', 'Generation', 'Generations'], ['trials', 'Trials', 'Trials']];
  return timed ? [...all, ['seconds', 'Time spent searching', 'Time']] : all;
}

function verdictSection(run, several, place) {
  const { result, headline, detail, cost, folder, next } = run.words;
  return make('section', { id: `verdict-${place}`, class: `verdict ${result}` },
    several && make('p', { class: 'soft small' }, run.name),
    make('h2', {}, headline), make('p', {}, detail),
    make('p', { class: 'soft' }, `${cost}.`),
    make('h3', {}, 'Next commands'),
    quiet('In ', home(folder), ':'),
    make('ul', { class: 'next' }, next.map(([command, what]) => make('li', {}, make('code', {}, command), make('span', { class: 'soft small' }, what)))));
}

/** The folder in which commands find a run: from the place of this page, if it lies in the folder of the run. */
function home(folder) {
  const path = location.protocol === 'file:' ? decodeURIComponent(location.pathname) : '';
  const end = `/${folder}/report.html`;
  return path.endsWith(end)
    ? make('code', {}, path.slice(0, -end.length).replace(/^\/(?=[A-Za-z]:)/, '') || '/')
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

/** Whether a chart of gains has more than the history of a single run has. */
function isCurved(runs) {
  return runs.some((run) => !run.history || run.estimates.some((row) => row.stage === 'validation' && row.generation > 0)) || runs.length > 1;
}

/** What an unfinished run would recommend now. */
function nowSection(run, several, place) {
  const tuned = run.weights.filter((weight) => weight.incumbent !== undefined);
  if (!tuned.length) return null;
  const moved = tuned.filter((weight) => weight.incumbent !== weight.start);
  const shown = moved.length ? moved.slice(0, NOW) : [];
  return make('section', { id: `now-${place}` },
    make('h2', {}, several ? `Incumbent of ${run.name}` : 'Incumbent'),
    make('p', {}, run.gain ? `Gain ${run.gain.replaceAll('-', MINUS)}, by the model of the search.` : 'The values that the run would recommend now.'),
    shown.length
      ? scroller('Incumbent', make('table', {},
        make('thead', {}, make('tr', {}, ['Parameter', 'Baseline', 'Incumbent', 'Bound'].map((text) => make('th', {}, text)))),
        make('tbody', {}, shown.map((weight) => make('tr', {}, make('td', {}, weight.name), make('td', {}, valueOf(weight, weight.start)),
          make('td', {}, make('strong', {}, valueOf(weight, weight.incumbent))), make('td', { class: 'edge' }, edgeOf(weight, weight.incumbent)))))))
      : quiet('The baseline itself: nothing better is known yet.'),
    moved.length > NOW && quiet(`${moved.length - NOW} more moved; see Parameters.`));
}

/** The largest number of parameters at the top. */
const NOW = 12;

/** A value of a parameter as people write it. */
const valueOf = (weight, value) => (weight.names ? weight.names[value] ?? '' : plain(value));

/** The bound at which a value is, in words. */
function edgeOf({ names, log, low, high }, value) {
  if (names || value === null || value === undefined) return '';
  const at = scaleOf({ log, low, high }).at(value);
  return at <= 1e-3 ? 'at its lower bound' : at >= 1 - 1e-3 ? 'at its upper bound' : '';
}

function curveSection(runs) {
  const series = runs.flatMap((run, i) => {
    const { held, verdict } = differences(run);
    const name = runs.length > 1 ? run.name : 'mean of the search, validation';
    return [
      { name, colour: colour(i), kind: 'dots', points: held },
      { name: runs.length > 1 ? `held-out test of ${run.name}` : 'held-out test', colour: runs.length > 1 ? colour(i) : 'var(--s1)', kind: 'diamond', points: verdict },
    ];
  }).filter((one) => one.points.length);
  return make('section', { id: 'curve' },
    make('h2', {}, 'Gain of the search'),
    quiet('Difference of the objective from the baseline’s in the same trials, with its 95 % confidence interval. Where the band lies above zero, the candidate is better than the baseline.'),
    series.length
      ? chart({ label: 'Difference from the baseline', title: 'Difference from the baseline (objective)', axes: axesOf(runs), series, zero: true })
      : quiet(runs.some((run) => run.words.result === 'open') ? 'No validation so far.' : 'This run has no validation.'));
}

function trainingSection(runs) {
  const holder = make('div');
  const show = (i) => {
    const run = runs[i];
    const { best, mean } = run.generations;
    const rows = run.generations.generation.map((generation, j) => ({ generation: generation + 1, trials: run.generations.trials[j], seconds: run.generations.seconds[j] }));
    const held = run.estimates.filter((row) => row.stage === 'validation')
      .map((row) => ({ ...placed(row), y: row.mean, low: row.mean - 1.96 * row.error, high: row.mean + 1.96 * row.error }));
    const series = [
      { name: 'search: best of the generation', colour: 'var(--s5)', kind: 'line', thin: true, points: rows.map((row, j) => ({ ...row, y: best[j] })) },
      { name: 'search: mean of the search', colour: 'var(--s6)', kind: 'line', thin: true, points: rows.map((row, j) => ({ ...row, y: mean[j] })) },
      { name: 'validation', colour: 'var(--s0)', kind: 'dots', points: held },
    ].filter((one) => one.points.length);
    holder.replaceChildren(series.length ? chart({ label: `Search and validation of ${run.name}`, title: run.objective, axes: axesOf([run]), series, height: 280 }) : quiet('No generation is complete yet.'));
  };
  show(0);
  const isValidated = runs.some((run) => run.estimates.some((row) => row.stage === 'validation' && row.generation > 0));
  return make('section', { id: 'training' },
    make('h2', {}, 'Search and validation'),
    quiet('The lines of the search come from the trials that it selects on; the best of many is partly the luckiest.'),
    isValidated && quiet('If they rise while validation falls, the search overfits.'),
    runPicker(runs, show), holder);
}

/** A choice among runs, where there are several. */
function runPicker(runs, show) {
  if (runs.length < 2) return null;
  return make('p', {}, make('label', { class: 'small' }, 'Run ',
    make('select', { onchange: (event) => show(Number(event.target.value)) }, runs.map((run, i) => make('option', { value: i }, run.name)))));
}

function comparisonSection(runs, comparisons) {
  const row = ({ runs: [a, b], difference, trials }) => {
    const verdict = !difference ? 'not comparable'
      : difference[1] > 0 ? `${runs[a].name} is better` : difference[2] < 0 ? `${runs[b].name} is better` : 'no difference found';
    return make('tr', {},
      make('td', {}, `${runs[a].name} against ${runs[b].name}`), make('td', {}, verdict),
      make('td', {}, difference ? signedWithin(difference)[0] : '–'),
      make('td', {}, difference ? signedWithin(difference).slice(1).join(' to ') : '–'),
      make('td', {}, !difference ? 'another problem, or another baseline' : trials ? `${number(trials, 0)} common trials` : 'both held-out tests, on different trials'));
  };
  return make('section', { id: 'comparison' },
    make('h2', {}, 'Comparison of the runs'),
    quiet('The recommendations of each pair of runs, with the 95 % confidence interval of the difference.'),
    scroller('Comparison of the runs', make('table', {},
      make('thead', {}, make('tr', {}, ['Runs', 'Result', 'Difference', '95 % interval', 'Measured on'].map((text) => make('th', {}, text)))),
      make('tbody', {}, comparisons.map(row)))));
}
