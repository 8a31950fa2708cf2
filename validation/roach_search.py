"""The search for roaches with the ground forces of animals: `python -m validation.roach_search [GENERATIONS] [SET]`.

It varies 57 numbers of the roach by CMA-ES: strengths, rises and dampings of springs, and targets of motor programs. 32
roaches walk at once, one in each lane, from random initial angles. It begins with a set of parameters, "tuned" unless
another is named, prints the best roach of every generation, and writes its changes to out/validation/roach-search.json.
A generation takes a quarter of a minute on one core. The set "cockroach" was found in this way in about 115
generations, by a program that was not kept: this one has the same numbers, the same terms and one for positive work,
and weights of its own.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console

from gambol.control.gene import Gene
from gambol.creatures import Creature, roach, standing_state, world_of
from gambol.creatures.gait_metrics import Walk, measure
from gambol.creatures.ground_forces import GroundForces, LegPairForces, measure_ground_forces
from gambol.evolve.outcome import Outcome
from gambol.evolve.search import BoxSpace, Search, search_named
from gambol.figure import JointSpring
from gambol.formats import atomic_write
from gambol.gait import Leg
from gambol.world import run
from gambol.world.state import Engine

RESULT = Path(__file__).parents[1] / "out" / "validation" / "roach-search.json"
POPULATION, SECONDS = 32, 0.7
JITTER = 0.01
"""Largest offset of the initial angles [rad]."""

LINKS = ("coxa", "femur", "tibia", "ankle", "tarsus")
"""The links of a leg, from the trunk outward; ankle and tarsus share the numbers of their springs."""

WIDEST_FACTOR, WIDEST_TURN = 5.0, 0.5
"""Range of the factors of spring constants, and of the changes of targets [rad]."""

SPEED, CLEARANCE = 10.7, 5.5  # cm/s, mm
"""Speed and clearance of the belly from which on more is no better."""

WEIGHTS: Mapping[str, float] = {
    "speed": 10.0,
    "straight": 0.05,
    "clearance": 0.3,
    "signs": 20.0,
    "equal peaks": 1.0,
    "lateral": 2.0,
    "work": 0.9,
    "positive work": 0.6,
    "sliding": 1.0,
}
"""Weight of each term of the score; all terms are losses, 0 at best."""


def genes(creature: Creature) -> tuple[Gene, ...]:
    """Return the genes: logarithms of factors of spring constants, and changes of motor targets [rad]."""
    factor = float(np.log(WIDEST_FACTOR))
    springs = [f"{owner} {name}" for owner, names in _constants(creature).items() for name in names]
    targets = [f"{owner} target" for owner in _targets(creature.legs[::2])]
    return (
        *(Gene(name, -factor, factor, sigma=0.06) for name in springs),
        *(Gene(name, -WIDEST_TURN, WIDEST_TURN, "rad", sigma=0.06) for name in targets),
    )


def varied(creature: Creature, numbers: Sequence[float]) -> Creature:
    """Return a creature with changed springs and motor programs. numbers: of the genes, in order."""
    values = dict(zip((gene.name for gene in genes(creature)), numbers, strict=True))
    springs = {link: _spring(creature, link, spring, values) for link, spring in creature.springs.items()}
    legs = tuple(_leg(leg, values) for leg in creature.legs)
    middles = {joint: angle for leg in legs for joint, angle in _middles(leg).items()}
    return replace(
        creature,
        legs=legs,
        angles={**creature.angles, **middles},
        springs={link: replace(spring, rest=middles.get(link, spring.rest)) for link, spring in springs.items()},
    )


def _owner(creature: Creature, link: str) -> str:
    """Return the name of a link without its side, as in "middle femur"; tarsus and ankle are one."""
    for leg in creature.legs:
        if link in leg.links:
            return f"{leg.name.split()[0]} {LINKS[min(leg.links.index(link), 3)]}"
    return link


def _constants(creature: Creature) -> dict[str, tuple[str, ...]]:
    """Return the names of the constants that vary, by owner of the spring."""
    owners = dict.fromkeys(_owner(creature, link) for link in creature.springs if link != "head")
    return {owner: ("alpha", "damping") if "ankle" in owner else ("alpha", "beta", "damping") for owner in owners}


def _targets(legs: Sequence[Leg]) -> list[str]:
    """Return the name of each motor command, without its side."""
    return [
        f"{leg.name.split()[0]} {program} {k}"
        for leg in legs
        for program in ("step", "stance")
        for k, _ in enumerate(getattr(leg, program))
    ]


def _spring(creature: Creature, link: str, spring: JointSpring, values: Mapping[str, float]) -> JointSpring:
    owner = _owner(creature, link)
    names = _constants(creature).get(owner, ())
    return replace(spring, **{name: getattr(spring, name) * float(np.exp(values[f"{owner} {name}"])) for name in names})


def _leg(leg: Leg, values: Mapping[str, float]) -> Leg:
    sign, names = (1.0 if leg.side == "left" else -1.0), iter(_targets([leg]))
    step, stance = (
        tuple(replace(c, target=c.target + sign * values[f"{next(names)} target"]) for c in program)
        for program in (leg.step, leg.stance)
    )
    return replace(leg, step=step, stance=stance)


def _middles(leg: Leg) -> dict[str, float]:
    """Return the initial angle of each joint, half-way between landing and lifting [rad]."""
    landing, lifting = ({c.joint: c.target for c in program} for program in (leg.step, leg.stance))
    return {joint: 0.5 * (landing[joint] + lifting[joint]) for joint in landing}


def losses(walk: Walk, forces: GroundForces) -> dict[str, float]:
    """Return the terms of the score, without weights."""
    front, middle, back = forces.pairs.values()
    peaks = [pair.most_vertical for pair in (front, middle, back)]
    return {
        "speed": abs(walk.speed_cm_per_s - SPEED) / SPEED,
        "straight": abs(walk.heading_drift_deg_per_s),
        "clearance": max(0.0, CLEARANCE - walk.belly_clearance_mm),
        "signs": sum(map(_wrong, (*_fore_aft(front, middle, back), *(pair.medial for pair in (front, middle, back))))),
        "equal peaks": max(peaks) - min(peaks),
        "lateral": max(0.0, forces.lateral_over_vertical - 0.3),
        "work": forces.motor_cost,
        "positive work": forces.positive_motor_cost,
        "sliding": forces.sliding_fraction,
    }


def _fore_aft(front: LegPairForces, middle: LegPairForces, back: LegPairForces) -> list[float]:
    """Return fore-aft forces that are positive in cockroaches, or their opposites. [Full, Blickhan and Ting 1991]"""
    return [-front.early_fore_aft, -front.late_fore_aft, -middle.early_fore_aft, middle.late_fore_aft,
            back.early_fore_aft, back.late_fore_aft]  # fmt: skip


def _wrong(force: float) -> float:
    """Return by how much a force that should be positive is below a hundredth of the weight."""
    return max(0.0, 0.01 - force)


def walked(creatures: Sequence[Creature], seed: int = 0) -> tuple[dict[str, float], ...]:
    """Return the losses of roaches that walk side by side, each in its lane. They differ in numbers only."""
    worlds = [world_of(creature, reflexes=False) for creature in creatures]
    engine, state = (
        Engine(worlds[0], "float32"),
        standing_state(creatures[0], worlds[0], len(creatures), precision="float32"),
    )
    offsets = np.random.default_rng(seed).uniform(-JITTER, JITTER, state.q.shape)
    for lane, (creature, world) in enumerate(zip(creatures, worlds, strict=True)):
        state.q[lane] = standing_state(creature, world).q[0]
    state.q[:, 7:] += offsets[:, 7:]
    film = run(worlds[0], state, SECONDS, numbers=engine.numbers_of(worlds), contacts=True)
    return tuple(map(losses, measure(film, worlds[0]), measure_ground_forces(film, worlds[0])))


def score(terms: Mapping[str, float]) -> float:
    """Return the score of a roach: minus the weighted sum of its losses."""
    return -sum(WEIGHTS[name] * loss for name, loss in terms.items())


def search_from(creature: Creature, population: int = POPULATION, seed: int = 0) -> Search[tuple[float, ...]]:
    """Return the search that begins with a creature."""
    space = BoxSpace(genes(creature))
    return search_named("cma", space, seed, population, step=1.0, start=[(0.0,) * space.size])


def generation(search: Search[tuple[float, ...]], creature: Creature, seed: int) -> tuple[float, tuple[float, ...]]:
    """Walk one generation; return the score and the numbers of its best roach. seed: of the initial angles."""
    proposed = [proposal.genotype for proposal in search.ask()]
    scores = [score(terms) for terms in walked([varied(creature, numbers) for numbers in proposed], seed)]
    search.tell([Outcome(value) for value in scores])
    valid = [value if np.isfinite(value) else -np.inf for value in scores]
    best = int(np.argmax(valid))
    return scores[best], proposed[best]


def main(words: Sequence[str]) -> int:
    """Search for a number of generations, print the best score of each, and write the best roach of all."""
    generations, name = int(words[0]) if words else 115, words[1] if len(words) > 1 else "tuned"
    console, creature = Console(), roach(name)
    search, best = search_from(creature), (-np.inf, tuple[float, ...]())
    for number in range(generations):
        found = generation(search, creature, seed=number)
        best = max(best, found)
        console.print(f"generation {number}: {found[0]:.3f}; the best so far: {best[0]:.3f}")
    changes = {gene.name: round(x, 4) for gene, x in zip(genes(creature), best[1], strict=True)}
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(RESULT) as path:
        path.write_text(json.dumps({"set": name, "score": best[0], "changes": changes}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
