"""All methods of forward dynamics: they invert inverse dynamics, agree, and give known closed forms.

Errors are relative to the largest acceleration of a figure. In float64 that is 1e-10 for every figure of up to eight
links here. In float32, where one part in 1.7e7 is lost in every number given, it is 1e-4 while the mass matrix has a
condition number below 100, and as much more as that is larger: 17 times what the rounding of the numbers given may
do to the answer, by whatever method (docs/theory/forward-dynamics.md).
"""

from functools import cache
from math import cos, sin
from typing import Any

import numpy as np
import pytest
from figures import Sample, random_sample, state_of

from gambol.dynamics import Kinematics, kinematics, rnea
from gambol.dynamics.forward import METHODS, forward_dynamics, mass_matrix
from gambol.errors import WorldError
from gambol.figure import JOINTS, Figure, Joint, Link, MassProperties, random_figure
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Force, Vector

TREE_METHODS = sorted(set(METHODS) - {"lagrangian"})
G = 9.81


def external(sample: Sample, figure: Figure) -> dict[int, Force]:
    """Return forces on every other link."""
    rows = ((k, sample.f_ext[k]) for k in range(1, len(figure.links) + 1, 2))
    return {k: Force(Vector(*row[:3]), Vector(*row[3:])) for k, row in rows}


def error(found: Any, expected: Any) -> float:
    expected = np.array(expected, float)
    return float(np.abs(np.array(found) - expected).max(initial=0.0) / np.abs(expected).max(initial=1e-9))


@cache
def mixed(seed: int, most: int = 8) -> Figure:
    return random_figure(seed, 1 + seed % most, branching=(seed % 3) / 2, rotors=0.5)


def condition(state: Kinematics) -> float:
    """Return the factor by which the mass matrix may enlarge rounding errors; 1 for a figure that cannot move."""
    M = np.array(mass_matrix(state))
    return float(np.linalg.cond(M)) if M.size else 1.0


def undoes_inverse(figure: Figure, seed: int, method: str) -> None:
    sample = random_sample(figure, seed)
    state, f_ext, gravity = state_of(figure, sample), external(sample, figure), Vector(1.0, -2.0, -9.0)
    tau, _ = rnea(state, sample.rates, f_ext=f_ext, gravity=gravity)
    found = forward_dynamics(state, tau, method=method, f_ext=f_ext, gravity=gravity)
    assert error(found, sample.rates) < 1e-10


FIGURES = 400
QUICK = 60


@pytest.mark.parametrize(
    "seed", [*range(QUICK), *(pytest.param(k, marks=pytest.mark.slow) for k in range(QUICK, FIGURES))]
)
def test_methods_undo_inverse_dynamics_on_random_figures(seed: int):
    for method in TREE_METHODS:
        undoes_inverse(mixed(seed), seed, method)


@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(k, marks=pytest.mark.slow) for k in range(20, 200))])
def test_methods_agree_with_double_precision_in_single(seed: int):
    """On arrays of float32, of one world."""
    figure, sample = mixed(seed), random_sample(mixed(seed), seed)
    given = [np.array([x], np.float32) for x in (sample.q, sample.v, sample.tau)]
    q, v, tau = (row[0].astype(float).tolist() for row in given)  # rounded, so that the problem is the same
    double = kinematics(figure, q, v)
    single = kinematics(figure, list(given[0].T), list(given[1].T))
    tolerance = 1e-4 * max(1.0, condition(double) / 100.0)
    for method in TREE_METHODS:
        found = [float(np.ravel(x)[0]) for x in forward_dynamics(single, list(given[2].T), method=method)]
        assert error(found, forward_dynamics(double, tau)) < tolerance


@pytest.mark.parametrize("kind", sorted(set(JOINTS) - {"fixed"}))
@pytest.mark.parametrize("method", sorted(METHODS))
def test_methods_undo_inverse_dynamics_for_each_kind_of_joint(method: str, kind: str):
    undoes_inverse(random_figure(5, 3, kinds=(kind,), rotors=0.7), 5, method)


@pytest.mark.parametrize("seed", range(20))
def test_energies_alone_give_the_same_accelerations(seed: int):
    undoes_inverse(mixed(seed, most=5), seed, "lagrangian")


@pytest.mark.parametrize("method", TREE_METHODS)
def test_chain_of_fifty_links(method: str):
    figure = random_figure(1, 50, kinds=("revolute",), branching=0.0, rotors=0.3)
    undoes_inverse(figure, 1, method)


@pytest.mark.parametrize("method", TREE_METHODS)
def test_links_without_mass_may_stand_between(method: str):
    """Stacks of joints, a massless fork, and massless marks that external forces act on."""
    bar = random_figure(2, 1).links[0].mass_properties
    links = (
        Link("base", None, Joint("revolute", (0.0, 0.0, 1.0))),
        Link("hip", "base", Joint("revolute", (1.0, 0.0, 0.0), position=(0.1, 0.0, 0.0))),
        Link("mark", "hip", Joint("fixed", position=(0.0, 0.2, 0.1))),
        Link("fork", "hip", Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.1, 0.2))),
        Link("left", "fork", Joint("revolute", (0.0, 0.6, 0.8), position=(0.1, 0.1, 0.0)), (), bar),
        Link("right", "fork", Joint("spherical", position=(0.2, -0.1, 0.0)), (), bar),
        Link("tip", "right", Joint("fixed", position=(0.0, 0.0, 0.3))),
    )
    for seed in range(4):
        undoes_inverse(Figure("stacked", links), seed, method)


