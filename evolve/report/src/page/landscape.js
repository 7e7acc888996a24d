/** What the model of the search knows: importance, and a slice for each parameter. */
function landscapeSection(run, several, place) {
  const { landscape } = run;
  if (!landscape || landscape.slices.length === 0) return null;
  return make('section', { id: `landscape-${place}` },
    make('h2', {}, several ? `Landscape of ${run.name}` : 'Landscape'),
    quiet(`What the model of the search has learned from ${number(landscape.gains.length, 0)} trials.`),
    sharesOf(run), mapsOf(run), make('h3', {}, `Slices through the ${centreOf(run)}`),
    quiet(`The line is the gain, with its 95 % interval, if one parameter alone differs from the ${centreOf(run)}, which is the dot. Points are the trials, the later the stronger: their other parameters differ, and what makes their instances easy or hard is subtracted. The dashes are the baseline's value, at the ${centreOf(run)}'s other values, so the line does not pass through zero there. A click on a point opens its trial, and one on a name draws the slice large.`),
    make('div', { class: 'slices' }, landscape.slices.map((slice) => sliceFigure(run, slice))));
}

/** What the landscape surrounds: the tuned values of a complete run, or the incumbent. */
function centreOf({ weights, landscape }) {
  const isNear = (weight, value) => weight.recommended !== null && Math.abs(share(weight.axis, weight.recommended) - share(weight.axis, value)) < 1e-3;
  return weights.every((weight, p) => isNear(weight, landscape.values[p])) ? 'tuned candidate' : 'incumbent';
}

/** Shares of the variance, the largest first. */
function sharesOf({ name, weights, landscape }) {
  const shown = landscape.shares;
  if (!shown.some(([, , [share]]) => share > 0)) return quiet('No parameter changes the mean effect so far.');
  const rest = Math.max(0, 1 - shown.reduce((sum, [, , [share]]) => sum + share, 0));
  const row = ([parameter, other, [share, low, high]]) => {
    const worth = other === null && weights[parameter].worth;
    return make('tr', {}, make('td', { class: 'name' }, weights[parameter].name, other !== null && ` × ${weights[other].name}`),
      make('td', { class: 'draw' }, shareBar(share, [low, high])), make('td', { class: 'whole' }, percentOf(share)), make('td', { class: 'soft whole' }, `${number(100 * low, 0)} to ${number(100 * high, 0)} %`),
      weights.some((weight) => weight.worth) && make('td', { class: 'wide' }, worth ? signed(worth.worth, worth.digits) : ''));
  };
  return make('div', {}, make('h3', {}, 'Importance'),
    quiet(`How much of the variance of the gain over the whole space is due to each parameter alone, and to interactions between two of the six most important ones. Estimates after ${number(landscape.gains.length, 0)} trials, each with the range that a jackknife gives, by leaving out one twentieth of the trials after another. It shows how much a share depends on the trials; it is no confidence interval, because the search hardly tried some regions.`),
    scroller(`Importance of ${name}`, make('table', { class: 'shares' },
      make('thead', {}, make('tr', {}, ['Parameter', '', 'Share', 'Jackknife', weights.some((weight) => weight.worth) && 'Worth'].filter((text) => text !== false).map((text) => (text === '' ? make('td') : make('th', { class: text === 'Worth' ? 'wide' : '' }, text))))),
      make('tbody', {}, shown.map(row),
        rest >= 5e-4 && make('tr', { class: 'soft' }, make('td', { class: 'name' }, 'other interactions'), make('td', { class: 'draw' }, shareBar(rest)), make('td', { class: 'whole' }, percentOf(rest)), make('td'), weights.some((weight) => weight.worth) && make('td', { class: 'wide' }))))));
}

/** A share in percent; a small one is not zero. */
const percentOf = (share) => (share > 0 && share < 0.01 ? '< 1 %' : `${number(100 * share, 0)} %`);

