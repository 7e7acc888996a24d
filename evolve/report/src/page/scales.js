/** Axes, as the page receives them: range, steps and labels are decided where the data are made. */

/** The place of a value on an axis, from 0 to 1. */
function share({ low, high, log }, value) {
  const bend = log ? Math.log : (of) => of;
  return high > low ? (bend(value) - bend(low)) / (bend(high) - bend(low)) : 0.5;
}

/** The value at a place on an axis: the inverse of `share`. */
function placeOn({ low, high, log }, at) {
  return log ? low * (high / low) ** at : low + at * (high - low);
}

/** Positions and labels of about `count` ticks of an axis, within a part of its range. */
function ticks({ low, high, log, steps, unit, marks }, count, from = low, to = high) {
  const inside = marks.filter(([value]) => value >= from && value <= to);
  if (!steps.length || (log && inside.length > 1)) {
    const every = Math.max(1, Math.ceil(inside.length / (2 * count)));
    return inside.filter((_, i) => i % every === 0);
  }
  const [step, digits] = steps.find(([step]) => (to - from) / step >= 0.7 * count) ?? steps[steps.length - 1];
  const found = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9 && found.length < 50; i++) {
    found.push([i * step, i === 0 ? '0' : `${(i * step / unit[0]).toFixed(digits)}${unit[1]}`.replace('-', MINUS)]);
  }
  return found;
}

/** A value as a reading of an axis, finer than its ticks. */
function reading({ log, steps, unit }, value) {
  const fine = !log && steps[Math.min(steps.length - 1, 7)];
  return fine ? `${number(value / unit[0], fine[1])}${unit[1]}` : plain(value);
}

/** The axis of a parameter half a step wider than whole numbers, so that each is in the middle of its cell. */
function around({ axis, whole }) {
  return whole && !axis.log ? { ...axis, low: axis.low - 0.5, high: axis.high + 0.5 } : axis;
}

/** The largest number of whole values that have a place each. */
const WHOLE = 40;

/** Whether trials lie at few places of a column, so that they are drawn beside each other. */
const isStepped = ({ names, whole, axis }) => Boolean(names) || (whole && !axis.log && axis.high - axis.low <= WHOLE + 1);

/** How far a trial lies beside its place, from -0.5 to 0.5 of a step, across or up: evenly, in no pattern. */
const beside = (i, isUp) => i * (isUp ? 0.5698402909980532 : 0.7548776662466927) % 1 - 0.5;
