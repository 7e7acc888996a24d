function weightsSection(runs) {
  const holder = make('div');
  const show = (i) => holder.replaceChildren(weightsTable(runs[i]));
  show(0);
  return make('section', { id: 'weights' }, make('h2', {}, 'Parameters'), runPicker(runs, show), holder);
}

/** All weights of a run, to be sorted and searched. */
function weightsTable(run) {
  const all = run.weights.map((weight, place) => ({ ...weight, place }));
  if (!all.length) return quiet('This run tunes no parameter.');
  const largest = Math.max(1e-9, ...all.map((weight) => Math.abs(weight.moved ?? 0)));
  const orders = {
    moved: (a, b) => Math.abs(b.moved ?? 0) - Math.abs(a.moved ?? 0) || a.place - b.place,
    name: (a, b) => (a.name < b.name ? -1 : 1),
    place: (a, b) => a.place - b.place,
    worth: (a, b) => (b.worth?.worth ?? -Infinity) - (a.worth?.worth ?? -Infinity) || a.place - b.place,
  };
  const complete = all.some((weight) => weight.recommended !== null);
  // A model has no population, whose mean and deviation are drawn: the paths are those of the search after it.
  const paths = all.some((weight) => weight.mean.length > 1 && !weight.names);
  const explained = all.some((weight) => weight.worth);
  // The user's choices stay when the table is redrawn.
  const kept = weightsTable.kept ??= { order: null, words: '' };
  let order = kept.order ?? (explained ? 'worth' : complete ? 'moved' : 'place');
  const body = make('tbody');
  const count = make('span', { class: 'soft small', 'aria-live': 'polite' });
  const search = make('input', { type: 'search', placeholder: all.length > 1 ? `Search ${all.length} parameters` : 'Search', 'aria-label': 'Search parameters', value: kept.words, oninput: () => { kept.words = search.value; list(); } });
  const heading = (key, text, other) => make('th', { ...other, 'data-order': key },
    make('button', { type: 'button', onclick: () => { order = kept.order = key; list(); } }, text));
  const head = make('thead', {}, make('tr', {},
    heading('name', 'Parameter'), complete && heading('moved', 'Moved by'),
    make('th', {}, 'Baseline'), complete && make('th', {}, 'Tuned'),
    explained && heading('worth', 'Worth'),
    make('th', { class: 'wide' }, 'Range'), paths && make('th', {}, 'Path of the mean')));
  const rows = new Map();
  const row = (weight) => {
    if (!rows.has(weight.place)) rows.set(weight.place, weightRow(weight, largest, { complete, explained, paths }));
    return rows.get(weight.place);
  };
  function list() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (weight) => `${weight.name} ${weight.meaning}`.toLowerCase();
    const found = all.filter((weight) => words.every((word) => text(weight).includes(word))).sort(orders[order]);
    body.replaceChildren(...found.map(row));
    count.textContent = found.length < all.length ? `${found.length} of ${all.length}` : '';
    for (const th of head.querySelectorAll('th')) {
      if (th.dataset.order === order) th.setAttribute('aria-sort', order === 'moved' || order === 'worth' ? 'descending' : 'ascending');
      else th.removeAttribute('aria-sort');
    }
  }
  list();
  const still = complete ? all.filter((weight) => !weight.moved).length : 0;
  return make('div', {},
    quiet(complete && 'Moved by: from the baseline to the tuned value, as a share of the range. ', paths && `The line is the mean of the search by generation${run.landscape ? `, from generation ${number(run.modelled + 1, 0)}, where a search with a population followed the model` : ''}, the band one standard deviation of its population, the dashes the baseline, and a red line a bound of the range.${complete ? ' The dot is the tuned value.' : ''}`, still > 0 && ` ${still} of ${all.length} ${still === 1 ? 'keeps its' : 'keep their'} start.`),
    make('div', { class: 'bar' }, search, make('button', { type: 'button', onclick: () => { order = kept.order = 'place'; list(); } }, 'In order of declaration'), count),
    scroller('Parameters', make('table', {}, head, body), 'weights'));
}

function weightRow(weight, largest, { complete, explained, paths }) {
  const shown = (value) => valueOf(weight, value);
  const { recommended, axis: { low, high } } = weight;
  const edge = edgeOf(weight, recommended);
  return make('tr', {},
    make('td', {}, weight.name, weight.meaning && make('span', { class: 'meaning' }, weight.meaning)),
    complete && make('td', { class: 'moved' }, movedOf(weight), movedBar(weight.moved ?? 0, largest, true, 'var(--s6)')),
    make('td', {}, shown(weight.start)),
    complete && make('td', {}, recommended === null ? '–' : shown(recommended), edge && make('span', { class: 'meaning edge' }, edge)),
    explained && make('td', {}, worthOf(weight.worth)),
    make('td', { class: 'wide soft' }, weight.names ? weight.names.join(', ') : `${plain(low)} to ${plain(high)}`),
    paths && make('td', { class: 'spark' }, weight.mean.length > 1 && !weight.names && spark(weight)));
}

