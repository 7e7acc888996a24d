/** The axes at first, beside the gain; and the lines at most, in the filter and beside it. */
const AXES = 8;
const LINES = 1500;
const OTHERS = 500;

/** Every trial of the search as a line across the axes of its values. */
function parallelSection(run, several, place) {
  const { history } = run;
  if (several || !history || history.trial.length === 0 || !run.weights.length) return null;
  const columns = columnsOf(run).filter(({ axis }) => axis);
  const kept = parallelSection.kept.get(run.name) ?? { shown: new Set([...foremost(run, AXES), isGraded(run) ? 'gain' : 'score']) };
  parallelSection.kept.set(run.name, kept);
  const holder = make('div');
  const list = () => holder.replaceChildren(parallelFigure(run, columns.filter(({ key }) => kept.shown.has(key)).sort((a, b) => Boolean(b.weight) - Boolean(a.weight))));
  list();
  return make('section', { id: `parallel-${place}` }, make('h2', {}, 'Parallel coordinates'),
    quiet(`Each line is a trial of the search, coloured by its ${isGraded(run) ? 'gain over the baseline on the same instance' : 'rank by score, whatever its instance'}: a fifth of the trials has each colour, and the best lie on top.`,
      ' Drag along an axis, or move its ends by the arrow keys, to choose trials: the table below has the same filter. A click on an axis frees it, and a click on a line opens its trial.'),
    holder, folded(`axes of ${run.name}`, 'Axes', make('div', { class: 'choices' }, columns.map(choiceOf(kept.shown, list)))));
}

parallelSection.kept = new Map();

/** Whether most trials of a run have a gain; else, they are graded by their rank. */
const isGraded = ({ history }) => 2 * history.gain.filter((gain) => gain !== null).length >= history.gain.length;

/** Trials in bands of gain or rank: the worst first. */
function gradesOf(run, trials) {
  const column = columnsOf(run).find(({ key }) => key === (isGraded(run) ? 'gain' : 'rank'));
  const bands = bandsOf(column, trials);
  const unknown = trials.filter((i) => column.of(i) === null);
  return [...(unknown.length ? [{ name: `${column.text} not known`, colour: 'var(--s6)', trials: unknown }] : []), ...(column.isBestSmall ? bands.reverse() : bands)];
}

/** At most `most` of a list, evenly spaced. */
const evenly = (list, most) => (list.length <= most ? list : Array.from({ length: most }, (_, i) => list[Math.floor(i * list.length / most)]));

/** A list in parts of a few lines, as lines of the same path do not darken each other. */
const sheets = (list) => Array.from({ length: Math.ceil(list.length / 20) }, (_, i) => list.slice(20 * i, 20 * i + 20));

