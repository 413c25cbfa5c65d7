// The view in which games are played.

import { ask, query, Refused, wasAborted } from './api.js';
import { animate, Pace } from './animate.js';
import { Board } from './board.js';
import { $, counted, el, problem } from './dom.js';
import { Editor } from './editor.js';
import { Game, idOf, titleOf, usersOf } from './game.js';
import { Match } from './match.js';
import { NAMES, parse, write } from './position.js';
import { calls, lapped, moved } from './words.js';
import { bestOf, sourceOf, worths } from './worth.js';

/** A move of perfect play waits so long, so that a person can follow. */
const BREATH = 500;
/** An address may be so long: the server answers to somewhat longer ones. */
const LONGEST_ADDRESS = 30_000;

export class Play {
  constructor() {
    this.games = [];
    this.players = { south: 'person', north: 'person' };
    this.pace = new Pace();
    this.busy = false;
    this.epoch = 0;
    this.sets = [];
    this.match = new Match();
    this.board = new Board($('play-board'), (pit) => this.play(pit));
    this.editor = new Editor($('editor'), (position) => this.begin({ position }));
    this.listen();
  }

  listen() {
    $('choose').addEventListener('submit', (event) => {
      event.preventDefault();
      this.begin({ board: `${$('pits').value}x${$('seeds').value}` });
    });
    $('game').addEventListener('change', () => this.chooseAnd($('game').value, [], [], () => this.begin({})));
    $('undo').addEventListener('click', () => this.go(this.undoTo()));
    $('redo').addEventListener('click', () => this.go(this.redoTo()));
    $('pass').addEventListener('click', () => this.pass());
    $('next-round').addEventListener('click', () => this.nextRound());
    $('go-on').addEventListener('click', () => this.goOn());
    $('show-values').addEventListener('change', () => this.values());
    $('speed').addEventListener('change', () => {
      this.pace.speed = $('speed').value;
      this.pace.wake();
    });
    $('pause').addEventListener('click', () => this.pause(!this.pace.paused));
    $('step').addEventListener('click', () => {
      this.pause(true);
      this.pace.step();
    });
    $('finish').addEventListener('click', () => this.pace.finish());
    for (const side of ['south', 'north']) {
      $(`player-${side}`).addEventListener('change', () => {
        this.players[side] = $(`player-${side}`).value;
        if (!this.busy && this.current) this.show();
        this.goOn();
      });
    }
    $('edit').addEventListener('click', () => this.edit(!this.editor.isOpen));
    $('text-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.begin({ position: $('text-position').value.trim(), moves: $('text-moves').value.trim() });
    });
    document.addEventListener('keydown', (event) => this.key(event));
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) $('speed').value = 'laps';
    this.pace.speed = $('speed').value;
  }

  /** Shows what an address asks for; `record`: and writes it into the address as this view does. */
  async open(params, record = true) {
    if (!this.games.length) {
      const { games, own } = await ask('games');
      this.games = [...games, ...own];
      $('game').replaceChildren(...this.games.map((game) => el('option', { value: idOf(game.rules) }, titleOf(game))));
    }
    const readings = params.getAll('reading').flatMap((names) => names.split(',')).filter(Boolean);
    await this.choose(params.get('game') ?? 'dakon', readings, params.getAll('set'));
    if (params.get('values')) $('show-values').checked = true;
    const asked = { board: params.get('board'), position: params.get('position'), moves: params.get('moves') };
    if (asked.board && asked.position) throw new Refused(400, 'An address has a board or a position, not both.');
    await this.load(asked, record);
  }

  /** Chooses a game and its readings, and goes on, or tells why that cannot be. */
  async chooseAnd(name, readings, sets, next) {
    this.stop();
    problem();
    try {
      await this.choose(name, readings, sets);
      await next();
    } catch (error) {
      if (!wasAborted(error)) problem(error.message);
    }
  }

  /** Chooses a game, by its name or its fingerprint, its readings, and further changes of its rules. */
  async choose(name, readings, sets) {
    const plain = this.games.find((one) => idOf(one.rules) === name || (name.length >= 8 && one.rules.fingerprint.startsWith(name)));
    if (!plain) throw new Refused(404, `There is no game ${name} here; the games are ${this.games.map(titleOf).join(', ')}.`);
    const id = idOf(plain.rules);
    const game = readings.length || sets.length ? (await ask(`games/${id}`, { reading: readings.join(','), set: sets })).games[0] : plain;
    this.game = game;
    this.id = id;
    this.readings = readings;
    this.sets = sets;
    $('game').value = id;
    const rule = (key) => game.sentences.find((sentence) => sentence.key === key)?.value;
    this.rules = { sown: rule('board.stores') === 'sown', origin: rule('sowing.origin') };
    this.territory = rule('rounds.kind') === 'territory';
    this.lending = rule('rounds.lending');
    this.board.words = game.words;
    $('summary').textContent = game.summary;
    $('changed').hidden = !sets.length && game.rules.game !== null;
    $('changed').textContent = sets.length ? `Changed: ${sets.join(', ')}.` : `These are no game's rules, but those of ${usersOf(plain)}. Fingerprint ${game.rules.fingerprint.slice(0, 12)}.`;
    const changed = readings.length > 0 || sets.length > 0 || game.rules.game === null;
    $('words-fold').hidden = !game.description;
    $('description').replaceChildren(...(changed ? [el('p', { class: 'note' }, 'Where these words and the keys below differ, the keys hold.')] : []), ...game.description.split('\n\n').map((text) => el('p', {}, text)));
    $('sentences').replaceChildren(...game.sentences.flatMap((sentence) => [el('dt', {}, el('code', {}, `${sentence.key} = ${sentence.value}`)), el('dd', {}, sentence.says)]));
    $('readings').replaceChildren(el('legend', {}, 'Readings of the rules'), ...game.readings.map((reading) => {
      const box = el('input', { type: 'checkbox', value: reading.name });
      box.checked = readings.includes(reading.name);
      box.addEventListener('change', () => {
        const chosen = [...$('readings').querySelectorAll('input:checked')].map((one) => one.value);
        this.chooseAnd(id, chosen, sets, () => this.begin(this.startOf()));
      });
      return el('label', { class: 'check' }, box, el('span', {}, el('b', {}, reading.name), ` ${reading.about}`));
    }));
    $('readings-fold').hidden = game.readings.length === 0;
    $('readings-sum').textContent = readings.length ? `Readings: ${readings.join(', ')}` : `Readings (${game.readings.length})`;
    if (readings.length) $('readings-fold').open = true;
  }

  /** The rules, as parameters. */
  get named() {
    return { game: this.id, reading: this.readings.length ? this.readings.join(',') : undefined, set: this.sets };
  }

  /** Where this game or match began, as parameters. */
  startOf() {
    if (!this.current) return {};
    const start = this.match.start ?? this.current.start;
    const board = this.boardOf(parse(start));
    return board ? { board } : { position: start };
  }

  /** `7x7`, if a position is the start of a game. */
  boardOf(position) {
    const full = position.board.every((seeds) => seeds === position.board[0]);
    const fresh = !position.stores.south && !position.stores.north && position.toMove === 'south' && !position.owners;
    return full && fresh ? `${position.pits}x${position.board[0]}` : null;
  }

  /** Begins a game; with moves, at their end; with moves of several rounds, a match. */
  async begin({ board, position, moves }, record = true) {
    try {
      await this.load({ board, position, moves }, record);
    } catch (error) {
      if (!wasAborted(error)) problem(error.message);
    }
  }

  async load({ board, position, moves }, record) {
    this.stop();
    const epoch = this.epoch;
    problem();
    const start = { board: position ? undefined : board, position };
    const match = new Match();
    const round = moves?.includes(';') ? match.open(await ask('match', { ...this.named, ...start, moves }), moves, this.lending === 'debt') : { ...start, moves };
    const answer = await ask('position', { ...this.named, ...round });
    if (epoch !== this.epoch) return;
    this.current = new Game(answer);
    this.match = match;
    this.match.start ??= this.current.start;
    this.edit(false);
    $('said').textContent = '';
    this.show(record);
    this.goOn();
  }

  /** Ends what is under way: a sowing, a search, perfect play. */
  stop() {
    this.epoch += 1;
    this.pace.cancel();
    this.pause(false);
    this.search?.abort();
    this.busy = false;
  }

  pause(paused) {
    this.pace.pause(paused);
    $('pause').setAttribute('aria-pressed', paused);
    $('pause').textContent = paused ? 'Go on' : 'Pause';
  }

  /** Shows the position that the game is at; `record`: in the address as well. */
  show(record = true) {
    const { current, board } = this;
    const { answer, position } = current;
    this.shownValues = null;
    board.show(position, { legal: answer.over ? [] : this.mayPlay() ? answer.legal : [], territory: this.territory });
    $('status').textContent = calls(answer, position, this.territory);
    $('status').classList.toggle('over', answer.over);
    $('undo').disabled = !current.canUndo;
    $('redo').disabled = !current.canRedo;
    $('pass').hidden = !answer.must_pass || !this.mayPlay();
    $('next-round').hidden = !this.territory || !(answer.over || answer.recurred);
    $('next-round').textContent = answer.over ? 'Next round' : 'End the endless round';
    $('sons-choice').hidden = true;
    $('round').hidden = !this.territory;
    $('round').textContent = this.match.says(position);
    this.log();
    const [pits, seeds] = (this.boardOf(parse(this.match.start)) ?? this.game.board).split('x');
    [$('pits').value, $('seeds').value] = [position.pits, Number(pits) === position.pits ? seeds : position.pits];
    const start = this.startOf();
    const moves = this.match.moves(current.moves);
    const address = query({ ...this.named, ...start, moves: moves || undefined });
    const short = address.length < LONGEST_ADDRESS ? address : query({ ...this.named, position: write(position) });
    if (record && location.pathname === '/') history.replaceState(null, '', `/${short}`);
    $('text-position').value = this.match.start;
    $('text-moves').value = moves;
    const options = [...this.readings.map((name) => `--reading ${name}`), ...this.sets.map((change) => `--set '${change}'`)];
    const where = start.board ? `--board ${start.board}` : `--position ${start.position}`;
    const rules = this.game.rules.game ?? '--rules FILE';
    $('command').textContent = ['lumbung play', rules, ...options, where, this.match.rounds.length ? '--match' : '', moves ? `--moves "${moves}"` : ''].filter(Boolean).join(' ');
    this.values();
  }

  log() {
    const { turns } = this.current;
    $('log').replaceChildren(...turns.map((turn) =>
      el('li', {}, el('span', { class: `who ${turn.side}` }, NAMES[turn.side]), ` ${turn.pits.length ? turn.pits.join(' ') : 'passes'}`)));
    $('log-empty').hidden = turns.length > 0;
    $('log').scrollTop = $('log').scrollHeight;
  }

  /** Whether a person may play now. */
  mayPlay() {
    const { answer, position } = this.current;
    return !this.busy && !answer.over && this.players[position.toMove] === 'person';
  }

  /** Plays a pit, as the player to move counts it. */
  async play(pit) {
    if (!this.mayPlay()) return;
    await this.make(String(pit));
    this.goOn();
  }

  async pass() {
    if (!this.mayPlay()) return;
    await this.make('-');
    this.goOn();
  }

  /** Makes a move and shows it. */
  async make(moves) {
    const { current } = this;
    const epoch = this.epoch;
    this.busy = true;
    this.search?.abort();
    $('values-note').textContent = '';
    const before = current.position;
    try {
      const answer = await ask('laps', { ...this.named, position: write(before), moves });
      if (epoch !== this.epoch) return;
      const [move] = answer.trace;
      $('status').textContent = `${NAMES[move.side]} sows.`;
      for (const id of ['pause', 'step', 'finish']) $(id).disabled = false;
      await animate(this.board, before, move, this.rules, this.pace, this.territory, (lap, number) => {
        // Whoever follows lap by lap is told of each.
        if (this.pace.isSlow) $('said').textContent = lapped(lap, number, move.side, this.territory);
      });
      if (epoch !== this.epoch) return;
      current.add(move, answer);
      this.busy = false;
      this.show();
      $('said').textContent = moved(move, this.territory);
    } catch (error) {
      this.busy = false;
      if (epoch === this.epoch) {
        problem(error.message);
        this.show();
      }
    } finally {
      for (const id of ['pause', 'step', 'finish']) $(id).disabled = true;
      if (!this.pace.running) this.pause(false);
    }
  }

  /** Lets perfect play move, if it is its turn. */
  async goOn() {
    $('go-on').hidden = true;
    const epoch = this.epoch;
    while (epoch === this.epoch && !this.busy && !this.current.answer.over && this.players[this.current.position.toMove] === 'perfect') {
      const { position, answer } = this.current;
      if (answer.recurred) {
        // Play that repeats itself would never end.
        $('go-on').hidden = false;
        return;
      }
      this.show();
      let moves = '-';
      if (!answer.must_pass) {
        try {
          const values = await this.ask(position);
          if (epoch !== this.epoch) return;
          moves = String(bestOf(values).pit);
          $('values-note').textContent = sourceOf(values);
        } catch (error) {
          if (!wasAborted(error)) problem(error.message);
          $('go-on').hidden = false;
          return;
        }
      }
      if (this.pace.speed !== 'instant') await this.pace.sleep(BREATH);
      if (epoch !== this.epoch) return;
      await this.make(moves);
    }
  }

  /** The values of a position; whoever asks next stops this search. */
  async ask(position) {
    this.search?.abort();
    this.search = new AbortController();
    return ask('values', { ...this.named, position: write(position) }, this.search.signal);
  }

  /** Shows the values of the moves, if they are wanted. */
  async values() {
    const { current, board } = this;
    if (this.busy || !current) return;
    const { answer, position } = current;
    const legal = this.mayPlay() ? answer.legal : [];
    $('legend').hidden = !$('show-values').checked || answer.over;
    if (!$('show-values').checked || answer.over || answer.must_pass) {
      if (this.players[position.toMove] === 'person' || answer.over) $('values-note').textContent = '';
      board.show(position, { legal, territory: this.territory });
      return;
    }
    if (this.players[position.toMove] === 'perfect') return;
    const epoch = this.epoch;
    const { node } = current;
    $('values-note').textContent = 'Searching …';
    try {
      const values = await this.ask(position);
      if (epoch !== this.epoch || current.node !== node || this.busy || !$('show-values').checked) return;
      board.show(position, { legal, worth: worths(position, values), territory: this.territory });
      $('values-note').textContent = sourceOf(values);
    } catch (error) {
      if (!wasAborted(error)) $('values-note').textContent = error.message;
    }
  }

  /** Where undo leads: to before the last move of a person, or the last move. */
  undoTo() {
    const { current } = this;
    const persons = (at) => this.players[current.nodes[at].position.toMove] === 'person';
    let at = current.at - 1;
    while (at > 0 && !persons(at)) at -= 1;
    return at;
  }

  redoTo() {
    const { current } = this;
    const last = current.nodes.length - 1;
    let at = current.at + 1;
    while (at < last && this.players[current.nodes[at].position.toMove] !== 'person') at += 1;
    return at;
  }

  /** Goes to another position of this game. */
  async go(at) {
    const { current } = this;
    if (at < 0 || at >= current.nodes.length || at === current.at) return;
    this.stop();
    const epoch = this.epoch;
    current.at = at;
    if (!current.answer) {
      try {
        const answer = await ask('position', { ...this.named, position: write(current.position) });
        if (epoch !== this.epoch) return;
        current.keep(answer);
      } catch (error) {
        problem(error.message);
        return;
      }
    }
    this.show();
    $('said').textContent = `After ${counted(current.at, 'move')}.`;
    // Undoing into perfect play's turn waits to be told.
    const { answer, position } = current;
    $('go-on').hidden = answer.over || this.players[position.toMove] === 'person';
  }

  edit(open) {
    if (open && this.current) {
      this.stop();
      this.editor.open(this.current.position, this.territory);
    } else this.editor.close();
    $('edit').setAttribute('aria-expanded', open);
  }

  /** The next round of a match: what it takes to fill the pits, then its start. Where the winner may choose her sons, she is asked. */
  async nextRound() {
    const { current, match } = this;
    const epoch = this.epoch;
    problem();
    const played = match.moves(current.moves);
    try {
      const answer = await ask('match', { ...this.named, position: match.start, moves: `${played} ;` });
      if (epoch !== this.epoch) return;
      const said = answer.between.join(' ');
      if (answer.match.over) {
        $('next-round').hidden = true;
        $('said').textContent = said;
        $('status').textContent = `${NAMES[answer.match.winner]} wins the match.`;
        return;
      }
      if (answer.next.length > 1 && $('sons-choice').hidden) {
        $('sons').replaceChildren(...answer.next.map((next, place) => el('option', { value: place }, next.sons.trim())));
        $('sons-choice').hidden = false;
        $('next-round').textContent = 'Begin the round';
        $('said').textContent = said;
        $('sons').focus();
        return;
      }
      const next = answer.next[answer.next.length > 1 ? Number($('sons').value) : 0];
      const start = await ask('position', { ...this.named, position: next.position });
      if (epoch !== this.epoch) return;
      this.current = new Game(start);
      match.next(played, next, answer.match.rounds.at(-1), this.lending === 'debt');
      this.show();
      $('said').textContent = said;
      this.goOn();
    } catch (error) {
      problem(error.message);
    }
  }

  key(event) {
    if ($('view-play').hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof HTMLElement && target.closest('input, select, textarea, summary')) return;
    const press = (id) => !$(id).disabled && !$(id).hidden && $(id).click();
    if (/^[1-9]$/.test(event.key)) this.board.chooseNumber(Number(event.key));
    else if (event.key === 'u') press('undo');
    else if (event.key === 'r') press('redo');
    else if (event.key === 'v') press('show-values');
    else if (event.key === 'n') press('step');
    else if (event.key === ' ' && !$('pause').disabled && !target.closest?.('button, a')) press('pause');
    else return;
    event.preventDefault();
  }
}
