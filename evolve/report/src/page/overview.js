/** The places of a row on every axis. */
const placed = (row) => ({ generation: row.generation, games: row.games, seconds: row.seconds });

/** The horizontal axes that runs have: key, title, short title. */
function axesOf(runs) {
  const timed = runs.every((run) => Math.max(0, ...run.generations.seconds) > 0);
  const all = [['generation', 'Generation', 'Generations'], ['games', 'Games played', 'Games']];
  return timed ? [...all, ['seconds', 'Time spent searching', 'Time']] : all;
}

function verdictSection(run, several, place) {
  const { result, headline, detail, cost, next } = run.words;
  return make('section', { id: `verdict-${place}`, class: `verdict ${result}` },
    several && make('p', { class: 'soft small' }, run.name),
    make('h2', {}, headline), make('p', {}, detail),
    make('p', { class: 'soft' }, `It took ${cost}.`),
    make('h3', {}, 'What to type next'),
    make('ul', { class: 'next' }, next.map(([command, what]) => make('li', {}, make('code', {}, command), make('span', { class: 'soft small' }, what)))));
}

/** Held-out checks as points of a difference, and the verdict behind them. */
function differences(run) {
  const held = run.checks.filter((check) => check.stage === 'held-out' && check.difference);
  const verdict = run.checks.filter((check) => check.stage === 'verdict').pop();
  const point = (check, at) => ({ ...at, y: check.difference[0], low: check.difference[1], high: check.difference[2] });
  const { generation, seconds } = run.generations;
  const end = (list) => list[list.length - 1] ?? 0;
  return {
    held: held.map((check) => point(check, placed(check))),
    verdict: verdict?.difference ? [point(verdict, { generation: end(generation) + 1, games: verdict.games, seconds: end(seconds) })] : [],
  };
}

function curveSection(runs) {
  const series = runs.flatMap((run, i) => {
    const { held, verdict } = differences(run);
    const name = runs.length > 1 ? run.name : 'mean of the population on held-out games';
    return [
      { name, colour: colour(i), kind: 'dots', points: held },
      { name: runs.length > 1 ? `verdict of ${run.name}` : 'verdict, on fresh games', colour: runs.length > 1 ? colour(i) : 'var(--s1)', kind: 'diamond', points: verdict },
    ];
  }).filter((one) => one.points.length);
  return make('section', { id: 'curve' },
    make('h2', {}, 'What the search gained'),
    quiet('The score less that of the starting weights on the same games, with its 95 % interval. Where the band lies above zero, the policy is better than the start.'),
    series.length
      ? chart({ label: 'Difference to the start', title: 'Difference to the start (score)', axes: axesOf(runs), series, zero: true })
      : quiet('No policy has been compared with the start yet.'));
}

function trainingSection(runs) {
  const holder = make('div');
  const show = (i) => {
    const run = runs[i];
    const { best, mean } = run.generations;
    const rows = run.generations.generation.map((generation, j) => ({ generation: generation + 1, games: run.generations.games[j], seconds: run.generations.seconds[j] }));
    const held = run.checks.filter((check) => check.stage === 'held-out')
      .map((check) => ({ ...placed(check), y: check.mean, low: check.mean - 1.96 * check.error, high: check.mean + 1.96 * check.error }));
    const series = [
      { name: 'training: best of the generation', colour: 'var(--s5)', kind: 'line', thin: true, points: rows.map((row, j) => ({ ...row, y: best[j] })) },
      { name: 'training: mean of the population', colour: 'var(--s6)', kind: 'line', thin: true, points: rows.map((row, j) => ({ ...row, y: mean[j] })) },
      { name: 'held-out games', colour: 'var(--s0)', kind: 'dots', points: held },
    ].filter((one) => one.points.length);
    holder.replaceChildren(series.length ? chart({ label: `Training beside held-out games of ${run.name}`, title: 'Score', axes: axesOf([run]), series, height: 280 }) : quiet('No generation is complete yet.'));
  };
  show(0);
  return make('section', { id: 'training' },
    make('h2', {}, 'Training beside held-out games'),
    quiet('Training scores are on games that the search selects on, other ones each generation, and the best of many is partly the luckiest. Where training still rises and held-out games fall, the search learns its games by heart.'),
    runPicker(runs, show), holder);
}

/** A choice among runs, where there are several. */
function runPicker(runs, show) {
  if (runs.length < 2) return null;
  return make('p', {}, make('label', { class: 'small' }, 'Run ',
    make('select', { onchange: (event) => show(Number(event.target.value)) }, runs.map((run, i) => make('option', { value: i }, run.name)))));
}

function comparisonSection(runs, comparisons) {
  const row = ({ runs: [a, b], difference, games }) => {
    const verdict = !difference ? 'not comparable'
      : difference[1] > 0 ? `${runs[a].name} is better` : difference[2] < 0 ? `${runs[b].name} is better` : 'no difference found';
    return make('tr', {},
      make('td', {}, `${runs[a].name} against ${runs[b].name}`), make('td', {}, verdict),
      make('td', {}, difference ? signedWithin(difference)[0] : '–'),
      make('td', {}, difference ? signedWithin(difference).slice(1).join(' to ') : '–'),
      make('td', {}, !difference ? 'another game, or another start' : games ? `${number(games, 0)} games, the same for both` : 'both verdicts, each on games of its own'));
  };
  return make('section', { id: 'comparison' },
    make('h2', {}, 'Which run is better'),
    quiet('The recommended weights of each two runs, with the 95 % interval of the difference.'),
    make('div', { class: 'scroll' }, make('table', {},
      make('thead', {}, make('tr', {}, ['Runs', 'Result', 'Difference', '95 % interval', 'Measured on'].map((text) => make('th', {}, text)))),
      make('tbody', {}, comparisons.map(row)))));
}
