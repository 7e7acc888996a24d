/** Whether there is anything to show of them. */
const hasTrials = ({ cases, failures, kept, pictures }) => cases > 0 || failures.length > 0 || kept.length > 0 || pictures.length > 0;

/** The trials of a program: baseline against tuned. */
function trialsSection(run, several, place) {
  if (!run.trials || !hasTrials(run.trials)) return null;
  const { stage, cases, better, worse, pairs, scenarios, failures, kept, pictures, axes, digits, metrics } = run.trials;
  const tuned = stage === 'test' ? 'tuned' : 'incumbent';
  const on = stage === 'test' ? 'of the held-out test' : 'of the last validation';
  return make('section', { id: `trials-${place}` },
    make('h2', {}, several ? `Instances of ${run.name}` : 'Instances'),
    cases > 0 && quiet(`In ${number(cases, 0)} trials ${on}, ${tuned} was better in ${number(better, 0)}, worse in ${number(worse, 0)}${cases > better + worse ? ` and equal in ${number(cases - better - worse, 0)}` : ''}.`),
    pairs.length > 1 && make('div', {}, make('h3', {}, 'Scores'), distribution(pairs, tuned, axes[0])),
    pictures.length > 0 && make('div', {}, make('h3', {}, 'Pictures'), make('div', { class: 'pictures' }, pictures.map(({ title, source }) =>
      make('figure', {}, make('img', { src: source, alt: title, loading: 'lazy' }), make('figcaption', { class: 'soft small' }, title))))),
    scenarios.length > 0 && make('div', {}, make('h3', {}, 'By scenario'), scroller(`Scenarios of ${run.name}`, make('table', {},
      make('thead', {}, make('tr', {}, ['Scenario', 'Baseline', capital(tuned), 'Difference in score', '95 % interval'].map((text) => make('th', {}, text)))),
      make('tbody', {}, scenarios.map(({ name, score, difference }) => make('tr', {}, make('td', {}, name), make('td', {}, number(score[0], digits[0])), make('td', {}, number(score[1], digits[0])),
        make('td', {}, signedWithin(difference)[0]), make('td', {}, signedWithin(difference).slice(1).join(' to ')))))))),
    pairs.length > 1 && make('div', {}, make('h3', {}, 'Where it wins and loses'), placedBy(run, metrics, pairs, axes[1])),
    pairs.length > 0 && make('div', {}, make('h3', {}, `By instance ${on}`), instances(run, pairs, tuned, cases, digits)),
    (failures.length > 0 || kept.length > 0) && failuresOf(failures, kept));
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** How the scores of both spread. */
function distribution(pairs, tuned, axis) {
  const bins = Math.max(6, Math.min(30, Math.round(Math.sqrt(pairs.length) * 1.5)));
  const counts = [0, 1].map((who) => {
    const counted = new Array(bins).fill(0);
    for (const { score } of pairs) counted[Math.min(bins - 1, Math.floor(share(axis, score[who]) * bins))] += 1;
    return counted;
  });
  const most = Math.max(...counts.flat());
  const [width, height] = sized([640, 190], [350, 170]);
  const x = (bin) => 40 + (width - 50) * bin / bins;
  const y = (count) => height - 40 - (height - 52) * count / most;
  const steps = (counted) => counted.map((count, bin) => `${bin ? 'L' : `M${x(0)} ${y(0)}L`}${x(bin).toFixed(1)} ${y(count).toFixed(1)}H${x(bin + 1).toFixed(1)}`).join('') + `V${y(0)}`;
  const inks = ['var(--s6)', 'var(--s0)'];
  const cursor = draw('rect', { y: y(most), height: y(0) - y(most), width: x(1) - x(0), fill: 'none', stroke: 'var(--soft)', visibility: 'hidden' });
  const readout = make('div', { class: 'readout', 'aria-live': 'polite' });
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, style: 'max-width:720px', tabindex: 0, role: 'img', 'aria-label': 'Distribution of scores' },
      draw('line', { class: 'grid', x1: x(0), x2: x(bins), y1: y(0), y2: y(0) }),
      rungs(most).map((count) => [draw('line', { class: 'grid', x1: x(0), x2: x(bins), y1: y(count), y2: y(count) }), draw('text', { x: 28, y: y(count) + 4, 'text-anchor': 'end' }, String(count))]),
      draw('text', { transform: `translate(9 ${(y(0) + y(most)) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, 'Instances'),
      counts.map((counted, who) => draw('path', { d: steps(counted), fill: inks[who], 'fill-opacity': 0.16, stroke: inks[who], 'stroke-width': 2, 'stroke-linejoin': 'round' })),
      ticks(axis, 6).map(([tick, text]) => draw('text', { x: x(share(axis, tick) * bins), y: height - 22, 'text-anchor': 'middle' }, text)),
      draw('text', { x: width / 2, y: height - 4, 'text-anchor': 'middle' }, 'Score'), cursor);
  const border = (bin) => reading(axis, axis.low + bin / bins * (axis.high - axis.low));
  readable(svg, counts[0].map((_, bin) => x(bin + 0.5)), -1, (bin) => {
    readout.textContent = `Score ${border(bin)} to ${border(bin + 1)}: baseline ${counts[0][bin]}, ${tuned} ${counts[1][bin]}`;
    cursor.setAttribute('x', x(bin));
    cursor.setAttribute('visibility', 'visible');
  });
  return make('div', { class: 'chart' }, svg, readout,
    make('div', { class: 'bar legend small' }, ['baseline', tuned].map((name, who) => make('span', { class: 'bar', style: 'margin:0' }, make('span', { class: 'swatch', style: `background:${inks[who]}` }), name))));
}

/** About four whole numbers from zero up. */
function rungs(most) {
  const step = Math.max(1, Math.ceil(most / 4));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

/** The gain of each instance by a number of the baseline's trial. */
function placedBy(run, metrics, pairs, scale) {
  const point = (pair, i) => Object.fromEntries([['y', pair.gain], ['i', run.history?.trial.indexOf(pair.trial[1]) ?? -1], ['name', `Instance ${pair.instance || pair.seed}: gain ${gainOf(run, pair.gain, run.trials.digits[1])}`], ...metrics.map((metric, m) => [`metric-${m}`, metric.values[i]])]);
  const points = pairs.map(point);
  const series = [['better', 'var(--s0)', (y) => y > 0], ['worse', 'var(--s1)', (y) => y < 0], ['equal', 'var(--s6)', (y) => y === 0]]
    .map(([name, colour, holds]) => ({ name, colour, kind: 'points', points: points.filter(({ y }) => holds(y)) })).filter((one) => one.points.length);
  return chart({ label: `Gain by instance of ${run.name}`, title: 'Gain', axes: metrics.map((metric, m) => [`metric-${m}`, capital(metric.name), metric.name, metric.axis]), scale, series, zero: true, height: 240, ...(run.history ? ofTrials(run) : {}), describe: ({ name }) => name });
}

/** The command that plays a trial again. */
function repeating(run, trial, what) {
  return make('p', { class: 'small' }, make('code', {}, `evolve repeat ${run.words.quoted} ${trial}`), ' ', make('span', { class: 'soft' }, `play ${what} again`));
}

/** All instances, to be sorted: those that gained most first. */
function instances(run, pairs, tuned, cases, digits) {
  const largest = Math.max(1e-12, ...pairs.map((pair) => Math.abs(pair.gain)));
  const repeated = pairs.some((pair) => pair.replicate > 0);
  const cell = (who) => (pair) => (pair.failure[who] ? make('span', { class: 'edge' }, pair.failure[who]) : number(pair.score[who], digits[0]));
  const columns = [
    { key: 'instance', text: 'Instance', sort: (pair) => pair.instance || pair.seed, cell: (pair) => [pair.instance || '–', repeated && make('span', { class: 'soft' }, ` #${pair.replicate + 1}`)] },
    pairs.some((pair) => pair.group) && { key: 'group', text: 'Group', sort: (pair) => pair.group, cell: (pair) => pair.group },
    { key: 'baseline', text: 'Baseline', sort: (pair) => pair.score[0], cell: cell(0) },
    { key: 'tuned', text: capital(tuned), sort: (pair) => pair.score[1], cell: cell(1) },
    { key: 'gain', text: 'Gain', kind: 'moved', down: true, sort: (pair) => pair.gain, cell: (pair) => [gainOf(run, pair.gain, digits[1]), movedBar(pair.gain, largest, pairs.some(({ gain }) => gain < 0))] },
  ].filter(Boolean);
  return make('div', {},
    quiet(`The bar is the gain.${cases > pairs.length ? ` The ${number(cases - pairs.length, 0)} in the middle are left out.` : ''}`),
    sortable({ label: `Instances of ${run.name}`, columns, rows: pairs, order: 'gain', kind: 'tall', detail: ({ trial, seed, replicate }) => [make('p', { class: 'small' }, `Seed ${seed}${replicate > 0 ? `, replicate ${replicate + 1}` : ''}.`), ...trial.map((of, who) => repeating(run, of, ['the baseline', `the ${tuned} values`][who]))] }));
}

/** The end of a program's output. */
function outputOf(output) {
  return output ? make('details', {}, make('summary', {}, 'End of its output'), make('pre', {}, output)) : null;
}

function failuresOf(failures, kept) {
  return make('div', {}, make('h3', {}, 'Failures'),
    failures.length > 0 && make('p', { class: 'small' }, failures.map(([stage, kind, count]) => `${kind}: ${number(count, 0)} in the ${stage === 'search' ? 'search' : stage}`).join(' · ')),
    kept.length > 0 && make('div', {}, quiet('The first failures of each kind are kept with their parameters, input and output. To reproduce one:'),
      make('ul', { class: 'next' }, kept.map(({ reason, again, output }) => make('li', {}, make('code', {}, again), make('div', { class: 'soft small' }, reason, outputOf(output)))))));
}
