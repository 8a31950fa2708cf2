"""Forests: figures in one forest move as each does alone, to the last bit, and the forest costs nothing."""

import numpy as np
import pytest
from figures import random_sample
from tracing import body_of

from gambol.dynamics import kinematics, mass_matrix, rnea
from gambol.dynamics.forward import METHODS, forward_dynamics
from gambol.dynamics.loops import assembled
from gambol.errors import FigureError, WorldError
from gambol.figure import (
    Closure,
    Coupling,
    Figure,
    Joint,
    Link,
    MassProperties,
    forest_names,
    make_forest,
    random_figure,
)
from gambol.spatial import Vector
from gambol.world import World, start

ROD = MassProperties(1.0, (0.0, 0.0, -0.5), ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.01)))
PENDULUM = Figure("pendulum", (Link("rod", None, Joint("revolute", (0.0, 1.0, 0.0)), (), ROD),))
G = Vector(0.3, -0.2, -9.81)


def members(seed: int) -> list[Figure]:
    return [
        random_figure(10 * seed + k, 1 + (seed + k) % 5, root=root) for k, root in enumerate(("free", "free", None))
    ]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("method", sorted(set(METHODS) - {"lagrangian"}))
def test_every_member_moves_as_it_does_alone(method: str, seed: int):
    alone = members(seed)
    forest = make_forest("forest", alone)
    samples = [random_sample(figure, seed) for figure in alone]
    q, v, tau = ([x for sample in samples for x in getattr(sample, name)] for name in ("q", "v", "tau"))
    together = forward_dynamics(kinematics(forest, q, v), tau, method=method, gravity=G)
    apart = [
        forward_dynamics(kinematics(figure, s.q, s.v), s.tau, method=method, gravity=G)
        for figure, s in zip(alone, samples, strict=True)
    ]
    expected = [x for rates in apart for x in rates]
    np.testing.assert_allclose(together, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max(initial=1.0))


def test_members_whose_frames_stay_as_given_move_the_same_to_the_last_bit():
    alone = [random_figure(k, 4, kinds=("spherical", "free")) for k in range(3)]
    samples = [random_sample(figure, 1) for figure in alone]
    q, v, tau = ([x for sample in samples for x in getattr(sample, name)] for name in ("q", "v", "tau"))
    together = forward_dynamics(kinematics(make_forest("forest", alone), q, v), tau)
    states = [(kinematics(figure, s.q, s.v), s.tau) for figure, s in zip(alone, samples, strict=True)]
    assert together == [x for state, forces in states for x in forward_dynamics(state, forces)]


def test_poses_inverse_dynamics_and_mass_matrix_fall_apart_into_the_members_own():
    alone = members(3)
    forest, samples = make_forest("forest", alone), [random_sample(figure, 3) for figure in alone]
    q, v, rates = ([x for sample in samples for x in getattr(sample, name)] for name in ("q", "v", "rates"))
    state = kinematics(forest, q, v)
    states = [kinematics(figure, s.q, s.v) for figure, s in zip(alone, samples, strict=True)]
    assert list(state.poses[2:]) == [pose for own in states for pose in own.poses[1:]]
    tau, _ = rnea(state, rates, gravity=G)
    assert tau == [t for own, s in zip(states, samples, strict=True) for t in rnea(own, s.rates, gravity=G)[0]]
    M, at = np.array(mass_matrix(state)), 0
    for own in states:
        n = own.figure.nv
        np.testing.assert_array_equal(M[at : at + n, at : at + n], np.array(mass_matrix(own)).reshape(n, n))
        M[at : at + n] = 0.0
        at += n
    assert not M.any()


