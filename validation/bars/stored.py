"""Evolved controllers, stored as files."""

import json
from dataclasses import dataclass
from pathlib import Path

from gambol.control.patterns import Spectral
from gambol.formats import atomic_write
from validation.bars.body import BODIES, Body

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class StoredController:
    """The result of an evolution: values of the genes by name, the fitness, and the cost. Written as it is to JSON."""

    body: str
    genes: dict[str, float]
    fitness: float
    seed: int
    generations: int
    lives: int
    minutes: float

    @property
    def gymnasium_body(self) -> Body:
        """The body of the controller."""
        return BODIES[self.body]

    @property
    def pattern(self) -> Spectral:
        """The pattern with its genes."""
        return self.gymnasium_body.pattern(self.genes.values())

    def write(self) -> Path:
        """Write the file of the controller; return its path."""
        path = _path(self.body)
        with atomic_write(path) as beside:
            beside.write_text(json.dumps(vars(self), indent=1) + "\n", encoding="utf-8")
        return path


def load_controller(body: str) -> StoredController:
    """Return the stored controller of a body."""
    return StoredController(**json.loads(_path(body).read_text(encoding="utf-8")))


def _path(body: str) -> Path:
    return FOLDER / f"{body}.json"
