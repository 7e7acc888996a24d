/** The rows that a table shows at first, and with each further step. */
const STEP = 100;
/** The rows of a table on paper. */
const PRINTED = 1000;

/**
 * A table that is sorted by its heads. A column has a key, its text, `cell` for the content of a row and `sort` for its
 * place; `down` puts the largest first. Without an `order`, rows keep theirs. `detail` returns what opens below a row, and
 * `opened` the row that is open on top, whatever the order.
 */
function sortable({ label, columns, rows, order, detail, opened = null, kind }) {
  // The user's choices stay when the table is redrawn.
  const kept = sortable.kept.get(label) ?? { order, back: false, shown: STEP };
  sortable.kept.set(label, kept);
  const body = make('tbody');
  const heads = columns.map((column) => make('th', { class: column.kind ?? '' },
    make('button', { type: 'button', onclick: () => { kept.back = kept.order === column.key && !kept.back; kept.order = column.key; list(); } }, column.text)));
  const more = make('button', { type: 'button', onclick: () => { kept.shown += 5 * STEP; list(); } });
  const foot = make('div', { class: 'foot' }, more, make('p', { class: 'printed small' }));
  function row(of) {
    const cells = columns.map((column) => make('td', { class: column.kind ?? '' }, column.cell(of)));
    const line = make('tr', {}, cells);
    if (!detail) return line;
    const open = make('button', { type: 'button', class: 'open', 'aria-expanded': 'false', onclick: toggle }, ...cells[0].childNodes);
    cells[0].replaceChildren(open);
    line.toggle = toggle;
    function toggle() {
      const isOpen = open.getAttribute('aria-expanded') === 'true';
      open.setAttribute('aria-expanded', String(!isOpen));
      if (isOpen) line.nextSibling.remove();
      else line.after(make('tr', { class: 'detail' }, make('td', { colspan: columns.length }, make('div', {}, detail(of)))));
    }
    return line;
  }
  function list() {
    const column = columns.find(({ key }) => key === kept.order) ?? columns[0];
    const sign = Boolean(column.down) !== kept.back ? -1 : 1;
    const sorted = kept.order === null ? rows : rows.map((of) => [column.sort(of), of]).sort(([a], [b]) => sign * compared(a, b)).map(([, of]) => of);
    const shown = opened === null ? sorted : [opened, ...sorted.filter((of) => of !== opened)];
    body.replaceChildren(...shown.slice(0, kept.shown).map(row));
    if (opened !== null) body.firstChild.toggle();
    foot.lastChild.textContent = `${number(Math.min(kept.shown, rows.length), 0)} of ${number(rows.length, 0)} rows; the page itself shows more.`;
    more.textContent = `Show more (${number(Math.min(kept.shown, rows.length), 0)} of ${number(rows.length, 0)})`;
    foot.hidden = rows.length <= kept.shown;
    heads.forEach((head, i) => (columns[i] === column && kept.order !== null ? head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending') : head.removeAttribute('aria-sort')));
  }
  list();
  foot.grow = () => { if (kept.shown < PRINTED) { kept.shown = PRINTED; list(); } };
  return make('div', {}, scroller(label, make('table', {}, make('thead', {}, make('tr', {}, heads)), body), kind), foot);
}

sortable.kept = new Map();

// Paper has no button for more.
addEventListener('beforeprint', () => document.querySelectorAll('.foot').forEach((foot) => foot.grow()));

/** Numbers by size, texts by their numbers and letters, what is missing last. */
function compared(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === 'number') return a - b;
  return compared.texts.compare(a, b);
}

compared.texts = new Intl.Collator('en', { numeric: true });
