'use strict';

/** The data of this page; `null` in a live page, which asks for them. */
const data = JSON.parse(document.getElementById('data').textContent);

/** An element with attributes and children; texts become text, never markup. */
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for elements of SVG. */
function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const MINUS = '\u2212';

/** A number with so many decimals, thousands kept apart, a minus sign proper. How many decimals there are comes with the data. */
function number(value, digits) {
  const text = Math.abs(value).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value < 0 && Number(Math.abs(value).toFixed(digits)) !== 0 ? MINUS : '') + text;
}

/** The same with a plus sign before what is above zero. */
function signed(value, digits) {
  return (value > 0 && Number(value.toFixed(digits)) !== 0 ? '+' : '') + number(value, digits);
}

/** A mean and the ends of its interval, with the decimals that come with them. */
function signedWithin([mean, low, high, digits]) {
  return [mean, low, high].map((value) => (value === null ? '\u221e' : signed(value, digits)));
}

/** A gain of a run: in percent if its objectives are ratios. */
function gainOf({ rating }, value, digits) {
  return rating === 'ratio' ? `${signed(100 * value, Math.max(0, digits - 2))}\u00a0%` : signed(value, digits);
}

/** A weight as short as it reads well: a whole number as it is, any other with four digits, as recommendations have them. */
function plain(value) {
  const short = Number.isInteger(value) ? value : Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4));
  return String(short).replace('-', MINUS).replace('e+', 'e');
}

const colour = (place) => `var(--s${place % 7})`;

const quiet = (...children) => make('p', { class: 'soft small' }, ...children);

/** A choice among a few, as buttons of which one is pressed. */
function buttons(label, choices, chosen, pick) {
  const all = choices.map(([value, text]) =>
    make('button', { type: 'button', 'aria-pressed': String(value === chosen), onclick: () => choose(value) }, text));
  function choose(value) {
    all.forEach((button, i) => button.setAttribute('aria-pressed', String(choices[i][0] === value)));
    pick(value);
  }
  return make('span', { class: 'bar', role: 'group', 'aria-label': label, style: 'margin:0' }, all);
}

/** A region that scrolls, also by keys. */
function scroller(label, content, kind = '') {
  return make('div', { class: `scroll ${kind}`, tabindex: 0, role: 'region', 'aria-label': label }, content);
}

/** A part that is closed at first. It stays open when the page is redrawn. */
function folded(key, title, ...content) {
  const part = make('details', { open: folded.open.has(key), ontoggle: () => folded.open[part.open ? 'add' : 'delete'](key) }, make('summary', {}, title), ...content);
  return part;
}

folded.open = new Set();

/** The size of a drawing, on a wide window or on a phone, so that its texts stay readable. */
const sized = (wide, narrow) => (document.documentElement.clientWidth < 560 ? narrow : wide);