def test_what_holds_the_members_costs_nothing():
    def operations(figure: Figure) -> int:
        def accelerate(*x):
            state = kinematics(figure, x[: figure.nq], x[figure.nq : figure.nq + figure.nv])
            return forward_dynamics(state, list(x[figure.nq + figure.nv :]))

        return sum(op.name not in ("input", "const") for op in body_of(accelerate, figure.nq + 2 * figure.nv).ops)

    for seed in range(3):
        alone = random_figure(seed, 3, kinds=("revolute",), root="free")
        assert operations(make_forest("forest", [alone] * 3)) <= 3 * operations(alone)


def test_closures_tie_members_to_each_other():
    tie = Closure("point", "pendulum2/rod", "pendulum1/rod", (0.0, 0.0, -1.0), other_position=(0.0, 0.0, -1.0))
    pair = make_forest("pair", (PENDULUM, PENDULUM), [tie])
    q = assembled(pair, [0.3, 0.2])
    assert q[0] == pytest.approx(q[1])
    found = forward_dynamics(kinematics(pair, q, [0.0, 0.0]), [0.0, 0.0])
    alone = forward_dynamics(kinematics(PENDULUM, q[:1], [0.0]), [0.0])
    assert found == pytest.approx([*alone, *alone])


def test_names_of_links_are_unchanged_if_all_differ():
    ball = Figure("ball", (Link("ball", None, Joint("free"), (), ROD),))
    assert [link.name for link in make_forest("scene", (PENDULUM, ball)).links] == ["world", "rod", "ball"]
    twins = make_forest("twins", {"left": PENDULUM, "right": PENDULUM})
    assert [link.name for link in twins.links] == ["world", "left/rod", "right/rod"]
    assert [link.name for link in twins.roots] == ["left/rod", "right/rod"]
    assert forest_names((PENDULUM, ball, PENDULUM))["pendulum2"] == {"rod": "pendulum2/rod"}
    assert (twins.base, PENDULUM.roots) == ("fixed", (PENDULUM.root,))
    assert make_forest("again", {"a": twins, "b": PENDULUM}).nv == 3


def test_constraints_within_members_are_renamed_with_their_links():
    links = (*PENDULUM.given_links, Link("bob", "rod", Joint("revolute", (0.0, 1.0, 0.0)), (), ROD))
    ties = (Coupling("bob", "rod"), Closure("point", "bob"))
    double = Figure("double", links, constraints=ties, apart=(("rod", "bob"),))
    assert make_forest("one", (double,)).constraints == double.constraints
    both = make_forest("both", (double, double))
    assert both.apart == (("double1/rod", "double1/bob"), ("double2/rod", "double2/bob"))
    assert both.constraints[2:] == (Coupling("double2/bob", "double2/rod"), Closure("point", "double2/bob"))


def test_impossible_forests_are_refused_by_name():
    with pytest.raises(FigureError, match="has no figures"):
        make_forest("nothing", ())
    free = Figure("ball", (Link("ball", None, Joint("free"), (), ROD),), prescribed=True)
    with pytest.raises(FigureError, match='"ball" has a prescribed base'):
        make_forest("held", (free,))
    with pytest.raises(FigureError, match='did you mean "rod"'):
        make_forest("tied", (PENDULUM,), [Closure("point", "rood")])


def test_each_free_member_starts_at_its_given_position():
    ball = Figure("ball", (Link("ball", None, Joint("free"), (), ROD),))
    world = World(make_forest("balls", (ball, PENDULUM, ball)))
    state = start(world, position={"ball1/ball": (1.0, 2.0, 3.0), "ball2/ball": (0.0, 0.0, 1.0)})
    np.testing.assert_array_equal(state.q[0], [1, 0, 0, 0, 1, 2, 3, 0, 1, 0, 0, 0, 0, 0, 1])
    with pytest.raises(FigureError, match='no link "bal"'):
        start(world, position={"bal": (0.0, 0.0, 0.0)})
    with pytest.raises(WorldError, match='"pendulum/rod" has a "revolute" joint'):
        start(world, position={"pendulum/rod": (0.0, 0.0, 0.0)})
