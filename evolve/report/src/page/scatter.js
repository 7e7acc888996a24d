/** Trials over any two columns, coloured by a third. */
function scatterSection(run, several, place) {
  const { history } = run;
  if (several || !history || history.trial.length === 0) return null;
  const columns = columnsOf(run);
  // An axis by ratios is a choice of its own.
  const axes = columns.filter(({ axis }) => axis).flatMap((column) => [column, column.log && { ...column, key: `${column.key}.log`, text: `${column.text}, logarithm`, axis: column.log }]).filter(Boolean);
  const inks = columns.filter(({ key, names }) => !names || key !== 'instance');
  const kept = scatterSection.kept.get(run.name) ?? { x: foremost(run, 1)[0] ?? 'trial', y: isGraded(run) ? 'gain' : 'score', ink: 'trial' };
  scatterSection.kept.set(run.name, kept);
  const holder = make('div');
  const list = () => {
    const [x, y, ink] = [[axes, kept.x], [axes, kept.y], [inks, kept.ink]].map(([all, key]) => all.find((column) => column.key === key) ?? all[0]);
    holder.replaceChildren(scatterChart(run, x, y, ink));
  };
  const picker = (label, all, name) => {
    const select = make('select', { onchange: () => { kept[name] = select.value; list(); } }, all.map(({ key, text }) => make('option', { value: key, selected: key === kept[name] }, text)));
    return make('label', { class: 'small' }, `${label} `, select);
  };
  // In the next frame, because keys that are held change the filter faster than the chart is drawn.
  let due = null;
  filterOf(run).listeners.set('scatter', () => { due ??= requestAnimationFrame(() => { due = null; list(); }); });
  list();
  return make('section', { id: `scatter-${place}` }, make('h2', {}, 'Scatter'),
    quiet('Trials over any two of their numbers, coloured by a third: equal parts of the trials have the same colour, so by rank the best fifth stands out. A click on a point shows the trial in the table.'),
    make('div', { class: 'bar' }, picker('Horizontal', axes, 'x'), picker('Vertical', axes, 'y'), picker('Colour', inks, 'ink')), holder);
}

scatterSection.kept = new Map();

function scatterChart(run, x, y, ink) {
  const { history } = run;
  const { holds } = passes(run, filterOf(run).words);
  const isPlaced = ({ axis, of }, i) => of(i) !== null && Number.isFinite(of(i)) && !(axis.log && of(i) <= 0);
  const all = history.trial.map((_, i) => i).filter((i) => isPlaced(x, i) && isPlaced(y, i));
  const inside = all.filter(holds);
  const shown = [x, y, ink].filter((column, n, all) => all.findIndex((other) => other.of === column.of) === n);
  const point = (i) => ({ x: x.of(i) + (isStepped(x) ? 0.5 * beside(i, false) : 0), y: y.of(i) + (isStepped(y) ? 0.5 * beside(i, true) : 0), i });
  const others = all.filter((i) => !holds(i));
  const series = [{ name: 'outside of the filter', colour: 'var(--line)', trials: others }, { name: `${ink.text} not known`, colour: 'var(--s6)', trials: inside.filter((i) => ink.of(i) === null) }, ...bandsOf(ink, inside)]
    .filter(({ trials }) => trials.length).map(({ trials, ...one }) => ({ ...one, kind: 'points', points: trials.map(point) }));
  if (!series.length) return quiet('No trial has both numbers.');
  return chart({ label: `${y.text} by ${x.text} and ${ink.text} of ${run.name}`, title: y.text, axes: [['x', x.text, x.text, around(x)]], scale: around(y), series, zero: y.key === 'gain', isScattered: true, height: 380, ...ofTrials(run, shown) });
}
