"""Controllers that were evolved, kept as files, so that they can be run again without evolving."""

import json
from dataclasses import dataclass
from pathlib import Path

from gambol.control.patterns import Spectral
from gambol.formats import moved_into_place
from validation.bars.body import BODIES, Body

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Kept:
    """What evolution came to: values of the genes by name, the fitness, and what it took."""

    body: str
    genes: dict[str, float]
    fitness: float
    seed: int
    generations: int
    lives: int
    minutes: float

    @property
    def of(self) -> Body:
        """The body that it is for."""
        return BODIES[self.body]

    @property
    def pattern(self) -> Spectral:
        """The pattern of its genes."""
        return self.of.pattern(self.genes.values())

    def write(self) -> Path:
        """Keep it."""
        path = _path(self.body)
        with moved_into_place(path) as made:
            made.write_text(json.dumps(vars(self), indent=1) + "\n", encoding="utf-8")
        return path


def kept(body: str) -> Kept:
    """The controller that was kept for a body."""
    return Kept(**json.loads(_path(body).read_text(encoding="utf-8")))


def _path(body: str) -> Path:
    return FOLDER / f"{body}.json"
