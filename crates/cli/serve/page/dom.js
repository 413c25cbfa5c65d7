// Small helpers around the document.

export const $ = (id) => document.getElementById(id);

/** An element with attributes and children; `on` holds listeners. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** The same for drawings. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat());
  return element;
}

/** A table with a caption for those who cannot see it, a heading row and rows of cells; columns of numbers are set to the right. */
export function table(caption, headings, rows) {
  const isNumber = (cell) => /^[−+]?[\d.,]+( kB)?$/.test(cell?.textContent ?? cell ?? '');
  const numbers = headings.map((_, place) => rows.length > 0 && rows.every((cells) => isNumber(cells[place])));
  const kind = (place) => (numbers[place] ? 'number' : undefined);
  const head = el('tr', {}, headings.map((heading, place) => el('th', { scope: 'col', class: kind(place) }, heading)));
  const line = (cells) => el('tr', {}, cells.map((cell, place) =>
    (place ? el('td', { class: kind(place) }, cell) : el('th', { scope: 'row', class: kind(place) }, cell))));
  return el('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': caption },
    el('table', {}, el('caption', {}, caption), el('thead', {}, head), el('tbody', {}, rows.map(line))));
}

/** A number as people read it: 1,234,567. */
export const count = (number) => number.toLocaleString('en');
/** `1 seed`, `2 seeds`. */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;

/** Shows or takes away the one line that says what went wrong. */
export function problem(message) {
  $('problem').textContent = message ?? '';
  $('problem').hidden = !message;
}
