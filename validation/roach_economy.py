"""Where the work of the roach's motors goes: `python -m validation.roach_economy [SET ...]` prints it joint by joint.

The damper of a joint takes b w^2, at a rate w. A foot that moves by u relative to the trunk turns the driven joints of
its leg by rates w with J w = u, and the least power of their dampers is

    C = (J B^-1 J^T)^-1        stance, foot on the ground: u = (-v, 0, 0), P >= v^2 C_xx
                               step, sideways and upward free: P >= v^2 / (J B^-1 J^T)_xx

B holds the dampings. Feet go back as far as forth, at least at constant speed, so the least work of the dampers is half
the sum over the legs of both, times v / weight, over weight x distance. J is that of the middle posture, so this is an
estimate. It is in proportion to the dampings, and to the speed.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from gambol.creatures import Creature, roach, standing_state, world_of
from gambol.creatures.gait_metrics import measure, strides
from gambol.creatures.ground_forces import GroundForces, measure_ground_forces
from gambol.figure import JOINTS
from gambol.figure.springs import resolve_springs
from gambol.gait import Leg
from gambol.gait.stroke import foot_jacobian
from gambol.world import Film, World, run

Array = NDArray[np.float64]
SECONDS = 1.1
SETTLED = 0.2  # time at which the strides begin that are measured [s]
JOINT_NAMES = ("coxa", "femur", "tibia", "ankle", "tarsus")
"""Joints of a leg, from the trunk outward."""

OXYGEN_J_PER_ML = 20.1
"""Energy of a millilitre of oxygen."""

ANIMALS = {
    "American cockroach": 8.5,
    "field cricket": 8.0,
    "caterpillar hunter beetle": 4.6,
}
"""Minimum metabolic cost of transport [ml O2 / (g km)]. [Full, Zuccarello and Tullis 1990, abstract]"""

MUSCLE_EFFICIENCY = (0.05, 0.16)
"""Mechanical work over metabolic energy of insect muscle: 0.14 to 0.16 in a beetle, 2 to 3 times that of locusts.
[Josephson, Malamud and Stokes 2001, abstract]"""


@dataclass(frozen=True)
class Economy:
    """The economy of a walk; energies are divided by weight times distance.

    forces: of the walk. losses: energy taken by dampers while legs step and while they stand, by pair and joint. least:
    estimate of the least energy that dampers take at the speed of the walk.
    """

    forces: GroundForces
    losses: Mapping[str, tuple[float, float]]
    least: float


def walk(creature: Creature) -> tuple[Film, World]:
    """Return the film of a tripod walk on sliding feet, with coordinates and contacts, and its world."""
    world = world_of(creature, reflexes=False)
    return run(world, standing_state(creature, world), SECONDS, contacts=True, coordinates=True), world


def economy(creature: Creature) -> Economy:
    """Return the economy of a creature's walk."""
    film, world = walk(creature)
    weight = 9.81 * creature.figure.mass
    speed = 0.01 * measure(film, world)[0].speed_cm_per_s
    return Economy(
        measure_ground_forces(film, world)[0],
        damper_losses(creature, film, world),
        0.5 * speed * float(np.sum([foot_dampings(creature, leg) for leg in creature.legs])) / weight,
    )


def damper_losses(creature: Creature, film: Film, world: World) -> dict[str, tuple[float, float]]:
    """Return what dampers take in steps and in stances, by pair and joint, over weight x distance of whole strides."""
    edges = strides(film, world, settled=SETTLED).edges
    whole = slice(int(edges[0]), int(edges[-1]))
    centre, springs = film.signals["centre"][:, 0, :2], resolve_springs(creature.figure, creature.springs)
    scale = 9.81 * creature.figure.mass * float(np.hypot(*(centre[whole.stop] - centre[whole.start])))
    losses: dict[str, tuple[float, float]] = {}
    for link in creature.figure.links:
        if link.name not in springs:
            continue
        rate = film.signals["v"][whole, 0, link.v][:, 0]
        energy = springs[link.name][0].damping * rate**2 * float(film.time[1] - film.time[0]) / scale
        k = next((k for k, leg in enumerate(creature.legs) if link.name in leg.links), None)
        steps = film.signals["stepping"][whole, 0, k] > 0.5 if k is not None else np.zeros(len(rate), bool)
        name = _name(creature, link.name)
        before = losses.get(name, (0.0, 0.0))
        losses[name] = (before[0] + float(energy[steps].sum()), before[1] + float(energy[~steps].sum()))
    return losses


def _name(creature: Creature, link: str) -> str:
    """Return the name of a joint without its side, as in "middle femur"."""
    for leg in creature.legs:
        if link in leg.links:
            return f"{leg.name.split()[0]} {JOINT_NAMES[leg.links.index(link)]}"
    return link


def foot_dampings(creature: Creature, leg: Leg) -> tuple[float, float]:
    """Return the damping of a foot against motion along x: on the ground, and free to move aside and up [N s/m]."""
    springs = resolve_springs(creature.figure, creature.springs)
    joints, J = driven_jacobian(creature, leg)
    yielding = J @ np.diag([1.0 / springs[joint][0].damping for joint in joints]) @ J.T
    return float(np.linalg.inv(yielding)[0, 0]), 1.0 / float(yielding[0, 0])


def driven_jacobian(creature: Creature, leg: Leg) -> tuple[list[str], Array]:
    """Return the joints of a leg that motors drive, and the Jacobian (3, joints) of its foot at the initial angles."""
    q: list[float] = []
    for link in creature.figure.links:
        angle = creature.angles.get(link.name)
        q += JOINTS[link.joint.kind].rest if angle is None else [angle]
    joints = list(dict.fromkeys(command.joint for command in leg.step))
    return joints, foot_jacobian(creature.figure, leg, q, joints)[1]


def muscle_work() -> dict[str, tuple[float, float]]:
    """Return the work of the muscles of each animal: the metabolic cost times the efficiencies [J/(kg m)]."""
    low, high = MUSCLE_EFFICIENCY
    return {
        animal: (low * OXYGEN_J_PER_ML * oxygen, high * OXYGEN_J_PER_ML * oxygen) for animal, oxygen in ANIMALS.items()
    }


def report(console: Console, name: str, found: Economy) -> None:
    """Print the economy of a set of parameters."""
    net, positive = found.forces.motor_cost, found.forces.positive_motor_cost
    console.print(
        f"{name}: work of the motors {net:.2f} weight x distance, {9.81 * net:.1f} J per kg and m; positive work "
        f"{positive:.2f}, {9.81 * positive:.1f} J; dampers take {sum(map(sum, found.losses.values())):.2f}, at least "
        f"some {found.least:.2f}"
    )
    for joint, (step, stance) in sorted(found.losses.items(), key=lambda item: -sum(item[1])):
        console.print(f"| {joint} | {step:.3f} | {stance:.3f} |")


def main(names: Sequence[str]) -> None:
    """Print the economy of sets of parameters, and that of animals."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    for name in names or ("tuned", "cockroach"):
        report(console, name, economy(roach(name)))
    for animal, work in muscle_work().items():
        console.print(f"{animal}: muscles make {work[0]:.0f} to {work[1]:.0f} J of work per kg and m")


if __name__ == "__main__":
    main(sys.argv[1:])
