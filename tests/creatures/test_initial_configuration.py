"""Feasible initial configurations of models from files."""

import math

import numpy as np
import pytest

from gambol.creatures.initial_configuration import depth_of, initial_configuration
from gambol.creatures.models import initial_state, world_of_model
from gambol.errors import FigureError
from gambol.figure import Box, Closure, Figure, Joint, JointSpring, Link, MassProperties, Part
from gambol.formats import Model

ROD = MassProperties(1.0, (0.0, 0.0, -0.5), ((1 / 12, 0.0, 0.0), (0.0, 1 / 12, 0.0), (0.0, 0.0, 1e-4)))
HINGE = Joint("revolute", (0.0, 1.0, 0.0))
CUBE = (Part(Box((0.2, 0.2, 0.2))),)


def start(figure: Figure, springs=None, q=(), ground=False):
    model = Model(figure, springs or {}, q=tuple(q), ground=ground)
    return initial_configuration(model, world_of_model(model))


def test_a_start_that_is_possible_stays_as_it_is():
    initial = start(Figure("rod", (Link("rod", None, HINGE, (), ROD),)), {"rod": JointSpring(lower=-1, upper=1)}, [0.7])
    assert (initial.q, initial.changes) == ((0.7,), ())


def test_joints_beyond_their_limits_are_moved_to_them():
    links = (Link("rod", None, HINGE, (), ROD), Link("ball", "rod", Joint("spherical"), (), ROD))
    springs = {"rod": JointSpring(lower=0.5, upper=1.0), "ball": JointSpring(upper=0.4)}
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    for sign in (1.0, -1.0):  # a quaternion and its negative are one orientation
        initial = start(Figure("arm", links), springs, [0.0, *sign * np.r_[math.cos(0.5), math.sin(0.5) * axis]])
        assert initial.q[0] == 0.5
        np.testing.assert_allclose(initial.q[1:], [math.cos(0.2), *math.sin(0.2) * axis], atol=1e-15)
        (change,) = initial.changes
        assert change.endswith("moved to them: rod, ball.")


def test_stops_hold_no_energy_at_the_start():
    figure = Figure("rod", (Link("rod", None, HINGE, (), ROD),))
    model = Model(figure, {"rod": JointSpring(lower=1.0, upper=2.0)}, gravity=(0.0, 0.0, 0.0))
    state = initial_state(model, world_of_model(model))
    np.testing.assert_allclose(state.q, [[1.0]])


def test_a_free_figure_is_lifted_out_of_the_ground_and_the_height_reported():
    figure = Figure("block", (Link("block", None, Joint("free"), CUBE),))
    initial = start(figure, q=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.06), ground=True)
    assert initial.q[6] == pytest.approx(0.1)
    assert initial.changes == ("It was lifted by 0.04 m, out of the ground.",)
    model = Model(figure, ground=True)
    assert depth_of(world_of_model(model), initial.q) == pytest.approx(0.0, abs=1e-15)


def test_a_singular_mass_matrix_names_the_joints():
    links = (Link("base", None, Joint("free")), Link("arm", "base", HINGE, (), ROD))
    with pytest.raises(FigureError, match='singular mass matrix where it starts: the joints of "base", "arm" can move'):
        start(Figure("bare", links))
    heavier = (Link("base", None, Joint("free"), CUBE), links[1])
    assert start(Figure("laden", heavier)).changes == ()
    assert start(Figure("prescribed", links, prescribed=True)).changes == ()


def test_open_loops_are_closed():
    links = (
        Link("a", None, HINGE, (), ROD),
        Link("b", "a", Joint("revolute", (0, 1, 0), position=(0, 0, -1)), (), ROD),
    )
    figure = Figure("tent", links, constraints=(Closure("point", "b", None, (0, 0, -1), other_position=(1, 0, 0)),))
    initial = start(figure, q=(-0.6, -1.9))
    heading = np.cumsum(initial.q)
    np.testing.assert_allclose([-np.sin(heading).sum(), -np.cos(heading).sum()], [1.0, 0.0], atol=1e-9)
    assert initial.changes[0].startswith("Its loops were closed, which moved its joints by up to 0.")