/** What a weight is worth, faint where it may be worth nothing. */
function worthOf(worth) {
  if (!worth) return '–';
  const { interval, trials, digits } = worth;
  const sure = !interval || interval[0] > 0 || interval[1] < 0;
  return [
    make('span', { class: sure ? '' : 'soft' }, signed(worth.worth, digits)),
    interval && make('span', { class: 'meaning' }, `${signed(interval[0], digits)} to ${signed(interval[1], digits)}`),
    trials !== null && make('span', { class: 'meaning' }, `changes ${number(100 * trials, 1)} % of trials`)];
}

/** How far a value moved: a number by a share of its range, a name or not. */
function movedOf({ moved, names }) {
  if (names) return moved ? 'changed' : 'unchanged';
  return moved ? `${signed(100 * moved, 0)}\u00a0%` : 'unchanged';
}

/** A bar to the right or, of a number below zero, to the left; with `isSigned`, zero is in the middle. */
function movedBar(moved, largest, isSigned, below = 'var(--s1)') {
  const [zero, room] = isSigned ? [50, 45] : [0, 95];
  const width = room * Math.abs(moved) / largest;
  return draw('svg', { viewBox: '0 0 100 8', width: '100%', height: 8, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    draw('rect', { x: 0, y: 3, width: 100, height: 2, fill: 'var(--fill)' }),
    draw('rect', { x: moved < 0 ? zero - width : zero, y: 0, width, height: 8, fill: moved < 0 ? below : 'var(--s0)' }),
    draw('rect', { x: Math.max(0, zero - 0.4), y: 0, width: 0.8, height: 8, fill: 'var(--soft)' }));
}

/** The path of the mean with its band, the start, the recommended value, and a bound that is in sight. */
function spark(weight) {
  const { name, names, recommended, axis } = weight;
  const [width, height] = [150, 40];
  // On a logarithmic scale, the deviation is a factor.
  const bend = (value) => (axis.log ? Math.log(value) : value);
  const start = bend(weight.start);
  const mean = weight.mean.map(bend);
  const deviation = weight.deviation.map((of, i) => (axis.log ? Math.log1p(of / weight.mean[i]) : of));
  const values = mean.flatMap((value, i) => [value - deviation[i], value + deviation[i]].map((of) => Math.min(bend(axis.high), Math.max(bend(axis.low), of)))).concat(start, recommended === null ? start : bend(recommended));
  let [from, to] = [Math.min(...values), Math.max(...values)];
  const room = (to - from) * 0.06 || 1;
  // A choice has a line for each name.
  [from, to] = names ? [axis.low, axis.high] : [from - room, to + room];
  const x = (i) => 3 + (width - 12) * (mean.length > 1 ? i / (mean.length - 1) : 0);
  const y = (value) => height - (value - from) / (to - from) * height;
  const path = (list) => list.map(([a, b], i) => `${i ? 'L' : 'M'}${a.toFixed(1)} ${b.toFixed(1)}`).join('');
  const inside = (value) => Math.min(bend(axis.high), Math.max(bend(axis.low), value));
  const up = mean.map((value, i) => [x(i), y(inside(value + deviation[i]))]);
  const down = mean.map((value, i) => [x(i), y(inside(value - deviation[i]))]).reverse();
  const bound = (at) => {
    const value = bend(at);
    return value > from && value < to && draw('line', { x1: 0, x2: width, y1: y(value), y2: y(value), stroke: 'var(--bad)', 'stroke-width': 1 });
  };
  return draw('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Path of ${name}` },
    names && names.length <= 8 && names.map((of, i) => draw('line', { class: 'grid', x1: 0, x2: width, y1: y(i), y2: y(i) }, draw('title', {}, of))),
    draw('path', { d: `${path([...up, ...down])}Z`, fill: 'var(--s0)', opacity: 0.18 }),
    draw('line', { x1: 0, x2: width, y1: y(start), y2: y(start), stroke: 'var(--soft)', 'stroke-dasharray': '4 3' }),
    !names && [bound(axis.low), bound(axis.high)],
    draw('path', { d: path(mean.map((value, i) => [x(i), y(value)])), fill: 'none', stroke: 'var(--s0)', 'stroke-width': 1.6 }),
    recommended !== null && draw('circle', { cx: width - 6, cy: y(bend(recommended)), r: 3.5, fill: 'var(--s1)' }));
}
