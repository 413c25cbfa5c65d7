#!/usr/bin/env python3
"""Checks Lumbung certificates without any of Lumbung's own code.

Usage: check_certificate.py [--quiet] FILE...

A certificate says that a player ends a sowing game with at least so much more than the other, and lists the positions this
rests on. This program knows the rules of such games (the class Rules, written from their description), reads the file as
docs/certificates.md describes it, and checks every entry. It needs Python 3.11 and the package zstandard.

A certificate of format 2 leaves some positions to an endgame table. This program does not read tables: it says how many values
of which table such a proof depends on.

Exit codes: 0 all certificates are valid, 1 one of them is not, 2 one of them cannot be read at all, 3 one of them is valid only if
an endgame table is right.
"""

import struct
import sys
import tomllib
import zlib

import zstandard


class Invalid(Exception):
    """The certificate proves nothing."""


# --- The rules -----------------------------------------------------------------------------------------------------------------
#
# Everything is seen by the player to move: pits 0 to n-1 are her side in her sowing order, n to 2n-1 the other side. `own` says
# of every pit whether it is hers.

STORE = -1

DEFAULTS = {
    "board.pits": 7, "board.seeds": 7, "board.stores": "sown",
    "sowing.relay": "landing", "sowing.stop-at": [1], "sowing.origin": "normal", "sowing.min-seeds": 1,
    "sowing.bonus-move": "none", "sowing.bonus-on-empty-row": "end", "sowing.endless": "illegal",
    "capture.opposite.enabled": False, "capture.opposite.landing-seed": "leave", "capture.opposite.require-visit": False,
    "capture.sandwich.enabled": False,
    "capture.count.enabled": False, "capture.count.counts": [2, 4], "capture.count.side": "any", "capture.count.chain": "back",
    "capture.count.grand-slam": "legal",
    "capture.beyond-gap.enabled": False, "capture.beyond-gap.chain": True, "capture.beyond-gap.wrap": True,
    "feeding.rule": "none",
    "end.when": "mover-empty", "end.no-move": "end", "end.one-each": False, "end.remainder": "opponent", "end.gift": 0,
    "end.cycle": "none",
    "rounds.kind": "single", "rounds.sons": "after-own-row", "rounds.lending": "gift", "rounds.tie-starter": "other",
    "rounds.repeat": "split",
}


