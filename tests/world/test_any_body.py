"""Worlds of bodies packed as data: every one moves as in a program of its own, independent of the others."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from bodies import random_body, start_of
from tracing import bits
from worlds import TOUCH

from gambol.contact import Stepping, SurfaceProperties
from gambol.dynamics import aba, kinematics, momentum
from gambol.errors import FigureError, WorldError
from gambol.figure import Figure, JointSpring
from gambol.figure.parameters import varying
from gambol.figure.template import PackedFigure, any_tree, pack
from gambol.world import Engine, State, Timing, World, start

TEMPLATE = any_tree(5)
SEGMENTS = (4, 4, 2, 0)
SHIFT = 1e-9  # m: far above rounding, and far below what changes who touches when
OPERATIONS = 1e3
SPRING = JointSpring(stiffness=30.0, damping=0.5)
STEP, FRAME, SECOND = 4e-3, 0.02, 50


ALL, FEW = 16, 6
"""Capacity for every possible contact, or for the largest number that occurs."""


def world(figure: Figure, varied: Sequence[str] = (), max_contacts: int = FEW) -> World:
    return World(
        figure,
        {link.name: SPRING for link in figure.links[1:]},
        surface=SurfaceProperties(replace(TOUCH, restitution=0.0, friction=0.7)),
        contact=Stepping(max_contacts=max_contacts, iterations=20),
        timing=Timing(FRAME, STEP, "semi-implicit euler"),
        parameters=tuple(varied),
    )


@cache
def bodies(max_contacts: int = FEW) -> tuple[list[PackedFigure], Engine]:
    """Return bodies of several topologies, and the one engine that moves them all.

    With a small capacity only near contacts count; nearness depends on the axes of links, which packing keeps here.
    """
    each = (
        random_body(seed, segments, ("revolute", "prismatic"), along_z=max_contacts == FEW)
        for seed, segments in enumerate(SEGMENTS)
    )
    packed = [pack(figure, TEMPLATE) for figure in each]
    varied = varying([TEMPLATE, *(entry.figure for entry in packed)])
    return packed, Engine(world(TEMPLATE, varied, max_contacts))


def numbers(max_contacts: int = FEW) -> np.ndarray:
    packed, engine = bodies(max_contacts)
    return engine.numbers_of([world(entry.figure, max_contacts=max_contacts) for entry in packed])


def begun(max_contacts: int = FEW) -> State:
    """Return the state with all bodies in its lanes, each about to fall."""
    packed, engine = bodies(max_contacts)
    state = start(engine.world, len(packed))
    for lane, entry in enumerate(packed):
        q, v = start_of(entry.source, lane)
        state.q[lane], state.v[lane] = entry.coordinates(q.tolist()), entry.coordinates(v.tolist())
    return state


@pytest.mark.parametrize(("max_contacts", "lane"), [(ALL, 0), (ALL, 2), (ALL, 3), (FEW, 1), (FEW, 3)])
def test_each_body_moves_as_in_a_program_of_its_own(max_contacts: int, lane: int):
    """For a second of falling, landing and lying.

    Packed numbers are rounded, by 2^-53 of a metre, and a step rounds OPERATIONS times along a path; either grows
    as a small shift of the start does in the body's own program.
    """
    packed, engine = bodies(max_contacts)
    state = begun(max_contacts)
    engine.advance(state, SECOND, numbers(max_contacts))
    single_engine = Engine(world(packed[lane].source, max_contacts=max_contacts))
    alone, shifted = (own_second(packed[lane], single_engine, lane, shift) for shift in (0.0, SHIFT))
    bound = 2.0**-53 * OPERATIONS * SECOND * FRAME / STEP * max(np.abs(shifted - alone).max() / SHIFT, 1.0)
    np.testing.assert_allclose(state.q[lane], alone, rtol=0.0, atol=bound)
    assert bound < 1e-6, "a motion too wild to compare"


def own_second(packed: PackedFigure, engine: Engine, lane: int, shift: float) -> np.ndarray:
    """Return the template's coordinates of a body a second later in a program of its own; shift: of its start [m]."""
    state = start(engine.world)
    state.q[0], state.v[0] = start_of(packed.source, lane)
    state.q[0, 6] += shift
    engine.advance(state, SECOND)
    return np.array(packed.coordinates(state.q[0].tolist()))


