/** Pieces as silhouettes in a square of 100. */
const PIECES = {
  R: 'M24 88h52v-9l-7-5-3-32 8-6V14H62v10h-7V14H45v10h-7V14H26v22l8 6-3 32-7 5z',
  B: 'M50 8a8 8 0 0 1 5 14c12 9 19 20 19 31 0 8-4 14-10 18l3 6h7v11H26V77h7l3-6c-6-4-10-10-10-18 0-11 7-22 19-31a8 8 0 0 1 5-14zm-4 26v8h-8v8h8v10h8V50h8v-8h-8v-8z',
  Q: 'M12 26a6 6 0 1 1 5 6l14 22 6-32a6 6 0 1 1 8 0l5 0 5 0a6 6 0 1 1 8 0l6 32 14-22a6 6 0 1 1 5-6l-12 46v8h2v8H22v-8h2v-8z',
  N: 'M28 88h48c3-34-1-56-20-66l-3-12-9 9C28 23 19 40 15 56l8 9c7-2 13-3 20-9l4-1c-2 12-17 16-19 33zM41 38a4 4 0 1 1 0-8 4 4 0 0 1 0 8z',
  K: 'M46 6h8v7h7v8h-7v9c5-4 12-6 18-6 12 0 19 9 19 19 0 13-11 19-17 27v8h4v10H22V78h4v-8C20 62 9 56 9 43c0-10 7-19 19-19 6 0 13 2 18 6v-9h-7v-8h7z',
};

const CELL = 40;

/**
 * Each look draws the board behind (`ground`) and one cell (`cell`): `face` is what it shows, `at` its upper left corner.
 * Margins leave room for coordinates.
 */
const LOOKS = {
  tiers: {
    margin: 4,
    cell: (face, [x, y]) => face.kind === 'empty'
      ? [draw('rect', { x: x + 4, y: y + 4, width: 32, height: 32, rx: 6, fill: 'none', stroke: 'var(--line)', 'stroke-width': 1.5 })]
      : [draw('rect', { x: x + 2.5, y: y + 2.5, width: 35, height: 35, rx: 6, fill: `var(--${face.kind})` }), ...glyph(face.text, x, y, '#1b1f24')],
  },
  stacks: {
    margin: 4,
    cell: (face, [x, y]) => face.kind === 'empty'
      ? [draw('rect', { x: x + 3, y: y + 3, width: 34, height: 34, rx: 4, fill: 'none', stroke: 'var(--line)' })]
      : [
        draw('rect', { x: x + 2, y: y + 2, width: 36, height: 36, rx: 4, fill: 'var(--card)' }),
        draw('rect', { x: x + 2, y: y + 2, width: 36, height: 36, rx: 4, fill: 'var(--stack)', opacity: 0.18 + 0.08 * face.count }),
        ...glyph(face.text, x - 3, y - 3, 'var(--ink)'),
        draw('text', { x: x + 31, y: y + 31, 'font-size': 11, fill: 'var(--ink)' }, String(face.count)),
      ],
  },
  stones: {
    margin: 18,
    ground: ({ rows, columns, size }) => {
      const middle = (i) => i * CELL + CELL / 2;
      const lines = [];
      for (let i = 0; i < rows; i++) {
        lines.push(draw('path', { d: `M${middle(0)} ${middle(i)}H${middle(columns - 1)}M${middle(i)} ${middle(0)}V${middle(rows - 1)}`, stroke: '#4b3a1e', 'stroke-width': 1, opacity: 0.6 }));
      }
      for (const r of [3, 9, 15]) for (const c of [3, 9, 15]) lines.push(draw('circle', { cx: middle(c), cy: middle(r), r: 4, fill: '#4b3a1e' }));
      const labels = [];
      for (let i = 1; i <= columns; i += 2) {
        labels.push(draw('text', { x: middle(i - 1), y: size[1] + 10, 'font-size': 15, fill: 'var(--soft)' }, String(i)),
          draw('text', { x: -10, y: middle(rows - i), 'font-size': 15, fill: 'var(--soft)' }, String(i)));
      }
      return [draw('rect', { x: 0, y: 0, width: size[0], height: size[1], rx: 6, fill: 'var(--board)' }), ...lines, ...labels];
    },
    cell: (face, [x, y]) => face.kind === 'empty' ? [] : [
      draw('circle', { cx: x + 21, cy: y + 22, r: 18, fill: '#000', opacity: 0.25 }),
      draw('circle', { cx: x + 20, cy: y + 20, r: 18, fill: face.kind === 'black' ? '#1c1d20' : '#f7f6f2', stroke: face.kind === 'black' ? '#000' : '#8d8a80' }),
    ],
  },
  pieces: {
    margin: 18,
    ground: ({ rows, columns, size }) => {
      const all = [];
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
          all.push(draw('rect', { x: c * CELL, y: r * CELL, width: CELL, height: CELL, fill: (rows - r + c) % 2 ? 'var(--dark)' : 'var(--light)' }));
        }
        all.push(draw('text', { x: -9, y: r * CELL + 20, 'font-size': 12, fill: 'var(--soft)' }, String(rows - r)));
      }
      for (let c = 0; c < columns; c++) {
        all.push(draw('text', { x: c * CELL + 20, y: size[1] + 9, 'font-size': 12, fill: 'var(--soft)' }, String.fromCharCode(97 + c)));
      }
      return all;
    },
    cell: (face, [x, y]) => face.kind === 'empty' ? [] : [
      draw('path', {
        d: PIECES[face.text], transform: `translate(${x + 2.5} ${y + 2.5}) scale(.35)`, 'fill-rule': 'evenodd',
        fill: face.kind === 'white' ? '#fff' : '#1c1d20', stroke: face.kind === 'white' ? '#1c1d20' : '#fff', 'stroke-width': 5, 'paint-order': 'stroke', 'stroke-linejoin': 'round',
      })],
    arrows: true,
  },
  squares: {
    margin: 18,
    ground: ({ rows, columns, size }) => [
      ...Array.from({ length: columns }, (_, c) => draw('text', { x: c * CELL + 20, y: -8, 'font-size': 10, fill: 'var(--soft)' }, String(c + 1))),
      ...Array.from({ length: rows }, (_, r) => draw('text', { x: -9, y: r * CELL + 20, 'font-size': 10, fill: 'var(--soft)' }, String(r + 1))),
      draw('rect', { x: 0, y: 0, width: size[0], height: size[1], fill: '#fdfdfb' }),
    ],
    cell: (face, [x, y]) => [
      draw('rect', { x, y, width: CELL, height: CELL, fill: { free: '#fdfdfb', own: '#23272b', their: '#5d656d' }[face.kind], stroke: '#98a0a8', 'stroke-width': 1 })],
    lines: true,
  },
};

