/** The mean effect of a pair of parameters, the other ones as in the incumbent. */
function mapsOf(run) {
  const { maps, shares: all } = run.landscape;
  if (!maps.length) return null;
  const name = ({ parameters: [a, b] }) => {
    const interaction = all.find(([one, other]) => one === a && other === b);
    return `${run.weights[a].name} × ${run.weights[b].name}${interaction ? ` (interaction ${number(100 * interaction[2][0], 0)} %)` : ''}`;
  };
  const kept = mapsOf.kept.get(run.name) ?? 0;
  const holder = make('div', {}, mapFigure(run, maps[kept] ?? maps[0]));
  const select = make('select', { 'aria-label': 'Pair of parameters', onchange: () => { mapsOf.kept.set(run.name, Number(select.value)); holder.replaceChildren(mapFigure(run, maps[select.value])); } },
    maps.map((map, i) => make('option', { value: i, selected: i === kept }, name(map))));
  return make('div', {}, make('h3', {}, 'Map of a pair'),
    quiet(`The gain if only these two parameters differ from the ${centreOf(run)}, which is the ring: blue is better than the baseline, orange is worse. Where it is hatched, the 95 % interval includes zero: it is not known to be better or worse. Points are trials; the cross has the baseline's two values, at the ${centreOf(run)}'s other values, so its colour is not that of zero. A click on a point opens its trial.`),
    make('div', { class: 'bar' }, select), holder);
}

mapsOf.kept = new Map();

