/** The values of runs side by side: those that differ come first. */
function valuesSection(runs) {
  const names = [...new Set(runs.flatMap((run) => run.weights.map(({ name }) => name)))];
  const of = (run, name) => run.weights.find((weight) => weight.name === name);
  const text = (weight) => (weight ? valueOf(weight, weight.recommended ?? weight.incumbent ?? weight.start) : '–');
  const rows = names.map((name) => {
    const shown = runs.map((run) => text(of(run, name)));
    const first = runs.map((run) => of(run, name)).find(Boolean);
    return { name, start: valueOf(first, first.start), shown, differs: new Set(shown).size > 1 };
  });
  const ordered = [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)];
  const line = ({ name, start, shown, differs }) => make('tr', { class: differs ? 'differs' : 'soft' }, make('td', {}, name), make('td', {}, start), shown.map((value) => make('td', {}, value)));
  const differing = rows.filter(({ differs }) => differs).length;
  return make('section', { id: 'values' }, make('h2', {}, 'Values side by side'),
    quiet(`Tuned values, or the incumbent of a run in progress. ${differing} of ${rows.length} ${differing === 1 ? 'differs' : 'differ'} between these runs.`),
    scroller('Values side by side', make('table', {},
      make('thead', {}, make('tr', {}, ['Parameter', 'Baseline', ...runs.map((run) => run.name)].map((head) => make('th', {}, head)))),
      make('tbody', {}, make('tr', {}, make('td', {}, 'Seed'), make('td'), runs.map((run) => make('td', {}, String(run.seed)))), ordered.map(line)))));
}

/** The shares of parameters and pairs side by side, the largest first; `null` without two runs that know them. */
function importancesSection(runs) {
  const known = runs.filter((run) => run.landscape?.shares.length);
  if (known.length < 2) return null;
  const name = ({ weights }, [p, other]) => `${weights[p].name}${other === null ? '' : ` × ${weights[other].name}`}`;
  const shares = known.map((run) => new Map(run.landscape.shares.map((of) => [name(run, of), of[2]])));
  const largest = (of) => Math.max(...shares.map((all) => all.get(of)?.[0] ?? 0));
  const rows = [...new Set(shares.flatMap((all) => [...all.keys()]))].filter((of) => largest(of) >= 0.01).sort((a, b) => largest(b) - largest(a));
  const cell = (share) => (share ? [make('div', { class: 'draw' }, shareBar(share[0], share.slice(1))), make('span', { class: 'share' }, percentOf(share[0]))] : '–');
  return make('section', { id: 'importances' }, make('h2', {}, 'Importance side by side'),
    quiet('The share of each parameter, and of interactions, in the variance of the gain over the whole space, by the model of each run. The line is the range that a jackknife gives.'),
    scroller('Importance side by side', make('table', { class: 'importances' },
      make('thead', {}, make('tr', {}, ['Parameter', ...known.map((run) => run.name)].map((head) => make('th', {}, head)))),
      make('tbody', {}, rows.map((of) => make('tr', {}, make('td', {}, of), shares.map((all) => make('td', {}, cell(all.get(of))))))))));
}

/** How the trials of the search of each run spread around the baseline. */
function distributions(runs) {
  const related = runs.filter((run) => run.history?.is_related);
  const series = runs.map((run, i) => ({ name: run.name, colour: colour(i), kind: 'line', points: related.includes(run) ? shareCurve(run.history.gain.filter((of, t) => of !== null && run.history.stages[run.history.stage[t]] === 'search')) : [] })).filter(({ points }) => points.length > 1);
  if (series.length < 2) return null;
  const axes = related.map(({ history }) => history.axes.spread);
  const axis = { ...axes[0], low: Math.min(...axes.map(({ low }) => low)), high: Math.max(...axes.map(({ high }) => high)) };
  return folded('distributions', 'Distribution of the trials of the search',
    quiet('The share of trials at or below each gain. The dashes are the level of the baseline: a curve to their right is better.'),
    chart({ label: 'Distribution of the trials of the search', title: 'Share of trials', axes: [['value', 'Gain', 'Gain', axis]], scale: related[0].history.axes.shares, series, upright: true, height: 260 }));
}

/** What the held-out tests of two runs have in common: instances at most, because each run draws its own seeds. */
function testsOf(one, other) {
  const [a, b] = [one, other].map(({ trials }) => new Set(trials?.stage === 'test' ? trials.pairs.map(({ instance }) => instance).filter((name) => name !== '') : []));
  const shared = [...a].filter((name) => b.has(name)).length;
  if (!shared) return 'both held-out tests, on different trials';
  const isPart = [one, other].some(({ trials }) => trials.cases > trials.pairs.length);
  return `both held-out tests, with ${isPart ? 'at least ' : ''}${number(shared, 0)} of the same instances, which this interval does not pair; the command does`;
}

function comparisonSection(runs, comparisons) {
  const row = ({ runs: [a, b], difference, trials }) => {
    const verdict = !difference ? 'not comparable'
      : difference[1] > 0 ? `${runs[a].name} is better` : difference[2] < 0 ? `${runs[b].name} is better` : 'no difference found';
    return make('tr', {},
      make('td', {}, `${runs[a].name} against ${runs[b].name}`), make('td', {}, verdict),
      make('td', {}, difference ? gainOf(runs[a], difference[0], difference[3]) : '–'),
      make('td', {}, difference ? [difference[1], difference[2]].map((end) => (end === null ? '\u221e' : gainOf(runs[a], end, difference[3]))).join(' to ') : '–'),
      make('td', {}, !difference ? 'another problem, or another baseline' : trials ? `${number(trials, 0)} common trials` : testsOf(runs[a], runs[b])),
      make('td', {}, difference ? make('code', {}, `evolve compare ${runs[a].words.quoted} ${runs[b].words.quoted}`) : ''));
  };
  return make('section', { id: 'comparison' },
    make('h2', {}, 'Comparison of the runs'),
    quiet('The tuned values of each pair of runs: the difference of their gains, with its 95 % confidence interval.'),
    scroller('Comparison of the runs', make('table', {},
      make('thead', {}, make('tr', {}, ['Runs', 'Result', 'Difference', '95 % interval', 'Measured on', 'To test them'].map((text) => make('th', {}, text)))),
      make('tbody', {}, comparisons.map(row)))));
}
