"""Animals by name: bodies of the animals' plans, with walks that evolved in the task natural.

Genotypes are those of gambol.evolve.zoo. Commands direct the animals, see directed.py.
"""

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from gambol.creatures.directed import DirectedCreature, directed_creature, directed_world, entry_of
from gambol.creatures.entry import CreatureEntry
from gambol.world import World

SIDES = ("left", "right")


@dataclass(frozen=True, slots=True)
class Animal:
    """A row of ANIMALS.

    summary: description. height: standing height of the trunk [m]. legs: names of the pairs of legs of its body plan,
    the hindmost first. segments: number of segments of a leg. yields: achieved speed and rate of turn, as fractions of
    those of the kinematics, measured by `python -m validation.directed`.
    """

    summary: str
    height: float
    yields: tuple[float, float]
    legs: tuple[str, ...] = ("hind", "fore")
    segments: int = 2


ANIMALS = {
    "hound": Animal("a dog of 15 kg", 0.418, (0.83, 0.8)),
    "cat": Animal("a cat of 4.5 kg", 0.264, (0.92, 1.0)),
    "horse": Animal("a horse of 300 kg", 1.241, (0.69, 0.7)),
    "lizard": Animal("a lizard of 1.6 kg", 0.123, (0.99, 0.9)),
    "monkey": Animal("a monkey of 8 kg on all fours", 0.422, (0.82, 1.4), ("leg", "arm")),
    "bird": Animal("a running bird of 5.5 kg", 0.319, (0.92, 0.05), ("leg",), 3),
    "beetle": Animal("a beetle of 2 kg", 0.132, (0.84, 0.28), ("hind leg", "middle leg", "front leg")),
}
"""The animals by name."""


def animal_world(name: str, **commands: Any) -> World:
    """Return the world of an animal. name: a key of ANIMALS. For commands and errors see directed_world()."""
    return directed_world(partial(_evolved, name), **commands)


@lru_cache(maxsize=len(ANIMALS))
def _evolved(name: str) -> DirectedCreature:
    """Return an animal of the zoo."""
    from gambol.evolve.zoo import zoo_creature  # imports databases

    found = zoo_creature(name)
    return directed_creature(found.genotype, found.settings, name, ANIMALS[name].yields)


def _entry(name: str, animal: Animal) -> CreatureEntry:
    """Return the row of an animal in the table of creatures."""
    limbs = {f"{leg} {side}": (f"{leg} {side} {animal.segments}",) for leg in animal.legs for side in SIDES}
    make_world = partial(directed_world, partial(_evolved, name))
    return entry_of(name, f"{animal.summary}, whose walk evolved", make_world, limbs, animal.height)


ANIMAL_ENTRIES = tuple(_entry(name, animal) for name, animal in ANIMALS.items())
"""The rows of the animals in the table of creatures."""
