"""Genotype files where figures are asked for: the body that grows of one, and how it lives by its own control."""

import re
from dataclasses import replace
from pathlib import Path

from gambol.errors import GambolError
from gambol.evolve.genotype import grown, read_genotype, to_json
from gambol.evolve.life import filmed
from gambol.evolve.run import Settings
from gambol.evolve.tasks.task import LONGEST
from gambol.formats import Motor, Specimen
from gambol.world import Film

BEGINNING = 65536
"""Bytes in which a file's format is looked for."""

GENOTYPE = re.compile(rb"^\s*format\s*=\s*[\"']gambol genotype\b", re.MULTILINE)

NOTE = (
    "a genotype: the body that grows of it, with its servos as position motors; a figure does not hold its control, "
    "nor the largest power of its muscles"
)


def is_genotype(path: Path) -> bool:
    """Whether a .toml file says that it is a genotype, as `gambol evolve` writes one."""
    with path.open("rb") as file:
        return GENOTYPE.search(file.read(BEGINNING)) is not None


def specimen_of(path: Path) -> Specimen:
    """The body that grows of a genotype file, standing on the ground, its muscles as position motors.

    Raises GambolError for a file that is no genotype.
    """
    creature = grown(read_genotype(path), path.stem)
    motors = tuple(
        Motor(
            joint,
            joint,
            "position",
            gain=servo.stiffness,
            damping=servo.damping,
            lower=servo.lower,
            upper=servo.upper,
            weakest=-servo.strength,
            strongest=servo.strength,
        )
        for joint, servo in creature.actuators.items()
    )
    return Specimen(creature.figure, creature.springs, motors, creature.q, ground=True, notes=(NOTE,))


def check_life(path: Path, seconds: float) -> None:
    """Raise GambolError for a file that is no genotype, and for a life that is too long."""
    read_genotype(path)
    if seconds > LONGEST:
        raise GambolError(f"--seconds: a creature's life of {seconds:g} s is not possible; give {LONGEST:g} at most")


def life_of(path: Path, seconds: float) -> Film:
    """The film of a genotype's creature that lives by its own control on level ground, as one bred to walk does."""
    return replace(filmed(Settings(), to_json(read_genotype(path)), seconds=seconds), name=path.stem)