/** A number or a piece in the middle of a cell. */
function glyph(text, x, y, ink) {
  if (PIECES[text]) return [draw('path', { d: PIECES[text], transform: `translate(${x + 6} ${y + 6}) scale(.28)`, fill: ink, 'fill-rule': 'evenodd' })];
  return text ? [draw('text', { x: x + 20, y: y + 21, 'font-size': 22, 'font-weight': 600, fill: ink }, text)] : [];
}

const PLAIN = {
  margin: 4,
  cell: (face, [x, y]) => [draw('rect', { x: x + 1, y: y + 1, width: 38, height: 38, fill: 'var(--fill)' }), ...glyph(face.text, x, y, 'var(--ink)')],
};

/** What each cell shows after so many moves, and the replies to them. */
function cellsAfter(replay, moves) {
  const cells = replay.start.slice();
  for (const step of replay.steps.slice(0, moves)) {
    for (const [place, face] of step.changes) cells[place] = face;
    if (step.reply) for (const [place, face] of step.reply.changes) cells[place] = face;
  }
  return cells;
}

/** The board after so many moves, with the next move and what is legal marked, and the last reply. */
function board(replay, moves, picked) {
  const { rows, columns, faces, steps } = replay;
  const look = LOOKS[replay.look] ?? PLAIN;
  const size = [columns * CELL, rows * CELL];
  const m = look.margin;
  const at = (place) => [place % columns * CELL, Math.floor(place / columns) * CELL];
  const svg = draw('svg', { class: 'board', viewBox: `${-m} ${-m} ${size[0] + 2 * m} ${size[1] + 2 * m}`, role: 'img', 'aria-label': `Board after ${moves} moves` });
  if (look.ground) svg.append(...look.ground({ rows, columns, size }));
  cellsAfter(replay, moves).forEach((face, place) => svg.append(...look.cell(faces[face], at(place))));
  const next = steps[moves];
  const last = steps[moves - 1]?.reply;
  if (last) svg.append(...mark(look, last.cells.map(at), 'var(--s1)', true));
  if (next) {
    for (const [x, y] of (next.legal ?? []).map(at)) {
      svg.append(replay.look === 'tiers' || replay.look === 'stacks'
        ? draw('rect', { x: x + 3, y: y + 3, width: 34, height: 34, rx: 5, fill: 'none', stroke: 'var(--accent)', 'stroke-width': 2, 'stroke-dasharray': '4 3' })
        : draw('circle', { cx: x + 20, cy: y + 20, r: 4, fill: 'var(--accent)', opacity: replay.look === 'squares' ? 0.25 : 0.55 }));
    }
    svg.append(...mark(look, next.cells.map(at), 'var(--accent)', false));
  }
  if (picked) svg.append(...mark(look, picked.map(at), 'var(--bad)', false));
  return svg;
}

/** Marks the cells of a move. */
function mark(look, cells, ink, done) {
  if (look.arrows && cells.length === 2) {
    const [[x1, y1], [x2, y2]] = cells.map(([x, y]) => [x + 20, y + 20]);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const tip = [x2 - 4 * dx, y2 - 4 * dy];
    const foot = [x2 - 15 * dx, y2 - 15 * dy];
    return [
      draw('line', { x1, y1, x2: foot[0], y2: foot[1], stroke: ink, 'stroke-width': 5, opacity: done ? 0.55 : 0.85, 'stroke-linecap': 'round' }),
      draw('path', { d: `M${tip[0]} ${tip[1]}L${foot[0] - 8 * dy} ${foot[1] + 8 * dx}L${foot[0] + 8 * dy} ${foot[1] - 8 * dx}z`, fill: ink, opacity: done ? 0.55 : 0.85 }),
    ];
  }
  if (look.lines) {
    const xs = cells.map(([x]) => x);
    const ys = cells.map(([, y]) => y);
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return [draw('rect', { x: x + 3, y: y + 3, width: Math.max(...xs) - x + 34, height: Math.max(...ys) - y + 34, rx: 8, fill: done ? 'none' : ink, 'fill-opacity': 0.2, stroke: ink, 'stroke-width': 3.5, 'stroke-dasharray': done ? '6 4' : null })];
  }
  return cells.map(([x, y]) => (look === LOOKS.stones
    ? draw('circle', { cx: x + 20, cy: y + 20, r: done ? 6 : 17, fill: done ? ink : 'none', stroke: done ? 'none' : ink, 'stroke-width': 4 })
    : draw('rect', { x: x + 2, y: y + 2, width: 36, height: 36, rx: 6, fill: 'none', stroke: ink, 'stroke-width': 4.5 })));
}
