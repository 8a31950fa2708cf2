"""Animals by name: bodies of the animals' plans, with walks that evolved in the task natural, and a trot.

Genotypes are those of gambol.evolve.zoo. Commands direct the animals, see directed.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

from gambol.creatures.directed import DirectedCreature, directed_creature, directed_world, entry_of
from gambol.creatures.entry import CreatureEntry
from gambol.gait.animals import TROT, WALK
from gambol.gait.commanded_waves import CHANGE_STRIDES
from gambol.world import World

SIDES = ("left", "right")


@dataclass(frozen=True, slots=True)
class Animal:
    """A row of ANIMALS.

    summary: description. height: standing height of the trunk [m]. legs: number of segments of each pair of legs of its
    body plan, by name, the hindmost first. yields: achieved speed and rate of turn, as fractions of those of the
    kinematics, measured by `python -m validation.directed`. straight: the reason why it cannot turn, or "". one_gait:
    the reason why it has no other gait, for animals that are not in TROTS.
    """

    summary: str
    height: float
    yields: tuple[float, float]
    legs: Mapping[str, int] = field(default_factory=lambda: {"hind": 2, "fore": 2})
    straight: str = ""
    one_gait: str = "a trot is a gait of four legs"


@dataclass(frozen=True, slots=True)
class Trot:
    """The trot of an animal.

    changes: of its walk, see TrotChange; or the name of an animal with the same body, whose trot evolved. yields: as
    those of an Animal. largest_turn: see directed_creature(). strides: durations of a change to the trot and back, see
    NextGait.
    """

    changes: Mapping[str, float] | str
    yields: tuple[float, float]
    largest_turn: float = 1.0
    strides: tuple[float, float] = CHANGE_STRIDES


TROTS = {
    "hound": Trot("greyhound", (0.64, 0.3)),
    "cat": Trot(
        {
            "frequency": 1.82,
            "travel": 0.81,
            "duty": 0.47,
            "lag": 0.457,
            "catch_ahead": 0.05,
            "right_ahead": 0.03,
            "catch_aside": 0.27,
            "right_aside": 0.39,
        },
        (0.82, 0.36),
        largest_turn=0.5,
    ),
    "horse": Trot(
        {"frequency": 1.54, "travel": 1.09, "duty": 0.41, "lag": 0.51, "catch_ahead": 0.03, "right_ahead": 0.53},
        (0.62, 0.6),
        strides=(4.0, 2.0),
    ),
    "monkey": Trot(
        {"frequency": 1.27, "travel": 1.06, "duty": 0.45, "lag": 0.5, "catch_ahead": 0.17, "right_ahead": 0.36},
        (0.85, 0.7),
        strides=(4.0, 2.0),
    ),
    "oculus": Trot(
        {"frequency": 1.54, "travel": 1.09, "duty": 0.41, "lag": 0.51, "catch_ahead": 0.03, "right_ahead": 0.53},
        (0.67, 0.5),
        strides=(4.0, 8.0),
    ),
}
"""The trots of animals whose walks evolved, by name. Of 384 random changes for each quadruped (180 for the cat), they
are among the faster ones that fall in none of 16 perturbed lives, land diagonal feet together, and can be directed; see
docs/use/directed.md."""


NO_YAW = "its legs have no joint about the vertical, and its flat feet hold it back"

ANIMALS = {
    "hound": Animal(
        "a dog of 15 kg",
        0.421,
        (0.72, 0.7),
        {"hind": 4, "fore": 3},
    ),
    "cat": Animal("a cat of 4.5 kg", 0.264, (0.92, 1.0)),
    "horse": Animal("a horse of 300 kg", 1.241, (0.69, 0.7)),
    "lizard": Animal(
        "a lizard of 1.6 kg",
        0.123,
        (0.98, 0.8),
        one_gait="with the phases of a trot its fore feet land 0.7 strides after its hind feet",
    ),
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
    "greyhound": Animal(
        "a dog of 15 kg",
        0.421,
        (0.64, 0.3),
        {"hind": 4, "fore": 3},
        one_gait="it only trots; the hound has the same body, and walks",
    ),
}
"""The animals that trot, by name."""


def animal_world(name: str, **commands: Any) -> World:
    """Return the world of an animal. name: of ANIMALS or TROTTERS. For commands and errors see directed_world()."""
    return directed_world(partial(_evolved, name), _gaits(name), **commands)


def _gaits(name: str) -> tuple[str, ...]:
    """Return the names of the gaits of an animal, that which evolved first."""
    return (WALK, TROT) if name in TROTS else (WALK,)


@lru_cache(maxsize=len(ANIMALS) + len(TROTTERS) + len(TROTS))
def _evolved(name: str, gait: str = WALK) -> DirectedCreature:
    """Return an animal of the zoo. gait: WALK for the gait that evolved, or TROT."""
    from gambol.evolve.genotype.walking.trots import TrotChange, trotting
    from gambol.evolve.zoo import zoo_creature  # imports databases

    found = zoo_creature(name)
    if gait == TROT:
        trot, genotype, settings = TROTS[name], found.genotype, found.settings
        if isinstance(trot.changes, str):
            other = zoo_creature(trot.changes)
            genotype, settings = other.genotype, other.settings
        else:
            genotype = trotting(genotype, TrotChange(**trot.changes))
        trots = directed_creature(genotype, settings, name, trot.yields, trot.largest_turn)
        return replace(trots, strides=trot.strides)
    return directed_creature(found.genotype, found.settings, name, (ANIMALS | TROTTERS)[name].yields)


def _entry(name: str, animal: Animal, gait: str) -> CreatureEntry:
    """Return the row of an animal in the table of creatures. gait: the word for its gait."""
    limbs = {f"{leg} {side}": (f"{leg} {side} {count}",) for leg, count in animal.legs.items() for side in SIDES}
    make_world = partial(directed_world, partial(_evolved, name), _gaits(name))
    lacks: dict[str, str] = dict.fromkeys(("turn", "path", "hold"), animal.straight) if animal.straight else {}
    lacks |= {} if name in TROTS else {"gait": animal.one_gait}
    summary = f"{animal.summary}, whose {gait} evolved"
    return entry_of(name, summary, make_world, limbs, animal.height, lacks, _gaits(name) if name in TROTS else ())


ANIMAL_ENTRIES = (
    *(_entry(name, animal, "walk") for name, animal in ANIMALS.items()),
    *(_entry(name, animal, "trot") for name, animal in TROTTERS.items()),
)
"""The rows of the animals in the table of creatures."""
