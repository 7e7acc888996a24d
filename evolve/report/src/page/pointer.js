/** The pixels within which a pointer is at a point, and those that make a drag. */
const NEAR = 14;
const DRAG = 8;

/** The place of a pointer, in pixels of a drawing. */
function pixelOf(event, svg) {
  const box = svg.getBoundingClientRect();
  return [(event.clientX - box.left) * svg.viewBox.baseVal.width / box.width, (event.clientY - box.top) * svg.viewBox.baseVal.height / box.height];
}

/** A ring for a point: the one below the pointer, or the marked one. */
const ringOf = (kind) => draw('circle', { class: kind, r: 7, fill: 'none', visibility: 'hidden' });

function ringAt(ring, point, placeOf) {
  ring.setAttribute('visibility', point ? 'visible' : 'hidden');
  if (!point) return;
  const [a, b] = placeOf(point);
  ring.setAttribute('cx', a);
  ring.setAttribute('cy', b);
}

/** The element for the text of the place that is read in a drawing. */
const readoutOf = (text) => make('div', { class: 'readout', 'aria-live': 'polite' }, make('span', {}, text));

/** Says a text below a drawing or, with a place in it, beside that place. */
function say(readout, text, svg, place) {
  const line = readout.firstChild;
  line.textContent = text;
  // A drawing that is not shown has no place.
  const isBeside = Boolean(place && readout.offsetParent);
  line.className = isBeside ? 'tip' : '';
  if (!isBeside) return;
  const [at, home] = [svg, readout.offsetParent].map((of) => of.getBoundingClientRect());
  const scale = at.width / svg.viewBox.baseVal.width;
  const [left, top] = [at.left - home.left + place[0] * scale, at.top - home.top + place[1] * scale];
  const isRight = left > home.width / 2;
  line.style.left = isRight ? 'auto' : `${left + 12}px`;
  line.style.right = isRight ? `${home.width - left + 12}px` : 'auto';
  line.style.top = `${top + 12}px`;
}

/**
 * Lets the trials of a drawing be read and opened; `points` has their places in the drawing and their indices. Other readings stay
 * away while the pointer is at a trial. A drawing replaces an earlier one with the same key.
 */
function touchable(run, key, svg, points, readout) {
  const opened = openedOf(run);
  const [ring, mark] = [ringOf('ring'), ringOf('marked')];
  const near = (event) => {
    const [a, b] = pixelOf(event, svg);
    const [best, distance] = points.reduce(([best, least], point) => {
      const distance = Math.hypot(point[0] - a, point[1] - b);
      return distance < least ? [point, distance] : [best, least];
    }, [null, Infinity]);
    return distance < NEAR / 2 ? best : null;
  };
  const showMark = () => ringAt(mark, points.find(([, , i]) => run.history.trial[i] === opened.trial), (of) => of);
  svg.append(mark, ring);
  svg.addEventListener('pointermove', (event) => {
    const point = near(event);
    ringAt(ring, point, (of) => of);
    if (!point) return;
    say(readout, trialText(run, point[2]), svg, point);
    event.stopImmediatePropagation();
  });
  svg.addEventListener('pointerleave', () => {
    ringAt(ring, null);
    say(readout, readout.textContent);
  });
  svg.addEventListener('click', (event) => {
    const point = near(event);
    if (point) openTrial(run, point[2]);
  });
  opened.listeners.set(key, showMark);
  showMark();
}

/** Lets a drawing be read by pointer and keys: `show` gets the index of the place, in pixels of the drawing, that is nearest. */
function readable(svg, places, first, show) {
  let at = first;
  const read = (i) => show(at = i);
  svg.addEventListener('pointermove', (event) => {
    const [pixel] = pixelOf(event, svg);
    read(places.reduce((best, place, i) => (Math.abs(place - pixel) < Math.abs(places[best] - pixel) ? i : best), 0));
  });
  svg.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    read(Math.min(places.length - 1, Math.max(0, at + step)));
    event.preventDefault();
  });
}
