"""Why the printed roach does not walk straight: `python -m validation.straight_gait` prints a table.

The trunk turns about the vertical on the springs of the three coxae that stand, as a mass on a damped spring:

    I yaw'' + B yaw' + K yaw = 0        K = sum of alpha beta, B = sum of b of the coxae, both times the legs' masses

The dampers of the coxae are made stronger, step by step.
"""

from dataclasses import replace

import numpy as np
from rich.console import Console

from gambol.creatures import Creature, roach, standing_state, world_of
from gambol.creatures.creature_world import FEET
from gambol.dynamics import kinematics
from gambol.gait.leg import Side
from gambol.spatial import Vector
from gambol.world import Engine, Film, State, run
from validation.printed_script import JITTER, RATE, SETTLED, STRIDE, headings

FACTORS = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)
STARTS, SECONDS = 3, 3.1  # number of starts, simulated time [s]
TRIPOD = ("front left", "middle right", "back left")
OTHER_SIDE: dict[Side, Side] = {"left": "right", "right": "left"}


def with_coxa_dampers(creature: Creature, factor: float) -> Creature:
    """Return a creature whose coxae have dampers `factor` times as strong."""
    coxae = {leg.links[0] for leg in creature.legs}
    springs = {n: replace(x, damping=x.damping * factor) if n in coxae else x for n, x in creature.springs.items()}
    return replace(creature, springs=springs)


def with_other_tripod_first(creature: Creature) -> Creature:
    """Return a creature whose other tripod steps first; from a symmetric start its walk is the mirror image."""
    return replace(creature, legs=tuple(replace(leg, side=OTHER_SIDE[leg.side]) for leg in creature.legs))


def yaw_on_coxae(creature: Creature) -> tuple[float, float]:
    """Return the frequency [Hz] and the damping ratio of the trunk's yaw on the coxae of a standing tripod."""
    figure, springs = creature.figure, creature.resolved_springs()
    tripod = [springs[creature.leg(name).links[0]] for name in TRIPOD]
    K, B = sum(x.alpha * x.beta for x in tripod), sum(x.damping for x in tripod)
    q = standing_state(creature, world_of(creature)).q[0]
    state = kinematics(figure, [float(x) for x in q], [0.0] * figure.nv)
    trunk = [figure.link(name) for name in ("abdomen", "thorax", "head")]
    masses = np.array([link.mass_properties.mass for link in trunk])
    places = np.array([[*state.point_position(link.index, Vector(*link.mass_properties.com))][:2] for link in trunk])
    rotations = [np.array(state.poses[link.index].rotation.rows, float) for link in trunk]
    own = sum((R @ np.array(x.mass_properties.inertia) @ R.T)[2, 2] for R, x in zip(rotations, trunk, strict=True))
    apart = places - masses @ places / masses.sum()
    inertia = own + float(masses @ (apart**2).sum(axis=1))
    return float(np.sqrt(K / inertia) / (2.0 * np.pi)), float(0.5 * B / np.sqrt(K * inertia))


def straightness(film: Film, world: int) -> tuple[float, float]:
    """Return the mean speed along the trunk after SETTLED [cm/s], and the rate of turn in the last second [deg/s]."""
    heading, place = headings(film)[:, world], film.position[:, world, 0, :2]
    at = np.arange(round(SETTLED * RATE), len(film.time), round(STRIDE * RATE))
    middle, way = 0.5 * (heading[at[1:]] + heading[at[:-1]]), np.diff(place[at], axis=0)
    forward = (way[:, 0] * np.cos(middle) + way[:, 1] * np.sin(middle)).mean() / STRIDE
    return float(100.0 * forward), float(np.degrees(heading[-1] - heading[-1 - round(RATE)]))


def main() -> int:
    """Print the table: dampers, yaw of the trunk, and the walks of three starts on both kinds of feet."""
    console, plain = Console(), roach("thesis", ("stance-from-the-start",))
    creatures = [with_coxa_dampers(plain, factor) for factor in FACTORS]
    console.print("dampers of the coxae | yaw [Hz] | damping ratio | feet | forward [cm/s] | turn [deg/s]")
    for feet in FEET:
        worlds = [world_of(creature, feet=feet, grip="all") for creature in creatures for _ in range(STARTS)]
        starts = [standing_state(plain, w, jitter=JITTER * (k % STARTS > 0), seed=k).rows for k, w in enumerate(worlds)]
        numbers = Engine(worlds[0]).numbers_of(worlds)
        film = run(worlds[0], State(worlds[0], np.hstack(starts)), SECONDS, rate=RATE, numbers=numbers)
        for k, (factor, creature) in enumerate(zip(FACTORS, creatures, strict=True)):
            walks = [straightness(film, STARTS * k + start) for start in range(STARTS)]
            forward, turn = ("  ".join(f"{x:.1f}" for x in column) for column in zip(*walks, strict=True))
            frequency, ratio = yaw_on_coxae(creature)
            console.print(f"x {factor:g} | {frequency:.1f} | {ratio:.2f} | {feet} | {forward} | {turn}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
