"""The creatures of the zoo, by name.

Each is the best individual of a run. The settings of the run are listed here; the genotype of the creature is in a
file. `python -m validation.gallery` repeats the runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from typing import Any

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype import Genotype, read_genotype
from gambol.evolve.runs import Settings

SLOW_GAIT: Mapping[str, Any] = {"control": {"size": 2, "fastest": 2.5}}
"""Options for slow gaits that are easy to watch: two harmonics, low frequencies."""


HIGH_HOPS: Mapping[str, Any] = {
    "terms": [
        {"term": "bounce", "weight": 100.0, "least": 0.0, "most": 0.06},
        {"term": "flight", "weight": 0.5, "least": 0.0, "most": 0.6},
        {"term": "speed", "weight": 0.5, "least": -1.0, "most": 1.0},
        {"term": "ahead", "weight": 0.25, "least": 0.0, "most": 1.0},
        {"term": "slip", "weight": -0.25, "least": 0.0, "most": 1.0},
        {"term": "dragging", "weight": -0.25, "least": 0.0, "most": 1.0},
        {"term": "upright", "weight": 0.25, "least": 0.0, "most": 1.0},
        {"term": "transport", "weight": -0.02, "least": 0.0, "most": 4.0},
        {"term": "tangle", "weight": -0.5},
    ]
}
"""A task of high hops: the time in the air alone would reward many short flights, such as those of the hopper."""


def _free_body_settings(seed: int) -> Settings:
    """Return settings of a run with free bodies and three trials.

    Bodies that evolved in a single trial are often not robust.
    """
    islands = {"of": "es-plus", "islands": 4, "every": 1000, "each": {"mates": 1}}
    return Settings(
        body="free",
        search="islands",
        population=256,
        generations=60,
        seed=seed,
        seconds=6.0,
        trials=3,
        options={"search": islands},
    )


def _animal(body: str, **changes: Any) -> tuple[str, Settings]:
    """Return the row of an animal: its description, and the settings of `gambol evolve natural --body BODY`.

    changes: settings that differ.
    """
    options = {"motor": "hill", "frequencies": "walk", **changes.pop("options", {})}
    settings = Settings("natural", body, "stride", population=64, generations=40, options=options)
    return f"a {body} that walks as animals of its mass do", replace(settings, **changes)


def _on_bumps(height: float, wavelength: float) -> Mapping[str, Any]:
    """Return options for a run on bumps, which makes an animal robust.

    height: of the highest bump, 0.03 or 0.05 of the standing height; wavelength: the shortest, half the length of the
    body [m].
    """
    return {"task": {"ground": {"hills": height, "wavelength": wavelength, "seed": 7}}}


ANIMALS: dict[str, tuple[str, Settings]] = {
    "hound": _animal("dog", seed=1, options=_on_bumps(0.02107202243758177, 0.4740548788362079)),
    "cat": _animal("cat"),
    "horse": _animal("horse", seed=1),
    "lizard": _animal("lizard", generations=14),
    "monkey": _animal("monkey", seed=2, generations=20, share=32),
    "bird": _animal(
        "bird", seed=1, generations=30, trials=8, share=32, options=_on_bumps(0.009582630931593634, 0.20296194472745033)
    ),
    "beetle": _animal("beetle", seed=1, generations=20),
    "spider": _animal("spider", generations=14),
    "dinosaur": _animal(
        "dinosaur",
        seed=1,
        generations=30,
        trials=8,
        share=32,
        options=_on_bumps(0.019361605303372883, 1.0518292286365258),
    ),
    "oculus": _animal("oculus", seed=1, generations=24, options=_on_bumps(0.018619605249425335, 0.3559317094709942)),
    "centipede": _animal("centipede", generations=12),
    "crab": _animal("crab", generations=14),
    "greyhound": (
        "a dog that trots as animals of its mass do",
        Settings(
            "trot",
            "dog",
            "trot",
            population=64,
            generations=20,
            share=32,
            seed=1,
            options={"motor": "hill", "frequencies": "mass"},
        ),
    ),
}
"""The animals: twelve that walk, and one that trots. Horse, bird and dinosaur are not the fittest of their
runs, but follow more commands, see docs/use/directed.md. Bird and dinosaur evolved with eight trials, and fall in none
of 128."""


CREATURES: dict[str, tuple[str, Settings]] = {
    "walker": ("a quadruped that trots", Settings(population=128, generations=60, seed=3, options=SLOW_GAIT)),
    "hopper": (
        "a quadruped that bounds, in the air for most of the time",
        Settings("hop", population=128, generations=60, seed=2, options={"control": {"size": 2, "fastest": 3.0}}),
    ),
    "springer": (
        "a quadruped that hops with long flights; its body evolved, too",
        Settings(
            "hop",
            population=96,
            generations=36,
            seed=1,
            seconds=5.0,
            options={"control": {"size": 2, "fastest": 2.0}, "task": HIGH_HOPS, "evolve": "both"},
        ),
    ),
    "jumper": (
        "a quadruped that leaps on the spot; its body evolved, too",
        Settings("jump", population=128, generations=80, seed=1, trials=4, options=SLOW_GAIT | {"evolve": "both"}),
    ),
    "crawler": (
        "a newt that crawls, a third of its weight on its belly",
        Settings("crawl", "newt", population=128, generations=60, seed=1, options={"control": {"size": 2}}),
    ),
    "swimmer": (
        "an eel that swims",
        Settings("swim", "eel", population=128, generations=60, seed=2, options=SLOW_GAIT),
    ),
    "rower": ("a free body that rows: two arms push a trunk that glides on its belly", _free_body_settings(seed=1)),
    "strider": ("a free body that strides on all its legs, its feelers in the air", _free_body_settings(seed=6)),
    **ANIMALS,
}
"""The description of each creature, and the settings of the run that evolved it."""


@dataclass(frozen=True)
class ZooCreature:
    """A creature of the zoo: its name, description, genotype, and the settings of its run."""

    name: str
    description: str
    genotype: Genotype
    settings: Settings


def zoo_creature(name: str) -> ZooCreature:
    """Return the creature of this name. Raises EvolveError with the nearest name for an unknown name."""
    if name not in CREATURES:
        raise EvolveError(f'there is no creature "{name}" in the zoo; {did_you_mean(name, CREATURES)}')
    description, settings = CREATURES[name]
    with as_file(files("gambol.evolve.zoo") / f"{name}.toml") as path:
        return ZooCreature(name, description, read_genotype(path), settings)
