"""Small worlds with known answers, and the book-keeping of their energy."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.contact import Touch
from gambol.figure import Box, Figure, Joint, Link, MassProperties, Part, Sphere
from gambol.world import Engine, State

Array = NDArray[Any]

TOUCH = Touch(
    stiffness=1e4,
    alpha=0.0,
    beta=1.0,
    damping=0.0,
    deepest=1.0,
    restitution=1.0,
    restitution_speed=1e-3,
    friction=0.5,
    bristle_stiffness=1e5,
    bristle_damping=100.0,
    skid_damping=1e4,
)
"""A stiff linear ground for bodies of about a kilogram."""


def touch(**changes: float) -> Touch:
    return replace(TOUCH, **changes)


def body(mass: MassProperties) -> Figure:
    return Figure("body", (Link("body", None, Joint("free"), (), mass),))


def diagonal(mass: float, x: float, y: float, z: float) -> MassProperties:
    return MassProperties(mass, (0.0, 0.0, 0.0), ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)))


def block(size: tuple[float, float, float] = (0.4, 0.4, 0.02), mass: float = 1.0) -> Figure:
    density = mass / (size[0] * size[1] * size[2])
    return Figure("block", (Link("block", None, Joint("free"), (Part(Box(size), density=density),)),))


def ball(radius: float = 0.05, mass: float = 1.0) -> Figure:
    density = mass / (4 / 3 * np.pi * radius**3)
    return Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(radius), density=density),)),))


def point(mass: float, place: tuple[float, float, float]) -> MassProperties:
    return MassProperties(mass, place)


def moved(engine: Engine, state: State, seconds: float, numbers: Array | None = None) -> State:
    """The state some time later; every world must have run all of it."""
    after = state.copied()
    frames = round(seconds / engine.world.timing.frame)
    engine.move(after, int(after.living.clock.frame.max()) + frames, numbers)
    assert (after.living.clock.status == 0.0).all()
    return after


def mechanical(engine: Engine, state: State) -> Array:
    """Energy of motion, of height and in springs (W,) [J]."""
    seen = engine.see(state)
    return np.asarray(seen.kinetic + seen.potential + seen.stored)


def book(engine: Engine, state: State) -> Array:
    """Mechanical energy with all that was taken out and without all that was put in: constant, but for errors [J]."""
    paid = state.living.ledger
    return (
        mechanical(engine, state)
        - paid.motors
        - paid.outside
        - paid.stabilisation
        + paid.damping
        + paid.impact
        + paid.sliding
    )
