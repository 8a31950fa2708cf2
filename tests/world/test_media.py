"""Bodies of many parameters, and of any tree, in one medium: each is dragged as in a program of its own."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from bodies import random_body, start_of
from quadrupeds import NOMINAL, quadruped, random_proportions
from worlds import body

from gambol.contact import Medium
from gambol.figure import Box, Capsule, Figure, Joint, JointSpring, Link, Part, rotation_about
from gambol.figure.parameters import varying
from gambol.figure.template import any_tree, pack
from gambol.world import Engine, External, State, Timing, World, start

FRAME, FRAMES = 0.02, 25
TIMINGS = {"stepping": Timing(FRAME, 4e-3), "penalty": Timing(FRAME, 1e-3, "rk4")}
HONEY = Medium(1400.0, 10.0)
WATER = Medium(1000.0, 0.0009)
ROUNDING_TOLERANCE = 1e-12
"""Tolerance in metres and radians: each step has some 1e3 roundings, and drag makes no difference grow."""


def afloat(figure: Figure, contact: str = "stepping", medium: Medium = WATER, gravity: float = 0.0) -> World:
    """A world of a figure on loose springs, without a ground."""
    springs = {link.name: JointSpring(stiffness=0.5, damping=1e-3) for link in figure.links[1:]}
    dynamics = "crba" if contact == "penalty" else "aba"
    timing = TIMINGS[contact]
    return World(
        figure,
        springs,
        contact=contact,
        timing=timing,
        external=External(medium=medium),
        gravity=gravity,
        dynamics=dynamics,
    )


def in_one(worlds: Sequence[World]) -> Engine:
    """The engine of all worlds together."""
    return Engine(worlds[0].parametrised_by(varying([world.figure for world in worlds])))


@pytest.mark.parametrize(("lower", "contact"), [("capsule", "stepping"), ("frustum", "penalty")])
def test_drag_on_each_creature_is_that_of_its_own_program(lower: str, contact: str):
    worlds = [afloat(quadruped(numbers, lower), contact) for numbers in (NOMINAL, *random_proportions(4))]
    engine = in_one(worlds)
    state = start(engine.world, len(worlds))
    state.v[:] = np.random.default_rng(1).normal(size=state.v.shape)
    begun = state.copied()
    engine.advance(state, FRAMES, engine.numbers_of(worlds))
    alone, own = Engine(worlds[3]), State(worlds[3], begun.rows[:, 3:4].copy())
    alone.advance(own, FRAMES)
    assert np.linalg.norm(own.v[0, 3:6]) < 0.5 * np.linalg.norm(begun.v[3, 3:6])  # it was slowed
    np.testing.assert_allclose(state.q[3], own.q[0], rtol=0.0, atol=ROUNDING_TOLERANCE)
    np.testing.assert_allclose(state.v[3], own.v[0], rtol=0.0, atol=ROUNDING_TOLERANCE / FRAME)


@pytest.mark.parametrize("contact", ["stepping", "penalty"])
def test_bodies_of_any_tree_are_dragged_as_in_programs_of_their_own(contact: str):
    """Links of a template that a body lacks are not dragged."""
    template = any_tree(5)
    packed = [
        pack(random_body(seed, segments, ("revolute", "prismatic")), template) for seed, segments in ((0, 4), (1, 2))
    ]
    engine = Engine(afloat(template, contact).parametrised_by(varying([template, *(entry.figure for entry in packed)])))
    state = start(engine.world, len(packed))
    for lane, entry in enumerate(packed):
        q, v = start_of(entry.source, lane)
        state.q[lane], state.v[lane] = entry.coordinates(q.tolist()), entry.coordinates(v.tolist())
    engine.advance(state, FRAMES, engine.numbers_of([afloat(entry.figure, contact) for entry in packed]))
    for lane, entry in enumerate(packed):
        alone = Engine(afloat(entry.source, contact))
        own = start(alone.world)
        own.q[0], own.v[0] = start_of(entry.source, lane)
        alone.advance(own, FRAMES)
        np.testing.assert_allclose(
            state.q[lane], entry.coordinates(own.q[0].tolist()), rtol=0.0, atol=ROUNDING_TOLERANCE
        )


@pytest.mark.parametrize("slant", [0.0, 0.7])
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_plates_of_many_sizes_fall_each_at_its_terminal_velocity(precision, slant: float):
    """A v^2 + B v = m g with A = rho b_x b_y / 2 and B = 3 pi beta d, whatever the axes of the plates."""
    sizes = np.array([[0.4, 0.2, 0.1], [0.3, 0.3, 0.02], [0.1, 0.5, 0.05], [0.25, 0.2, 0.15]])
    turn = rotation_about((1.0, 2.0, 3.0), slant)
    plates = [Box(tuple(size)).mass_properties(2000.0) for size in sizes.tolist()]
    worlds = [afloat(body(plate.placed(turn, (0.0, 0.0, 0.0))), medium=HONEY, gravity=9.81) for plate in plates]
    engine = Engine(in_one(worlds).world, precision)
    state = start(engine.world, len(worlds), precision=precision)
    axis, angle = np.array([1.0, 2.0, 3.0]) / math.sqrt(14.0), -slant
    state.q[:, :4] = [math.cos(angle / 2), *(math.sin(angle / 2) * axis)]
    engine.advance(state, 200, engine.numbers_of(worlds).astype(precision))
    A, B = 700.0 * sizes[:, 0] * sizes[:, 1], 3.0 * math.pi * 10.0 * sizes.mean(axis=1)
    weights = np.array([plate.mass for plate in plates]) * 9.81
    expected = (np.sqrt(B * B + 4.0 * A * weights) - B) / (2.0 * A)
    speeds = np.linalg.norm(state.v[:, 3:6], axis=1)
    np.testing.assert_allclose(speeds, expected, rtol=1e-9 if precision == "float64" else 1e-4)


def test_symmetric_bodies_are_turned_as_little_in_a_batch_as_alone():
    """Slanting rods, whose boxes have two equal sides: float32 finds their axes around the rod as float64 does."""
    worlds = []
    for length in (0.2, 0.3, 0.5):
        rod = Part(Capsule(0.02, length), rotation=rotation_about((1.0, 0.3, 0.0), 0.6))
        worlds.append(afloat(Figure("rod", (Link("rod", None, Joint("free"), (rod,)),))))
    ends = []
    for precision in ("float64", "float32"):
        engine = Engine(in_one(worlds).world, precision)
        state = start(engine.world, 3, precision=precision)
        state.v[:, 3:] = (1.0, -0.6, 0.2)
        engine.advance(state, FRAMES, engine.numbers_of(worlds).astype(precision))
        ends.append(np.array(state.q, float))
    np.testing.assert_allclose(ends[1], ends[0], rtol=0.0, atol=1e-4)


def test_programs_of_one_world_share_the_boxes_of_its_links():
    """Boxes of numbers are computed once; they are no values of the program that is traced first."""
    figure = quadruped(lower="box")
    inertias = [link.mass_properties.inertia for link in figure.links]
    assert any(I[1][2] != 0.0 for I in inertias)  # which needs rotations to its principal axes
    world = afloat(figure)
    engine, state = Engine(world), start(world)
    state.v[:] = 1.0
    engine.advance(state, 1)
    energies = [float(np.sum(engine.observe(x).kinetic)) for x in (start(world), state)]
    assert 0.0 == energies[0] < energies[1]