def flat(table, path=""):
    """The keys of a TOML document with their tables' names before them."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{path}{key}.")
        else:
            yield path + key, value


def flip(pits):
    """The same board, seen by the other player."""
    half = len(pits) // 2
    return pits[half:] + pits[:half]


def flip_own(own):
    return tuple(not mine for mine in flip(own))


class Rules:
    """The procedure of play under one rule set."""

    def __init__(self, text):
        document = tomllib.loads(text)
        self.name = document.get("name", "unnamed")
        for words in ("name", "about", "readings"):
            document.pop(words, None)
        keys = dict(DEFAULTS)
        for capture in document.get("capture", {}):
            keys[f"capture.{capture}.enabled"] = True
        for key, value in flat(document):
            if key not in DEFAULTS:
                raise Invalid(f"its rules have a key that is not known: {key}")
            keys[key] = value
        self.keys = keys
        self.sown = keys["board.stores"] == "sown"
        self.relay = keys["sowing.relay"]
        self.origin = keys["sowing.origin"]
        self.stop_at = keys["sowing.stop-at"]
        self.min_seeds = keys["sowing.min-seeds"]
        self.bonus = self.sown and keys["sowing.bonus-move"] == "own-store"
        self.endless = keys["sowing.endless"]
        self.feeding = keys["feeding.rule"]
        self.can_repeat = not self.sown

    def canonical(self):
        """The text that the fingerprint is taken from."""
        keys = self.keys
        lines = ["lumbung-rules 1"]

        def put(key, value):
            if isinstance(value, bool):
                value = "true" if value else "false"
            elif isinstance(value, list):
                value = ",".join(str(number) for number in sorted(set(value)))
            lines.append(f"{key}={value}")

        def same(*names):
            for name in names:
                put(name, keys[name])

        same("board.stores", "sowing.relay")
        if self.relay == "landing":
            same("sowing.stop-at")
        same("sowing.origin", "sowing.min-seeds")
        if self.sown:
            same("sowing.bonus-move")
        if self.bonus:
            same("sowing.bonus-on-empty-row")
        if not self.sown and self.relay != "single":
            same("sowing.endless")
        for capture, parts in (
            ("opposite", ["landing-seed", "require-visit"]),
            ("sandwich", []),
            ("count", ["counts", "side", "chain", "grand-slam"]),
            ("beyond-gap", ["chain", "wrap"]),
        ):
            on = keys[f"capture.{capture}.enabled"]
            put(f"capture.{capture}", "on" if on else "off")
            if capture == "beyond-gap" and not keys["capture.beyond-gap.chain"]:
                parts = ["chain"]
            if on:
                same(*[f"capture.{capture}.{part}" for part in parts])
        same("feeding.rule", "end.when", "end.no-move", "end.one-each", "end.remainder", "end.gift")
        if not self.sown:
            same("end.cycle")
        return "".join(line + "\n" for line in lines)

    def lap(self, pits, start, own):
        """Lifts a pit and sows it; where the last seed fell, seeds stored, and whether the other row got any."""
        half = len(pits) // 2
        hand, pits[start] = pits[start], 0
        at, stored, visited = start, 0, False
        if self.origin == "first" and hand:
            pits[at] += 1
            hand -= 1
            visited = not own[at]
        while hand:
            if at == STORE:
                at = half
            else:
                at = (at + 1) % len(pits)
                if self.sown and at == half:
                    at = STORE
            if at == STORE:
                stored += 1
            elif self.origin == "skipped" and at == start:
                continue
            else:
                pits[at] += 1
                visited = visited or not own[at]
            hand -= 1
        return at, stored, visited

    def move(self, board, start, own):
        """All laps of a move and its capture: "endless", "slam", or the board after it, seeds stored, whether the last seed fell in
        the store."""
        pits = list(board)
        stored, visited, lift = 0, False, start
        watch = self.can_repeat and self.relay != "single"
        seen = set()
        while True:
            if watch:
                here = (tuple(pits), lift)
                if here in seen:
                    return "endless"
                seen.add(here)
            last, more, visits = self.lap(pits, lift, own)
            stored += more
            visited = visited or visits
            if last == STORE:
                return tuple(pits), stored, True
            if self.relay == "landing" and pits[last] not in self.stop_at:
                lift = last
            elif self.relay == "next" and pits[(last + 1) % len(pits)] > 0:
                lift = (last + 1) % len(pits)
            else:
                break
        taken = self.capture(pits, last, visited, own)
        if taken is None:
            return "slam"
        return tuple(pits), stored + taken, False

    def capture(self, pits, last, visited, own):
        """Takes what a move that ended in pit `last` captures; how many seeds, or None for a forbidden grand slam."""
        keys, size = self.keys, len(pits)
        half = size // 2
        if keys["capture.opposite.enabled"] and own[last] and pits[last] == 1:
            if visited or not keys["capture.opposite.require-visit"]:
                across = size - 1 - last
                taken, pits[across] = pits[across], 0
                landing = keys["capture.opposite.landing-seed"]
                if landing == "take" or (landing == "take-on-capture" and taken):
                    taken += 1
                    pits[last] = 0
                if taken:
                    return taken
        if keys["capture.sandwich.enabled"] and not own[last] and pits[last] == 1 and last % half not in (0, half - 1):
            if pits[last - 1] == pits[last + 1] > 0:
                taken = sum(pits[last - 1 : last + 2])
                pits[last - 1 : last + 2] = [0, 0, 0]
                return taken
        if keys["capture.count.enabled"]:
            kept, taken, at = list(pits), 0, last
            while pits[at] in keys["capture.count.counts"] and (keys["capture.count.side"] == "any" or not own[at]):
                taken += pits[at]
                pits[at] = 0
                if keys["capture.count.chain"] == "none":
                    break
                at = (at - 1) % size
            if taken:
                if not any(seeds for seeds, mine in zip(pits, own) if not mine):
                    if keys["capture.count.grand-slam"] == "forbidden":
                        return None
                    if keys["capture.count.grand-slam"] == "no-capture":
                        pits[:] = kept
                        return 0
                return taken
        if keys["capture.beyond-gap.enabled"]:
            taken, at = 0, last
            while pits[(at + 1) % size] == 0 and pits[(at + 2) % size] > 0:
                at = (at + 2) % size
                if at == last and not keys["capture.beyond-gap.wrap"]:
                    break
                taken += pits[at]
                pits[at] = 0
                if not keys["capture.beyond-gap.chain"]:
                    break
            return taken
        return 0

    def legal(self, pits, own):
        """The legal moves, each with its outcome."""
        fed = any(seeds for seeds, mine in zip(pits, own) if not mine)
        moves, feeding = {}, set()
        for start, seeds in enumerate(pits):
            if not own[start] or seeds < max(1, self.min_seeds):
                continue
            outcome = self.move(pits, start, own)
            if outcome == "slam" or (outcome == "endless" and self.endless == "illegal"):
                continue
            after = pits if outcome == "endless" else outcome[0]
            if any(seeds for seeds, mine in zip(after, own) if not mine):
                feeding.add(start)
            moves[start] = outcome
        must_feed = self.feeding in ("mover-must", "rescue") and not fed
        if must_feed or (self.feeding == "leave-a-move" and feeding):
            moves = {start: outcome for start, outcome in moves.items() if start in feeding}
        return moves

    def settle(self, pits, own, by_row=False):
        """What the player to move gains when the game is over."""
        mine = sum(seeds for seeds, hers in zip(pits, own) if hers)
        theirs = sum(pits) - mine
        if by_row:
            return mine - theirs
        gain, gift = 0, self.keys["end.gift"]
        if mine and not theirs:
            given = min(gift, mine)
            mine, gain = mine - given, -given
        elif theirs and not mine:
            given = min(gift, theirs)
            theirs, gain = theirs - given, given
        remainder = self.keys["end.remainder"]
        if remainder == "opponent":
            return gain - mine - theirs
        if remainder == "mover":
            return gain + mine + theirs
        if remainder == "row-owner":
            return gain + mine - theirs
        return gain

    def state(self, pits, own):
        """What a position calls for: ("over", gain), ("pass",) or ("move", legal moves)."""
        mine = sum(seeds for seeds, hers in zip(pits, own) if hers)
        theirs = sum(pits) - mine
        if self.keys["end.one-each"] and mine == theirs == 1:
            return "over", self.settle(pits, own, by_row=True)
        when = self.keys["end.when"]
        over = (
            (when == "mover-empty" and mine == 0)
            or (when == "any-row-empty" and mine * theirs == 0)
            or (when == "both-rows-empty" and mine + theirs == 0)
            or (when == "only-singletons" and max(pits) <= 1)
            or (when.startswith("fewer-than-") and mine + theirs < int(when.removeprefix("fewer-than-")))
        )
        if over:
            return "over", self.settle(pits, own)
        moves = self.legal(pits, own)
        if moves:
            return "move", moves
        may_pass = (self.feeding == "rescue" and mine == 0) or self.keys["end.no-move"] == "pass"
        if may_pass and self.legal(flip(pits), flip_own(own)):
            return ("pass",)
        return "over", self.settle(pits, own)

    def follow(self, pits, own, outcome):
        """What a legal move leads to: ("over", gain), or ("again" or "turn", gain, pits, own) for the player who moves next."""
        if outcome == "endless":
            if self.endless == "end":
                return "over", self.settle(pits, own)
            return "turn", 0, flip(pits), flip_own(own)
        after, stored, in_store = outcome
        if in_store and self.bonus:
            if any(seeds for seeds, hers in zip(after, own) if hers):
                return "again", stored, after, own
            if self.keys["sowing.bonus-on-empty-row"] == "end":
                return "over", stored + self.settle(after, own)
        return "turn", stored, flip(after), flip_own(own)


# --- BLAKE3, which fingerprints are made with ----------------------------------------------------------------------------------

IV = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]
PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]


def compress(chaining, block, length, flags):
    state = chaining + IV[:4] + [0, 0, length, flags]
    words = list(struct.unpack("<16I", block.ljust(64, b"\0")))

    def mix(a, b, c, d, x, y):
        for word, (turn_d, turn_b) in ((x, (16, 12)), (y, (8, 7))):
            state[a] = (state[a] + state[b] + word) & 0xFFFFFFFF
            state[d] ^= state[a]
            state[d] = (state[d] >> turn_d | state[d] << (32 - turn_d)) & 0xFFFFFFFF
            state[c] = (state[c] + state[d]) & 0xFFFFFFFF
            state[b] ^= state[c]
            state[b] = (state[b] >> turn_b | state[b] << (32 - turn_b)) & 0xFFFFFFFF

    for _ in range(7):
        for column in range(4):
            mix(column, column + 4, column + 8, column + 12, words[2 * column], words[2 * column + 1])
        for column in range(4):
            diagonal = [column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4]
            mix(*diagonal, words[8 + 2 * column], words[9 + 2 * column])
        words = [words[index] for index in PERMUTATION]
    return [state[index] ^ state[index + 8] for index in range(8)]


def blake3(data):
    """The hash of at most 1,024 bytes, which is one chunk."""
    assert len(data) <= 1024
    blocks = [data[at : at + 64] for at in range(0, len(data), 64)] or [b""]
    chaining = IV
    for number, block in enumerate(blocks):
        first, last = number == 0, number == len(blocks) - 1
        chaining = compress(chaining, block, len(block), first | last * (2 | 8))
    return struct.pack("<8I", *chaining)


# --- The file ------------------------------------------------------------------------------------------------------------------


class Reader:
    """Reads numbers one after the other, and never past the end."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if count > len(self.data) - self.at:
            raise Invalid("it ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))[0]

    def text(self):
        return self.take(self.number("Q")).decode()


class Certificate:
    """A certificate with all its entries in memory."""

    def __init__(self, data):
        file = Reader(data)
        magic, form = file.take(7), file.number("B")
        if magic != b"lumcert" or form not in (1, 2):
            raise Invalid("it does not begin as a certificate of format 1 or 2 does")
        length, checksum = file.number("I"), file.number("I")
        header = Reader(file.take(length))
        if zlib.crc32(header.data) != checksum:
            raise Invalid("the checksum of its header does not match")
        self.program = header.text()
        fingerprint = header.take(32)
        self.rules = Rules(header.text())
        if blake3(self.rules.canonical().encode()) != fingerprint:
            raise Invalid("its rules do not have the fingerprint it names")
        if self.rules.keys["end.cycle"] == "row-owner":
            raise Invalid('positions have no value under end.cycle = "row-owner"')
        pits, owners, pit_bytes = header.number("B"), header.number("Q"), header.number("B")
        if not 1 <= pits <= 18 or pit_bytes not in (1, 2) or owners >> 2 * pits:
            raise Invalid("it has an impossible board")
        self.ring = 2 * pits
        self.south = tuple(bool(owners >> ring & 1) for ring in range(self.ring))
        self.rows = owners == (1 << pits) - 1
        if not self.rows and self.rules.keys["rounds.kind"] != "territory":
            raise Invalid("it has impossible owners")
        self.claims = []
        for _ in range(header.number("Q")):
            board = tuple(header.number("H") for _ in range(header.number("Q")))
            stores, to_move, player = (header.number("H"), header.number("H")), header.number("B"), header.number("B")
            bound = header.number("h")
            if len(board) != self.ring or to_move > 1 or player > 1 or sum(board) + sum(stores) > 1023:
                raise Invalid("what it claims cannot be")
            self.claims.append((board, stores, to_move, player, bound))
        count, per_block, index_checksum = header.number("Q"), header.number("I"), header.number("I")
        self.table, self.table_seeds = (header.take(32), header.number("H")) if form == 2 else (None, 0)
        if header.at != length or not 1 <= per_block <= 65536 or not self.claims:
            raise Invalid("its header contradicts itself")
        self.read_entries(file, count, per_block, index_checksum, pit_bytes)

    def read_entries(self, file, count, per_block, index_checksum, pit_bytes):
        key_bytes = 1 + self.ring * pit_bytes
        width = key_bytes + 7
        blocks = -(-count // per_block)
        index = Reader(file.take(blocks * (key_bytes + 8)))
        if zlib.crc32(index.data) != index_checksum:
            raise Invalid("the checksum of its index does not match")
        self.entries, before = {}, b""
        for number in range(blocks):
            first, length, checksum = index.take(key_bytes), index.number("I"), index.number("I")
            block = file.take(length)
            if zlib.crc32(block) != checksum:
                raise Invalid(f"the checksum of block {number} does not match")
            size = min(per_block, count - number * per_block)
            try:
                planes = zstandard.ZstdDecompressor().decompress(block, max_output_size=size * width)
            except zstandard.ZstdError:
                raise Invalid(f"block {number} cannot be decompressed") from None
            if len(planes) != size * width or planes[::size][:key_bytes] != first:
                raise Invalid(f"block {number} is not what the index says")
            for place in range(size):
                record = planes[place::size]
                key = record[:key_bytes]
                if key <= before or key[0] > 3 or (key[0] & 1 and self.rows):
                    raise Invalid(f"entry {number * per_block + place} is out of order")
                before = key
                pits = struct.unpack(f">{self.ring}{'BH'[pit_bytes - 1]}", key[1:])
                value, move, counter = struct.unpack("<hBI", record[key_bytes:])
                if sum(pits) > 1023:
                    raise Invalid("a board of more than 1,023 seeds")
                self.entries[bool(key[0] & 2), self.owners(key[0] & 1), pits] = value, move, counter
        if file.at != len(file.data):
            raise Invalid("something follows its last block")

    def owners(self, north):
        """Which pits the player to move owns, as she sees them."""
        return flip_own(self.south) if north else self.south


# --- The checks ----------------------------------------------------------------------------------------------------------------
#
# Entries whose move is FROM_TABLE are values of the endgame table that the header names.
# A bound is (at_most, value): what the player to move gains is at most, or at least, value.


FROM_TABLE = 255


def admits(at_most, value, gain):
    return gain <= value if at_most else gain >= value


def prover(at_most, value):
    """What the bound says that the prover gains at least."""
    return -value if at_most else value


def rest(at_most, value, gain, again):
    """What remains to be shown after a move with this gain of the player who made it."""
    return (at_most, value - gain) if again else (not at_most, gain - value)


class Checker:
    def __init__(self, certificate):
        self.certificate, self.rules = certificate, certificate.rules
        self.leaves = 0

    def known(self, pits, own, at_most, value, below=None):
        """Whether a bound is known: because too few seeds are left to break it, by an entry (whose counter is below `below`, if
        that is asked for), or because the game is over."""
        if prover(at_most, value) <= -sum(pits):
            return True
        entry = self.certificate.entries.get((at_most, own, pits))
        if entry and admits(at_most, value, entry[0]) and (below is None or entry[1] == FROM_TABLE or entry[2] < below):
            return True
        state = self.rules.state(pits, own)
        return state[0] == "over" and admits(at_most, value, state[1])

    def entry(self, at_most, own, pits, value, move, counter):
        """Refuses an entry that does not follow."""
        if move == FROM_TABLE:
            if self.certificate.table is None or sum(pits) > self.certificate.table_seeds:
                raise Invalid("its bound is said to be that of a table, and none of so many seeds is named")
            self.leaves += 1
            return
        state = self.rules.state(pits, own)
        if state[0] != "move" and move:
            raise Invalid("it names a move, and there is none to choose")
        if state[0] == "over":
            if not admits(at_most, value, state[1]):
                raise Invalid(f"the game is over there, and the player to move gains {state[1]}")
            return
        if state[0] == "pass":
            steps = {0: ("turn", 0, flip(pits), flip_own(own))}
        else:
            moves = state[1]
            if at_most == bool(move):
                raise Invalid("it must name a move exactly if its bound is a lower one")
            if not at_most and move - 1 not in moves:
                raise Invalid(f"its move {move} is not legal")
            chosen = list(moves) if at_most else [move - 1]
            steps = {pit + 1: self.rules.follow(pits, own, moves[pit]) for pit in chosen}
        for number, step in steps.items():
            if step[0] == "over":
                if not admits(at_most, value, step[1]):
                    raise Invalid(f"move {number} ends the game and gains {step[1]}")
                continue
            kind, gain, after, owners = step
            needed = rest(at_most, value, gain, kind == "again")
            quiet = sum(after) == sum(pits)
            below = counter if self.rules.can_repeat and quiet and prover(at_most, value) > 0 else None
            if not self.known(after, owners, *needed, below):
                words = "at most" if needed[0] else "at least"
                raise Invalid(f"move {number} leads to {after}, where {words} {needed[1]} is needed and not known")

    def check(self):
        """Refuses the certificate, or says in words what it proves."""
        for (at_most, own, pits), (value, move, counter) in self.certificate.entries.items():
            try:
                self.entry(at_most, own, pits, value, move, counter)
            except Invalid as fault:
                words = "at most" if at_most else "at least"
                raise Invalid(f"{pits}, {words} {value}: {fault}") from None
        proven = []
        for board, stores, to_move, player, bound in self.certificate.claims:
            so_far = stores[player] - stores[1 - player]
            at_most = player != to_move
            needed = so_far - bound if at_most else bound - so_far
            pits = flip(board) if to_move else board
            if not self.known(pits, self.certificate.owners(to_move and not self.certificate.rows), at_most, needed):
                raise Invalid("it does not say what it claims")
            name = ("South", "North")
            proven.append(f"{name[player]} ends with a margin of at least {bound}, from {board} with {name[to_move]} to move")
        return proven


def main(arguments):
    quiet = "--quiet" in arguments
    files = [argument for argument in arguments if argument != "--quiet"]
    if not files or files[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if files else 2
    code = 0
    for name in files:
        try:
            with open(name, "rb") as file:
                data = file.read()
        except OSError as error:
            print(f"{name}: {error.strerror}", file=sys.stderr)
            return 2
        try:
            certificate = Certificate(data)
            checker = Checker(certificate)
            proven = checker.check()
        except (Invalid, tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
            print(f"{name}: INVALID: {fault}")
            code = 1
            continue
        # That one is invalid is worse than that one is not settled.
        code = code or (3 if checker.leaves else 0)
        if checker.leaves:
            print(
                f"{name}: valid PROVIDED that {checker.leaves} values of the endgame table of digest {certificate.table.hex()}, of up to "
                f"{certificate.table_seeds} seeds, are right; {len(certificate.entries)} entries, {certificate.rules.name}"
            )
        elif not quiet:
            print(f"{name}: valid, {len(certificate.entries)} entries, {certificate.rules.name}")
        if not quiet:
            for line in proven:
                print(f"  {line}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