function mapFigure(run, map) {
  const { landscape } = run;
  const { parameters } = map;
  const weights = parameters.map((p) => ({ ...run.weights[p], axis: around(run.weights[p]) }));
  const { values, gains } = filled(map, weights);
  const [width, height] = sized([620, 440], [350, 300]);
  const labels = weights.map((weight, n) => (weight.names ? weight.axis.marks : ticks(weight.axis, n ? 6 : 5)).map(([tick, text]) => [tick, text.slice(0, 12)]));
  const area = { left: 34 + 7 * Math.max(...labels[1].map(([, text]) => text.length)), right: width - 16, top: 8, bottom: height - 46 };
  const x = (value) => area.left + share(weights[0].axis, value) * (area.right - area.left);
  const y = (value) => area.bottom - share(weights[1].axis, value) * (area.bottom - area.top);
  const places = [values[0].map(x), values[1].map(y)];
  const means = gains.map((gain) => (gain === null ? null : gain[0]));
  const known = means.filter((gain) => gain !== null);
  const isVague = (gain) => gain !== null && Math.abs(gain[0]) <= gain[1];
  const largest = Math.max(1e-12, ...known.map(Math.abs));
  const columns = values[0].length;
  const edges = places.map((at, n) => bordersOf(at, n ? [area.bottom, area.top] : [area.left, area.right]));
  const cell = (i, more) => {
    const [a, b] = [i % columns, Math.floor(i / columns)];
    return draw('rect', { x: edges[0][a], y: edges[1][b + 1], width: edges[0][a + 1] - edges[0][a], height: edges[1][b] - edges[1][b + 1], ...more });
  };
  const isSmooth = weights.every((weight) => !weight.names);
  const range = [Math.min(...known), Math.max(...known)];
  const levels = isSmooth ? ticks(landscape.height, 7, ...range) : [];
  const labelled = [];
  const at = (values) => [x(values[parameters[0]]), y(values[parameters[1]])];
  const here = at(landscape.values);
  const start = at(run.weights.map((weight) => weight.start));
  // Trials with the same names and whole numbers lie beside each other.
  const room = weights.map((weight, n) => (isStepped(weight) ? 0.7 * Math.min(60, Math.abs(edges[n][1] - edges[n][0])) : 0));
  const spots = landscape.gains.map((_, i) => [x(landscape.trials[parameters[0]][i]) + room[0] * beside(i, false), y(landscape.trials[parameters[1]][i]) + room[1] * beside(i, true), run.history?.modelled[i] ?? null]);
  const trials = spots.map(([a, b]) => `M${a.toFixed(1)} ${b.toFixed(1)}h0`).join('');
  const readout = readoutOf('');
  const cursor = cell(0, { fill: 'none', stroke: 'var(--ink)', 'stroke-width': 2, visibility: 'hidden' });
  let place = means.indexOf(Math.max(...known));
  const hatch = `hatch${mapFigure.count = (mapFigure.count || 0) + 1}`;
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, style: 'max-width:760px', tabindex: 0, role: 'img', 'aria-label': `Map of ${weights[0].name} and ${weights[1].name}. ${textOf(place)}` },
    draw('pattern', { id: hatch, width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      draw('line', { x1: 0, x2: 0, y1: 0, y2: 7, stroke: 'var(--soft)', 'stroke-width': 2.4, opacity: 0.7 })),
    means.map((gain, i) => cell(i, gain === null ? { fill: 'var(--fill)' } : { fill: gain < 0 ? 'var(--s1)' : 'var(--s0)', 'fill-opacity': 0.75 * Math.abs(gain) / largest })),
    gains.map((gain, i) => isVague(gain) && cell(i, { fill: `url(#${hatch})`, class: 'vague' })),
    draw('path', { d: trials, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 4, 'stroke-linecap': 'round', opacity: 0.35 }),
    levels.map(([level, text]) => {
      const lines = contour(means, places, level);
      const label = roomFor(lines, labelled, area);
      return [draw('path', { d: lines.map(([[a, b], [c, d]]) => `M${a.toFixed(1)} ${b.toFixed(1)}L${c.toFixed(1)} ${d.toFixed(1)}`).join(''), fill: 'none', stroke: 'var(--ink)', 'stroke-width': level === 0 ? 2 : 1, opacity: 0.7 }),
        label && draw('text', { x: label[0], y: label[1] - 3, 'text-anchor': 'middle', class: 'level' }, text)];
    }),
    draw('path', { d: `M${start[0] - 6} ${start[1] - 6}l12 12m0-12l-12 12`, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 2.5 }),
    draw('circle', { cx: here[0], cy: here[1], r: 7, fill: 'none', stroke: 'var(--card)', 'stroke-width': 6 }), draw('circle', { cx: here[0], cy: here[1], r: 7, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 2.5 }),
    labels[0].map(([tick, text]) => draw('text', { x: x(tick), y: area.bottom + 18, 'text-anchor': 'middle' }, text)), labels[1].map(([tick, text]) => draw('text', { x: area.left - 8, y: y(tick) + 4, 'text-anchor': 'end' }, text)),
    draw('text', { x: (area.left + area.right) / 2, y: height - 6, 'text-anchor': 'middle' }, weights[0].name), draw('text', { transform: `translate(14 ${(area.top + area.bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, weights[1].name), cursor);
  function textOf(i) {
    const value = [values[0][i % columns], values[1][Math.floor(i / columns)]];
    const gain = gains[i];
    const read = (of) => `${of > 0 ? '+' : ''}${reading(landscape.height, of)}`;
    const text = () => `${read(gain[0])} (${read(gain[0] - gain[1])} to ${read(gain[0] + gain[1])})`;
    return `${weights.map((weight, n) => `${weight.name} = ${valueOf(weight, value[n])}`).join(', ')}: ${gain === null ? 'forbidden' : text()}`;
  }
  function show(i) {
    place = i;
    say(readout, textOf(i));
    const shown = cell(i, {});
    for (const name of ['x', 'y', 'width', 'height']) cursor.setAttribute(name, shown.getAttribute(name));
    cursor.setAttribute('visibility', 'visible');
  }
  touchable(run, 'map', svg, spots.filter(([, , i]) => i !== null), readout);
  svg.addEventListener('pointermove', (event) => {
    const pixel = pixelOf(event, svg);
    const near = (all, to) => all.reduce((best, of, i) => (Math.abs(of - to) < Math.abs(all[best] - to) ? i : best), 0);
    show(near(places[0], pixel[0]) + columns * near(places[1], pixel[1]));
  });
  svg.addEventListener('keydown', (event) => {
    const [a, b] = [place % columns, Math.floor(place / columns)];
    const move = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    const within = (to, count) => Math.min(count - 1, Math.max(0, to));
    show(within(a + move[0], columns) + columns * within(b + move[1], values[1].length));
    event.preventDefault();
  });
  const box = make('div', { class: 'chart map' }, svg, colourBar(run, range, largest), isSmooth && quiet('Lines join equal gains.'), readout);
  return make('div', {}, box, make('div', { class: 'bar' }, saving(`Map of ${weights[0].name} and ${weights[1].name}, ${run.name}`, box)));
}

/** A map with a column or row for each whole number; between those that the model gave, it is interpolated. */
function filled({ values, gains }, weights) {
  const all = values.map((given, n) => (weights[n].whole && !weights[n].axis.log && given[given.length - 1] - given[0] <= WHOLE
    ? Array.from({ length: given[given.length - 1] - given[0] + 1 }, (_, i) => given[0] + i) : given));
  const places = all.map((wanted, n) => wanted.map((value) => {
    const after = Math.max(1, values[n].findIndex((given) => given >= value));
    const [a, b] = [values[n][after - 1], values[n][after]];
    return b === undefined ? [0, 0, 0] : [after - 1, after, (value - a) / (b - a)];
  }));
  const columns = values[0].length;
  const between = (one, other, part) => (one === null || other === null ? (part < 0.5 ? one : other) : one.map((of, k) => of + part * (other[k] - of)));
  const at = ([a, b, part], row) => between(gains[a + columns * row], gains[b + columns * row], part);
  return { values: all, gains: places[1].flatMap(([low, high, part]) => places[0].map((column) => between(at(column, low), at(column, high), part))) };
}

/** A place on a line for its label, apart from those of other lines. */
function roomFor(lines, labelled, area) {
  const middle = Math.floor(lines.length / 2);
  const inOrder = lines.map((_, i) => lines[(middle + (i % 2 ? -1 : 1) * Math.ceil(i / 2) + lines.length) % lines.length]);
  const found = inOrder.find(([[a, b]]) => a > area.left + 16 && a < area.right - 16 && b > area.top + 16 && labelled.every(([c, d]) => Math.abs(a - c) > 44 || Math.abs(b - d) > 18));
  if (found) labelled.push(found[0]);
  return found?.[0] ?? null;
}

/** The colours of gains, with their numbers. */
function colourBar(run, [low, high], largest) {
  const [width, left, right] = [350, 24, 326];
  const axis = { ...run.landscape.height, low, high };
  const x = (value) => left + share(axis, value) * (right - left);
  const cells = Array.from({ length: 40 }, (_, i) => low + (i + 0.5) / 40 * (high - low));
  return draw('svg', { viewBox: `0 0 ${width} 34`, style: 'max-width:350px', role: 'img', 'aria-label': `Colours: gains from ${reading(axis, low)} to ${reading(axis, high)}` },
    cells.map((gain, i) => draw('rect', { x: left + i * (right - left) / 40, y: 2, width: (right - left) / 40 + 0.3, height: 12, fill: gain < 0 ? 'var(--s1)' : 'var(--s0)', 'fill-opacity': 0.75 * Math.abs(gain) / largest })),
    ticks(axis, 5).map(([tick, text]) => [draw('line', { x1: x(tick), x2: x(tick), y1: 14, y2: 18, stroke: 'var(--soft)' }), draw('text', { x: x(tick), y: 30, 'text-anchor': 'middle' }, text)]));
}

/** The borders of cells around places: in the middle between two, and at the ends of an axis. */
function bordersOf(places, [from, to]) {
  return [from, ...places.slice(1).map((place, i) => (place + places[i]) / 2), to];
}

/** The line of a level between the points of a grid, in pieces: marching squares. */
function contour(gains, [xs, ys], level) {
  const pieces = [];
  for (let j = 0; j + 1 < ys.length; j++) {
    for (let i = 0; i + 1 < xs.length; i++) {
      const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(([a, b]) => [xs[a], ys[b], gains[a + xs.length * b]]);
      if (corners.some(([, , gain]) => gain === null)) continue;
      const crossed = corners.flatMap(([a, b, from], n) => {
        const [c, d, to] = corners[(n + 1) % 4];
        if ((from < level) === (to < level)) return [];
        const part = (level - from) / (to - from);
        return [[a + part * (c - a), b + part * (d - b)]];
      });
      for (let n = 0; n + 1 < crossed.length; n += 2) pieces.push([crossed[n], crossed[n + 1]]);
    }
  }
  return pieces;
}
