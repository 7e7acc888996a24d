/** The live page: asks the server for the state again and again, and draws what is new. */
(function live() {
  const link = new URLSearchParams(location.search);
  const query = pageOf(link.getAll('run'));
  // The server knows each page by a name, to end only after all of them have the last state.
  const name = String(Math.random()).slice(2);
  const status = make('section', { id: 'status', 'aria-live': 'polite' });
  document.getElementById('page').before(make('div', { class: 'lead' }, status));
  let drawn = null;
  let received = null;
  let isOver = false;

  async function ask() {
    try {
      const answer = await fetch(`state.json${query ? `${query}&` : '?'}page=${name}`, { cache: 'no-store' });
      if (!answer.ok) throw new Error(await answer.text());
      received = await answer.json();
      draw();
    } catch (error) {
      lost(error);
    }
    if (!isOver) setTimeout(ask, document.hidden ? 5000 : 1000);
  }

  function draw() {
    if (received.runs) return list(received);
    const { page, ...standing } = received;
    if (!standing.state) return several(page);
    isOver = standing.is_last;
    show.state = standing.state;
    status.replaceChildren(...statusOf(standing, query !== '', page?.runs[0].budget));
    status.className = standing.state;
    // The state decides which commands there are.
    const text = standing.state + JSON.stringify(page);
    if (page && text !== drawn) {
      drawn = text;
      show(page);
    }
    document.title = `${Math.floor(100 * standing.share)} % ${page ? page.runs[0].name : standing.run}`;
    document.getElementById('foot').textContent = isOver ? 'This page no longer changes.' : `Live: this page follows the run while \`${standing.server}\` serves it.`;
  }

  /** Some runs on one page. */
  function several(page) {
    if (!drawn) status.replaceChildren(make('p', {}, make('a', { href: '/' }, 'All runs')));
    const text = JSON.stringify(page);
    if (text !== drawn) show(page);
    drawn = text;
    document.title = `${page.runs.length} runs`;
  }

  function lost(error) {
    if (received === null) status.replaceChildren(make('p', {}, `No data: ${error.message}`));
    else if (!status.querySelector('.lost')) status.append(make('p', { class: 'lost small' }, `No answer: \`${received.server ?? 'evolve watch'}\` has stopped. ${received.server === 'evolve run --watch' ? 'To go on with the run, resume it with --resume --watch; to look at it, use `evolve watch`. ' : ''}Trying again\u2026`));
  }

  ask();
}());

const PHASES = {
  baseline: 'Measuring the baseline', search: 'Searching', validation: 'Validation', selection: 'Selection among finalists', effects: 'Finding parameters without effect', test: 'Held-out test', done: 'Complete',
};