/** A bar, with a line over the interval. */
function shareBar(share, interval) {
  return draw('svg', { viewBox: '0 0 100 12', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    draw('rect', { x: 0, y: 5, width: 100, height: 2, fill: 'var(--fill)' }), draw('rect', { x: 0, y: 0, width: 100 * share, height: 12, fill: 'var(--s0)', 'fill-opacity': 0.55 }),
    interval && draw('rect', { x: 100 * interval[0], y: 5, width: Math.max(0.4, 100 * (interval[1] - interval[0])), height: 2, fill: 'var(--ink)' }));
}

/** The shades of trials, from early to late. */
const AGES = 4;

function sliceFigure(run, slice) {
  const { parameter, awake, values, gains } = slice;
  const { landscape } = run;
  const weight = run.weights[parameter];
  const large = sliceFigure.large;
  const name = `${run.name}: ${weight.name}`;
  const isLarge = large.has(name);
  const axis = around(weight);
  const scale = landscape.height;
  const [width, height] = isLarge ? sized([1040, 400], [350, 320]) : [320, 224];
  const marks = ticks(scale, isLarge ? 7 : 4);
  const area = { left: 30 + 6.5 * Math.max(...marks.map(([, text]) => text.length)), right: width - 18, top: 12, bottom: height - 46 };
  const x = (value) => area.left + share(axis, value) * (area.right - area.left);
  const within = (value) => Math.min(area.bottom, Math.max(area.top, value));
  const y = (value) => within(area.bottom - share(scale, value) * (area.bottom - area.top));
  const path = (list) => list.map(([a, b], i) => `${i ? 'L' : 'M'}${a.toFixed(1)} ${b.toFixed(1)}`).join('');
  const room = isStepped(weight) ? 0.5 / (axis.high - axis.low) * (area.right - area.left) : 0;
  const places = landscape.gains.map((_, i) => x(landscape.trials[parameter][i]) + room * beside(i, false));
  const pathOf = (shape) => (part) => part.map((i) => shape([places[i], area.bottom - share(scale, landscape.gains[i]) * (area.bottom - area.top)])).join('');
  const isInside = (i) => landscape.gains[i] >= scale.low && landscape.gains[i] <= scale.high;
  const inOrder = landscape.gains.map((_, i) => i);
  const ages = Array.from({ length: AGES }, (_, age) => inOrder.filter((i) => Math.floor(i * AGES / inOrder.length) === age));
  const dotsOf = pathOf(([a, b]) => `M${a.toFixed(1)} ${b.toFixed(1)}h0`);
  const outside = inOrder.filter((i) => !isInside(i));
  const here = landscape.values[parameter];
  const near = values.reduce((best, value, i) => (Math.abs(share(axis, value) - share(axis, here)) < Math.abs(share(axis, values[best]) - share(axis, here)) ? i : best), 0);
  const names = weight.names ? thinned(weight.names, area.right - area.left) : null;
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: 'img', 'aria-label': `Effect of ${weight.name}: at ${hereOf(weight, here)}, ${gainOf(run, gains[near][0], gains[near][3])}` },
    marks.map(([tick, text]) => [draw('line', { class: tick === 0 ? 'zero' : 'grid', x1: area.left, x2: area.right, y1: y(tick), y2: y(tick) }), draw('text', { x: area.left - 6, y: y(tick) + 4, 'text-anchor': 'end' }, text)]),
    (weight.names ? axis.marks : ticks(axis, width / 80)).filter(([tick]) => !names || names.has(tick)).map(([tick, text]) => draw('text', { x: x(tick), y: area.bottom + 17, 'text-anchor': 'middle' }, text.slice(0, 12))),
    draw('text', { x: (area.left + area.right) / 2, y: height - 6, 'text-anchor': 'middle' }, weight.name), draw('text', { transform: `translate(11 ${(area.top + area.bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, 'Gain'),
    ages.map((part, age) => draw('path', { class: 'age', d: dotsOf(part.filter(isInside)), fill: 'none', stroke: 'var(--ink)', 'stroke-width': 3.5, 'stroke-linecap': 'round', opacity: 0.15 + 0.55 * age / (AGES - 1) })),
    draw('path', { class: 'beyond', d: pathOf((of) => triangle(of, [area.top, area.bottom]))(outside), fill: 'var(--soft)' }),
    draw('line', { x1: x(weight.start), x2: x(weight.start), y1: area.top, y2: area.bottom, stroke: 'var(--soft)', 'stroke-dasharray': '4 3' }),
    weight.names ? gains.map(([mean, low, high], i) => [
      draw('line', { x1: x(values[i]), x2: x(values[i]), y1: y(low), y2: y(high), stroke: 'var(--s0)', 'stroke-width': 3 }),
      draw('line', { x1: x(values[i]) - 14, x2: x(values[i]) + 14, y1: y(mean), y2: y(mean), stroke: 'var(--s0)', 'stroke-width': 3 }),
    ]) : [
      draw('path', { d: `${path([...gains.map(([, , high], i) => [x(values[i]), y(high)]), ...gains.map(([, low], i) => [x(values[i]), y(low)]).reverse()])}Z`, fill: 'var(--s0)', opacity: 0.18 }),
      draw('path', { d: path(gains.map(([mean], i) => [x(values[i]), y(mean)])), fill: 'none', stroke: 'var(--s0)', 'stroke-width': 2.2 }),
    ],
    draw('circle', { cx: x(here), cy: y(gains[near][0]), r: 4.5, fill: 'var(--s1)', stroke: 'var(--card)', 'stroke-width': 1.5 }));
  const cursor = draw('line', { stroke: 'var(--soft)', y1: area.top, y2: area.bottom, visibility: 'hidden' });
  svg.append(cursor);
  const readout = readoutOf(outside.length > 0 && `${number(outside.length, 0)} ${outside.length === 1 ? 'trial' : 'trials'} beyond the axis`);
  touchable(run, `slice of ${weight.name}`, svg, places.map((place, i) => [place, y(landscape.gains[i]), run.history?.modelled[i] ?? null]).filter(([, , i]) => i !== null), readout);
  readable(svg, values.map(x), near, (i) => {
    const [mean, low, high, digits] = gains[i];
    say(readout, `${weight.name} = ${valueOf(weight, values[i])}: ${gainOf(run, mean, digits)} (${gainOf(run, low, digits)} to ${gainOf(run, high, digits)})`);
    for (const end of ['x1', 'x2']) cursor.setAttribute(end, x(values[i]));
    cursor.setAttribute('visibility', 'visible');
  });
  const resize = make('button', { type: 'button', 'aria-expanded': String(isLarge), title: isLarge ? 'Smaller' : 'Larger', onclick: () => {
    large[isLarge ? 'delete' : 'add'](name);
    const other = sliceFigure(run, slice);
    figure.replaceWith(other);
    other.querySelector('button').focus();
  } }, weight.name);
  const figure = make('figure', { class: `drawing ${awake ? '' : 'asleep'} ${isLarge ? 'large' : ''}` },
    make('figcaption', {}, make('strong', {}, resize), make('span', { class: 'soft' }, awake ? hereOf(weight, here) : 'inactive in the incumbent', ` · ${gainOf(run, gains[near][0], gains[near][3])}`)), svg, readout);
  return figure;
}

sliceFigure.large = new Set();

/** The value of the candidate: as it is recommended, where that rounds it. */
function hereOf(weight, value) {
  const { axis, recommended } = weight;
  return valueOf(weight, recommended !== null && Math.abs(share(axis, recommended) - share(axis, value)) < 1e-3 ? recommended : value);
}

/** The places of names that fit below an axis. */
function thinned(names, width) {
  const longest = Math.max(...names.map((name) => Math.min(12, name.length)));
  const every = Math.max(1, Math.ceil(names.length * (6.5 * longest + 8) / width));
  return new Set(names.map((_, i) => i).filter((i) => i % every === 0));
}
