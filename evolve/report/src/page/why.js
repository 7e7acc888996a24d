/** Why a move was chosen: what was considered, and, of an evaluation, the chosen one against the runner-up by weight. */
function whyPanel(step, parameters, digits, pick) {
  const why = step.why;
  if (!why) return make('div');
  const panel = make('div', { class: 'why' });
  if (why.note) panel.append(make('p', { class: 'small soft' }, sentence(why.note)));
  const { considered, split } = why;
  if (considered.length > 1) {
    const values = considered.map((move) => move.value);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const rows = considered.map((move, i) => make('tr', {
      class: 'pick', onmouseenter: () => pick(i ? move.cells : null), onmouseleave: () => pick(null),
    },
    make('td', { class: 'name' }, i ? move.name : make('strong', {}, move.name), move.line && move.line.length <= 6 && make('span', { class: 'soft' }, ` ${move.line.join(' ')}`)),
    make('td', { class: 'draw' }, bar((move.value - low) / (high - low || 1), i ? 'var(--s6)' : 'var(--accent)')),
    make('td', {}, number(move.value, 2))));
    panel.append(make('h3', {}, 'Moves considered, by value'), make('table', { class: 'bars' }, rows));
    const { name, line } = considered[0];
    if (line && line.length > 6) {
      panel.append(make('details', {}, make('summary', { class: 'small' }, 'The line expected'),
        make('p', { class: 'small soft' }, make('strong', {}, name), ` \u2192 ${line.join(' \u2192 ')}`)));
    }
  }
  if (split) {
    const same = !split.weights.length && !split.difference && !split.bare;
    panel.append(make('h3', {}, `Why ${considered[0].name} and not ${considered[1].name}`),
      same ? quiet('Every weight values both equally; the first of equal moves is played.') : splitTable(split, parameters, digits));
  }
  return panel;
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function splitTable(split, parameters, digits) {
  const rows = [
    ...(split.bare ? [['points, without any weight', split.bare]] : []),
    ...split.weights.map(([place, part]) => [parameters[place], part]),
    ...(split.more ? [[`${split.more[0]} more weights`, split.more[1]]] : []),
    ...(split.together ? [['weights only together', split.together]] : []),
  ];
  const largest = Math.max(1e-12, ...rows.map(([, part]) => Math.abs(part)));
  return make('table', { class: 'bars split' },
    rows.map(([name, part]) => make('tr', { 'data-part': part },
      make('td', { class: 'name', title: name }, name), make('td', { class: 'draw' }, diverging(part / largest)), make('td', {}, signed(part, digits)))),
    make('tr', { class: 'sum', 'data-difference': split.difference },
      make('td', { class: 'name' }, 'difference in value'), make('td', { class: 'draw' }), make('td', {}, signed(split.difference, digits))));
}

function bar(share, ink) {
  return draw('svg', { viewBox: '0 0 100 14', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    draw('rect', { x: 0, y: 2, width: Math.max(1, 100 * share), height: 10, fill: ink }));
}

function diverging(share) {
  const width = 49 * Math.abs(share);
  return draw('svg', { viewBox: '0 0 100 14', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    draw('rect', { x: share < 0 ? 50 - width : 50, y: 2, width: Math.max(0.5, width), height: 10, fill: share < 0 ? 'var(--s1)' : 'var(--s2)' }),
    draw('rect', { x: 49.8, y: 0, width: 0.4, height: 14, fill: 'var(--soft)' }));
}
