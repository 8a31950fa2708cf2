from importlib import import_module

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import figures

from gambol import random_state
from gambol.dynamics import kinematics
from gambol.dynamics.forward import diagonal_bound, factorised, mass_rows, symmetric
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.lanes import Program, ProgramSpec


@given(figures(), st.integers(0, 2**16), st.integers(0, 2**16))
def test_the_bound_is_nowhere_above_the_mass_matrix(figure: Figure, seed: int, choice: int):
    """Neither on all degrees of freedom, nor on some of them while the others are free.

    It is the inverse of the sums of the rows of the absolute inverse mass matrix, by NumPy.
    """
    assume(figure.nv)
    q, v = random_state(figure, seed=seed)
    rows = mass_rows(kinematics(figure, list(q), list(v)))
    M, freedoms = np.array(symmetric(rows)), [k for k in range(figure.nv) if k == 0 or choice >> k & 1]
    S = diagonal_bound(factorised(rows), freedoms)
    inverse = np.linalg.inv(M)[np.ix_(freedoms, freedoms)]
    np.testing.assert_allclose(S, 1.0 / np.abs(inverse).sum(axis=1), rtol=1e-13 * np.linalg.cond(M))
    effective = np.linalg.inv(inverse)
    rounding = 1e-13 * np.linalg.cond(M) * np.abs(effective).max()
    assert min(S) > 0.0
    assert np.linalg.eigvalsh(effective - np.diag(S)).min() >= -rounding


def test_the_bound_of_a_diagonal_matrix_is_the_matrix():
    rows = [{0: 2.0}, {1: 3.0}, {2: 5.0}]
    np.testing.assert_allclose(diagonal_bound(factorised(rows), [0, 2]), [2.0, 5.0], rtol=1e-15)


def test_loops_over_branches_give_the_same_bits_as_written_out_code(monkeypatch: pytest.MonkeyPatch):
    """A trunk with eight limbs of four links and a head: 34 freedoms."""
    mass = MassProperties(1.0, (0.0, 0.1, -0.05), ((2e-2, 0.0, 0.0), (0.0, 1e-2, 0.0), (0.0, 0.0, 2e-2)))
    links = [Link("trunk 0", None, Joint("free"), given_mass=mass)]
    for k in (1, 2):
        links.append(Link(f"trunk {k}", f"trunk {k - 1}", Joint("revolute", (0.0, 0.0, 1.0)), given_mass=mass))
    for i in range(8):
        for k in range(4):
            joint = Joint("revolute", ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))[k % 2], position=(0.1 * i, 0.2, 0.1))
            links.append(Link(f"{i} {k}", f"{i} {k - 1}" if k else "trunk 1", joint, given_mass=mass))
    figure = Figure("spider", tuple(links))
    q, _ = random_state(figure, seed=1)

    def bound(q: list[float]) -> tuple[list[float]]:
        rows = mass_rows(kinematics(figure, q, [0.0] * figure.nv))
        return (diagonal_bound(factorised(rows), range(6, figure.nv)),)

    def compiled(*, short: bool = False) -> Program:
        return Program(ProgramSpec("bound", bound, ([0.0] * figure.nq,), short=short), lanes=1)

    rolled, short = compiled(), compiled(short=True)
    monkeypatch.setattr(import_module("gambol.dynamics.forward.diagonal_bound"), "MIN_ROLLED_ENTRIES", 10_000)
    written_out = compiled()
    assert rolled.operations < written_out.operations - 2000
    assert short.operations < 0.5 * rolled.operations
    (here,), (there,), (looped,) = (program(q[:, None]) for program in (rolled, written_out, short))
    assert np.array_equal(here, there)
    assert np.array_equal(here, looped)
    np.testing.assert_allclose(here[:, 0], bound(list(q))[0], rtol=1e-12)
