/** All trials in a table, to be filtered and sorted. */
function tableSection(run, several, place) {
  const { history } = run;
  if (!history || history.trial.length === 0) return null;
  const filter = filterOf(run);
  const opened = openedOf(run);
  const columns = columnsOf(run);
  const kept = tableSection.kept.get(run.name) ?? { shown: new Set(run.weights.filter((weight) => !weight.is_coefficient).slice(0, 6).map((weight) => `value.${weight.name}`)) };
  tableSection.kept.set(run.name, kept);
  const by = (key) => columns.find((column) => column.key === key);
  // A column that is the same in every trial says nothing.
  const isFixed = ({ key }) => ['trial', 'stage', 'score', 'gain', 'seconds'].includes(key) || (key === 'instance' && history.instances.some((name) => name !== '')) || (key === 'end' && (history.ends.length > 2 || history.end.includes(1)));
  const fixed = columns.filter(isFixed);
  const optional = columns.filter(({ key }) => key === 'rank' || key.includes('.'));
  const head = ({ key, text, of, print, names, kind, down }) => ({ key, text, kind, down, sort: names && !key.startsWith('value.') ? (i) => (of(i) === null ? null : print(of(i))) : of, cell: (i) => (of(i) === null ? '–' : print(of(i))) });
  const holder = make('div');
  const count = make('span', { class: 'soft small', 'aria-live': 'polite' });
  const search = make('input', { type: 'search', placeholder: `Filter: test, gain>${run.rating === 'ratio' ? '10%' : '0'}, ${run.weights.length ? example(run.weights[0]) : 'score<100'}`, 'aria-label': 'Filter trials', value: filter.words, oninput: () => filter.set(search.value) });
  const clear = make('button', { type: 'button', onclick: () => filter.set('') }, 'Clear filter');
  const note = make('span', { class: 'soft small', role: 'status' });
  const close = make('button', { type: 'button', onclick: () => { opened.set(null); search.focus(); } });
  const every = history.trial.map((_, i) => i);
  const faults = make('p', { class: 'edge small', role: 'status' });
  function list() {
    if (search.value !== filter.words) search.value = filter.words;
    const { holds, faults: found, notes } = passes(run, filter.words);
    faults.textContent = found.join(' ');
    note.textContent = notes.join(' ');
    clear.hidden = filter.words === '';
    close.hidden = opened.trial === null;
    close.textContent = `Close trial ${opened.trial}`;
    const rows = every.filter(holds);
    const place = history.trial.indexOf(opened.trial);
    count.textContent = rows.length < every.length ? `${number(rows.length, 0)} of ${number(every.length, 0)}` : `${number(every.length, 0)} trials`;
    const shown = [...fixed, ...optional.filter(({ key }) => kept.shown.has(key))].map(head);
    holder.replaceChildren(sortable({ kind: 'tall', label: `Trials of ${run.name}`, columns: shown, rows, order: 'trial', detail, opened: place < 0 ? null : place }));
  }
  const read = (key, i) => (by(key)?.of(i) ?? null);
  const shown = (key, i) => by(key).print(read(key, i));
  function detail(i) {
    const values = run.weights.map((weight) => `${weight.name} = ${read(`value.${weight.name}`, i) === null ? '–' : shown(`value.${weight.name}`, i)}`);
    const others = history.columns.map(({ name }) => `column.${name}`).filter((key) => read(key, i) !== null).map((key) => `${by(key).text} = ${shown(key, i)}`);
    return [make('p', { class: 'small' }, `Trial ${history.trial[i]}, ${shown('stage', i)}: ${shown('end', i)}`, read('seconds', i) !== null && `, in ${shown('seconds', i)} s`, '. ', ...caseOf(i)),
      make('div', { class: 'small' }, make('code', {}, values.join(', ')), make('span', { class: 'soft' }, ` (baseline: ${run.weights.map((weight) => `${weight.name} = ${valueOf(weight, weight.start)}`).join(', ')})`)),
      others.length > 0 && make('p', { class: 'small' }, make('code', {}, others.join(', '))), repeating(run, history.trial[i], 'this trial'), outputOf(keptOf(i)?.output)];
  }
  /** The case of a trial, and what the baseline scored there. */
  function caseOf(i) {
    const { baseline } = history;
    return [history.instances[history.instance[i]] && `Instance ${shown('instance', i)}, `, history.replicate[i] > 0 && `replicate ${history.replicate[i] + 1}, `, `seed ${history.seed[i]}. Score ${shown('score', i)}`,
      baseline[i] !== null && `; the baseline scored ${by('score').print(baseline[i])} there`, read('gain', i) !== null && `; gain ${shown('gain', i)}`, '.'].filter(Boolean);
  }
  /** The kept output of a failure with the same values. */
  function keptOf(i) {
    return history.end[i] > 1 ? run.trials?.kept.find(({ reason, values }) => reason.startsWith(history.ends[history.end[i]]) && values.every((value, p) => value === history.values[p][i])) : null;
  }
  filter.listeners.set('table', list);
  opened.listeners.set('table', list);
  list();
  const section = make('section', { id: `table-${place}`, 'data-table': run.name },
    make('h2', {}, several ? `Trials of ${run.name}` : 'Trials'),
    history.all > every.length && quiet(`Listed are ${number(every.length, 0)} of ${number(history.all, 0)} trials, evenly spaced; trials.csv has all of them.`),
    make('div', { class: 'bar' }, search, clear, count, note, close), faults,
    make('details', {}, make('summary', { class: 'small' }, 'Columns'), make('div', { class: 'choices' }, optional.map(choiceOf(kept.shown, list)))), holder);
  return section;
}

/** A condition on a parameter, as an example. */
const example = (weight) => `${weight.name}=${weight.names ? weight.names[weight.start] : plain(weight.start)}`;

tableSection.kept = new Map();

/** Opens a trial in the table. The browser's way back leads to where it was chosen, and the address to this trial. */
function openTrial(run, i) {
  openedOf(run).set(run.history.trial[i]);
  const section = [...document.querySelectorAll('[data-table]')].find((of) => of.dataset.table === run.name);
  if (section.firstChild.matches('details')) section.firstChild.open = true;
  location.hash = `trial-${run.history.trial[i]}`;
  section.scrollIntoView();
  section.querySelector('button.open')?.focus({ preventScroll: true });
}
