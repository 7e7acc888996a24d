/** The live page: asks the server for the state again and again, and draws what is new. */
(function live() {
  const link = new URLSearchParams(location.search);
  const query = link.has('run') ? `?run=${encodeURIComponent(link.get('run'))}` : '';
  const status = make('section', { id: 'status', 'aria-live': 'polite' });
  document.getElementById('page').before(make('div', { class: 'lead' }, status));
  let drawn = null;
  let received = null;

  async function ask() {
    try {
      const answer = await fetch(`state.json${query}`, { cache: 'no-store' });
      if (!answer.ok) throw new Error(await answer.text());
      received = await answer.json();
      draw();
    } catch (error) {
      lost(error);
    }
    setTimeout(ask, document.hidden ? 5000 : 1000);
  }

  function draw() {
    if (received.runs) return list(received);
    const { page, ...standing } = received;
    status.replaceChildren(...statusOf(standing, query !== ''));
    status.className = standing.state;
    const text = JSON.stringify(page);
    if (page && text !== drawn) {
      drawn = text;
      show(page);
    }
    document.title = `${Math.floor(100 * standing.share)} % ${page ? page.runs[0].name : standing.run}`;
    document.getElementById('foot').textContent = 'Live: this page follows the run while `evolve watch` serves it.';
  }

  function lost(error) {
    if (received === null) status.replaceChildren(make('p', {}, `No data: ${error.message}`));
    else if (!status.querySelector('.lost')) status.append(make('p', { class: 'lost small' }, 'No answer: `evolve watch` has stopped. Trying again\u2026'));
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
function statusOf({ run, state, phase, share, generation, generations, trials, failures, capped, seconds, seconds_left: left, gain, evidence, reason }, several) {
  const word = { running: PHASES[phase] ?? 'Starting', stopped: 'Stopped', failed: 'Failed', complete: 'Complete', unreadable: 'Unreadable' }[state];
  const facts = [
    generation !== null && `generation ${number(generation, 0)}${generations ? ` of ${number(generations, 0)}` : ''}`,
    trials !== null && `${number(trials, 0)} trials`, failures > 0 && `${number(failures, 0)} failed`, capped > 0 && `${number(capped, 0)} capped`,
    seconds !== null && (state === 'complete' ? `in ${duration(seconds)}` : `${duration(seconds)} so far`), state === 'running' && left !== null && `about ${duration(left)} left`, reason,
  ].filter(Boolean);
  return [
    several && make('p', { class: 'small' }, make('a', { href: '/' }, 'All runs')),
    make('div', { class: 'state' }, make('strong', {}, make('span', { class: 'lamp' }), word), make('span', {}, `${Math.floor(100 * share)} %`)),
    make('progress', { max: 1, value: share, 'aria-label': 'Progress' }),
    gain && make('p', { class: 'gain' }, `Gain ${signs(gain)}`, { model: ', by the model of the search', validation: ', in validation', test: ', in the test' }[evidence] ?? ''),
    make('p', { class: 'soft small' }, facts.join(' · '), ['stopped', 'failed'].includes(state) && ' · resume with evolve run \u2026 --resume'),
  ].filter(Boolean);
}

/** All runs, each with a link to its page. */
function list({ runs }) {
  document.title = 'Runs';
  document.getElementById('top').replaceChildren(make('h1', {}, 'Runs'));
  const row = ({ run, state, share, generation, trials, gain, seconds_left: left, reason }) => make('tr', {},
    make('td', {}, make('a', { href: `?run=${encodeURIComponent(run)}` }, run)),
    make('td', { class: state }, make('span', { class: 'lamp' }), state),
    make('td', {}, `${Math.floor(100 * share)} %`), make('td', { class: 'wide' }, generation === null ? '' : number(generation, 0)), make('td', { class: 'wide' }, trials === null ? '' : number(trials, 0)),
    make('td', {}, gain ? signs(gain) : reason ?? '–'),
    make('td', { class: 'wide' }, left === null ? '' : duration(left)));
  const heads = [['Run'], ['State'], ['Done'], ['Generations', 'wide'], ['Trials', 'wide'], ['Gain'], ['Time left', 'wide']];
  const table = make('table', { class: 'runs' }, make('thead', {}, make('tr', {}, heads.map(([text, kind]) => make('th', { class: kind }, text)))), make('tbody', {}, runs.map(row)));
  const status = document.getElementById('status');
  if (status.contains(document.activeElement)) return;
  status.replaceChildren(runs.length ? make('div', { class: 'scroll' }, table) : quiet('No runs yet.'));
}
