"""Where figures from files begin to move."""

import math

import numpy as np
import pytest

from gambol.creatures.beginning import beginning, depth_of
from gambol.creatures.specimens import set_out, world_of_specimen
from gambol.errors import FigureError
from gambol.figure import Box, Closure, Figure, Joint, JointSpring, Link, MassProperties, Part
from gambol.formats import Specimen

ROD = MassProperties(1.0, (0.0, 0.0, -0.5), ((1 / 12, 0.0, 0.0), (0.0, 1 / 12, 0.0), (0.0, 0.0, 1e-4)))
HINGE = Joint("rotary", (0.0, 1.0, 0.0))
CUBE = (Part(Box((0.2, 0.2, 0.2))),)


def start(figure: Figure, springs=None, q=(), ground=False):
    specimen = Specimen(figure, springs or {}, q=tuple(q), ground=ground)
    return beginning(specimen, world_of_specimen(specimen))


def test_a_start_that_is_possible_stays_as_it_is():
    begun = start(Figure("rod", (Link("rod", None, HINGE, (), ROD),)), {"rod": JointSpring(lower=-1, upper=1)}, [0.7])
    assert (begun.q, begun.changes) == ((0.7,), ())


def test_joints_beyond_their_limits_are_brought_to_them():
    links = (Link("rod", None, HINGE, (), ROD), Link("ball", "rod", Joint("spherical"), (), ROD))
    springs = {"rod": JointSpring(lower=0.5, upper=1.0), "ball": JointSpring(upper=0.4)}
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    for sign in (1.0, -1.0):  # a quaternion and its negative are one orientation
        begun = start(Figure("arm", links), springs, [0.0, *sign * np.r_[math.cos(0.5), math.sin(0.5) * axis]])
        assert begun.q[0] == 0.5
        np.testing.assert_allclose(begun.q[1:], [math.cos(0.2), *math.sin(0.2) * axis], atol=1e-15)
        (told,) = begun.changes
        assert told.endswith("brought to them: rod, ball.")


def test_stops_hold_no_energy_at_the_start():
    figure = Figure("rod", (Link("rod", None, HINGE, (), ROD),))
    specimen = Specimen(figure, {"rod": JointSpring(lower=1.0, upper=2.0)}, gravity=(0.0, 0.0, 0.0))
    state = set_out(specimen, world_of_specimen(specimen))
    np.testing.assert_allclose(state.q, [[1.0]])


def test_a_free_figure_is_lifted_out_of_the_ground_and_told_how_far():
    figure = Figure("block", (Link("block", None, Joint("free"), CUBE),))
    begun = start(figure, q=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.06), ground=True)
    assert begun.q[6] == pytest.approx(0.1)
    assert begun.changes == ("It was lifted by 0.04 m, out of the ground.",)
    specimen = Specimen(figure, ground=True)
    assert depth_of(world_of_specimen(specimen), begun.q) == pytest.approx(0.0, abs=1e-15)


def test_a_singular_mass_matrix_names_the_joints():
    links = (Link("base", None, Joint("free")), Link("arm", "base", HINGE, (), ROD))
    with pytest.raises(FigureError, match='singular mass matrix where it starts: the joints of "base", "arm" can move'):
        start(Figure("bare", links))
    heavier = (Link("base", None, Joint("free"), CUBE), links[1])
    assert start(Figure("laden", heavier)).changes == ()
    assert start(Figure("told", links, prescribed=True)).changes == ()


def test_open_loops_are_closed():
    links = (Link("a", None, HINGE, (), ROD), Link("b", "a", Joint("rotary", (0, 1, 0), position=(0, 0, -1)), (), ROD))
    figure = Figure("tent", links, constraints=(Closure("point", "b", None, (0, 0, -1), other_position=(1, 0, 0)),))
    begun = start(figure, q=(-0.6, -1.9))
    heading = np.cumsum(begun.q)
    np.testing.assert_allclose([-np.sin(heading).sum(), -np.cos(heading).sum()], [1.0, 0.0], atol=1e-9)
    assert begun.changes[0].startswith("Its loops were closed, which moved its joints by up to 0.")
