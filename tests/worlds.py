"""Small worlds with known answers, and the balance of their energy."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.contact import ContactParameters
from gambol.figure import Box, Figure, Joint, Link, MassProperties, Part, Sphere
from gambol.lanes import Precision
from gambol.world import Engine, State, World, start

Array = NDArray[Any]

TOUCH = ContactParameters(
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


def touch(**changes: float) -> ContactParameters:
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


def quadruped() -> Figure:
    """A trunk of 9 kg on four stiff legs with balls for feet, its origin 0.25 m above their lowest points."""
    trunk = Link("trunk", None, Joint("free"), (Part(Box((0.5, 0.3, 0.1)), density=600.0),))
    foot = Part(Sphere(0.02), (0.0, 0.0, -0.23), density=3e3)
    legs = tuple(
        Link(f"leg{k}", "trunk", Joint("fixed", position=(x, y, 0.0)), (foot,))
        for k, (x, y) in enumerate([(0.2, 0.1), (0.2, -0.1), (-0.2, 0.1), (-0.2, -0.1)])
    )
    return Figure("quadruped", (trunk, *legs))


def point(mass: float, place: tuple[float, float, float]) -> MassProperties:
    return MassProperties(mass, place)


def moved(engine: Engine, state: State, seconds: float, numbers: Array | None = None) -> State:
    """Return the state some time later; every world must have run all of it."""
    after = state.copied()
    frames = round(seconds / engine.world.timing.control_step)
    engine.advance(after, int(after.step_state.clock.control_steps.max()) + frames, numbers)
    assert (after.step_state.clock.status == 0.0).all()
    return after


def mechanical(engine: Engine, state: State) -> Array:
    """Return the kinetic, potential and spring energy (W,) [J]."""
    seen = engine.observe(state)
    return np.asarray(seen.kinetic + seen.potential + seen.stored)


def energy_balance(engine: Engine, state: State) -> Array:
    """Return mechanical energy plus all losses less all work put in: constant, up to errors [J]."""
    ledger = state.step_state.ledger
    return (
        mechanical(engine, state)
        - ledger.motors
        - ledger.outside
        - ledger.stabilisation
        + ledger.damping
        + ledger.impact
        + ledger.sliding
        + ledger.numerical_damping
    )


def bounces(engine: Engine, state: State, seconds: float) -> tuple[Array, Array]:
    """Return the times at which a ball rebounds [s], and its energy [J], both observed at control steps."""
    times, energies, falling, frame = (
        list[float](),
        [mechanical(engine, state).item()],
        False,
        engine.world.timing.control_step,
    )
    for _ in range(round(seconds / frame)):
        state = moved(engine, state, frame)
        if falling and state.v[0, 5] > 0.0:
            times.append(state.time.item())
        falling = state.v[0, 5] < 0.0
        energies.append(mechanical(engine, state).item())
    return np.array(times), np.array(energies)


def check_lanes(world: World) -> None:
    """A free body falls to the same bits alone and among others, one of which becomes non-finite at once."""
    several, alone = start(world, 3, position=(0.0, 0.0, 0.2)), start(world, position=(0.0, 0.0, 0.2))
    several.v[:, 2], several.v[:, 0], alone.v[0, 0], alone.v[0, 2] = (0.0, 2.0, np.nan), 3.0, 3.0, 2.0
    Engine(world).advance(several, 300)
    Engine(world, lanes=1).advance(alone, 300)
    np.testing.assert_array_equal(several.rows[:, 1], alone.rows[:, 0])
    assert list(several.step_state.clock.status) == [0.0, 0.0, 1.0]


def check_widths(world: World, precision: Precision, threads: int) -> None:
    """Nine free bodies fall to the same bits with one lane and with four, with some threads."""
    state = start(world, 9, position=(0.0, 0.0, 0.2), precision=precision)
    state.v[:, 0], state.v[:, 2] = 3.0, np.linspace(0.0, 4.0, 9)
    ends = [state.copied(), state.copied()]
    Engine(world, precision, lanes=1).advance(ends[0], 200)
    Engine(world, precision, lanes=4).advance(ends[1], 200, threads=threads)
    np.testing.assert_array_equal(ends[0].rows, ends[1].rows)
