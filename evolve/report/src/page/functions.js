/** Parameters that follow features of the instances: their values over each feature. */
function functionsSection(run, several, place) {
  if (!run.functions?.length) return null;
  const candidate = run.weights.some((weight) => weight.incumbent !== undefined) ? 'incumbent' : 'tuned candidate';
  return make('section', { id: `functions-${place}` }, make('h2', {}, several ? `Functions of features of ${run.name}` : 'Functions of features'),
    quiet(`The value of each parameter that follows a feature of the instances, in the ${candidate}: a line over a number, bars for groups. The dashes are the baseline's constant. `,
      run.functions.some((of) => of.has_others) && 'Where a parameter follows several features, the others are in the middle of their ranges, or in no group. ',
      'The model of the search has no interval of a function: the test compares the functions with the baseline, and ', make('code', {}, 'evolve explain'), ' measures what each function is worth, compared with a constant.'),
    make('div', { class: 'slices' }, run.functions.map((of) => functionFigure(run, of))));
}

function functionFigure(run, { parameter, feature, axis, points, groups, worth }) {
  const weight = run.weights[parameter];
  const shown = (value) => valueOf(weight, value);
  const places = points.length ? points : groups;
  const values = places.map(([, value]) => value);
  const isConstant = values.every((value) => value === values[0]);
  const [width, height] = [320, 224];
  const marks = ticks(weight.axis, 4);
  const area = { left: 30 + 6.5 * Math.max(...marks.map(([, text]) => text.length)), right: width - 18, top: 12, bottom: height - 46 };
  const room = (area.right - area.left) / Math.max(1, groups.length);
  const x = (i) => (points.length ? area.left + share(axis, points[i][0]) * (area.right - area.left) : area.left + (i + 0.5) * room);
  const y = (value) => area.bottom - Math.min(1, Math.max(0, share(weight.axis, value))) * (area.bottom - area.top);
  const text = (i) => `${feature}${points.length ? ` = ${plain(places[i][0])}` : `: ${places[i][0]}`}: ${weight.name} = ${shown(values[i])}`;
  const labels = points.length ? ticks(axis, 4).map(([tick, label]) => [area.left + share(axis, tick) * (area.right - area.left), label])
    : groups.map(([name], i) => [x(i), name.slice(0, Math.max(3, Math.floor(room / 7)))]);
  const cursor = draw('line', { stroke: 'var(--soft)', y1: area.top, y2: area.bottom, visibility: 'hidden' });
  const range = isConstant ? `${shown(values[0])} everywhere` : points.length ? `${shown(values[0])} to ${shown(values[values.length - 1])}` : `${groups.length} groups`;
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: 'img', 'aria-label': `${weight.name} over ${feature}: ${range}` },
    marks.map(([tick, label]) => [draw('line', { class: 'grid', x1: area.left, x2: area.right, y1: y(tick), y2: y(tick) }), draw('text', { x: area.left - 6, y: y(tick) + 4, 'text-anchor': 'end' }, label)]),
    labels.map(([at, label]) => draw('text', { x: at, y: area.bottom + 17, 'text-anchor': 'middle' }, label)),
    draw('text', { x: (area.left + area.right) / 2, y: height - 6, 'text-anchor': 'middle' }, feature), draw('text', { transform: `translate(11 ${(area.top + area.bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, weight.name.slice(0, 24)),
    points.length ? draw('path', { d: points.map(([, value], i) => (i ? `${weight.whole ? `H${x(i).toFixed(1)}V` : `L${x(i).toFixed(1)} `}${y(value).toFixed(1)}` : `M${x(0).toFixed(1)} ${y(value).toFixed(1)}`)).join(''), fill: 'none', stroke: 'var(--s0)', 'stroke-width': 2.4 })
      : groups.map(([, value], i) => draw('rect', { x: x(i) - 0.35 * room, width: 0.7 * room, y: Math.min(y(value), y(weight.start)) - 1, height: Math.abs(y(value) - y(weight.start)) + 2, fill: 'var(--s0)' })),
    draw('line', { x1: area.left, x2: area.right, y1: y(weight.start), y2: y(weight.start), stroke: 'var(--soft)', 'stroke-dasharray': '4 3', 'stroke-width': 1.5 }), cursor);
  const readout = make('div', { class: 'readout', 'aria-live': 'polite' });
  readable(svg, places.map((_, i) => x(i)), Math.floor(places.length / 2), (i) => {
    readout.textContent = text(i);
    for (const end of ['x1', 'x2']) cursor.setAttribute(end, x(i));
    cursor.setAttribute('visibility', 'visible');
  });
  const worthText = ([name, { worth, interval, digits }]) => `${name} is worth ${signed(worth, digits)}${interval ? ` (${interval.map((end) => signed(end, digits)).join(' to ')})` : ''}.`;
  return make('figure', {}, make('figcaption', {}, make('strong', {}, `${weight.name} over ${feature}`), make('span', { class: 'soft' }, range)), svg, readout,
    isConstant && quiet(`The trials do not show that it depends on ${feature}.`), worth && quiet(worthText(worth)));
}
