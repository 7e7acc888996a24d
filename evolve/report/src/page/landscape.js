/** What the model of the search knows: importance, and a slice for each parameter. */
function landscapeSection(run, several, place) {
  const { landscape } = run;
  if (!landscape || landscape.slices.length === 0) return null;
  return make('section', { id: `landscape-${place}` },
    make('h2', {}, several ? `Landscape of ${run.name}` : 'Landscape'),
    quiet(`By the model of the search, after ${number(landscape.gains.length, 0)} trials.`),
    sharesOf(run), mapsOf(run), make('h3', {}, 'Slices through the incumbent'),
    quiet('The line is the mean effect of a parameter if only it changes: the difference from the baseline with its 95 % interval. Points are trials without the level of their instance; their other parameters differ. The dot is the incumbent, the dashes are the baseline.'),
    make('div', { class: 'slices' }, landscape.slices.map((slice) => sliceFigure(run, slice))));
}

/** Shares of the variance, the largest first. */
function sharesOf({ name, weights, landscape }) {
  const shown = landscape.shares;
  if (!shown.length) return quiet('No parameter changes the mean effect so far.');
  const rest = Math.max(0, 1 - shown.reduce((sum, [, , share]) => sum + share, 0));
  const row = ([parameter, other, share]) => {
    const worth = other === null && weights[parameter].worth;
    return make('tr', {}, make('td', { class: 'name' }, weights[parameter].name, other !== null && ` × ${weights[other].name}`),
      make('td', { class: 'draw' }, shareBar(share)), make('td', {}, `${number(100 * share, 0)} %`),
      weights.some((weight) => weight.worth) && make('td', { class: 'wide' }, worth ? signed(worth.worth, worth.digits) : ''));
  };
  return make('div', {}, make('h3', {}, 'Importance'),
    quiet(`Shares in the variance of the mean effect over the whole space: each parameter alone, and pairs of the six most important ones by their interaction.${rest >= 0.05 ? ` The other ${number(100 * rest, 0)} % are interactions of more parameters, and small shares.` : ''}`),
    scroller(`Importance of ${name}`, make('table', { class: 'shares' },
      make('thead', {}, make('tr', {}, ['Parameter', '', 'Share', weights.some((weight) => weight.worth) && 'Worth'].filter((text) => text !== false).map((text) => (text === '' ? make('td') : make('th', { class: text === 'Worth' ? 'wide' : '' }, text))))),
      make('tbody', {}, shown.map(row)))));
}

function shareBar(share) {
  return draw('svg', { viewBox: '0 0 100 12', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    draw('rect', { x: 0, y: 5, width: 100, height: 2, fill: 'var(--fill)' }), draw('rect', { x: 0, y: 0, width: 100 * share, height: 12, fill: 'var(--s0)' }));
}

function sliceFigure(run, { parameter, awake, values, gains }) {
  const { landscape } = run;
  const weight = run.weights[parameter];
  const { axis } = weight;
  const scale = landscape.height;
  const [width, height] = [320, 200];
  const marks = ticks(scale, 4);
  const area = { left: 14 + 6.5 * Math.max(...marks.map(([, text]) => text.length)), right: width - 18, top: 8, bottom: height - 26 };
  const x = (value) => area.left + share(axis, value) * (area.right - area.left);
  const within = (value) => Math.min(area.bottom, Math.max(area.top, value));
  const y = (value) => within(area.bottom - share(scale, value) * (area.bottom - area.top));
  const path = (list) => list.map(([a, b], i) => `${i ? 'L' : 'M'}${a.toFixed(1)} ${b.toFixed(1)}`).join('');
  // Trials with the same name lie beside each other.
  const beside = (i) => (weight.names ? ((i * 37 % 23) / 23 - 0.5) * 0.5 / weight.names.length * (area.right - area.left) : 0);
  const dots = landscape.trials[parameter].map((value, i) => `M${(x(value) + beside(i)).toFixed(1)} ${y(landscape.gains[i]).toFixed(1)}h0`).join('');
  const here = landscape.values[parameter];
  const near = values.reduce((best, value, i) => (Math.abs(share(axis, value) - share(axis, here)) < Math.abs(share(axis, values[best]) - share(axis, here)) ? i : best), 0);
  const names = weight.names ? thinned(weight.names, area.right - area.left) : null;
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Effect of ${weight.name}: at ${valueOf(weight, here)}, ${gainOf(run, gains[near][0], gains[near][3])}` },
    marks.map(([tick, text]) => [draw('line', { class: tick === 0 ? 'zero' : 'grid', x1: area.left, x2: area.right, y1: y(tick), y2: y(tick) }), draw('text', { x: area.left - 6, y: y(tick) + 4, 'text-anchor': 'end' }, text)]),
    (weight.names ? axis.marks : ticks(axis, 4)).filter(([tick]) => !names || names.has(tick)).map(([tick, text]) => draw('text', { x: x(tick), y: height - 8, 'text-anchor': 'middle' }, text.slice(0, 12))),
    draw('path', { d: dots, fill: 'none', stroke: 'var(--s5)', 'stroke-width': 3.5, 'stroke-linecap': 'round', opacity: 0.5 }),
    draw('line', { x1: x(weight.start), x2: x(weight.start), y1: area.top, y2: area.bottom, stroke: 'var(--soft)', 'stroke-dasharray': '4 3' }),
    weight.names ? gains.map(([mean, low, high], i) => [
      draw('line', { x1: x(values[i]), x2: x(values[i]), y1: y(low), y2: y(high), stroke: 'var(--s0)', 'stroke-width': 3 }),
      draw('line', { x1: x(values[i]) - 14, x2: x(values[i]) + 14, y1: y(mean), y2: y(mean), stroke: 'var(--s0)', 'stroke-width': 3 }),
    ]) : [
      draw('path', { d: `${path([...gains.map(([, , high], i) => [x(values[i]), y(high)]), ...gains.map(([, low], i) => [x(values[i]), y(low)]).reverse()])}Z`, fill: 'var(--s0)', opacity: 0.18 }),
      draw('path', { d: path(gains.map(([mean], i) => [x(values[i]), y(mean)])), fill: 'none', stroke: 'var(--s0)', 'stroke-width': 2.2 }),
    ],
    draw('circle', { cx: x(here), cy: y(gains[near][0]), r: 4.5, fill: 'var(--s1)', stroke: 'var(--card)', 'stroke-width': 1.5 }));
  return make('figure', { class: awake ? '' : 'asleep' },
    make('figcaption', {}, make('strong', {}, weight.name), make('span', { class: 'soft' }, awake ? valueOf(weight, here) : 'inactive in the incumbent', ` · ${gainOf(run, gains[near][0], gains[near][3])}`)), svg);
}

/** The places of names that fit below an axis. */
function thinned(names, width) {
  const longest = Math.max(...names.map((name) => Math.min(12, name.length)));
  const every = Math.max(1, Math.ceil(names.length * (6.5 * longest + 8) / width));
  return new Set(names.map((_, i) => i).filter((i) => i % every === 0));
}
