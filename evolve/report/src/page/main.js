/** Draws the page. Sections that are there already are replaced, unless somebody is at work in them. */
function show({ runs, axes, comparisons, contests, version }) {
  const several = runs.length > 1;
  const first = runs[0];
  const top = document.getElementById('top');
  const isRead = [top, document.querySelector('.contents')].some((part) => part?.contains(document.activeElement));
  if (!isRead) top.replaceChildren(
    make('h1', {}, several ? `${runs.length} runs` : first.name),
    make('p', { class: 'soft' }, several ? [...new Set(runs.map((run) => run.problem))].join(', ') : `${first.problem}${first.player ? `, player ${first.player}` : ''}, seed ${first.seed}`));
  const page = document.getElementById('page');
  const each = (part) => runs.map((run, i) => part(run, several, i)).map((section) => (several && section ? closed(section) : section));
  const sections = [
    several && comparisonSection(runs, comparisons), several && valuesSection(runs), several && curveSection(runs, axes), several && importancesSection(runs),
    ...runs.map((run, i) => verdictSection(run, several, i)),
    // Of several runs, the values lie side by side.
    !several && nowSection(first, several, 0),
    ...each(functionsSection), ...each(historySection), ...each(landscapeSection), ...each(parallelSection), ...each(scatterSection),
    !several && !first.history && curveSection(runs, axes), trainingSection(runs),
    contests && contests.shown.length > 0 && gamesSection(contests, first.parameters),
    ...each(trialsSection), ...each(tableSection),
    weightsSection(runs),
  ].filter(Boolean);
  const old = [...page.children];
  if (old.length === sections.length && sections.every((section, i) => section.id === old[i].id)) {
    sections.forEach((section, i) => old[i].contains(document.activeElement) || old[i].replaceWith(section));
  } else {
    page.replaceChildren(...sections);
  }
  if (!isRead) {
    document.querySelector('.contents')?.remove();
    top.after(contents([...page.children]));
  }
  // The address may name a trial.
  const [, linked] = /^#trial-(\d+)$/.exec(location.hash) ?? [];
  const place = first.history?.trial.indexOf(Number(linked)) ?? -1;
  if (!show.isDrawn && !several && place >= 0) openTrial(first, place);
  show.isDrawn = true;
  document.querySelector('.skip').hidden = !document.getElementById('games');
  document.getElementById('foot').textContent = `Written by evolve ${version}. This file is self-contained.`;
}

/** A part of one of several runs, closed at first. */
function closed(section) {
  const [title, ...content] = section.childNodes;
  section.replaceChildren(folded(section.id, title.textContent, ...content));
  return section;
}

/** Links to the parts of the page. */
function contents(sections) {
  const links = sections.map((section) => [section.id, section.querySelector('h2, summary')?.textContent]).filter(([, text]) => text);
  // A part that is closed opens.
  const open = (id) => document.querySelector(`#${id} > details`)?.setAttribute('open', '');
  return make('nav', { class: 'contents small', 'aria-label': 'Contents' }, links.map(([id, text]) => make('a', { href: `#${id}`, onclick: () => open(id) }, id.startsWith('verdict') ? verdictName(id) : text)));
}

/** A verdict is a sentence: its link has the name of the run, if there are several. */
function verdictName(id) {
  return document.querySelector(`#${id} > p:first-child`)?.textContent ?? 'Verdict';
}
