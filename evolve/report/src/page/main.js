(function main() {
  const { runs, comparisons, contests, version } = data;
  const several = runs.length > 1;
  const first = runs[0];
  document.getElementById('top').append(
    make('h1', {}, several ? `${runs.length} runs` : first.name),
    make('p', { class: 'soft' }, several ? [...new Set(runs.map((run) => run.problem))].join(', ') : `${first.problem}, player ${first.player}, seed ${first.seed}`));
  const page = document.getElementById('page');
  page.append(...runs.map((run) => verdictSection(run, several)));
  if (several) page.append(comparisonSection(runs, comparisons));
  page.append(curveSection(runs), trainingSection(runs));
  if (contests && contests.shown.length) page.append(gamesSection(contests, first.parameters));
  page.append(weightsSection(runs));
  document.getElementById('foot').append(`Made by evolve ${version}. This file needs nothing else.`);
}());