def test_bodies_of_other_topologies_disturb_nothing():
    _, engine = bodies()
    rows, together = numbers(), begun()
    engine.advance(together, SECOND, rows)
    for lane in range(len(SEGMENTS)):
        alone = State(engine.world, begun().rows[:, lane : lane + 1].copy())
        engine.advance(alone, SECOND, rows[:, lane : lane + 1].copy())
        assert (bits(alone.rows[:, 0]) == bits(together.rows[:, lane])).all()


@cache
def adrift() -> Engine:
    """Bodies in space, moved by their springs alone, with errors that fall with the fourth power of the step."""
    packed, _ = bodies()
    springs = {link.name: SPRING for link in TEMPLATE.links[1:]}
    varied = varying([TEMPLATE, *(entry.figure for entry in packed)])
    timing = Timing(FRAME, 1e-4, "rk4")
    return Engine(World(TEMPLATE, springs, gravity=0.0, dynamics="crba", timing=timing, parameters=varied))


def test_floating_bodies_conserve_momentum():
    """Springs at joints have opposite reactions; the integrator's error is (0.02)^4 / 5! a step at up to 200 rad/s."""
    packed, engine = bodies()[0], adrift()
    state = start(engine.world, len(packed))
    state.q[:], state.v[:] = begun().q, begun().v
    ends = []
    for frame in (0, 5):
        engine.advance(
            state,
            frame,
            engine.numbers_of([replace(engine.world, figure=entry.figure) for entry in packed]),
        )
        states = (
            kinematics(entry.figure, q.tolist(), v.tolist())
            for entry, q, v in zip(packed, state.q, state.v, strict=True)
        )
        ends.append(np.array([[*p.n, *p.f] for p in map(momentum, states)]))
    assert np.abs(state.v[:3, 6:]).max() > 0.1
    np.testing.assert_allclose(ends[1], ends[0], rtol=0.0, atol=1e-7 * np.abs(ends[0]).max())


def test_absent_links_stay_at_rest_and_touch_nothing():
    packed, engine = bodies()
    state = begun()
    engine.advance(state, SECOND, numbers())
    for lane, entry in enumerate(packed):
        absent = [k for k, place in enumerate(entry.source_joints) if place is None]
        assert (state.q[lane][7:][absent] == 0.0).all()
        assert (state.v[lane][6:][absent] == 0.0).all()


def test_bodies_rest_on_what_they_weigh():
    """A second after their fall, the impulses on all bodies at rest carry their weight in a step."""
    packed, engine = bodies()
    state = begun()
    engine.advance(state, 4 * SECOND, numbers())
    pushes = sum(p[0] for p in state.step_state.memory.contact_cache.impulses) / STEP
    still = np.abs(state.v).max(axis=1) < 1e-3
    weights = np.array([9.81 * entry.source.mass for entry in packed])
    assert still.any()
    np.testing.assert_allclose(pushes[still], weights[still], rtol=1e-2)


def test_springs_of_the_ground_move_them_too():
    """By penalty, in smooth motion: as in a world of its own, until rounding errors have grown."""
    packed = pack(random_body(2, 3), TEMPLATE)
    states = []
    for figure, convert in ((packed.source, list[float]), (packed.figure, packed.coordinates)):
        here = replace(
            world(figure), contact="penalty", dynamics="crba", surface=replace(world(figure).surface, parameters=TOUCH)
        )
        engine = Engine(replace(here, timing=Timing(FRAME, 1e-3, "velocity verlet")))
        state = start(engine.world)
        q, v = start_of(packed.source, 0, height=0.3)
        state.q[0], state.v[0] = convert(q.tolist()), convert(v.tolist())
        engine.advance(state, 10)
        states.append(state)
    assert states[0].step_state.memory.anchors == []
    np.testing.assert_allclose(states[1].q[0], packed.coordinates(states[0].q[0].tolist()), atol=1e-9)


@pytest.mark.parametrize(
    "how",
    [
        {"contact": "impulse"},
        {"contact": "constraint"},
        {"contact": "penalty"},
        {"contact": "penalty", "dynamics": "aba"},
    ],
)
def test_methods_that_follow_the_tree_are_refused(how: dict[str, str]):
    with pytest.raises(WorldError, match="is variable"):
        replace(world(TEMPLATE), **how, timing=Timing(FRAME, STEP, "implicit midpoint"))
    state = kinematics(TEMPLATE, start(world(TEMPLATE)).q[0].tolist(), [0.0] * TEMPLATE.nv)
    with pytest.raises(FigureError, match="is variable"):
        aba(state, [0.0] * TEMPLATE.nv)
