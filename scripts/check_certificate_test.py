"""Holds the referee of check_certificate.py against the worked examples of the rules. Run by the test suite."""

import pathlib

from check_certificate import Rules, blake3

PRESETS = pathlib.Path(__file__).resolve().parent.parent / "crates/engine/presets"


def rules(name):
    return Rules((PRESETS / f"{name}.toml").read_text())


def play(name, board, pit, gain, after, kind="turn"):
    """South plays a ring pit; boards are written from South's first pit round to North's last."""
    pits = tuple(board)
    half = len(pits) // 2
    own = (True,) * half + (False,) * half
    game = rules(name)
    state = game.state(pits, own)
    assert state[0] == "move", (name, board, state)
    step = game.follow(pits, own, state[1][pit])
    assert step[0] == kind and step[1] == gain, (name, board, step)
    if kind == "turn":
        assert step[2][half:] + step[2][:half] == tuple(after), (name, board, step)
        return game.state(step[2], step[3])
    if kind == "again":
        assert step[2] == tuple(after), (name, board, step)
    return None


# Dakon: a bonus, captures of the pit opposite and between two equal pits, a lap of 15, a bonus on an empty row.
play("dakon", [7] * 14, 0, 1, [0] + [8] * 6 + [7] * 7, "again")
play("dakon", [7] * 14, 6, 9, [8, 8, 8, 8, 8, 8, 1, 0, 8, 8, 8, 8, 0, 8])
play("dakon", [2, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 0, 0], 2, 5, [2, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
play("dakon", [2, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 4, 0], 2, 0, [2, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 4, 0])
over = play("dakon", [0] * 6 + [3, 2, 0, 3, 0, 0, 0, 0], 6, 8, [0] * 14)
assert over == ("over", 0), over
play("dakon", [0] * 6 + [3, 3, 0, 3, 0, 0, 0, 0], 6, 1, [0] * 7 + [4, 1, 3, 0, 0, 0, 0])
play("dakon", [0] * 6 + [2, 0, 4, 0, 0, 0, 0, 0], 6, 1, [0] * 7 + [1, 4, 0, 0, 0, 0, 0])
play("dakon", [0, 0, 0, 15] + [0] * 10, 3, 2, [1] * 10 + [0] + [1] * 3)
play("dakon", [0] * 6 + [1, 0, 0, 0, 0, 0, 3, 0], 6, -2, None, "over")

# Djenon-abe: relays, chains of captures, feeding, the gift.
play("djenon-abe", [4] * 12, 0, 0, [2, 7, 1, 6, 1, 6, 6, 6, 0, 1, 6, 6])
play("djenon-abe", [0, 0, 2, 1, 0, 0, 3, 0, 0, 0, 0, 1], 2, 0, [0, 0, 0, 2, 1, 0, 3, 0, 0, 0, 0, 1])
play("djenon-abe", [0, 0, 0, 3, 1, 3, 1, 6, 0, 0, 0, 5], 3, 8, [0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 5])
play("djenon-abe", [0, 2, 0, 2, 0, 0, 3, 0, 0, 0, 2, 0], 1, 4, [0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 2, 0])
play("djenon-abe", [13] + [0] * 11, 0, 2, [1, 0] + [1] * 10)
play("djenon-abe", [1, 0, 0, 0, 0, 1, 5, 0, 0, 0, 2, 0], 5, 2, [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 3, 1])
after = play("djenon-abe", [1, 0, 0, 0, 0, 1, 1] + [0] * 5, 5, 2, [1] + [0] * 11)
assert after == ("over", 1), after
after = play("djenon-abe", [0, 0, 0, 0, 3, 1, 1] + [0] * 5, 5, 2, [0, 0, 0, 0, 3] + [0] * 7)
assert after == ("pass",), after

# San-Yao: Indian laps, captures beyond a gap, all round the board; an endless relay.
play("san-yao", [5] * 10, 0, 9, [3, 9, 2, 9, 9, 9, 0, 0, 0, 0])
play("san-yao", [0, 2, 0, 0, 0, 4, 1, 0, 0, 0], 1, 4, [0, 0, 1, 1, 0, 0, 1, 0, 0, 0])
after = play("san-yao", [1, 0, 0, 3, 0, 6, 0, 2, 0, 0], 0, 11, [0, 1] + [0] * 8)
assert after == ("over", -1), after
play("san-yao", [0, 0, 1, 0, 0, 0, 3, 0, 0, 0], 2, 0, [0, 0, 0, 1, 0, 0, 3, 0, 0, 0])
play("san-yao", [2, 0, 1, 1, 0, 0, 3, 0, 0, 4], 0, 3, [0, 1, 2, 0, 1, 0, 0, 0, 0, 4])
play("san-yao", [1, 0, 0, 2, 0, 2, 0, 2, 0, 2], 0, 9, [0] * 10)
five = (True,) * 5 + (False,) * 5
assert rules("san-yao").move((0, 1, 0, 1, 1, 0, 1, 0, 2, 1), 4, five) == "endless"
assert rules("djenon-aboure").move((4, 1, 0, 3, 1, 5, 4, 3, 2, 1), 3, five) == "endless"

# The published test vectors of BLAKE3 for no bytes and for the bytes 0 to 250, 0 to 250, ... of two lengths.
for length, begins in ((0, "af1349b9f5f9a1a6a0404dea36dcc949"), (1, "2d3adedff11b61f14c886e35afa03673")):
    assert blake3(bytes(at % 251 for at in range(length))).hex().startswith(begins)
print("all worked examples hold")
