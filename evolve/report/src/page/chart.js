/**
 * Curves over an axis that can be switched and zoomed.
 *
 * `axes` are lists of key, title, short title and axis; each point of a series has its place on every axis under that key,
 * the value `y`, and perhaps an interval `low` to `high`. `scale` is the vertical axis: values beyond it lie at its edge. A
 * series is drawn as `line`, as `dots` joined by a line, as loose `points` (as crosses with `cross`), as `spans` from a place to
 * `until`, or as a `diamond`. `zero` draws a line at the height zero, `upright` one at the place zero. Loose points can be read
 * and clicked: `describe` returns the text of a point, else its `name`; `pick` gets the point that was clicked; `marked` returns
 * the `i` of a point with a ring, and `listen` calls when it changes. If points are scattered, the nearest one is read, however
 * far it is, and a zoom has a height, too. Charts with the same `kept` share what the user has chosen.
 */
function chart({ label, title, axes: all, scale, series, zero, upright, describe = ({ name }) => name, pick, marked, listen, isScattered, kept = label, height = 320 }) {
  // An axis on which a series has no place would hide it.
  const whole = all.filter(([key]) => series.every(({ points }) => points.some((point) => (point[key] ?? null) !== null)));
  const axes = whole.length ? whole : all;
  // The user's choices stay when the chart is redrawn.
  const state = chart.states.get(kept) ?? { axis: axes[0][0], from: null, to: null, span: null, hidden: new Set() };
  chart.states.set(kept, state);
  // A point of another chart has another height.
  if (state.label !== label) [state.label, state.cursor, state.point] = [label, null, null];
  if (!axes.some(([key]) => key === state.axis)) state.axis = axes[0][0];
  const box = make('div', { class: 'chart', style: `min-height:${height}px` });
  const readout = readoutOf('');
  const legend = make('div', { class: 'bar legend' }, series.map((one) => {
    const button = make('button', { type: 'button', 'aria-pressed': String(!state.hidden.has(one.name)), onclick: toggle },
      make('span', { class: `swatch ${one.kind}`, style: `background:${one.colour}` }), one.name);
    function toggle() {
      if (!state.hidden.delete(one.name)) state.hidden.add(one.name);
      button.setAttribute('aria-pressed', String(!state.hidden.has(one.name)));
      render();
    }
    return button;
  }));
  const outside = make('p', { class: 'soft small outside' });
  const back = make('button', { type: 'button', hidden: state.from === null, onclick: () => zoom(null, null) }, 'Whole range');
  const top = make('div', { class: 'bar' },
    axes.length > 1 && buttons('Horizontal axis', axes.map(([key, , short]) => [key, short]), state.axis, (axis) => {
      state.axis = axis;
      zoom(null, null);
    }), back, saving(label, box), make('span', { class: 'soft small keys' }, `drag ${isScattered ? 'over a part' : 'over the chart'} to zoom${pick ? '; click a point for its trial' : ''}`));

  const visible = () => series.filter(({ name }) => !state.hidden.has(name)).map((one) => ({ ...one, points: one.points.filter((point) => at(point) !== null && at(point) !== undefined) })).filter((one) => one.points.length);
  const at = (point) => point[state.axis];
  const across = () => axes.find(([key]) => key === state.axis)[3];

  function zoom(from, to, span = null) {
    [state.from, state.to, state.span, state.cursor, state.point] = [from, to, span, null, null];
    back.hidden = from === null;
    render();
  }

  let place;
  let ring;
  let mark;
  function render() {
    const width = Math.max(280, box.clientWidth || 800);
    const points = visible().flatMap((one) => one.points);
    const [x0, x1] = state.from === null ? [across().low, across().high] : [state.from, state.to];
    const isWhole = (state.from === null && !series.some(({ name }) => state.hidden.has(name))) || series.some(({ kind }) => kind === 'spans');
    const [y0, y1] = state.span ?? (isWhole ? [scale.low, scale.high]
      : seen(scale, points.filter((point) => at(point) >= x0 && at(point) <= x1)));
    const yTicks = ticks(scale, Math.max(3, Math.floor(height / 60)), y0, y1);
    const left = 16 + 7 * Math.max(3, ...yTicks.map(([, text]) => text.length)) + 14;
    const area = { left, right: width - 12, top: 10, bottom: height - 44 };
    const range = { low: x0, high: x1, log: across().log };
    const x = (value) => area.left + share(range, value) * (area.right - area.left);
    const rise = { low: y0, high: y1, log: scale.log };
    const y = (value) => area.bottom - share(rise, value) * (area.bottom - area.top);
    y.edges = [area.top, area.bottom];
    const within = (part) => Math.min(1, Math.max(0, part));
    // A part of a chart has no points from elsewhere at its edges.
    const isSeen = (point) => (state.from === null || ((point.until ?? at(point)) >= x0 && at(point) <= x1)) && (state.span === null || (point.y >= y0 && point.y <= y1));
    place = {
      area, x0, x1, x, y, isSeen,
      across: (pixel) => placeOn(range, within((pixel - area.left) / (area.right - area.left))),
      up: (pixel) => placeOn(rise, within((area.bottom - pixel) / (area.bottom - area.top))),
      // Points beside the whole axis lie at its edge, and those beyond its height are triangles there.
      of: (point) => [x(state.from === null ? Math.min(x1, Math.max(x0, at(point))) : at(point)), Math.min(area.bottom - 4, Math.max(area.top + 4, y(point.y)))],
    };

    const id = `clip${chart.count = (chart.count || 0) + 1}`;
    const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, height, tabindex: 0, role: 'img', 'aria-label': `${label}. ${title}.` });
    svg.append(draw('clipPath', { id }, draw('rect', { x: area.left - 5, y: area.top - 4, width: area.right - area.left + 10, height: area.bottom - area.top + 8 })));
    for (const [tick, text] of yTicks) {
      svg.append(draw('line', { class: 'grid', x1: area.left, x2: area.right, y1: y(tick), y2: y(tick) }),
        draw('text', { x: area.left - 8, y: y(tick) + 4, 'text-anchor': 'end' }, text));
    }
    for (const [tick, text] of ticks(across(), Math.max(3, Math.floor(width / 110)), x0, x1)) {
      svg.append(draw('text', { x: x(tick), y: area.bottom + 18, 'text-anchor': 'middle' }, text));
    }
    const axis = axes.find(([key]) => key === state.axis);
    svg.append(
      draw('line', { class: 'grid', x1: area.left, x2: area.right, y1: area.bottom, y2: area.bottom }),
      draw('text', { x: (area.left + area.right) / 2, y: height - 6, 'text-anchor': 'middle' }, axis[1]),
      draw('text', { transform: `translate(12 ${(area.top + area.bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, title));
    if (zero && y0 <= 0 && y1 >= 0) svg.append(draw('line', { class: 'zero', x1: area.left, x2: area.right, y1: y(0), y2: y(0) }));
    if (upright && x0 <= 0 && x1 >= 0) svg.append(draw('line', { class: 'zero', x1: x(0), x2: x(0), y1: area.top, y2: area.bottom }));
    const inner = draw('g', { 'clip-path': `url(#${id})` });
    for (const one of visible()) {
      if (one.kind === 'spans') inner.append(spans(one, at, x, y));
      else if (one.kind === 'points') inner.append(...loose({ ...one, points: one.points.filter(isSeen) }, (point) => place.of(point)[0], y));
      else inner.append(...curve(one, (point) => x(at(point)), y));
    }
    svg.append(inner);
    outside.textContent = state.span ? '' : beyond(visible(), [x0, x1], [y0, y1], at, state.from !== null);
    const cursor = draw('line', { stroke: 'var(--soft)', y1: area.top, y2: area.bottom, visibility: 'hidden' });
    const brush = draw('rect', { fill: 'var(--accent)', opacity: 0.15, visibility: 'hidden' });
    [ring, mark] = [ringOf('ring'), ringOf('marked')];
    svg.append(mark, cursor, ring, brush);
    respond(svg, cursor, brush);
    showMark();
    const hadFocus = box.contains(document.activeElement);
    box.replaceChildren(svg);
    if (hadFocus) svg.focus({ preventScroll: true });
    show(cursor);
  }

  /** Puts a ring around the marked point, if it is in sight. */
  function showMark() {
    const i = marked?.() ?? -1;
    ringAt(mark, i < 0 ? null : loosePoints().find((point) => point.i === i && place.isSeen(point)), place.of);
  }
  listen?.(kept, () => place && showMark());

  /** Shows the point below the cursor, and the values of the curves there. */
  function show(cursor) {
    ringAt(ring, state.point, place.of);
    const curves = visible().filter((one) => !isLoose(one)).map((one) => [one, nearest(one.points.filter((p) => at(p) >= place.x0 && at(p) <= place.x1), state.cursor, at)]).filter(([, near]) => near);
    // The place with a value that is nearest to the cursor; series without a value there say nothing of it.
    const where = state.cursor === null ? null : state.point ? at(state.point) : curves.length ? at(nearest(curves.map(([, near]) => near), state.cursor, at)) : null;
    if (where === null) {
      say(readout, '');
      cursor.setAttribute('visibility', 'hidden');
      return;
    }
    const parts = curves.map(([one]) => [one, nearest(one.points, where, at)]).filter(([, near]) => Math.abs(place.x(at(near)) - place.x(where)) <= 8).map(([one, near]) => {
      const interval = near.low === undefined ? '' : ` (${reading(scale, near.low)} to ${reading(scale, near.high)})`;
      return `${one.name} ${zero && near.y > 0 ? '+' : ''}${reading(scale, near.y)}${interval}${near.name ? ` (${near.name})` : ''}`;
    });
    const axis = axes.find(([key]) => key === state.axis);
    const text = state.point ? [describe(state.point), ...parts].join(' · ')
      : `${axis[2]} ${['trials', 'generation'].includes(state.axis) ? number(where, 0) : reading(axis[3], where)}: ${parts.join(' · ')}`;
    say(readout, text, box.firstChild, state.point && place.of(state.point));
    cursor.setAttribute('visibility', 'visible');
    for (const end of ['x1', 'x2']) cursor.setAttribute(end, state.point ? place.of(state.point)[0] : place.x(where));
  }

  function respond(svg, cursor, brush) {
    let start = null;
    let isDragged = false;
    /** The sides of what the pointer has drawn: as high as the chart, unless its points are scattered. */
    const drawn = (end) => {
      const [left, right] = [start[0], end[0]].sort((a, b) => a - b);
      const [top, bottom] = [start[1], end[1]].sort((a, b) => a - b);
      const isHigh = !isScattered || bottom - top < DRAG;
      return isHigh ? [left, right, place.area.top, place.area.bottom] : [left, right, top, bottom];
    };
    svg.addEventListener('pointerdown', (event) => {
      isDragged = false;
      if (event.pointerType !== 'mouse' || event.button !== 0) return;
      start = pixelOf(event, svg);
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener('pointermove', (event) => {
      const pixel = pixelOf(event, svg);
      const [near, distance] = closest(pixel);
      state.cursor = place.across(pixel[0]);
      state.point = isScattered || distance < NEAR ? near : null;
      show(cursor);
      if (start === null) return;
      const [left, right, top, bottom] = drawn(pixel);
      for (const [name, value] of Object.entries({ visibility: 'visible', x: left, y: top, width: right - left, height: bottom - top })) brush.setAttribute(name, value);
    });
    svg.addEventListener('pointerleave', () => {
      state.point = null;
      ringAt(ring, null);
      say(readout, readout.textContent);
    });
    svg.addEventListener('pointerup', (event) => {
      if (start === null) return;
      const [left, right, top, bottom] = drawn(pixelOf(event, svg));
      start = null;
      brush.setAttribute('visibility', 'hidden');
      isDragged = right - left > DRAG;
      if (isDragged) zoom(place.across(left), place.across(right), bottom - top < place.area.bottom - place.area.top ? [place.up(bottom), place.up(top)] : null);
    });
    // Fingers click, too.
    svg.addEventListener('click', (event) => {
      const [near, distance] = closest(pixelOf(event, svg));
      if (pick && !isDragged && distance < NEAR) pick(near);
    });
    svg.addEventListener('dblclick', () => zoom(null, null));
    svg.addEventListener('keydown', (event) => {
      const { x0, x1 } = place;
      const all = [...new Set(visible().flatMap((one) => one.points.map(at)))].filter((x) => x >= x0 && x <= x1).sort((a, b) => a - b);
      const here = state.cursor === null ? -1 : all.findIndex((x) => x >= state.cursor - 1e-9);
      const range = { low: x0, high: x1, log: across().log };
      const middle = share(range, state.cursor ?? placeOn(range, 0.5));
      const scale = (by) => zoom(...[middle - middle * by, middle + (1 - middle) * by].map((of) => placeOn(range, of)));
      const go = (to) => {
        state.cursor = all[to];
        state.point = loosePoints().find((point) => at(point) === state.cursor && place.isSeen(point)) ?? null;
        show(cursor);
      };
      const act = {
        ArrowRight: () => go(Math.min(all.length - 1, here + 1)),
        ArrowLeft: () => go(Math.max(0, (here < 0 ? all.length : here) - 1)),
        '+': () => scale(0.5),
        '-': () => (state.from === null ? undefined : scale(2)),
        0: () => zoom(null, null),
        Enter: pick && (() => { const near = state.point ?? nearest(loosePoints(), state.cursor ?? Infinity, at); if (near) pick(near); }),
      }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      act();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  const isLoose = ({ kind }) => isScattered || kind === 'points' || kind === 'spans';
  const loosePoints = () => visible().filter(isLoose).flatMap(({ points }) => points);

  /** The loose point nearest to a place, and its distance. */
  function closest([a, b]) {
    const apart = (point) => {
      const [from, height] = place.of(point);
      const to = point.until === undefined ? from : Math.max(from, place.x(point.until));
      return Math.hypot(Math.max(from - a, a - to, 0), height - b);
    };
    let [best, least] = [null, Infinity];
    for (const point of loosePoints().filter(place.isSeen)) {
      const distance = apart(point);
      if (distance < least) [best, least] = [point, distance];
    }
    return [best, least];
  }

  let width = 0;
  new ResizeObserver(() => {
    // In the next frame, because drawing changes sizes, which observers must not do.
    if (box.clientWidth !== width) requestAnimationFrame(() => { width = box.clientWidth; render(); });
  }).observe(box);
  return make('div', { class: 'drawing' }, top, legend, box, outside, readout);
}

chart.states = new Map();

/** The part of the vertical axis that shows some points. */
function seen({ low, high, log }, points) {
  const within = (value) => Math.min(high, Math.max(low, value));
  let [from, to] = [Infinity, -Infinity];
  for (const { y, low: a = y, high: b = y } of points) [from, to] = [Math.min(from, within(a ?? low)), Math.max(to, within(b ?? high))];
  if (from > to) return [low, high];
  if (log) {
    const factor = Math.max(1.01, (to / from) ** 0.06);
    return [from / factor, to * factor];
  }
  const room = 0.06 * (to - from) || 0.06 * (high - low);
  return [from - room, to + room];
}

/** How many points lie beyond the axes, in words. */
function beyond(series, [x0, x1], [y0, y1], at, isZoomed) {
  const inColumn = (point) => at(point) >= x0 && at(point) <= x1;
  const loose = series.filter(({ kind }) => kind === 'points').flatMap(({ points }) => points).filter(inColumn);
  const counts = [[loose.filter(({ y }) => y > y1).length, 'above'], [loose.filter(({ y }) => y < y0).length, 'below']].filter(([of]) => of > 0);
  const beside = isZoomed ? 0 : series.filter(({ kind }) => kind === 'points').flatMap(({ points }) => points).filter((point) => !inColumn(point)).length;
  const lines = series.filter(({ kind }) => kind === 'line').flatMap(({ points }) => points);
  const parts = counts.map(([of, side]) => `${number(of, 0)} ${of === 1 ? 'point lies' : 'points lie'} ${side} the axis, as ${of === 1 ? 'a triangle' : 'triangles'} at its edge; the readout has ${of === 1 ? 'its value' : 'their values'}.`);
  if (beside > 0) parts.push(`${number(beside, 0)} ${beside === 1 ? 'point lies' : 'points lie'} beside the axis, at its edge.`);
  if (!isZoomed && lines.some((point) => !inColumn(point))) parts.push('Curves continue beyond the axis.');
  return parts.join(' ');
}

/** Points as one path. Those beyond the range of the axis are triangles at its edge, which point outwards. */
function loose(one, x, y) {
  const [top, bottom] = y.edges;
  const dot = ([a, b]) => `M${a.toFixed(1)} ${b.toFixed(1)}h0`;
  const cross = ([a, b]) => `M${(a - 3).toFixed(1)} ${(b - 3).toFixed(1)}l6 6m0-6l-6 6`;
  const places = one.points.map((point) => [x(point), y(point.y)]);
  const isInside = ([, b]) => b >= top - 0.5 && b <= bottom + 0.5;
  const small = one.points.length > 1500;
  return [draw('path', one.cross
    ? { d: places.filter(isInside).map(cross).join(''), fill: 'none', stroke: one.colour, 'stroke-width': 1.6 }
    : { d: places.filter(isInside).map(dot).join(''), fill: 'none', stroke: one.colour, 'stroke-width': small ? 3 : 5, 'stroke-linecap': 'round', opacity: small ? 0.45 : 0.6 }),
  draw('path', { class: 'beyond', d: places.filter((of) => !isInside(of)).map((of) => triangle(of, [top, bottom])).join(''), fill: one.colour })];
}

/** Bars from the place of each point to where it ends. */
function spans(one, at, x, y) {
  const thick = Math.max(2, Math.min(18, 0.7 * Math.abs(y(1) - y(0))));
  const bar = (point) => `M${x(at(point)).toFixed(1)} ${y(point.y).toFixed(1)}h${Math.max(1, x(point.until) - x(at(point)) - 1).toFixed(1)}`;
  return draw('path', { d: one.points.map(bar).join(''), fill: 'none', stroke: one.colour, 'stroke-width': thick });
}

/** A triangle at the edge beyond which a place lies, pointing outwards. */
function triangle([a, b], [top, bottom]) {
  const [base, tip] = b < top ? [top + 5, top - 3] : [bottom - 5, bottom + 3];
  return `M${(a - 4).toFixed(1)} ${base}h8L${a.toFixed(1)} ${tip}z`;
}

/** The elements of one series. */
function curve(one, x, y) {
  const points = one.points;
  const parts = [];
  const path = (list) => list.map(([a, b], i) => `${i ? 'L' : 'M'}${a.toFixed(1)} ${b.toFixed(1)}`).join('');
  if (one.kind === 'diamond') {
    for (const point of points) {
      const [a, b] = [x(point), y(point.y)];
      parts.push(draw('line', { x1: a, x2: a, y1: y(point.low), y2: y(point.high), stroke: one.colour, 'stroke-width': 3 }),
        draw('path', { d: `M${a} ${b - 8}l8 8-8 8-8-8z`, fill: one.colour, stroke: 'var(--card)', 'stroke-width': 2 }));
    }
    return parts;
  }
  const banded = points.filter((point) => point.low !== undefined);
  if (banded.length > 1) {
    const outline = [...banded.map((p) => [x(p), y(p.high)]), ...banded.map((p) => [x(p), y(p.low)]).reverse()];
    parts.push(draw('path', { d: `${path(outline)}Z`, fill: one.colour, opacity: 0.16 }));
  }
  parts.push(draw('path', { d: path(points.map((p) => [x(p), y(p.y)])), fill: 'none', stroke: one.colour, 'stroke-width': one.thin ? 1.2 : 2.2, 'stroke-linejoin': 'round', opacity: one.thin ? 0.8 : 1 }));
  if (one.kind === 'dots' && points.length < 80) {
    parts.push(...points.map((p) => draw('circle', { cx: x(p), cy: y(p.y), r: 3.5, fill: one.colour, stroke: 'var(--card)', 'stroke-width': 1.5 })));
  }
  return parts;
}

function nearest(points, value, at) {
  let best = null;
  for (const point of points) if (best === null || Math.abs(at(point) - value) < Math.abs(at(best) - value)) best = point;
  return best;
}
