/** What a drawing takes from the style of the page. */
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'visibility', 'font-size', 'font-family', 'paint-order'];

/** A button that saves the drawing in a box as a file, in the colours of the page. */
function saving(name, box) {
  const save = () => {
    const link = make('a', { href: URL.createObjectURL(new Blob([alone(box.querySelector('svg'))], { type: 'image/svg+xml' })), download: `${name.replace(/[^\w.-]+/g, '-')}.svg` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };
  return make('button', { type: 'button', 'aria-label': `Save SVG: ${name}`, onclick: save }, 'Save SVG');
}

/** A drawing as a document of its own. */
function alone(svg) {
  const copy = svg.cloneNode(true);
  const copies = copy.querySelectorAll('*');
  svg.querySelectorAll('*').forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const property of STYLES) copies[i].setAttribute(property, style.getPropertyValue(property));
    copies[i].removeAttribute('class');
  });
  const { width, height } = svg.viewBox.baseVal;
  const back = getComputedStyle(document.documentElement).getPropertyValue('--card');
  copy.prepend(draw('rect', { width, height, fill: back.trim() }));
  for (const name of ['style', 'tabindex']) copy.removeAttribute(name);
  for (const [name, value] of Object.entries({ width, height })) copy.setAttribute(name, value);
  return new XMLSerializer().serializeToString(copy);
}
