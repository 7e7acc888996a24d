/** Games played move by move, side by side. */
function gamesSection(contests, parameters) {
  const { names, shown, scores, seed } = contests;
  const narrow = window.matchMedia('(max-width: 720px)').matches;
  const last = Math.min(1, names.length - 1);
  const state = { deal: 0, move: 0, shown: new Set(narrow ? [last] : [0, last]), timer: null };

  const slider = make('input', { type: 'range', min: 0, 'aria-label': 'Move', oninput: () => go(Number(slider.value)) });
  const caption = make('output', { 'aria-live': 'polite' });
  const play = make('button', { type: 'button', onclick: toggle, 'aria-label': 'Play' }, icon('play'));
  const parting = make('button', { type: 'button', onclick: () => { const move = parts(); if (move !== null) go(move); } }, 'Where they differ');
  const step = (shape, label, move) => make('button', { type: 'button', 'aria-label': label, title: label, onclick: () => go(move()) }, icon(shape));
  const controls = make('div', { class: 'bar controls' },
    step('first', 'First move', () => 0), step('back', 'Back', () => state.move - 1), play,
    step('forward', 'Forward', () => state.move + 1), step('last', 'Last move', longest), slider, caption, parting);
  const boards = make('div', { class: 'boards' });
  const chosen = make('select', { 'aria-label': 'Deal', onchange: () => { state.deal = Number(chosen.value); go(0); } },
    shown.map(({ deal, labels }, i) => make('option', { value: i }, `Deal ${deal + 1}: ${labels.join(', ')}`)));
  const who = names.map((name, i) => make('button', {
    type: 'button', 'aria-pressed': String(state.shown.has(i)), onclick: () => {
      if (!state.shown.delete(i)) state.shown.add(i);
      if (!state.shown.size) state.shown.add(i);
      who.forEach((button, j) => button.setAttribute('aria-pressed', String(state.shown.has(j))));
      render();
    },
  }, name));
  const facts = make('p', { class: 'soft small' });
  const growth = make('div');

  const { digits } = contests;
  const plays = () => shown[state.deal].plays;
  function longest() {
    return Math.max(...plays().map((replay) => replay.steps.length));
  }

  /** The first move in which the shown policies differ, `null` if there is none. */
  function parts() {
    const visible = plays().filter((_, i) => state.shown.size > 1 ? state.shown.has(i) : true);
    for (let move = 0; move < longest(); move++) {
      if (new Set(visible.map((replay) => replay.steps[move]?.name)).size > 1) return move;
    }
    return null;
  }

  function go(move) {
    state.move = Math.min(Math.max(0, move), longest());
    if (state.move === longest()) stop();
    render();
    history.replaceState(null, '', `#deal=${shown[state.deal].deal + 1}&move=${state.move}`);
  }

  function toggle() {
    if (state.timer) return stop();
    if (state.move === longest()) state.move = 0;
    play.replaceChildren(icon('pause'));
    play.setAttribute('aria-label', 'Pause');
    state.timer = setInterval(() => go(state.move + 1), 700);
  }

  function stop() {
    clearInterval(state.timer);
    state.timer = null;
    play.replaceChildren(icon('play'));
    play.setAttribute('aria-label', 'Play');
  }

  function render() {
    chosen.value = state.deal;
    slider.max = longest();
    slider.value = state.move;
    caption.textContent = `Move ${state.move} of ${longest()}`;
    parting.disabled = parts() === null;
    const replays = plays();
    facts.textContent = [`Deal ${shown[state.deal].deal + 1} of seed ${seed}`, ...replays[0].facts.map(([name, value]) => `${name} ${value}`)].join(' · ');
    boards.replaceChildren(...replays.map((replay, i) => state.shown.has(i) && player(replay, names[i], i)).filter(Boolean));
    growth.replaceChildren(...growthOf(digits, replays.filter((_, i) => state.shown.has(i)), names.filter((_, i) => state.shown.has(i)), [...names.keys()].filter((i) => state.shown.has(i)), state.move));
  }

  function player(replay, name, place) {
    const move = Math.min(state.move, replay.steps.length);
    const next = replay.steps[move];
    const before = replay.steps[move - 1];
    const holder = make('div', {}, board(replay, move));
    const pick = (cells) => holder.replaceChildren(board(replay, move, cells));
    const now = make('div', { class: 'now' });
    if (before) now.append(make('div', { class: 'soft' }, `Played ${before.name}${before.reply ? `, answered by ${before.reply.name}` : ''}`));
    now.append(next ? make('div', {}, 'Next: ', make('strong', {}, next.name)) : make('div', {}, make('strong', {}, sentence(replay.ending))));
    return make('div', { class: 'player', 'data-name': name },
      make('h3', {}, make('span', { style: `color:${playerColour(place)}` }, name), make('span', {}, number(replay.score, digits))),
      holder, now, next ? whyPanel(next, parameters, contests.parts, pick) : null);
  }

  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (target.matches('select, input:not([type=range]), textarea')) return;
    const inside = section.contains(target);
    if (!inside && target !== document.body) return;
    const act = {
      ArrowRight: () => go(state.move + 1), ArrowLeft: () => go(state.move - 1), Home: () => inside && go(0), End: () => inside && go(longest()),
      ' ': () => inside && !target.matches('button') && toggle(), d: () => parting.click(),
      n: () => { state.deal = (state.deal + 1) % shown.length; go(0); },
      p: () => { state.deal = (state.deal + shown.length - 1) % shown.length; go(0); },
    }[event.key];
    if (act && act() !== false) event.preventDefault();
  }
  document.addEventListener('keydown', keys);

  /** Follows a link to a deal and move. */
  function follow() {
    const link = new URLSearchParams(location.hash.slice(1));
    if (!link.has('deal')) return false;
    const place = shown.findIndex(({ deal }) => deal + 1 === Number(link.get('deal')));
    if (place < 0) return false;
    state.deal = place;
    state.move = Math.min(Math.max(0, Number(link.get('move')) || 0), longest());
    render();
    return true;
  }
  window.addEventListener('hashchange', follow);

  const section = make('section', { id: 'games', tabindex: -1 },
    make('h2', {}, 'Games'),
    quiet(`Chosen from ${number(scores[0].length, 0)} deals that each candidate played.`),
    scatter(contests, (place) => { state.deal = place; go(0); section.scrollIntoView(); }),
    make('div', { class: 'bar' }, chosen, make('span', { class: 'gap' }), make('span', { class: 'bar', role: 'group', 'aria-label': 'Policies', style: 'margin:0' }, who)),
    facts, controls, boards, growth,
    make('p', { class: 'soft small keys' }, 'Keys: ', make('kbd', {}, '←'), ' ', make('kbd', {}, '→'), ' step, ', make('kbd', {}, 'Home'), ' ', make('kbd', {}, 'End'), ' first and last, ',
      make('kbd', {}, 'space'), ' play, ', make('kbd', {}, 'd'), ' where they differ, ', make('kbd', {}, 'n'), ' ', make('kbd', {}, 'p'), ' next and previous deal'));
  if (follow()) requestAnimationFrame(() => section.scrollIntoView({ behavior: 'instant' }));
  else render();
  return section;
}

