"""Animals by name: bodies of the animals' plans, with walks that evolved in the task natural, and a trot.

Genotypes are those of gambol.evolve.zoo. Commands direct the animals, see directed.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from gambol.creatures.directed import DirectedCreature, directed_creature, directed_world, entry_of
from gambol.creatures.entry import CreatureEntry
from gambol.world import World

SIDES = ("left", "right")


@dataclass(frozen=True, slots=True)
class Animal:
    """A row of ANIMALS.

    summary: description. height: standing height of the trunk [m]. legs: number of segments of each pair of legs of its
    body plan, by name, the hindmost first. yields: achieved speed and rate of turn, as fractions of those of the
    kinematics, measured by `python -m validation.directed`. straight: the reason why it cannot turn, or "".
    """

    summary: str
    height: float
    yields: tuple[float, float]
    legs: Mapping[str, int] = field(default_factory=lambda: {"hind": 2, "fore": 2})
    straight: str = ""


NO_YAW = "its legs have no joint about the vertical, and its flat feet hold it back"

ANIMALS = {
    "hound": Animal("a dog of 15 kg", 0.421, (0.72, 0.7), {"hind": 4, "fore": 3}),
    "cat": Animal("a cat of 4.5 kg", 0.264, (0.92, 1.0)),
    "horse": Animal("a horse of 300 kg", 1.241, (0.69, 0.7)),
    "lizard": Animal("a lizard of 1.6 kg", 0.123, (0.98, 0.8)),
    "monkey": Animal("a monkey of 8 kg on all fours", 0.422, (0.93, 0.9), {"leg": 2, "arm": 2}),
    "bird": Animal("a running bird of 5.5 kg", 0.319, (0.70, 0.05), {"leg": 3}, NO_YAW),
    "beetle": Animal(
        "a beetle of 50 g", 0.038, (0.82, 0.2), {f"{place} leg": 2 for place in ("hind", "middle", "front")}
    ),
    "spider": Animal(
        "a spider of 60 g", 0.048, (0.97, 0.8), {f"leg {number}": 2 for number in ("four", "three", "two", "one")}
    ),
    "dinosaur": Animal("a dinosaur of 60 kg on two legs", 0.645, (0.98, 0.05), {"leg": 3}, NO_YAW),
    "oculus": Animal("an animal of 12 kg that nobody has seen, with one eye on a stalk", 0.372, (0.86, 0.9)),
    "centipede": Animal("a centipede of 30 g", 0.022, (1.0, 1.0), {f"leg {number}": 1 for number in range(7, 0, -1)}),
    "crab": Animal("a crab of 120 g", 0.042, (0.95, 1.0), {f"{place} leg": 2 for place in ("hind", "middle", "front")}),
}
"""The animals that walk, by name."""

TROTTERS = {
    "greyhound": Animal("a dog of 15 kg", 0.421, (0.64, 0.3), {"hind": 4, "fore": 3}),
}
"""The animals that trot, by name."""


def animal_world(name: str, **commands: Any) -> World:
    """Return the world of an animal. name: of ANIMALS or TROTTERS. For commands and errors see directed_world()."""
    return directed_world(partial(_evolved, name), **commands)


@lru_cache(maxsize=len(ANIMALS) + len(TROTTERS))
def _evolved(name: str) -> DirectedCreature:
    """Return an animal of the zoo."""
    from gambol.evolve.zoo import zoo_creature  # imports databases

    found = zoo_creature(name)
    return directed_creature(found.genotype, found.settings, name, (ANIMALS | TROTTERS)[name].yields)


def _entry(name: str, animal: Animal, gait: str) -> CreatureEntry:
    """Return the row of an animal in the table of creatures. gait: the word for its gait."""
    limbs = {f"{leg} {side}": (f"{leg} {side} {count}",) for leg, count in animal.legs.items() for side in SIDES}
    make_world = partial(directed_world, partial(_evolved, name))
    lacks: dict[str, str] = dict.fromkeys(("turn", "path", "hold"), animal.straight) if animal.straight else {}
    return entry_of(name, f"{animal.summary}, whose {gait} evolved", make_world, limbs, animal.height, lacks)


ANIMAL_ENTRIES = (
    *(_entry(name, animal, "walk") for name, animal in ANIMALS.items()),
    *(_entry(name, animal, "trot") for name, animal in TROTTERS.items()),
)
"""The rows of the animals in the table of creatures."""
