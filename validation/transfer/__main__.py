"""The animals on rough ground and in MuJoCo: `python -m validation.transfer [NAME ...]` writes the page.

Results are kept in a file for each animal; named animals, and those without a file, are computed.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gambol.collide import Plane
from gambol.creatures.animals import ANIMALS, TROTTERS
from gambol.evolve.genotype import grow
from gambol.evolve.zoo import zoo_creature
from gambol.formats import atomic_write
from validation.transfer.lives import GROUNDS, LIVES, Life, ground_named, life_in_mujoco, lives_here

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "transfer.md"
STORED = Path(__file__).parent
WANTED = 0.7
"""The fraction of its own speed at which an animal walks on."""

HEAD = """# Animals on rough ground and in MuJoCo

Made by `python -m validation.transfer`. Each animal of the zoo walks for 8 s. Its own speed is that of an undisturbed
walk on level ground: the distance from its place after 2 s to its final place, divided by the time. Then it lives two
perturbed lives on each ground, whose initial joint positions differ by up to 0.02 rad and whose friction differs by
up to a tenth. The table has the speed of the worse life as a fraction of its own speed; a life in which it falls
counts as 0.

| ground | what it is |
| --- | --- |
| level | the plane on which it evolved |
| bumps | random hills up to 0.05 of its standing height, half a body length apart |
| hills | as `gambol evolve --ground hills`: up to a third of its standing height, two body lengths apart |

In MuJoCo the animal is the file that gambol writes for it. MuJoCo computes its motion and its contacts; its position
actuators have the gains of the servos, and the limits of muscles at each speed. From gambol come the targets, 120
times a second, computed by the same controller from the trunk's orientation and velocity in MuJoCo. Contacts are
stiff (time constant 4 ms), with the same friction.


"""

FOOT = """
Hound, bird, dinosaur and oculus evolved on bumps, all others on level ground. The greyhound trots, all others walk.
Bird and greyhound fall on hills; a dozen other birds were tried there, and all fell. Bumps of a tenth of the standing
height were tried first, with the animals of before; hound, cat and bird fell on them.
"""


def measured(name: str) -> dict[str, Any]:
    """Return the lives of an animal as plain data: its own speed, and the lives by simulator and ground."""
    creature = grow(zoo_creature(name).genotype)
    height, length = float(creature.height), float(creature.length)
    (own,) = lives_here(name, Plane(), (0,))
    grounds = {ground: ground_named(ground, height, length, own.speed) for ground in GROUNDS}
    here = {ground: lives_here(name, grid, LIVES) for ground, grid in grounds.items()}
    there = {
        ground: [life_in_mujoco(name, grid, number) for number in LIVES]
        for ground, grid in grounds.items()
        if ground != "hills"
    }
    sides = {"gambol": here, "MuJoCo": there}
    return {
        "own speed": own.speed,
        **{
            f"{side}, {ground}": [asdict(x) for x in lives]
            for side, found in sides.items()
            for ground, lives in found.items()
        },
    }


def fraction(results: Mapping[str, Any], column: str) -> float:
    """Return the speed of the worse life as a fraction of the animal's own; 0 if it falls in one."""
    lives = [Life(**life) for life in results[column]]
    return 0.0 if any(life.fell for life in lives) else min(life.speed for life in lives) / results["own speed"]


def page(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page in Markdown. results: of each animal by name."""
    columns = [column for column in next(iter(results.values())) if column != "own speed"]
    lines = ["| animal | own speed, m/s | " + " | ".join(columns) + " |", "| --- " * (len(columns) + 2) + "|"]
    for name, found in results.items():
        cells = [f"{x:.2f}" if (x := fraction(found, column)) else "falls" for column in columns]
        lines.append(f"| {name} | {found['own speed']:.2f} | " + " | ".join(cells) + " |")
    counts = [sum(fraction(found, column) >= WANTED for found in results.values()) for column in columns]
    lines.append(f"| **at {WANTED:.0%} or more** | | " + " | ".join(f"{n} of {len(results)}" for n in counts) + " |")
    return HEAD + "\n".join(lines) + "\n" + FOOT


def main(names: list[str]) -> int:
    """Measure the named animals and those without a file, and write the page."""
    results = dict[str, Mapping[str, Any]]()
    for name in (*ANIMALS, *TROTTERS):
        path = STORED / f"{name}.json"
        if name in names or not path.exists():
            path.write_text(json.dumps(measured(name), indent=1) + "\n")
            sys.stdout.write(f"{name}\n")
            sys.stdout.flush()
        results[name] = json.loads(path.read_text())
    with atomic_write(PAGE) as path:
        path.write_text(page(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
