"""Trees packed as data: the mass matrix, forward dynamics and momentum are those of the ordinary figure."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tracing import PRECISIONS, bits

from gambol.dynamics import aba, kinematics, momentum, rnea
from gambol.dynamics.forward import crba, mass_matrix
from gambol.dynamics.tangent import normalised, perturbed
from gambol.figure import Figure, random_figure, random_state
from gambol.figure.parameters import parameters, varying, with_values
from gambol.figure.template import any_tree, pack
from gambol.lanes import Program, ProgramSpec
from gambol.lanes.ops import Precision

LINKS = 8
TEMPLATE = any_tree(LINKS, balls=0, root_balls=0)
SUMS = 16  # roundings of a force or an inertia from one link to the next: two rotations of three products each
ROUNDING = {"float64": 2.0**-52, "float32": 2.0**-23}


def body(seed: int, links: int) -> Figure:
    return random_figure(seed, links, kinds=("revolute", "prismatic"), root="free", branching=0.6, rotors=0.3)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), links=st.integers(1, LINKS))
def test_the_mass_matrix_is_that_of_the_figure(seed: int, links: int):
    """Rows and columns are in the template's order; absent links have the inertia of a rotor only."""
    figure = body(seed, links)
    packed = pack(figure, TEMPLATE)
    q = random_state(figure, seed)[0].tolist()
    M = np.array(mass_matrix(kinematics(figure, q, [0.0] * figure.nv)))
    found = np.array(mass_matrix(kinematics(packed.figure, packed.coordinates(q), [0.0] * TEMPLATE.nv)))
    indices = [int(k) for k in packed.coordinates(list(range(figure.nv)))[: figure.nv]]
    expected = M[np.ix_(indices, indices)]
    np.testing.assert_allclose(found[: figure.nv, : figure.nv], expected, atol=1e-13 * np.abs(M).max())
    absent = TEMPLATE.nv - figure.nv
    assert (found[figure.nv :] == np.eye(absent, TEMPLATE.nv, figure.nv)).all()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), links=st.integers(1, LINKS))
def test_accelerations_are_those_of_the_articulated_bodies(seed: int, links: int):
    figure = body(seed, links)
    packed = pack(figure, TEMPLATE)
    q, v = (x.tolist() for x in random_state(figure, seed))
    tau = np.random.default_rng(seed).normal(size=figure.nv).tolist()
    rates = aba(kinematics(figure, q, v), tau)[0]
    found = crba(kinematics(packed.figure, *map(packed.coordinates, (q, v))), packed.coordinates(tau))
    bound = allowed(figure, q, v, tau, rates) * ROUNDING["float64"]
    np.testing.assert_allclose(found, packed.coordinates(rates), rtol=0.0, atol=bound)


@cache
def program(precision: Precision) -> tuple[Program, list[Figure]]:
    """Return a program of the accelerations of any body, and the figures between which the template's numbers vary."""
    figures = [body(seed, 1 + seed % LINKS) for seed in range(40)]
    varied = varying([TEMPLATE, *(pack(figure, TEMPLATE).figure for figure in figures)])

    def dynamics(numbers: dict[str, float], q: list[float], v: list[float], tau: list[float]) -> tuple[list[float]]:
        return (crba(kinematics(with_values(TEMPLATE, numbers), q, v), tau),)

    forms = (dict.fromkeys(varied, 0.0), [0.0] * TEMPLATE.nq, [0.0] * TEMPLATE.nv, [0.0] * TEMPLATE.nv)
    return Program(ProgramSpec("any tree", dynamics, forms), precision), figures


def allowed(figure: Figure, q: list[float], v: list[float], tau: list[float], rates: list[float]) -> float:
    """Return the error of accelerations by rounding, in units of it: |M^-1| (|dM| |a| + |db|), of M a = b = tau - C.

    M and C sum over paths of up to LINKS links with some SUMS roundings at each.
    """
    state = kinematics(figure, q, v)
    moments = np.linalg.eigvalsh(np.array(mass_matrix(state)))
    bias = np.abs(rnea(state, [0.0] * figure.nv)[0]).max()
    return SUMS * LINKS * (moments[-1] * np.abs(rates).max() + bias + np.abs(tau).max()) / moments[0]


def inputs(precision: Precision) -> tuple[list[np.ndarray], list[list[float]], list[float]]:
    """Return rows of all figures' numbers, states and forces; their accelerations, and the errors by rounding."""
    columns, exact, errors = [], [], []
    names = list(program(precision)[0].spec.structures[0])
    for seed, figure in enumerate(program(precision)[1]):
        packed = pack(figure, TEMPLATE)
        q, v = (x.astype(precision).tolist() for x in random_state(figure, seed))
        tau = np.random.default_rng(seed).normal(size=figure.nv).astype(precision).tolist()
        numbers = parameters(packed.figure)
        columns.append([[numbers[name] for name in names], *map(packed.coordinates, (q, v, tau))])
        rates = aba(kinematics(figure, q, v), tau)[0]
        exact.append(packed.coordinates(rates))
        errors.append(allowed(figure, q, v, tau, rates) * ROUNDING[precision])
    return [np.array(rows, precision).T.copy() for rows in zip(*columns, strict=True)], exact, errors


@pytest.mark.parametrize("precision", PRECISIONS)
def test_one_program_moves_them_all(precision: Precision):
    rows, exact, errors = inputs(precision)
    found = program(precision)[0](*rows)[0]
    for lane, (rates, bound) in enumerate(zip(exact, errors, strict=True)):
        np.testing.assert_allclose(found[:, lane], rates, rtol=0.0, atol=bound)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_lanes_of_other_topologies_disturb_nothing(precision: Precision):
    rows, _, _ = inputs(precision)
    accelerations = program(precision)[0]
    together = accelerations(*rows)[0]
    for lane in range(together.shape[1]):
        alone = accelerations(*(x[:, lane : lane + 1].copy() for x in rows))[0]
        assert (bits(alone[:, 0]) == bits(together[:, lane])).all()


@pytest.mark.parametrize("seed", range(6))
def test_a_floating_body_conserves_momentum(seed: int):
    """For any motion of its joints the total force is 0, and so is the rate of momentum about the world's origin.

    The rate is a central difference of the momentum over a time h; its error is of the order h^2.
    """
    figure = body(seed, 3 + seed % 6)
    packed = pack(figure, TEMPLATE)
    q, v = (packed.coordinates(x.tolist()) for x in random_state(figure, seed))
    inner = [0.0] * 6 + np.random.default_rng(seed).normal(size=TEMPLATE.nv - 6).tolist()
    tau = [t if k < figure.nv else 0.0 for k, t in enumerate(inner)]
    rates = crba(kinematics(packed.figure, q, v), tau, gravity=0.0)
    h = 1e-5
    sides = []
    for sign in (-0.5, 0.5):
        there = normalised(packed.figure, perturbed(packed.figure, q, [sign * h * x for x in v]))
        then = [x + sign * h * a for x, a in zip(v, rates, strict=True)]
        sides.append(momentum(kinematics(packed.figure, there, then)))
    now = momentum(kinematics(packed.figure, q, v))
    size = max(map(abs, [*now.n, *now.f])) + 1.0
    change = sides[1] - sides[0]
    np.testing.assert_allclose([*change.n, *change.f], 0.0, atol=1e-9 * size)
