"""Creatures as input of `run`, `inspect` and `convert`: genotype files, and stored creatures of archives.

Both can be read as models (the body only) and as films (the creature moves under its own control).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from gambol.cli.evolve.creature_address import CreatureAddress
from gambol.cli.evolve.genes import gene_settings
from gambol.cli.evolve.surroundings import terrain_named
from gambol.cli.pages import LiveSimulation
from gambol.errors import GambolError
from gambol.evolve.evaluate import film_rollout, start_of_rollout
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.genotype import grow, model_of, of_json, read_genotype, to_json
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import MAX_SECONDS
from gambol.formats import Model
from gambol.world import Film, State

HEADER_BYTES = 65536
"""Number of bytes at the beginning of a file that are searched for its format."""

GENOTYPE = re.compile(rb"^\s*format\s*=\s*[\"']gambol genotype\b", re.MULTILINE)


@dataclass(frozen=True)
class EvolvedCreature:
    """A creature of a genotype file or of an archive.

    name: name of its films. genotype: plain data. settings: settings of its rollouts; for a file, settings of the task
    "walk" on level ground. seed: seed of its rollouts.
    """

    name: str
    genotype: Mapping[str, Any]
    settings: Settings = field(default_factory=Settings)
    seed: int = 0

    def model(self) -> Model:
        """Return the creature's body as a model on the ground, see model_of()."""
        return model_of(of_json(self.genotype), self.name)

    def on(self, ground: str, spacing: float, seed: int) -> "EvolvedCreature":
        """Return the creature on another ground: "flat", "hills" or a height file. For errors see terrain_named()."""
        terrain = terrain_named(ground, spacing, seed, grow(of_json(self.genotype)))
        options = dict(self.settings.options)
        options["task"] = {**options.get("task", {}), "ground": terrain.as_data() if terrain else None}
        settings = replace(self.settings, options=options)
        task_of(settings)
        return replace(self, settings=settings)

    def start(self) -> tuple[State, NDArray[Any]]:
        """Return the first state of the creature's rollouts, and the inputs of its world, (rows, 1)."""
        return start_of_rollout(self.settings, self.genotype, self.seed)

    def simulation(self, source: Mapping[str, Any] | None = None) -> LiveSimulation:
        """Return the simulation for a live page, with sliders of the creature's genes. source: source of the page."""
        state, numbers = self.start()
        return LiveSimulation(state, numbers, source, gene_settings(self.settings, self.genotype, state), repeats=False)

    def film(self, seconds: float | None = None) -> Film:
        """Return the film of the creature's motion under its own control.

        seconds: duration; None for the duration of its rollouts [s].
        """
        return replace(film_rollout(self.settings, self.genotype, self.seed, seconds=seconds), name=self.name)


def is_creature(path: Path) -> bool:
    """True for the address of a stored creature, and for a .toml file that is a genotype."""
    if CreatureAddress.of(path) is not None:
        return True
    if path.suffix.lower() != ".toml" or not path.is_file():
        return False
    with path.open("rb") as file:
        return GENOTYPE.search(file.read(HEADER_BYTES)) is not None


def read_creature(path: Path) -> EvolvedCreature:
    """Return the creature of a genotype file, or of an address, see CreatureAddress.

    Raises GambolError for a file that is not a genotype, and as CreatureAddress.read() does.
    """
    if (address := CreatureAddress.of(path)) is None:
        return EvolvedCreature(path.stem, to_json(read_genotype(path)))
    archived = address.read()
    individual = archived.individual
    return EvolvedCreature(address.name, individual.genotype, archived.settings, individual.seed)


def file_name(path: Path) -> str:
    """Return the common name of the files about a figure, from the name of its file or its address in an archive.

    The files of a run of NAME.numbers.json are called NAME-changed, so that they do not replace the files of NAME.
    """
    if path.suffix.lower() == ".json":
        return f"{path.stem.removesuffix('.numbers')}-changed"
    address = CreatureAddress.of(path)
    return path.stem if address is None else address.name


def check_duration(seconds: float) -> None:
    """Raise GambolError if a creature cannot be filmed for so long [s]."""
    if seconds > MAX_SECONDS:
        raise GambolError(f"--seconds: {seconds:g} s is not possible for a creature; give at most {MAX_SECONDS:g}")
