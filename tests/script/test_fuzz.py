"""Damaged scripts: whatever is done to a script, reading it either works or raises a ScriptError, and nothing else."""

import random
import warnings
from pathlib import Path

import numpy as np
import pytest
from scripts import PENDULUM, written

from gambol.script import ScriptError, ScriptWarning, read_script
from gambol.script.commands import COMMANDS

SCRIPTS = Path(__file__).parents[2] / "examples" / "scripts"

WHOLE = (
    PENDULUM
    + """
get toe from unit_sphere
closeobj toe
addworld w
addcorpus bug
get trunk from unit_cube
pushobj trunk
scale trunk 0.04 0.02 0.01
addbody trunk trunk 0 0 1 rotary 1000
get bump from unit_sphere
scale bump 0.01 0.01 0.01
addpart bump bump trunk 500 1 0
get a0 from unit_cube
scale a0 0.01 0.01 0.01
addbody a0 a0 0 0 1 rotary 1000 1 1
rotate a0 x 30
move a0 0 0.01 0
linkbodies trunk a0
get a1 from unit_cube
premult
scale a1 0.002 0.002 0.03
postmult
move a1 0 0 -0.015
addbody a1 a1 1 0 0 sliding 1000
linkbodies a0 a1
setroot trunk
corpusinit
setrootmatrix
1 0 0 0
0 1 0 0
0 0 1 0
0 0 0.1 1
joint a0 k 0.0001
joint a0 q 0.1
joint a1 ea 0.0001
joint a1 eB 5
joint a1 Q_type 17
joint a1 springtype distalmass
groundfric2e 0.5
attach trunk world 0 0 0 0 0 1 10 0 0 1 0.5
addroach bug
metabolism 0.02
procom 0
! up
motor a0 etarget 0.1 *1
timer *0.5 motor a0 etarget 0 *0.5
.
retcom 0
motor a0 etarget -0.1 *1
.
legstepreflex 0 a0 0.5 +
bodygroundstick a1 on
iter 2
gaitgo
alarm 0.01 speed 2
timer 0.02 motor a1 etarget 0.001 0.1
dumps kept
go 20
loads kept
setdown
rootmotion fixed
jointmatchexp a0
integration rkfixed
dt 0.001
go 5
"""
)
"""A script with a command of nearly every kind."""

EXTREME = ["0", "-1", "1", "2", "0.001", "1e12", "-1e12", "1e-15", "-1e-15", "1e6", "100"]
ODD = [
    "",
    "0",
    "-1",
    "1e9",
    "-1e-9",
    "nan",
    "*",
    "*0.5",
    "!",
    "#",
    ".",
    "read it.corpus",
    "\x00",
    "é",
    "..",
    "1e400",
    '"',
]


def damaged(text: str, seed: int) -> bytes:
    """The script after a few accidents; every third has only numbers that nobody would give."""
    dice = random.Random(seed)
    lines = text.split("\n")
    if seed % 3 == 0:
        words = text.split(" ")
        numbers = [k for k, word in enumerate(words) if word.replace(".", "").isdigit()]
        for k in dice.sample(numbers, dice.randint(1, 3)):
            words[k] = dice.choice(EXTREME)
        return " ".join(words).encode()
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(lines))
        words = lines[at].split(" ")
        kind = dice.randrange(9)
        if kind == 0 and len(lines) > 1:
            del lines[at]
        elif kind == 1:
            lines.insert(dice.randrange(len(lines)), lines[at])
        elif kind == 2:
            other = dice.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 3:
            words[dice.randrange(len(words))] = dice.choice(ODD)
            lines[at] = " ".join(words)
        elif kind == 4:
            words[dice.randrange(len(words))] = dice.choice(text.split())
            lines[at] = " ".join(words)
        elif kind == 5:
            words[0] = dice.choice(sorted(COMMANDS))
            lines[at] = " ".join(words)
        elif kind == 6:
            lines[at] = " ".join(words[: dice.randrange(len(words) + 1)])
        elif kind == 7:
            lines = lines[:at] or [""]
        else:
            lines[at] = lines[at] + " " + dice.choice(words)
    raw = bytearray("\n".join(lines).encode())
    for _ in range(dice.choice((0, 0, 1, 3))):
        if raw:
            raw[dice.randrange(len(raw))] = dice.randrange(256)
    return bytes(raw)


def survives(folder: Path, text: str, seed: int) -> bool:
    """Whether a damaged script can still be read; any error but a ScriptError fails the test."""
    path = folder / "it.corpus"
    path.write_bytes(damaged(text, seed))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ScriptWarning)
            read_script(path)
    except ScriptError:
        return False
    except Exception as error:  # the seed has to be told
        raise AssertionError(f"seed {seed}: {error!r}") from error
    return True


def test_undamaged_it_can_be_read(tmp_path):
    read_script(written(tmp_path, WHOLE))


@pytest.mark.parametrize("block", range(6))
def test_damaged_scripts_are_read_or_refused(block, tmp_path):
    read = [survives(tmp_path, WHOLE, seed) for seed in range(100 * block, 100 * block + 100)]
    assert 0.05 < np.mean(read) < 0.8  # some of both: the damage is neither harmless nor total


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_thousands_of_damaged_scripts_are_read_or_refused(block, tmp_path):
    for seed in range(10_000 + 250 * block, 10_000 + 250 * block + 250):
        survives(tmp_path, WHOLE, seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(5))
def test_damaged_roaches_are_read_or_refused(block, tmp_path):
    text = (SCRIPTS / "roach.corpus").read_text() + "setdown\ngaitgo\nalarm 0.1 speed 1\ngo 100\n"
    for seed in range(50_000 + 100 * block, 50_000 + 100 * block + 100):
        survives(tmp_path, text, seed)
