/** Something of a run that its table and charts share, and that stays when they are redrawn: `first` of this name until it is set. */
function sharedOf(kept, run, name, first) {
  const shared = kept.get(run.name) ?? { [name]: first, listeners: new Map() };
  kept.set(run.name, shared);
  shared.set = (value) => {
    shared[name] = value;
    for (const listener of shared.listeners.values()) listener();
  };
  return shared;
}

/** The filter of a run's trials, as words. */
const filterOf = (run) => sharedOf(filterOf.kept, run, 'words', '');
filterOf.kept = new Map();

/** The number of the trial that is open on top of a run's table, and marked in its charts. */
const openedOf = (run) => sharedOf(openedOf.kept, run, 'trial', null);
openedOf.kept = new Map();

/** The words of a filter: spaces separate them, and commas, unless thousands follow; quotes keep a name with spaces together. */
function wordsOf(text) {
  const joined = text.toLowerCase().replace(/\s*(<=|>=|<|>|=)\s*/g, '$1').replace(/(\d)\s+%/g, '$1%');
  return joined.match(/(?:"[^"]*"|[^\s,"]|,(?=\d{3}\b))+/g) ?? [];
}

/** Whether a trial passes the filter, what is wrong with its words, and how they are read where that is not plain. */
function passes(run, text) {
  const words = wordsOf(text);
  const found = words.map((word) => condition(run, word));
  const conditions = found.filter((of) => typeof of === 'function');
  return { holds: (i) => conditions.every((holds) => holds(i)), faults: found.filter((of) => typeof of === 'string'), notes: words.filter((_, i) => typeof found[i] === 'function').map((word) => noteOn(run, word)).filter(Boolean) };
}

/** The column, sign and right side of a condition; of columns whose names begin alike, the longest name counts. */
function partsOf(run, word) {
  let best = null;
  for (const column of columnsOf(run)) {
    for (const name of [column.text.toLowerCase(), column.key.toLowerCase()]) {
      const [, sign, to] = (word.startsWith(name) && /^(<=|>=|<|>|=)(.*)$/.exec(word.slice(name.length))) || [];
      if (sign && (best === null || name.length > best.name.length)) best = { column, name, sign, to: to.replaceAll('"', '') };
    }
  }
  return best;
}

/** A number of a column in percent is one without its sign, too. */
function noteOn(run, word) {
  const parts = partsOf(run, word);
  return parts && (parts.column.unit ?? 1) !== 1 && !parts.to.endsWith('%') && `${parts.to} is read as ${parts.to} %.`;
}

/** The series of a trial, as the legend of the history names it. */
const seriesOf = ({ name }) => name.replace('trials: ', '');

/** What to write instead of a word that names nothing. */
function unknownWord(run, word) {
  const { history } = run;
  const column = columnsOf(run).find(({ text, key }) => [text, key].some((name) => name.toLowerCase() === word));
  const some = column && history.trial.map((_, i) => column.of(i)).find((value) => value !== null && column.print(value) !== '');
  if (some !== undefined) {
    const value = column.print(some);
    return `"${word}" is a column: write a condition, such as ${word}=${/[\s,]/.test(value) ? `"${value}"` : value}.`;
  }
  return `"${word}" is not understood: write ${history.groups.map(seriesOf).join(', ')}${history.instances.some((name) => name !== '') ? ', a part of the name of an instance' : ''} or a condition, such as ${run.weights.length ? example(run.weights[0]) : 'score<100'}.`;
}

