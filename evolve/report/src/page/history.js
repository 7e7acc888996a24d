/** Every trial as a point, and the gain of the incumbent on top. */
function historySection(run, several, place) {
  const { history } = run;
  if (!history || history.trial.length === 0) return null;
  const related = history.is_related;
  const kept = historySection.kept.get(run.name) ?? { height: related ? 'gain' : 'score', log: false };
  historySection.kept.set(run.name, kept);
  const heights = [related && ['gain', 'Gain'], ['score', 'Score'], history.axes.durations && ['seconds', 'Seconds']].filter(Boolean);
  const [text, holder] = [quiet(), make('div')];
  const log = make('button', { type: 'button', onclick: () => { kept.log = !kept.log; list(); } }, 'Logarithm');
  const list = () => {
    const scales = { score: history.axes.scores, seconds: history.axes.durations }[kept.height];
    text.replaceChildren(...heightText(run, kept.height));
    log.hidden = !scales?.log;
    log.setAttribute('aria-pressed', String(kept.log));
    holder.replaceChildren(historyChart(run, kept.height, scales && (kept.log && scales.log ? scales.log : scales.plain)));
  };
  list();
  return make('section', { id: `history-${place}` },
    make('h2', {}, several ? `History of ${run.name}` : 'History'),
    text,
    make('div', { class: 'bar' }, heights.length > 1 && buttons('Vertical axis', heights, kept.height, (height) => { kept.height = height; list(); }), log),
    holder, distributionOf(run), timelineOf(run));
}

historySection.kept = new Map();

/** What the points of a history are, by what is on its vertical axis. */
function heightText(run, height) {
  const { history, landscape } = run;
  const better = run.direction ? ` ${run.direction === 'minimize' ? 'Lower' : 'Higher'} is better, on the same instance.` : '';
  const points = {
    gain: `Each point is a trial: its gain over the baseline on the same instance${history.is_modelled ? ' or, where the baseline did not play, over the score that the model expects of the baseline there' : ''}. Above zero is better.`,
    score: `Each point is the score of a trial.${better}${history.is_related ? '' : ' A run without a model, and without the baseline on the same instances, has no gain of each trial.'}`,
    seconds: 'Each point is the run time of a trial, in seconds.',
  }[height];
  return [points,
    height === 'gain' && history.course.length > 0 && ` The line is the gain of the incumbent, the values that the run would have recommended after that trial, as the model of the search estimates it${landscape ? ` from ${number(landscape.gains.length, 0)} trials` : ''}; the band is its 95 % interval.`,
    history.all > history.trial.length && ` Shown are ${number(history.trial.length, 0)} of ${number(history.all, 0)} trials, evenly spaced.`].filter(Boolean);
}

function historyChart(run, height, scale) {
  const { history } = run;
  const isGain = height === 'gain';
  const value = (i) => history[height][i] ?? null;
  const all = history.trial.map((trial, i) => ({ trials: trial, seconds: history.elapsed[i], y: value(i), i })).filter((point) => point.y !== null);
  const series = history.groups.map(({ name, colour, is_cross: cross }, g) => ({ name, colour, kind: 'points', cross, points: all.filter(({ i }) => history.group[i] === g) }));
  if (isGain) {
    const { held, verdict } = differences(run);
    const last = history.trial.length - 1;
    series.push({ name: 'incumbent, by the model', colour: 'var(--s0)', kind: 'line', points: courseOf(run) },
      { name: 'incumbent, in validation', colour: 'var(--s3)', kind: 'dots', points: held.map((point) => ({ ...point, trials: point.trials - 1 })) },
      { name: 'held-out test', colour: 'var(--s1)', kind: 'diamond', points: verdict.map((point) => ({ ...point, trials: history.trial[last], seconds: history.elapsed[last] })) });
  }
  const axes = [['trials', 'Trial', 'Trial', history.axes.trials], ...(history.elapsed.length ? [['seconds', 'Time spent on trials', 'Time', history.axes.seconds]] : [])];
  const names = { gain: ['History', 'Gain'], score: ['Scores', 'Score'], seconds: ['Run times', 'Seconds'] }[height];
  return chart({ label: `${names[0]} of ${run.name}`, title: names[1], axes, scale: scale ?? history.axes.height, series: series.filter((one) => one.points.length), zero: isGain, kept: `History of ${run.name}`, ...ofTrials(run) });
}

/** The gain of the incumbent by the model. */
function courseOf({ history }) {
  return history ? history.course.map(([trials, seconds, [y, low, high]]) => ({ trials, seconds, y, low, high })) : [];
}

/** The largest number of points in the curve of a distribution. */
const CURVE = 400;

/** The share of some values at or below each of them. */
function shareCurve(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const points = sorted.map((value, i) => ({ value, y: (i + 1) / sorted.length })).filter(({ value }, i) => value !== sorted[i + 1]);
  const step = Math.max(1, Math.ceil(points.length / CURVE));
  return points.filter((_, i) => i % step === 0 || i === points.length - 1);
}

/** How the trials of each stage spread around the level of the baseline. */
function distributionOf(run) {
  const { history } = run;
  const related = history.is_related;
  const values = related ? history.gain : history.score;
  const curve = (g) => shareCurve(values.filter((of, i) => of !== null && history.group[i] === g));
  const series = history.groups.map(({ name, colour, is_cross: cross }, g) => ({ name, colour, kind: 'line', points: cross ? [] : curve(g) })).filter(({ points }) => points.length > 1 && points[0].value < points[points.length - 1].value);
  if (!series.length) return null;
  const title = related ? 'Gain' : 'Score';
  return folded(`distribution of ${run.name}`, 'Distribution of the trials',
    quiet(`The share of trials at or below each value, by stage.${related ? ' The dashes are the level of the baseline: a curve to their right is better.' : ''}`),
    chart({ label: `Distribution of ${run.name}`, title: 'Share of trials', axes: [['value', title, related ? 'Gain' : 'Score', related ? history.axes.spread : history.axes.scores.plain]], scale: history.axes.shares, series, upright: related, height: 260 }));
}

/** The trials over the clock: those that ran at the same time are in different rows. */
function timelineOf(run) {
  const { timeline, groups, trial, seconds, group } = run.history;
  if (!timeline) return null;
  const points = trial.map((_, i) => ({ at: timeline.trials[i], i })).filter(({ at }) => at !== null).map(({ at: [clock, y], i }) => ({ clock, until: clock + seconds[i], y, i }));
  const series = groups.map(({ name, colour }, g) => ({ name, colour, kind: 'spans', points: points.filter(({ i }) => group[i] === g) })).filter((one) => one.points.length);
  const rows = timeline.rows.marks.length;
  return folded(`timeline of ${run.name}`, 'Timeline',
    quiet(`Each bar is a trial, from its start to its end; trials at the same time are in different rows. The first trial began at ${timeline.start}. On average, ${number(timeline.together, 2)} trials ran at a time.`),
    chart({ label: `Timeline of ${run.name}`, title: 'Row', axes: [['clock', 'Time since the first trial', 'Time', timeline.clock]], scale: timeline.rows, series, isScattered: true, height: Math.min(320, 90 + 22 * rows), ...ofTrials(run) }));
}
