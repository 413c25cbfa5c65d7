// The position editor: a number in every pit and store, who is to move, who owns which pit.

import { el } from './dom.js';
import { NAMES, numberOf, ownerOf, rowOf, write } from './position.js';

export class Editor {
  /** `onDone` gets the text of the position. */
  constructor(form, onDone) {
    this.form = form;
    this.onDone = onDone;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.onDone(this.text());
    });
  }

  get isOpen() {
    return !this.form.hidden;
  }

  close() {
    this.form.hidden = true;
  }

  open(position, territory) {
    this.pits = position.pits;
    this.territory = territory;
    const number = (name, label, value) =>
      el('label', {}, label, el('input', { type: 'number', name, min: '0', max: '1023', value, required: true }));
    const pit = (ring) => {
      const row = rowOf(position, ring);
      return el('div', { class: 'edit-pit' }, number(`pit-${ring}`, `${NAMES[row][0]}${numberOf(position, row, ring)}`, position.board[ring]), territory ? owner(ring) : null);
    };
    const owner = (ring) => {
      const select = el('select', { name: `owner-${ring}`, 'aria-label': 'owner' }, ['south', 'north'].map((side) => el('option', { value: side }, NAMES[side])));
      select.value = ownerOf(position, ring);
      return select;
    };
    const row = (side) => {
      const rings = Array.from({ length: this.pits }, (_, place) => place + (side === 'north' ? this.pits : 0));
      return el('fieldset', {}, el('legend', {}, `${NAMES[side]}'s row, in ${side === 'south' ? 'her' : 'his'} sowing order`), el('div', { class: 'edit-row' }, rings.map(pit)));
    };
    const move = (side) => {
      const radio = el('input', { type: 'radio', name: 'to-move', value: side });
      radio.checked = position.toMove === side;
      return el('label', { class: 'check' }, radio, `${NAMES[side]} to move`);
    };
    this.form.replaceChildren(row('north'), row('south'),
      el('fieldset', {}, el('legend', {}, 'Stores'), el('div', { class: 'edit-row' }, number('store-south', 'South', position.stores.south), number('store-north', 'North', position.stores.north))),
      el('div', { class: 'bar' }, move('south'), move('north')),
      el('div', { class: 'bar' },
        el('button', { type: 'submit' }, 'Play from here'),
        el('button', { type: 'button', on: { click: () => this.clear() } }, 'Empty all')));
    this.form.hidden = false;
  }

  clear() {
    for (const input of this.form.querySelectorAll('input[type=number]')) input.value = 0;
  }

  text() {
    const fields = this.form.elements;
    const value = (name) => fields.namedItem(name).value;
    const rings = Array.from({ length: 2 * this.pits }, (_, ring) => ring);
    const position = {
      pits: this.pits,
      board: rings.map((ring) => value(`pit-${ring}`)),
      stores: { south: value('store-south'), north: value('store-north') },
      toMove: value('to-move'),
      owners: null,
    };
    if (this.territory) {
      const owners = rings.map((ring) => value(`owner-${ring}`));
      if (owners.some((owner, ring) => owner !== rowOf(position, ring))) position.owners = owners;
    }
    return write(position);
  }
}
