// The view of certificates: a proof to walk through. The prover plays by it, the reader tries to escape.

import { ask, query, wasAborted } from './api.js';
import { animate, Pace } from './animate.js';
import { Board } from './board.js';
import { $, counted, el, problem } from './dom.js';
import { idOf } from './game.js';
import { NAMES, other, parse, placeOf, ringOf, signed } from './position.js';
import { moved } from './words.js';

/** What a claim of a certificate says. */
function sentence(claim) {
  const where = claim.board ? `on ${claim.board}` : `from ${claim.position}`;
  const { bound } = claim;
  const result = bound > 0 ? `ends at least ${bound} ahead` : bound === 0 ? 'ends no worse than level' : `ends at most ${-bound} behind`;
  return `In ${claim.game} ${where}, ${NAMES[claim.player]} ${result}, whatever ${NAMES[other(claim.player)]} plays.`;
}

/** All that a certificate proves: two bounds that meet pin the margin. */
function summary(claims) {
  const [south, north] = ['south', 'north'].map((side) => claims.find((claim) => claim.player === side));
  if (claims.length !== 2 || !south || !north || south.bound !== -north.bound || south.position !== north.position) return claims.map(sentence).join(' ');
  const where = south.board ? `on ${south.board}` : `from ${south.position}`;
  const { bound } = south;
  const result = bound > 0 ? `South wins by ${bound}` : bound < 0 ? `North wins by ${-bound}` : 'it is a draw';
  return `In ${south.game} ${where}, under best play ${result}.`;
}