function parallelFigure(run, columns) {
  const { history } = run;
  if (columns.length < 2) return quiet('Choose two axes or more.');
  const filter = filterOf(run);
  const ofSearch = history.trial.map((_, i) => i).filter((i) => history.stages[history.stage[i]] === 'search');
  const trials = ofSearch.length ? ofSearch : history.trial.map((_, i) => i);
  const scale = gradesOf(run, trials);
  const least = 96 * columns.length;
  const [width, height] = [Math.max(sized(1060, 350), least), 380];
  const area = { left: 62, right: width - 40, top: 52, bottom: height - 18 };
  const x = (a) => area.left + a * (area.right - area.left) / (columns.length - 1);
  const within = (of) => Math.min(area.bottom, Math.max(area.top, of));
  const y = ({ axis }, value) => within(area.bottom - share(axis, value) * (area.bottom - area.top));
  const valueOn = ({ axis }, pixel) => placeOn(axis, (area.bottom - pixel) / (area.bottom - area.top));
  const line = (i) => columns.map((column, a) => {
    const value = column.of(i);
    // A line is open where a trial has no value.
    return value === null || !Number.isFinite(value) ? '' : `${a && column !== columns[0] && columns[a - 1].of(i) !== null ? 'L' : 'M'}${x(a).toFixed(1)} ${y(column, value).toFixed(1)}`;
  }).join('');
  const lines = draw('g', { class: 'lines' });
  const over = draw('path', { class: 'over' });
  const mark = draw('path', { class: 'marked' });
  const told = readoutOf('');
  const readout = make('span', { class: 'soft small', 'aria-live': 'polite' });
  const key = make('div', { class: 'bar legend small soft' });
  const clear = make('button', { type: 'button', onclick: () => filter.set('') }, 'Clear filter');
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, style: `min-width:${columns.length > 3 ? Math.min(least, 640) : 0}px`, role: 'group', 'aria-label': `Parallel coordinates of ${run.name}` }, lines, mark, over);
  const parts = columns.map((column, a) => axisOf(column, a));
  svg.append(...parts.map(({ group }) => group));

  function axisOf(column, a) {
    const marks = column.names ? column.axis.marks : ticks(column.axis, 5);
    const few = column.names && marks.length > 14 ? marks.filter((_, i) => i % Math.ceil(marks.length / 14) === 0) : marks;
    const brush = draw('rect', { x: x(a) - 9, width: 18, fill: 'var(--accent)', 'fill-opacity': 0.25, stroke: 'var(--accent)', visibility: 'hidden' });
    const ends = ['lower', 'upper'].map((name, n) => draw('path', { class: 'end', tabindex: 0, role: 'slider', 'aria-label': `${column.text}: ${name} end`, 'aria-orientation': 'vertical', 'aria-valuemin': 0, 'aria-valuemax': 100, fill: 'var(--ink)', onkeydown: (event) => moved(event, column, n) }));
    const hit = draw('rect', { class: 'hit', x: x(a) - 16, y: area.top - 12, width: 32, height: area.bottom - area.top + 24, fill: 'transparent' });
    dragged(hit, brush, column);
    const group = draw('g', {}, draw('line', { x1: x(a), x2: x(a), y1: area.top, y2: area.bottom, stroke: 'var(--soft)', 'stroke-width': 1.5 }),
      few.map(([tick, text]) => draw('text', { class: 'level', x: x(a) - 7, y: y(column, tick) + 4, 'text-anchor': 'end' }, text.slice(0, 9))),
      draw('text', { class: 'head', x: x(a), y: 20 + 16 * (columns.length > 5 ? a % 2 : 1), 'text-anchor': 'middle' }, column.text.length > 16 ? `${column.text.slice(0, 15)}\u2026` : column.text, draw('title', {}, column.text)),
      brush, hit, ends);
    return { column, group, brush, ends };
  }

  /** The part of an axis that is chosen, or all of it. */
  const chosen = (column) => chosenIn(run, filter.words, column) ?? (column.names ? [0, column.names.length - 1] : [column.axis.low, column.axis.high]);

  function choose(column, low, high) {
    filter.set(changed(run, filter.words, column, between(run, column, low, high)));
  }

  /** Keys move an end of what is chosen: by one, of names and a few whole numbers, else by a twentieth of the axis. */
  function moved(event, column, n) {
    const { axis, names, whole } = column;
    const range = chosen(column);
    const isByOne = names || (whole && axis.high - axis.low <= 40);
    const step = (by) => (isByOne ? range[n] + by : placeOn(axis, share(axis, range[n]) + by / 20));
    const [first, last] = names ? [0, names.length - 1] : [axis.low, axis.high];
    const to = { ArrowUp: () => step(1), ArrowRight: () => step(1), ArrowDown: () => step(-1), ArrowLeft: () => step(-1), Home: () => first, End: () => last }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Delete' || event.key === 'Escape') filter.set(changed(run, filter.words, column, ''));
    else if (to) {
      const value = Math.min(last, Math.max(first, to()));
      choose(column, n ? Math.min(range[0], value) : value, n ? value : Math.max(range[1], value));
    } else return;
    event.preventDefault();
  }

  /** Dragging along an axis chooses a part of it. */
  function dragged(hit, brush, column) {
    let from = null;
    const pixel = (event) => {
      const box = svg.getBoundingClientRect();
      return within((event.clientY - box.top) * height / box.height);
    };
    hit.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      from = pixel(event);
      hit.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    hit.addEventListener('pointermove', (event) => {
      if (from === null) return;
      place(brush, ...[from, pixel(event)].sort((a, b) => a - b));
    });
    hit.addEventListener('pointerup', (event) => {
      if (from === null) return;
      const [top, bottom] = [from, pixel(event)].sort((a, b) => a - b);
      from = null;
      if (bottom - top < 5) filter.set(changed(run, filter.words, column, ''));
      else choose(column, valueOn(column, bottom), valueOn(column, top));
    });
    hit.addEventListener('pointercancel', () => { from = null; update(); });
  }

  function place(brush, top, bottom) {
    brush.setAttribute('y', top - 3);
    brush.setAttribute('height', bottom - top + 6);
    brush.setAttribute('visibility', 'visible');
  }

  /** The trials whose lines are drawn, the last on top. */
  let drawn = [];

  /** The trial whose line is at a pointer that is at no axis, the upper one of several; `null` if there is none. */
  function lineAt(event) {
    if (event.target.matches('.hit, .end')) return null;
    const [a, b] = pixelOf(event, svg);
    const gap = x(1) - x(0);
    const place = Math.min(columns.length - 2, Math.max(0, Math.floor((a - area.left) / gap)));
    let [best, least] = [null, NEAR / 2];
    for (const i of drawn) {
      const ends = [0, 1].map((n) => columns[place + n].of(i));
      if (ends.some((value) => value === null || !Number.isFinite(value))) continue;
      const [from, to] = ends.map((value, n) => y(columns[place + n], value));
      const distance = Math.abs(from + (to - from) * (a - x(place)) / gap - b) * gap / Math.hypot(gap, to - from);
      if (distance <= least) [best, least] = [i, distance];
    }
    return best;
  }

  svg.addEventListener('pointermove', (event) => {
    const i = lineAt(event);
    over.setAttribute('d', i === null ? '' : line(i));
    if (i !== null) say(told, trialText(run, i), svg, pixelOf(event, svg));
    else say(told, told.textContent);
  });
  svg.addEventListener('pointerleave', () => {
    over.setAttribute('d', '');
    say(told, told.textContent);
  });
  svg.addEventListener('click', (event) => {
    const i = lineAt(event);
    if (i !== null) openTrial(run, i);
  });
  const { marked, listen } = ofTrials(run);
  const showMark = () => mark.setAttribute('d', marked() < 0 ? '' : line(marked()));
  listen('parallel', showMark);
  showMark();

  /** Draws the lines and the chosen parts by the filter. */
  function update() {
    const { holds } = passes(run, filter.words);
    const inside = trials.filter(holds);
    const others = inside.length < trials.length ? trials.filter((i) => !holds(i)) : [];
    const path = (list, ink, opacity) => draw('path', { d: list.map(line).join(''), fill: 'none', stroke: ink, 'stroke-width': inside.length > 300 ? 1 : 1.5, opacity });
    // The colours stay those of all trials, whatever is chosen.
    const shown = new Set(evenly(inside, LINES));
    const grades = scale.map((grade) => ({ ...grade, trials: grade.trials.filter((i) => shown.has(i)) }));
    // Where many lines overlap, single ones are faint.
    const ink = Math.min(1, Math.max(0.3, 250 / inside.length));
    const layers = ({ trials, colour }, i) => sheets(trials).map((sheet) => path(sheet, colour, ink * (0.3 + 0.5 * (i + 1) / grades.length)));
    lines.replaceChildren(path(evenly(others, OTHERS), 'var(--line)', 0.8), ...grades.flatMap(layers));
    drawn = grades.flatMap((grade) => grade.trials);
    key.replaceChildren(...[...grades].reverse().map(({ name, colour }) => make('span', { class: 'bar', style: 'margin:0' }, make('span', { class: 'swatch', style: `background:${colour}` }), name)));
    readout.textContent = `${others.length ? `${number(inside.length, 0)} of ` : ''}${number(trials.length, 0)} trials${inside.length > LINES ? `; drawn are ${number(LINES, 0)} of them, evenly spaced` : ''}`;
    clear.hidden = filter.words === '';
    for (const { column, brush, ends } of parts) {
      const range = chosen(column);
      const isFree = chosenIn(run, filter.words, column) === null;
      const [bottom, top] = range.map((value) => y(column, value));
      if (isFree) brush.setAttribute('visibility', 'hidden');
      else place(brush, top, bottom);
      ends.forEach((end, n) => {
        const at = n ? top - 3 : bottom + 3;
        end.setAttribute('d', `M${x(columns.indexOf(column)) - 7} ${at}h14l-7 ${n ? -9 : 9}z`);
        end.setAttribute('aria-valuenow', Math.round(100 * share(column.axis, range[n])));
        end.setAttribute('aria-valuetext', column.names ? column.names[Math.round(range[n])] : column.print(range[n]));
      });
    }
  }

  filter.listeners.set('parallel', update);
  update();
  const box = make('div', { class: 'chart parallel' }, svg);
  return make('div', { class: 'drawing' }, make('div', { class: 'bar' }, readout, clear, saving(`Parallel coordinates of ${run.name}`, box)), key, scroller(`Parallel coordinates of ${run.name}`, box), told);
}
