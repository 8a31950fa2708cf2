"""Genotype files as input of `run`, `inspect` and `convert`: bodies as models, and films of creatures."""

import re
from dataclasses import replace
from pathlib import Path

from gambol.errors import GambolError
from gambol.evolve.evaluate import film_rollout
from gambol.evolve.genotype import grow, read_genotype, to_json
from gambol.evolve.genotype.motors import motors_of
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import MAX_SECONDS
from gambol.formats import Model
from gambol.world import Film

HEADER_BYTES = 65536
"""Number of bytes at the beginning of a file that are searched for its format."""

GENOTYPE = re.compile(rb"^\s*format\s*=\s*[\"']gambol genotype\b", re.MULTILINE)

GENOTYPE_NOTE = (
    "a genotype: its body, with servos as position motors or with two muscles at each joint; a figure file stores "
    "neither its control nor the maximum power of its servos"
)


def is_genotype(path: Path) -> bool:
    """True if a .toml file is a genotype, as `gambol evolve` writes it."""
    with path.open("rb") as file:
        return GENOTYPE.search(file.read(HEADER_BYTES)) is not None


def genotype_model(path: Path) -> Model:
    """Return the body of a genotype file as a model on the ground. See motors_of() for its servos or muscles.

    Raises GambolError for a file that is not a genotype.
    """
    creature = grow(read_genotype(path), path.stem)
    motors = tuple(motors_of(creature))
    return Model(creature.figure, creature.springs, motors, creature.q, ground=True, notes=(GENOTYPE_NOTE,))


def check_genotype_run(path: Path, seconds: float) -> None:
    """Raise GambolError if a file is not a genotype, or if the duration seconds [s] is too long."""
    read_genotype(path)
    if seconds > MAX_SECONDS:
        raise GambolError(f"--seconds: {seconds:g} s is not possible for a creature; give at most {MAX_SECONDS:g}")


def film_genotype(path: Path, seconds: float) -> Film:
    """Film the creature of a genotype file under its own control, on level ground as in the task walk. seconds: [s]."""
    return replace(film_rollout(Settings(), to_json(read_genotype(path)), seconds=seconds), name=path.stem)
