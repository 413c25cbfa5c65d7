// The board: every pit a button, stores at the ends, values on the pits when they are wanted.

import { el } from './dom.js';
import { pit as drawPit } from './seeds.js';
import { NAMES, numberOf, ownerOf, rowOf, ringOf } from './position.js';

export class Board {
  /** `onPit(number, side, ring)` is called when a legal pit is chosen. `words` are the game's own. */
  constructor(root, onPit) {
    this.root = root;
    this.onPit = onPit;
    this.pits = 0;
    this.position = null;
    this.legal = new Set();
    this.words = {};
    root.classList.add('board');
    root.setAttribute('role', 'group');
    root.setAttribute('aria-label', 'Board');
    root.addEventListener('keydown', (event) => this.key(event));
  }

  build(position) {
    this.pits = position.pits;
    this.root.style.setProperty('--pits', position.pits);
    this.root.classList.toggle('crowded', position.pits > 5);
    this.root.classList.toggle('long-rows', position.pits > 12);
    const store = (side) => el('div', { class: `store ${side}`, id: `${this.root.id}-store-${side}`, role: 'img' },
      el('span', { class: 'name' }, NAMES[side]), el('span', { class: 'count' }, '0'));
    const cell = (ring) => {
      const row = rowOf(position, ring);
      const button = el('button', { type: 'button', class: 'pit', tabindex: '-1', 'data-ring': ring, 'data-pit': `${row}-${numberOf(position, row, ring)}` },
        el('span', { class: 'unseen' }), el('span', { class: 'number', 'aria-hidden': 'true' }), el('span', { class: 'drawing' }), el('span', { class: 'count', 'aria-hidden': 'true' }),
        el('span', { class: 'worth', 'aria-hidden': 'true' }));
      button.addEventListener('click', () => this.choose(ring));
      return button;
    };
    this.cells = [];
    for (let ring = 0; ring < 2 * this.pits; ring += 1) this.cells[ring] = cell(ring);
    const south = this.cells.slice(0, this.pits);
    const north = this.cells.slice(this.pits).reverse();
    this.stores = { north: store('north'), south: store('south') };
    const row = (side, cells) => el('div', { class: `row ${side}`, role: 'group', 'aria-label': `${NAMES[side]}'s row` }, cells);
    this.root.replaceChildren(this.stores.north, el('div', { class: 'rows', tabindex: '-1' }, row('north', north), row('south', south)), this.stores.south);
    this.focused = null;
  }

  /** Shows a position; `legal` are pits as the player to move counts them, `worth` maps ring pits to what they are worth. */
  show(position, { legal = [], worth = new Map(), marks = {}, territory = false } = {}) {
    if (this.pits !== position.pits) this.build(position);
    this.position = position;
    this.legal = new Set(legal.map((number) => ringOf(position, position.toMove, number)));
    this.territory = territory;
    for (let ring = 0; ring < position.board.length; ring += 1) this.pit(ring, position.board[ring], worth.get(ring), marks);
    for (const side of ['south', 'north']) this.store(side, position.stores[side], marks);
    this.root.classList.toggle('south-moves', position.toMove === 'south' && legal.length > 0);
    this.root.classList.toggle('north-moves', position.toMove === 'north' && legal.length > 0);
    this.roving();
  }

  pit(ring, seeds, worth, marks) {
    const { position } = this;
    const button = this.cells[ring];
    const owner = ownerOf(position, ring);
    const conquered = owner !== rowOf(position, ring);
    const number = numberOf(position, owner, ring);
    const legal = this.legal.has(ring);
    if (button.dataset.seeds !== String(seeds)) {
      button.dataset.seeds = seeds;
      button.querySelector('.drawing').replaceChildren(drawPit(seeds));
      button.querySelector('.count').textContent = seeds;
    }
    const son = this.words.son ?? 'conquered';
    button.querySelector('.number').textContent = this.territory ? `${NAMES[owner][0]}${number}` : number;
    button.classList.toggle('conquered', conquered);
    button.classList.toggle('owned-south', this.territory && owner === 'south');
    button.classList.toggle('owned-north', this.territory && owner === 'north');
    button.classList.toggle('legal', legal);
    button.classList.toggle('lifted', marks.lifted === ring);
    button.classList.toggle('dropped', marks.dropped === ring);
    button.classList.toggle('taken', marks.taken?.includes(ring) ?? false);
    button.setAttribute('aria-disabled', legal ? 'false' : 'true');
    const badge = button.querySelector('.worth');
    badge.className = `worth ${worth?.kind ?? ''}`;
    badge.replaceChildren(...(worth ? [el('b', {}, worth.text), el('small', {}, worth.sign, ' ', el('span', { class: 'word' }, worth.word))] : []));
    button.classList.toggle('best', worth?.best ?? false);
    const parts = [`${NAMES[owner]}'s pit ${number}`, `${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`];
    if (conquered) parts.push(son);
    if (worth) parts.push(worth.said);
    if (legal) parts.push('may be played');
    const label = parts.join(', ');
    const unseen = button.querySelector('.unseen');
    if (unseen.textContent !== label) unseen.textContent = label;
  }

  store(side, seeds, marks) {
    const store = this.stores[side];
    store.querySelector('.count').textContent = seeds;
    store.setAttribute('aria-label', `${NAMES[side]}'s ${this.words.store ?? 'store'}, ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`);
    store.classList.toggle('dropped', marks.dropped === side);
  }

  /** The hand that sows. */
  hand(text) {
    this.root.dataset.hand = text ?? '';
  }

  choose(ring) {
    this.focused = ring;
    if (this.legal.has(ring)) this.onPit(numberOf(this.position, this.position.toMove, ring), this.position.toMove, ring);
    this.roving();
  }

  /** Chooses the pit that the player to move counts so. */
  chooseNumber(number) {
    if (this.position) this.choose(ringOf(this.position, this.position.toMove, number));
  }

  /** One pit of the board is reached by the tabulator key, the others by arrows. */
  roving() {
    const first = [...this.legal][0] ?? 0;
    const current = this.focused ?? first;
    this.cells.forEach((cell, ring) => cell.setAttribute('tabindex', ring === current ? '0' : '-1'));
  }

  key(event) {
    const ring = Number(event.target.dataset?.ring ?? NaN);
    if (Number.isNaN(ring) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { pits } = this;
    const north = ring >= pits;
    const column = north ? 2 * pits - 1 - ring : ring;
    const at = (toNorth, toColumn) => (toNorth ? 2 * pits - 1 - toColumn : toColumn);
    const target = {
      ArrowLeft: at(north, Math.max(0, column - 1)),
      ArrowRight: at(north, Math.min(pits - 1, column + 1)),
      ArrowUp: at(true, column),
      ArrowDown: at(false, column),
      Home: at(north, 0),
      End: at(north, pits - 1),
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.focused = target;
    this.roving();
    this.cells[target].focus();
  }
}
