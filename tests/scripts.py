"""Small scripts for tests: a ball, a pendulum, a leg; and functions to write, read and dry-run them."""

from pathlib import Path

from gambol.script import Script, read_script
from gambol.script.interpreter import Interpreter

BALL = """
addcorpus ball
get ball from unit_sphere
scale ball 0.02 0.02 0.02
addbody ball ball 0 0 1 rotary 1000
setroot ball
corpusinit
"""
"""A ball of 2 cm."""

PENDULUM = """
addcorpus clock
get foot from unit_cube
scale foot 0.1 0.1 0.1
get arm from unit_cube
scale arm 0.02 0.02 0.5
move arm 0 0 -0.25
addbody foot foot 0 0 1 rotary 1000
addbody arm arm 0 1 0 rotary 1000
linkbodies foot arm
setroot foot
corpusinit
rootmotion fixed
ground off
dt 0.001
"""
"""A rod of 0.2 kg and 0.5 m that hangs from a fixed cube and turns about y."""

SPRUNG = PENDULUM + "grav off\njoint arm k 1\njoint arm b 0.01\n"
"""The rod on a spring of 1 N m/rad, without weight: what it does, its spring and motors do."""

LEG = """
addcorpus bug
get trunk from unit_cube
scale trunk 0.04 0.02 0.01
addbody trunk trunk 0 0 1 rotary 1000
get a0 from unit_cube
scale a0 0.01 0.01 0.01
addbody a0 a0 0 0 1 rotary 1000
linkbodies trunk a0
get a1 from unit_cube
scale a1 0.01 0.01 0.01
addbody a1 a1 1 0 0 rotary 1000
linkbodies a0 a1
setroot trunk
corpusinit
"""
"""A trunk with a leg of two links, each of a centimetre."""


def written(folder: Path, text: str, name: str = "it.corpus") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, text: str) -> Script:
    return read_script(written(folder, text))


def dry_run(folder: Path, text: str) -> Interpreter:
    return read(folder, text).dry_run()
