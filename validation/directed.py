"""Animals under commands: `python -m validation.directed [NAME ...]` prints how each follows them.

`python -m validation.directed NAME --choose ARCHIVE ...` prints the same of the best individuals of the last runs of
archives of `gambol evolve natural`, and writes the one that follows most commands to NAME.toml.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambol.creatures.animals import ANIMALS, TROTTERS
from gambol.creatures.directed import DirectedCreature, directed_creature, directed_world
from gambol.evolve.archive import Archive
from gambol.evolve.genotype import Genotype, of_json, write_genotype
from gambol.evolve.genotype.walking.styles import STYLES
from gambol.evolve.runs import Settings
from gambol.evolve.zoo import zoo_creature
from gambol.gait import TimedValue
from gambol.world import Engine, run, start

SECONDS, SETTLED = 6.0, 1.5
"""Duration of a walk, and the time from which it is measured [s]."""

STANDING = 0.75
"""The least height of the trunk of an animal on its feet, over its standing height."""

BEST, EACH = 400, 8
"""An animal is chosen among every eighth of the 400 best individuals of a run: neighbours are often copies."""


@dataclass(frozen=True)
class Following:
    """How a creature follows commands. names: of the commands.

    speed: of its walk by the kinematics [m/s]. on_feet: for each command, True if it stays on its feet. speeds: over
    that of the walk; turns: over the largest rate of turn.
    """

    names: tuple[str, ...]
    speed: float
    on_feet: tuple[bool, ...]
    speeds: tuple[float, ...]
    turns: tuple[float, ...]

    @property
    def count(self) -> int:
        """The number of commands under which it stays on its feet."""
        return sum(self.on_feet)

    def row(self, name: str) -> str:
        """Return a row of a Markdown table."""
        turn = 0.5 * (self.turns[self.names.index("left")] - self.turns[self.names.index("right")])
        falls = [command for command, stays in zip(self.names, self.on_feet, strict=True) if not stays]
        shown = f"{self.count} of {len(self.names)}" + (f", not: {', '.join(falls)}" if falls else "")
        return f"| {name} | {self.speed:.2f} m/s | {self.speeds[0]:.2f} | {turn:.1f} | {shown} |"


def commands_of(creature: DirectedCreature) -> dict[str, dict[str, Any]]:
    """Return the commands by name: none, turns, speeds, a stop, styles and variation.

    All have speeds at the same number of times, so that the walks share a program.
    """
    responses, times = creature.responses, (0.0, 2.0, 3.0, 4.0, 5.0)

    def at(*factors: float) -> TimedValue:
        values = factors if len(factors) > 1 else factors * len(times)
        return tuple((time, factor * responses.speed) for time, factor in zip(times, values, strict=True))

    return {
        "plain": {"speed": at(1.0)},
        "left": {"speed": at(1.0), "turn": responses.top_turn},
        "right": {"speed": at(1.0), "turn": -responses.top_turn},
        "half left": {"speed": at(1.0), "turn": 0.5 * responses.top_turn},
        "slow": {"speed": at(responses.slowest)},
        "slower": {"speed": at(0.7)},
        "fast": {"speed": at(responses.fastest)},
        "stop": {"speed": at(1.0, 1.0, 0.0, 0.0, 1.0)},
        **{name: {"speed": at(min(style.pace, responses.fastest)), "style": name} for name, style in STYLES.items()},
        "varied": {"speed": at(1.0), "variation": 0.05, "seed": 2},
    }


def followed(creature: DirectedCreature) -> Following:
    """Return how a creature follows all commands; the walks run side by side."""
    commands = commands_of(creature)
    worlds = [directed_world(lambda _: creature, **command) for command in commands.values()]
    numbers = Engine(worlds[0]).numbers_of(worlds)
    film = run(worlds[0], start(worlds[0], len(worlds)), SECONDS, rate=30.0, numbers=numbers)
    late, span = film.time >= SETTLED, SECONDS - SETTLED
    centre, (w, _, _, z) = film.signals["centre"][late], np.moveaxis(film.quaternion[late, :, 0], -1, 0)
    ways = np.hypot(*np.moveaxis(np.diff(centre[..., :2], axis=0), -1, 0)).sum(axis=0)
    heading = np.unwrap(2.0 * np.arctan2(z, w), axis=0)
    lowest = centre[..., 2].min(axis=0)
    return Following(
        tuple(commands),
        creature.responses.speed,
        tuple((lowest > STANDING * creature.phenotype.height).tolist()),
        tuple((ways / span / creature.responses.speed).tolist()),
        tuple(((heading[-1] - heading[0]) / span / creature.responses.top_turn).tolist()),
    )


def best_of(archives: Sequence[str]) -> Iterator[tuple[str, Genotype, Settings]]:
    """Yield labels, genotypes and settings of the best individuals of the last runs of archives."""
    for location in archives:
        with Archive(Path(location)) as archive:
            (last,) = archive.runs()[-1:]
            settings = Settings.of_plain(last.settings)
            for record in archive.best(last.id, BEST)[::EACH]:
                label = f"{record.number} of {location}, fitness {record.outcome.fitness:.2f}"
                yield label, of_json(record.genotype), settings


def choose(name: str, archives: Sequence[str]) -> None:
    """Write the individual that follows most commands, of several the first, to NAME.toml."""
    found: list[tuple[int, int, Genotype]] = []
    for k, (label, genotype, settings) in enumerate(best_of(archives)):
        following = followed(directed_creature(genotype, settings, name))
        found.append((following.count, -k, genotype))
        write_line(following.row(label))
    write_genotype(max(found, key=lambda one: one[:2])[2], Path(f"{name}.toml"))


def write_line(line: str) -> None:
    """Print a line of progress."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Print how animals follow commands; return 1 if one falls under a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*ANIMALS, *TROTTERS], metavar="NAME")
    parser.add_argument("--choose", nargs="+", metavar="ARCHIVE", default=())
    given = parser.parse_args()
    if given.choose:
        choose(given.names[0], given.choose)
        return 0
    falls = False
    for name in given.names:
        found = zoo_creature(name)
        following = followed(directed_creature(found.genotype, found.settings, name, (ANIMALS | TROTTERS)[name].yields))
        write_line(following.row(name))
        falls = falls or not all(following.on_feet)
    return int(falls)


if __name__ == "__main__":
    sys.exit(main())