def compiled(figure: Figure, method: str, precision: Any) -> Program:
    def accelerations(q: list[Any], v: list[Any], tau: list[Any]) -> tuple[Any, ...]:
        return (forward_dynamics(kinematics(figure, q, v), tau, method=method),)

    return Program(
        ProgramSpec(method, accelerations, ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv)), precision
    )


@pytest.mark.parametrize("seed", [4])
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("method", sorted(METHODS))
def test_compiled_methods_agree_with_floats(method: str, precision: str, seed: int):
    figure = random_figure(seed, 4, rotors=0.5)
    samples = [random_sample(figure, k) for k in range(6)]
    given = [np.array([getattr(s, name) for s in samples]).T.astype(precision) for name in ("q", "v", "tau")]
    (found,) = compiled(figure, method, precision)(*given)
    for k in range(len(samples)):
        q, v, tau = (column[:, k].astype(float).tolist() for column in given)
        state = kinematics(figure, q, v)
        tolerance = 1e-10 if precision == "float64" else 1e-4 * max(1.0, condition(state) / 100.0)
        assert error(found[:, k], forward_dynamics(state, tau)) < tolerance


def point(mass: float, *place: float) -> MassProperties:
    x, y, z = place
    return MassProperties(mass, (x, y, z), ((0.0, 0.0, 0.0),) * 3)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_pendulum(method: str):
    figure = Figure(
        "pendulum", (Link("bob", None, Joint("revolute", (0.0, 1.0, 0.0)), (), point(2.0, 0.0, 0.0, -0.7)),)
    )
    found = forward_dynamics(kinematics(figure, [0.4], [1.1]), [0.3], method=method)
    np.testing.assert_allclose(found, [0.3 / (2.0 * 0.49) - G / 0.7 * sin(0.4)], rtol=1e-14)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_double_pendulum(method: str):
    """Points of mass m1, m2 on rods l1, l2; a: angle of the first, b: of the second from the first."""
    m1, m2, l1, l2, a, b, da, db = 1.0, 0.5, 0.8, 0.6, 0.5, -1.2, 0.7, -0.4
    lower = Joint("revolute", (0.0, -1.0, 0.0), position=(0.0, 0.0, -l1))
    upper = Link("upper", None, Joint("revolute", (0.0, -1.0, 0.0)), (), point(m1, 0.0, 0.0, -l1))
    figure = Figure("double", (upper, Link("lower", "upper", lower, (), point(m2, 0.0, 0.0, -l2))))
    M12 = m2 * l2 * (l2 + l1 * cos(b))
    M = np.array([[m1 * l1**2 + m2 * (l1**2 + 2 * l1 * l2 * cos(b) + l2**2), M12], [M12, m2 * l2**2]])
    turning = m2 * l1 * l2 * sin(b)
    weight = m2 * G * l2 * sin(a + b)
    bias = [-turning * (2 * da * db + db**2) + (m1 + m2) * G * l1 * sin(a) + weight, turning * da**2 + weight]
    found = forward_dynamics(kinematics(figure, [a, b], [da, db]), [0.2, -0.1], method=method)
    np.testing.assert_allclose(found, np.linalg.solve(M, np.array([0.2, -0.1]) - bias), rtol=1e-12)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_pole_on_a_cart(method: str):
    """A cart M pushed by F along x, and a point m on a pole of length l at an angle from upright."""
    M, m, l, angle, speed, F = 2.0, 0.3, 0.5, 0.25, -1.5, 4.0
    cart = Link("cart", None, Joint("prismatic", (1.0, 0.0, 0.0)), (), point(M, 0.0, 0.0, 0.0))
    pole = Link("pole", "cart", Joint("revolute", (0.0, 1.0, 0.0)), (), point(m, 0.0, 0.0, l))
    state = kinematics(Figure("cart", (cart, pole)), [0.3, angle], [0.2, speed])
    x = (F + m * sin(angle) * (l * speed**2 - G * cos(angle))) / (M + m * sin(angle) ** 2)
    np.testing.assert_allclose(
        forward_dynamics(state, [F, 0.0], method=method), [x, (G * sin(angle) - x * cos(angle)) / l], rtol=1e-12
    )


def test_unknown_method_is_named_with_the_nearest_one():
    state = kinematics(random_figure(0, 1), random_sample(random_figure(0, 1), 0).q, [0.0] * random_figure(0, 1).nv)
    with pytest.raises(WorldError, match='"crbb"; did you mean "crba"'):
        forward_dynamics(state, [0.0] * state.figure.nv, method="crbb")