export class Certificates {
  constructor() {
    this.pace = new Pace();
    this.epoch = 0;
    document.addEventListener('keydown', (event) => {
      if ($('view-certificates').hidden || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, select')) return;
      if (/^[1-9]$/.test(event.key)) this.board?.chooseNumber(Number(event.key));
      else if (event.key === 'u') $('walk-back')?.click();
    });
  }

  async open(params) {
    this.leave();
    const epoch = this.epoch;
    const root = $('certificates');
    const id = params.get('certificate');
    if (!id) {
      const { certificates } = await ask('certificates');
      if (epoch !== this.epoch) return;
      root.replaceChildren(certificates.length ? this.list(certificates) : el('p', { class: 'card' }, 'There are no certificates here. Make one, and start the server with it: ',
        el('code', {}, 'lumbung solve dakon --board 4x4 --certificate dakon.lumcert'), ', then ', el('code', {}, 'lumbung serve --certificates dakon.lumcert'), '.'));
      return;
    }
    const { certificate } = await ask(`certificates/${encodeURIComponent(id)}`);
    const { games } = await ask(`games/${idOf(certificate.rules)}`, { reading: certificate.rules.readings.join(',') });
    if (epoch !== this.epoch) return;
    this.certificate = certificate;
    const claim = params.get('claim') ?? '0';
    if (!/^\d+$/.test(claim) || Number(claim) >= certificate.claims.length) {
      throw new Error(`There is no claim ${claim} in ${id}; they are numbered from 0 to ${certificate.claims.length - 1}.`);
    }
    this.claim = Number(claim);
    const rule = (key) => games[0].sentences.find((one) => one.key === key)?.value;
    this.rules = { sown: rule('board.stores') === 'sown', origin: rule('sowing.origin') };
    this.territory = rule('rounds.kind') === 'territory';
    this.build(root, games);
    // The walk goes on by itself; the view is there already.
    this.restart(params.get('position'));
  }

  /** Ends what is under way. */
  leave() {
    this.epoch += 1;
    this.pace.cancel();
  }

  list(certificates) {
    return el('ul', { class: 'list' }, certificates.map((one) => el('li', { class: 'card' },
      el('a', { class: 'title', href: `/certificates${query({ certificate: one.id })}` }, one.id),
      el('p', {}, summary(one.claims)),
      el('p', { class: 'note' }, verdict(one), ` · ${counted(one.entries, 'position')}`))));
  }

  build(root, games) {
    const { certificate } = this;
    const claims = el('select', { id: 'walk-claim' }, certificate.claims.map((claim, number) => el('option', { value: number }, `${NAMES[claim.player]}: ${signed(claim.bound)} at least`)));
    claims.value = this.claim;
    claims.addEventListener('change', () => {
      this.claim = Number(claims.value);
      this.restart();
    });
    const button = (id, text, action) => el('button', { id, type: 'button', on: { click: action } }, text);
    const speed = el('select', { id: 'walk-speed' }, [['seeds', 'seed by seed'], ['fast', 'fast'], ['laps', 'lap by lap'], ['instant', 'instant']].map(([value, text]) => el('option', { value }, text)));
    speed.value = this.pace.speed === 'slow' ? 'seeds' : this.pace.speed;
    speed.addEventListener('change', () => {
      this.pace.speed = speed.value;
      this.pace.wake();
    });
    const board = el('div', { id: 'walk-board' });
    root.replaceChildren(
      el('p', {}, el('a', { href: '/certificates' }, 'All proofs')),
      el('section', { class: 'card', 'aria-labelledby': 'walk-title' }, el('h2', { id: 'walk-title' }, certificate.id),
        el('p', { id: 'walk-says' }),
        el('p', { class: 'note' }, verdict(certificate), ` It rests on ${counted(certificate.entries, 'position')}.`, certificate.rules.game === null ? ` Its rules are its own: ${games[0].summary}. Fingerprint ${idOf(certificate.rules)}.` : ''),
        el('div', { class: 'bar' }, el('label', {}, 'Claim ', claims), el('label', {}, 'Speed ', speed), button('walk-restart', 'From the start', () => this.restart()), button('walk-back', 'Take back', () => this.back())),
        board, el('p', { id: 'walk-status', class: 'status', role: 'status' }), el('p', { id: 'walk-said', class: 'said', 'aria-live': 'polite' }),
        el('div', { id: 'walk-replies' })));
    this.board = new Board(board, (pit) => this.reply(pit));
    this.board.words = games[0].words;
    this.root = root;
  }

  async restart(position = null) {
    this.leave();
    this.path = [];
    this.linked = position !== null;
    $('walk-says').textContent = sentence(this.certificate.claims[this.claim]);
    $('walk-said').textContent = '';
    await this.at(position);
  }

  /** Takes the last reply back. */
  async back() {
    const earlier = this.path.pop();
    this.leave();
    if (earlier) await this.at(earlier);
  }

  /** Arrives at a position, and lets the prover play until the other has to choose. */
  async at(position) {
    const epoch = this.epoch;
    problem();
    try {
      let step = await this.look(position);
      while (epoch === this.epoch && step.state !== 'over' && (step.prover_to_move || step.state === 'pass')) {
        this.show(step, false);
        // Where nothing can change the result any more, the proof names no move.
        const pit = step.pit ?? step.moves[0]?.pit;
        if ((step.known === null || step.known === 'table') && step.pit === null && step.state !== 'pass') break;
        if (this.pace.speed !== 'instant') await this.pace.sleep(400);
        if (epoch !== this.epoch) return;
        const after = await this.make(step, step.state === 'pass' ? '-' : String(pit));
        if (epoch !== this.epoch) return;
        step = await this.look(after);
      }
      if (epoch === this.epoch) this.show(step, true);
    } catch (error) {
      if (!wasAborted(error)) problem(error.message);
    }
  }

  look(position) {
    return ask(`certificates/${encodeURIComponent(this.certificate.id)}/walk`, { claim: this.claim, position });
  }

  /** Makes a move and returns the position after it. */
  async make(step, moves) {
    const { rules } = this.certificate;
    const answer = await ask('laps', { game: idOf(rules), reading: rules.readings.join(','), position: step.position, moves });
    const [move] = answer.trace;
    await animate(this.board, parse(step.position), move, this.rules, this.pace, this.territory);
    $('walk-said').textContent = moved(move, this.territory);
    return answer.position;
  }

  async reply(pit) {
    const { step } = this;
    if (!step || step.prover_to_move || step.state !== 'move') return;
    this.leave();
    const epoch = this.epoch;
    this.step = null;
    this.path.push(step.position);
    try {
      const after = await this.make(step, String(pit));
      if (epoch === this.epoch) await this.at(after);
    } catch (error) {
      problem(error.message);
    }
  }

  show(step, choosing) {
    this.step = choosing ? step : null;
    const claim = this.certificate.claims[this.claim];
    const prover = NAMES[claim.player];
    const escaper = NAMES[other(claim.player)];
    const position = parse(step.position);
    const worth = new Map();
    if (choosing && !step.prover_to_move) {
      for (const move of step.moves) {
        if (move.margin !== null) {
          worth.set(ringOf(position, position.toMove, move.pit), { text: `≥ ${signed(move.margin)}`, sign: '', word: `for ${prover}`, said: `then ${prover} ends with a margin of at least ${move.margin}`, kind: move.margin >= claim.bound ? 'proven' : 'open' });
        }
      }
    }
    const marks = step.prover_to_move && step.pit !== null ? { lifted: placeOf(position, { row: claim.player, pit: step.pit }) } : {};
    this.board.show(position, { legal: choosing && !step.prover_to_move && step.state === 'move' ? step.moves.map((move) => move.pit) : [], worth, marks, territory: this.territory });
    $('walk-status').textContent = this.says(step, prover, escaper, claim);
    $('walk-status').classList.toggle('over', step.state === 'over');
    $('walk-back').disabled = this.path.length === 0;
    const address = query({ certificate: this.certificate.id, claim: this.claim || undefined, position: this.path.length || this.linked ? step.position : undefined });
    if (choosing && location.pathname === '/certificates') history.replaceState(null, '', `/certificates${address}`);
  }

  says(step, prover, escaper, claim) {
    const margin = step.margin === null ? '' : `${prover} ends with a margin of at least ${signed(step.margin)}.`;
    if (step.state === 'over') {
      const reached = step.margin > claim.bound ? `, more than the ${signed(claim.bound)} promised` : ', as promised';
      return `The game is over: ${prover} has a margin of ${signed(step.margin)}${step.margin >= claim.bound ? reached : ''}.`;
    }
    if (step.known === null) return 'This position is no part of the proof.';
    if (step.known === 'table') return `From here on the endgame table knows: ${margin}`;
    if (step.known === 'few-seeds') return `No play can bring about less any more: ${margin} ${step.prover_to_move ? `${prover} plays anything.` : `${escaper} to move.`}`;
    const within = step.within ? ` Within ${counted(step.within, 'move')} seeds leave the board.` : '';
    if (step.state === 'pass') return `The turn passes. ${margin}`;
    if (step.prover_to_move) return `${prover} plays pit ${step.pit}, by the proof. ${margin}${within}`;
    return `${escaper} to move: choose any reply. Whatever it is, ${margin}${within}`;
  }
}

const leaning = ({ leaves, digest }) => `○ a proof if an endgame table is right: ${counted(leaves, 'position')} of it ${leaves === 1 ? 'is' : 'are'} left to the table of digest ${digest.slice(0, 12)}…`;

function verdict(one) {
  switch (one.status) {
    case 'valid': return el('span', { class: 'mark holds' }, '✓ checked, it holds');
    case 'provided': return el('span', { class: 'mark open', title: `digest ${one.table.digest}` }, leaning(one.table));
    case 'invalid': return el('span', { class: 'mark refuted' }, `✗ no proof: ${one.fault}`);
    default: return el('span', { class: 'mark none' }, 'not yet checked');
  }
}