/** The test of a word, or its fault. */
function condition(run, word) {
  const columns = columnsOf(run);
  const parts = partsOf(run, word);
  if (!parts && !/[<>=]/.test(word)) {
    const part = word.replaceAll('"', '');
    const { history } = run;
    const has = (name) => name.toLowerCase().includes(part);
    const named = columns.filter(({ names, axis }) => names && !axis);
    const series = history.groups.map((group) => has(seriesOf(group)));
    if (!series.includes(true) && !named.some(({ names }) => names.some(has))) return unknownWord(run, part);
    return (i) => series[history.group[i]] || named.some(({ of, print }) => of(i) !== null && has(print(of(i))));
  }
  if (!parts) return `No column "${word.split(/[<>=]/)[0]}": ${columns.map(({ text, weight }) => (weight ? text : text.toLowerCase())).join(', ')}.`;
  const { column: { text, names, unit = 1, weight, of }, name, sign, to } = parts;
  const places = names && to.split('|').map((one) => names.findIndex((other) => other.toLowerCase() === one));
  if (places && sign === '=') {
    if (places.includes(-1)) return `${text} has no value "${to.split('|')[places.indexOf(-1)]}": ${names.slice(0, 20).join(', ')}.`;
    return (i) => places.includes(of(i));
  }
  // Gains of ratios are shown in percent, and meant so, with or without the sign.
  const typed = to.replace(/\s*%$/, '').replace('\u2212', '-').replace(/,(?=\d{3}\b)/g, '');
  const value = names ? places[0] : unit * Number(typed);
  if (names && value < 0) return `${text} has no value "${to}": ${names.slice(0, 20).join(', ')}.`;
  if (typed === '' || Number.isNaN(value)) return `"${name}${sign}${to}": "${to}" is not a number.`;
  const isSame = (x) => x === value || (!names && (weight ? plain(x) === plain(value) : Math.abs(x - value) < 1e-4 * Math.abs(value)));
  const holds = { '<': (x) => x < value, '>': (x) => x > value, '<=': (x) => x <= value || isSame(x), '>=': (x) => x >= value || isSame(x), '=': isSame }[sign];
  return (i) => of(i) !== null && holds(of(i));
}

/** A condition that holds in a part of an axis, as words; empty if it is the whole axis. */
function between(run, column, low, high) {
  const { axis, names, whole, unit = 1 } = column;
  const isShared = columnsOf(run).some((other) => other !== column && other.text.toLowerCase() === column.text.toLowerCase());
  const name = (isShared ? column.key : column.text).toLowerCase();
  if (names) {
    const inside = names.filter((_, place) => place >= low - 1e-9 && place <= high + 1e-9);
    const chosen = inside.length ? inside : [names[Math.min(names.length - 1, Math.max(0, Math.round((low + high) / 2)))]];
    const words = chosen.join('|').toLowerCase();
    return chosen.length === names.length ? '' : `${name}=${/[\s,]/.test(words) ? `"${words}"` : words}`;
  }
  let [from, to] = [low, high];
  if (whole) [from, to] = Math.ceil(low) <= Math.floor(high) ? [Math.ceil(low), Math.floor(high)] : [Math.round(low), Math.round(low)];
  const text = (value) => `${Number((value / unit).toPrecision(4))}${unit === 1 ? '' : '%'}`;
  const room = 1e-3;
  return [share(axis, from) > room && `${name}>=${text(from)}`, share(axis, to) < 1 - room && `${name}<=${text(to)}`].filter(Boolean).join(' ');
}

/** The part of a column's axis that the words of a filter choose; `null` if they do not name the column. */
function chosenIn(run, words, column) {
  const own = wordsOf(words).map((word) => partsOf(run, word)).filter((parts) => parts?.column === column);
  if (!own.length) return null;
  const { axis, names, unit = 1 } = column;
  let [low, high] = names ? [0, names.length - 1] : [axis.low, axis.high];
  for (const { sign, to } of own) {
    const places = names ? to.split('|').map((one) => names.findIndex((other) => other.toLowerCase() === one)) : [unit * Number(to.replace(/%$/, '').replace('\u2212', '-').replace(/,/g, ''))];
    // A word at fault chooses nothing.
    if (places.some((value) => Number.isNaN(value) || (names && value < 0))) continue;
    if (sign !== '<' && sign !== '<=') low = Math.max(low, Math.min(...places));
    if (sign !== '>' && sign !== '>=') high = Math.min(high, Math.max(...places));
  }
  return low <= high ? [low, high] : [high, high];
}

/** The words of a filter with other ones about a column. */
function changed(run, words, column, own) {
  const others = wordsOf(words).filter((word) => partsOf(run, word)?.column !== column);
  return [...others, own].filter(Boolean).join(' ');
}
