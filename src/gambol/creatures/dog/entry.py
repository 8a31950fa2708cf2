"""The dog as a creature by name."""

from __future__ import annotations

import math
from dataclasses import replace

from gambol.collide import Ground, Plane
from gambol.contact import ContactMethod, Stepping, SurfaceProperties
from gambol.control import FeedbackController
from gambol.creatures.dog import stance, swing
from gambol.creatures.dog.body import Body
from gambol.creatures.dog.figure import LEGS, PAW_RADIUS, STANDING_HEIGHT, dog_figure, joint_names, paw, standing_angles
from gambol.creatures.dog.law import DogLaw, DogMemory, actuated_joints
from gambol.creatures.dog.pace import PACES, Pace
from gambol.creatures.dog.servos import OTHERS, SERVOS
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.models import default_contact_parameters
from gambol.dynamics import STANDARD_GRAVITY
from gambol.gait.mammals import GAITS
from gambol.spatial import Vector
from gambol.world import External, Push, Timing, World
from gambol.world.external import InitialState

STEP = 1e-3
"""Step of the world and of the control [s]."""

GAINS = {**stance.GAINS, **swing.GAINS}

OTHER_TARGETS = (0.15, -0.1, 0.0, 0.1)
"""Angles of neck, head, tail and tail tip [rad]."""

CHANGE = (5.0, 1.0, 1.0)
"""Start and duration of a change of gait [s]."""


def dog_world(
    *,
    gait: str = "trot",
    speed: float | None = None,
    slope: float = 0.0,
    push: Push | None = None,
    ground: Ground | None = None,
    contact: ContactMethod | str | None = None,
) -> World:
    """Return the world of the dog."""
    names = gait.split(":")
    before, after = PACES[names[0]], PACES[names[-1]]
    if speed is not None:
        before, after = replace(before, speed=speed), replace(after, speed=speed)
    return world_of_paces(before, after, slope=slope, push=push, ground=ground, contact=contact)


def world_of_paces(
    before: Pace,
    after: Pace,
    *,
    slope: float = 0.0,
    push: Push | None = None,
    ground: Ground | None = None,
    contact: ContactMethod | str | None = None,
    gains=None,
) -> World:
    figure = dog_figure()
    q = _standing()
    change = (CHANGE[0], max(CHANGE[1], abs(after.speed - before.speed) / CHANGE[2]))
    law = DogLaw(before, after, change, _start(before, q), gains or GAINS, OTHER_TARGETS)
    servos = dict(zip(actuated_joints(), (*SERVOS * 4, *OTHERS), strict=True))
    feet = tuple(map(paw, LEGS))
    g = STANDARD_GRAVITY
    return World(
        figure,
        ground=ground or Plane(),
        surface=SurfaceProperties(replace(default_contact_parameters(figure, 1.0), restitution=0.0), feet=feet),
        contact=contact or Stepping(max_contacts=8, iterations=24),
        controller=FeedbackController(law, servos, feet),
        gravity=(-g * math.sin(slope), 0.0, -g * math.cos(slope)) if slope else g,
        external=External(push=push or Push()),
        timing=Timing(STEP, STEP, "semi-implicit euler"),
        initial=InitialState(q=tuple(q)),
    )


def _standing() -> list[float]:
    figure = dog_figure()
    q = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, STANDING_HEIGHT, *[0.0] * (figure.nq - 7)]
    angles = {name: x for leg in LEGS for name, x in zip(joint_names(leg), standing_angles(leg), strict=True)}
    angles |= dict(zip((link.name for link in figure.links[1:5]), OTHER_TARGETS, strict=True))
    for name, x in angles.items():
        q[figure.link(name).q.start] = x
    return q


def _start(pace: Pace, q: list[float]) -> DogMemory:
    from gambol.control import Senses

    body = Body.of(Senses(0.0, q=q, v=[0.0] * dog_figure().nv, height=q[6]))
    phases = [(-o) % 1.0 for o in GAITS[pace.gait].offsets]
    return DogMemory(
        phases, list(body.paws), list(body.paws), [body.joints(leg)[0] for leg in LEGS], 0.0, Vector(0.0, 0.0, 0.0)
    )


DOG = CreatureEntry(
    "dog",
    "x",
    dog_world,
    12.0,
    {leg: (paw(leg),) for leg in LEGS},
    "trunk",
    0.25,
    STANDING_HEIGHT,
    stride_limb="hind left",
    gaits=tuple(GAITS),
)