/** A time in its two largest units. */
function duration(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole % 3600 / 60)} min`;
}

/** A text with minus signs in place of hyphens. */
const signs = (text) => text.replaceAll('-', '\u2212');

/** The status of a run. */
function statusOf({ run, state, phase, share, generation, generations, trials, failures, capped, seconds, seconds_left: left, gain, evidence, reason, report, is_last: isLast }, several, budget) {
  const word = { running: PHASES[phase] ?? 'Starting', stopped: 'Stopped', failed: 'Failed', complete: 'Complete', unreadable: 'Unreadable' }[state];
  const facts = [
    generation !== null && `generation ${number(generation, 0)}${generations ? ` of ${number(generations, 0)}` : ''}`,
    trials !== null && (budget >= trials ? `${number(trials, 0)} of ${number(budget, 0)} trials` : `${number(trials, 0)} trials`), failures > 0 && `${number(failures, 0)} failed`, capped > 0 && `${number(capped, 0)} capped`,
    seconds !== null && (state === 'complete' ? `in ${duration(seconds)}` : `${duration(seconds)} so far`), state === 'running' && left !== null && `about ${duration(left)} left`, reason,
  ].filter(Boolean);
  return [
    several && make('p', { class: 'small' }, make('a', { href: '/' }, 'All runs')),
    make('div', { class: 'state' }, make('strong', {}, make('span', { class: 'lamp' }), word), make('span', {}, `${Math.floor(100 * share)} %`)),
    make('progress', { max: 1, value: share, 'aria-label': 'Progress' }),
    gain && make('p', { class: 'gain' }, `Gain ${signs(gain).replace(' in the objective', '')}`, { model: ', by the model of the search', validation: ', in validation', test: ', in the test' }[evidence] ?? ''),
    make('p', { class: 'soft small' }, facts.join(' · '), ['stopped', 'failed'].includes(state) && ' · resume with evolve run \u2026 --resume'),
    state === 'complete' && (isLast || report) && make('p', { class: 'ended' }, 'The run has ended.', report && [' Its report: ', make('code', {}, report)]),
  ].filter(Boolean);
}

/** The address of the page of some runs. */
function pageOf(runs) {
  return runs.length ? `?${runs.map((run) => `run=${encodeURIComponent(run)}`).join('&')}` : '';
}

/** All runs: to be sorted, filtered, grouped by job, and picked for a page that compares them. */
function list({ runs, series }) {
  document.title = 'Runs';
  document.getElementById('top').replaceChildren(make('h1', {}, 'Runs'));
  list.runs = runs;
  if (!list.section) {
    const kept = { words: '', grouped: false, picked: new Set() };
    const holder = make('div');
    const compare = make('button', { type: 'button', onclick: () => { location.search = pageOf([...kept.picked]); } }, 'Compare picked');
    const search = make('input', { type: 'search', placeholder: 'Filter: name, complete, running', 'aria-label': 'Filter runs', oninput: () => { kept.words = search.value.toLowerCase(); list.draw(); } });
    const group = buttons('Order', [[false, 'All'], [true, 'By job']], false, (value) => { kept.grouped = value; list.draw(); });
    const count = make('span', { class: 'soft small', 'aria-live': 'polite' });
    list.draw = () => {
      const found = list.runs.filter(({ run, state }) => kept.words.split(/\s+/).every((word) => `${run} ${state}`.toLowerCase().includes(word)));
      kept.picked = new Set([...kept.picked].filter((name) => list.runs.some(({ run }) => run === name)));
      compare.disabled = kept.picked.size < 2;
      count.textContent = found.length < list.runs.length ? `${found.length} of ${list.runs.length}` : `${found.length} runs`;
      holder.replaceChildren(...(list.runs.length ? tables(found, kept, compare) : [quiet('No runs yet.')]));
    };
    list.lines = make('div');
    list.section = make('div', {}, make('div', { class: 'bar' }, search, group, compare, count), holder, list.lines);
  }
  const status = document.getElementById('status');
  if (!status.contains(list.section)) status.replaceChildren(list.section);
  const lines = JSON.stringify(series);
  if (lines !== list.drawn) list.lines.replaceChildren(...series.map(versionsOf));
  list.drawn = lines;
  const text = JSON.stringify(runs);
  // What somebody is at work in stays.
  if (text === list.text || list.section.querySelector('.scroll')?.contains(document.activeElement)) return;
  list.text = text;
  list.draw();
}

/** The gain of each version in a series of runs that follow each other. */
function versionsOf({ name, versions, gain, points }) {
  return make('section', { class: 'versions' }, make('h2', {}, `Versions since ${name}`),
    quiet('The gain over the first baseline, with its 95 % confidence interval: the sum of what each test, and each comparison after a change of the program, has shown.'),
    chart({ label: `Versions since ${name}`, title: 'Gain', axes: [['version', 'Version', 'Versions', versions]], scale: gain, series: [{ name: 'gain since the first baseline', colour: 'var(--s0)', kind: 'dots', points }], zero: true, isScattered: true, height: 240 }));
}

/** The first values that a run changed. */
function valuesOf(values) {
  const shown = values.slice(0, 4).map(([name, value]) => `${name} = ${/^-?[\d.]+(e-?\d+)?$/.test(value) ? plain(Number(value)) : value}`);
  return `${shown.join(', ')}${values.length > 4 ? `, and ${values.length - 4} more` : ''}`;
}

/** A time on this machine, as year, month, day, hour and minute. */
function dateOf(seconds) {
  const at = new Date(1000 * seconds);
  const two = (of) => String(of).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** One table, or one for each job. */
function tables(runs, kept, compare) {
  const pick = ({ run }) => make('input', { type: 'checkbox', 'aria-label': `Pick ${run}`, checked: kept.picked.has(run), onchange: (event) => { kept.picked[event.target.checked ? 'add' : 'delete'](run); compare.disabled = kept.picked.size < 2; } });
  const columns = [
    { key: 'run', text: 'Run', sort: ({ run }) => run, cell: (of) => [pick(of), ' ', make('a', { href: pageOf([of.run]) }, of.run)] },
    { key: 'state', text: 'State', sort: ({ state }) => state, cell: ({ state }) => make('span', { class: state }, make('span', { class: 'lamp' }), state) },
    { key: 'share', text: 'Done', down: true, sort: ({ share }) => share, cell: ({ share }) => `${Math.floor(100 * share)} %` },
    { key: 'trials', text: 'Trials', kind: 'wide', down: true, sort: ({ trials }) => trials, cell: ({ trials }) => (trials === null ? '' : number(trials, 0)) },
    { key: 'gain', text: 'Gain', down: true, sort: ({ difference }) => difference?.[0] ?? null, cell: ({ gain, reason }) => (gain ? signs(gain).replace(' in the objective', '') : reason ?? '–') },
    { key: 'scores', text: 'Score', kind: 'wide whole', sort: ({ scores }) => scores?.[1] ?? null, cell: ({ scores }) => (scores ? scores.map(plain).join(' \u2192 ') : '') },
    { key: 'values', text: 'Values', kind: 'wide values', sort: ({ values }) => values.map((of) => of.join('=')).join(' '), cell: ({ values }) => valuesOf(values) },
    { key: 'seed', text: 'Seed', kind: 'wide', sort: ({ seed }) => seed, cell: ({ seed }) => seed ?? '' },
    { key: 'saved', text: 'Changed', kind: 'wide whole', down: true, sort: ({ saved }) => saved, cell: ({ saved }) => (saved === null ? '' : dateOf(saved)) },
    { key: 'left', text: 'Time left', kind: 'wide whole', sort: ({ seconds_left: left }) => left, cell: ({ seconds_left: left }) => (left === null ? '' : duration(left)) },
  ];
  if (!kept.grouped) return [sortable({ label: 'Runs', columns, rows: runs, order: null, kind: 'runs' })];
  const jobs = new Map();
  for (const of of runs) jobs.set(of.job, [...(jobs.get(of.job) ?? []), of]);
  return [...jobs.values()].sort((a, b) => b.length - a.length).map((rows) =>
    make('div', {}, make('h3', {}, `${rows[0].run}${rows.length > 1 ? ` and ${rows.length - 1} more with the same job` : ''}`), sortable({ label: `Runs like ${rows[0].run}`, columns, rows, order: 'run', kind: 'runs' })));
}
