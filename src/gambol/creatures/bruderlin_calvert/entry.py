"""The procedural walk as a creature by name: a simulated person in the plane follows it and balances on its feet."""

from __future__ import annotations

from gambol.actuation import Servo
from gambol.collide import Ground
from gambol.contact import ContactMethod
from gambol.creatures.bruderlin_calvert.law import ProceduralWalk, WalkGains, walk_targets
from gambol.creatures.bruderlin_calvert.motion import ELBOW, WalkMotion
from gambol.creatures.bruderlin_calvert.parameters import walk_parameters
from gambol.creatures.entry import IN_A_PLANE, CreatureEntry
from gambol.creatures.people.person import person
from gambol.creatures.people.planar_figure import SIDES
from gambol.creatures.people.worlds import MAX_TORQUE, METHOD, TARGET_RANGE, Person, Surroundings, world_of_person
from gambol.errors import WorldError
from gambol.world import Push, World

LEGS = {"shank": (1110.0, 31.5), "foot": (602.0, 21.2)}
"""Stiffness [N m/rad] and damping [N m s/rad] of the servos of knees and ankles, found by our search."""

ARMS_AND_NECK = (50.0, 5.0)
"""Gains of shoulders, elbows and neck, as for the runner."""

GAINS = WalkGains()
"""The gains of the law, found by our search at 0.9, 1.2 and 1.5 m/s."""

SPEEDS = (0.6, 1.7)
"""Range of the speeds at which the person walks [m/s]: at 0.5 m/s it falls, and at 1.8 m/s it hops."""


def bruderlin_calvert_world(
    *,
    speed: float = 1.2,
    push: Push | None = None,
    ground: Ground | None = None,
    contact: ContactMethod | str = METHOD,
) -> World:
    """Return the world of a person that follows the procedural walk, from the middle of a step.

    speed: speed of the procedural walk [m/s]. ground, push, contact: see Surroundings. Raises WorldError for a speed
    outside SPEEDS.
    """
    lowest, highest = SPEEDS
    if not lowest <= speed <= highest:
        raise WorldError(f"the person cannot walk at {speed:g} m/s; give {lowest:g} to {highest:g}")
    figure, motion = person(planar=True), WalkMotion(walk_parameters(velocity=speed))
    begin = motion.hips.middle
    targets = walk_targets(motion, begin)
    lag = tuple(damping / stiffness for stiffness, damping in LEGS.values())
    legs = {"left": (targets.leading, targets.leading_rate), "right": (targets.trailing, targets.trailing_rate)}
    joints = {"thigh": "thigh", "knee": "shank", "ankle": "foot"}
    angles, speeds = (
        {f"{side} {link}": float(getattr(legs[side][k], name)) for side in SIDES for name, link in joints.items()}
        for k in (0, 1)
    )
    servos = {
        f"{side} {name}": Servo(*TARGET_RANGE, *gains, MAX_TORQUE)
        for name, gains in {**LEGS, "upper arm": ARMS_AND_NECK, "forearm": ARMS_AND_NECK}.items()
        for side in SIDES
    }
    walker = Person(
        figure,
        ProceduralWalk(figure, motion, GAINS, (lag[0], lag[1]), begin),
        motors=("trunk", *(f"{side} thigh" for side in SIDES)),
        servos=servos | {"head": Servo(*TARGET_RANGE, *ARMS_AND_NECK, MAX_TORQUE)},
        angles=angles | {f"{side} forearm": ELBOW for side in SIDES},
        speeds=speeds,
        root_v=(0.0, float(targets.velocity), 0.0),
    )
    return world_of_person(walker, Surroundings(ground, 0.0, contact, push))


BRUDERLIN_CALVERT = CreatureEntry(
    "bruderlin-calvert",
    "a person in the plane who follows a procedural walk at a requested speed [after Bruderlin and Calvert 1989]",
    bruderlin_calvert_world,
    seconds=30.0,
    limbs={side: (f"{side} foot",) for side in SIDES},
    trunk="trunk",
    fall_height=0.9,
    height=1.75,
    stride_limb="right",
    lacks=IN_A_PLANE,
)
"""The row of the person that follows the procedural walk."""