/** The colour of a candidate: grey for the baseline, so that the others stand out. */
const playerColour = (place) => (place ? colour([0, 0, 3, 4, 5][place] ?? place) : 'var(--s6)');

const ICONS = {
  first: 'M3 3h2v10H3zM13 3v10L6 8z', last: 'M11 3h2v10h-2zM3 3v10l7-5z', back: 'M11 3v10L4 8z', forward: 'M5 3v10l7-5z',
  play: 'M4 2v12l9-6z', pause: 'M4 3h3v10H4zM9 3h3v10H9z',
};

function icon(shape) {
  return draw('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, draw('path', { d: ICONS[shape], fill: 'currentColor' }));
}

/** The parts of the score now, and how their sum grew. */
function growthOf(digits, replays, names, places, move) {
  const titles = replays[0].parts;
  if (!titles.length) return [];
  const totals = (replay, move) => replay.steps[Math.min(move, replay.steps.length) - 1]?.totals ?? titles.map(() => 0);
  const cells = (i) => replays.map((replay) => make('td', {}, number(totals(replay, move)[i], digits)));
  const sum = (replay, move) => totals(replay, move).reduce((a, b) => a + b, 0);
  const rows = titles.map((title, i) => make('tr', {}, make('td', {}, title.replaceAll('_', ' ')), cells(i)));
  if (titles.length > 1) rows.push(make('tr', {}, make('td', {}, make('strong', {}, 'all')), replays.map((replay) => make('td', {}, make('strong', {}, number(sum(replay, move), digits))))));
  const table = make('table', { class: 'parts' }, make('thead', {}, make('tr', {}, make('th', {}, `After ${move} moves`), names.map((name) => make('th', {}, name)))), make('tbody', {}, rows));
  const [width, height] = [480, 120];
  const longest = Math.max(1, ...replays.map((replay) => replay.steps.length));
  const highest = Math.max(1e-9, ...replays.flatMap((replay) => replay.steps.map((_, i) => sum(replay, i + 1))));
  const x = (i) => 4 + (width - 8) * i / longest;
  const y = (value) => height - 6 - (height - 14) * value / highest;
  const line = (replay) => replay.steps.map((_, i) => `${i ? 'L' : 'M'}${x(i + 1).toFixed(1)} ${y(sum(replay, i + 1)).toFixed(1)}`).join('');
  const picture = draw('svg', { viewBox: `0 0 ${width} ${height}`, width: '100%', role: 'img', 'aria-label': 'Sum by move' },
    draw('line', { class: 'grid', x1: 0, x2: width, y1: y(0), y2: y(0) }),
    replays.map((replay, i) => draw('path', { d: line(replay), fill: 'none', stroke: playerColour(places[i]), 'stroke-width': 2 })),
    draw('line', { x1: x(move), x2: x(move), y1: 0, y2: height, stroke: 'var(--soft)' }));
  return [make('div', { class: 'two', style: 'margin-top:16px' }, table, make('div', {}, make('div', { class: 'soft small' }, `${titles.length > 1 ? 'Their sum' : titles[0]} by move`), picture))];
}

/** Start against recommended, a dot a deal. */
function scatter({ names, scores, shown, axis }, open) {
  if (scores.length < 2) return null;
  const [start, other] = scores;
  const gained = start.filter((score, i) => other[i] > score).length;
  const lost = start.filter((score, i) => other[i] < score).length;
  const size = 300;
  const at = (value) => share(axis, value) * size;
  const marks = ticks(axis, 4);
  const svg = draw('svg', { viewBox: `-58 -8 ${size + 70} ${size + 50}`, style: 'max-width:400px;width:100%', role: 'img', 'aria-label': `Score of ${names[1]} against ${names[0]}, one dot for each deal` },
    draw('rect', { x: 0, y: 0, width: size, height: size, fill: 'none', stroke: 'var(--line)' }),
    draw('line', { class: 'zero', x1: 0, y1: size, x2: size, y2: 0 }),
    marks.map(([tick, text]) => [
      draw('text', { x: at(tick), y: size + 16, 'text-anchor': 'middle' }, text),
      draw('text', { x: -6, y: size - at(tick) + 4, 'text-anchor': 'end' }, text)]),
    draw('text', { x: size / 2, y: size + 36, 'text-anchor': 'middle' }, `score of ${names[0]}`),
    draw('text', { transform: `translate(-46 ${size / 2}) rotate(-90)`, 'text-anchor': 'middle' }, `score of ${names[1]}`),
    start.map((score, i) => draw('circle', { cx: at(score), cy: size - at(other[i]), r: 3.2, fill: other[i] >= score ? 'var(--s0)' : 'var(--s1)', opacity: 0.55 })),
    shown.map(({ deal, labels }, place) => draw('circle', {
      cx: at(start[deal]), cy: size - at(other[deal]), r: 7, fill: 'transparent', stroke: 'var(--ink)', 'stroke-width': 1.8, style: 'cursor:pointer', onclick: () => open(place),
    }, draw('title', {}, `Deal ${deal + 1}: ${labels.join(', ')}`))));
  const ties = start.length - gained - lost;
  return make('details', { class: 'chart' },
    make('summary', { class: 'small' }, `Deal by deal: ${names[1]} better in ${gained}, worse in ${lost}${ties ? `, equal in ${ties}` : ''}`), svg);
}
