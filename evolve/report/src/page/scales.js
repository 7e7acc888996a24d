/** Ranges, ticks and units of all axes. */

function widened(low, high, share) {
  const more = (high - low) * share || Math.abs(high) * 0.1 || 1;
  return [low - more, high + more];
}

/** Round values within a range, about `count` of them. */
function ticks(low, high, count, whole = false) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= rough && !(whole && step < 1)) ?? 1;
  const first = Math.ceil(low / step - 1e-9);
  const found = [];
  for (let i = first; i * step <= high + step * 1e-9 && found.length < 50; i++) found.push(i * step);
  return whole ? found.filter((tick) => tick >= 0) : found;
}

/** Decimals that tell ticks apart. */
function tickDigits(all) {
  const step = all.length > 1 ? Math.abs(all[1] - all[0]) : Math.abs(all[0] ?? 1);
  return step > 0 ? Math.min(8, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))) : 0;
}

/** The unit of an axis for a range of that size. */
function unitOf(axis, range, largest) {
  if (axis === 'seconds') {
    if (largest > 7200) return { size: 3600, name: ' (hours)' };
    if (largest > 180) return { size: 60, name: ' (minutes)' };
    return { size: 1, name: ' (seconds)' };
  }
  if (largest >= 2e7) return { size: 1e6, name: ' (millions)' };
  if (largest >= 2e4) return { size: 1e3, name: ' (thousands)' };
  return { size: 1, name: '' };
}

/** Powers of ten within a positive range, or three digits of each where there are few. */
function logTicks(low, high, count) {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const every = Math.max(1, Math.ceil((to - from) / count));
  const digits = to - from <= 2 ? [1, 2, 5] : [1];
  const found = [];
  for (let power = from; power <= to; power += every) {
    for (const digit of digits) found.push(Number(`${digit}e${power}`));
  }
  return found.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
}

/**
 * The scale of a parameter: `at` places a value between 0 and 1, `ticks` are values, `text` writes one. Choices and
 * switches have a place for each name.
 */
function scaleOf({ names, log, low, high }) {
  if (names) {
    return { at: (value) => (value + 0.5) / names.length, ticks: () => names.map((_, i) => i), text: (value) => names[value] ?? '' };
  }
  const bend = log && low > 0 ? Math.log : (value) => value;
  const [from, to] = [bend(low), bend(high)];
  const at = (value) => (to > from ? (bend(value) - from) / (to - from) : 0.5);
  const marks = (count) => (bend === Math.log ? logTicks(low, high, count) : ticks(low, high, count));
  return { at, ticks: marks, text: (value) => (bend === Math.log ? powerOf(value) : plain(value)) };
}

/** A value on a logarithmic axis: short numbers as they are, others by their power of ten. */
function powerOf(value) {
  return value >= 1e-3 && value < 1e5 ? plain(value) : value.toExponential(0).replace('e+', 'e').replace('-', MINUS);
}

/** The value below which this share of all lies. */
function quantile(all, share) {
  const sorted = Float64Array.from(all).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))];
}
