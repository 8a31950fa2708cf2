"""Contacts that sweeps cannot solve: the solutions meet Coulomb's law, as measured by violations()."""

from collections.abc import Sequence

import numpy as np
import pytest

from gambol.contact.complementarity.cones import ContactProblem, violations
from gambol.contact.stepping import projection
from gambol.contact.stepping.augmented import augmented
from gambol.contact.stepping.blocks import Block, BoundedBlock, ContactBlock
from gambol.contact.stepping.rows import Row
from gambol.contact.stepping.solve import energy_gain, limit_energy, solve_to_tolerance
from gambol.contact.stepping.sweep import ImpulseSolution, block_gauss_seidel

ENOUGH = 1e-6


def row(z: np.ndarray) -> Row:
    numbers = dict(enumerate(map(float, z)))
    return Row(numbers, None, float(z @ z))


def stack(ratio: float) -> tuple[list[Block], list[float]]:
    """Return a heavy ball on a light one on the ground, moving along z and x, and the effect of weight in a step.

    In coordinates sqrt(m) v: first the light ball's, then the heavy one's. Each contact's rows: normal, two tangents.
    """
    a, b, none = 1.0, ratio**-0.5, np.zeros(4)
    ground = (np.array([a, 0.0, 0.0, 0.0]), np.array([0.0, a, 0.0, 0.0]), none)
    between = (np.array([-a, 0.0, b, 0.0]), np.array([0.0, -a, 0.0, b]), none)
    blocks: list[Block] = [ContactBlock.of((row(n), row(x), row(y)), 0.5) for n, x, y in (ground, between)]
    return blocks, [-0.1, 0.02, -0.1 * ratio**0.5, 0.05 * ratio**0.5]


def law_missed(blocks: Sequence[Block], free: Sequence[float], impulses: Sequence[Sequence[float]]) -> float:
    """Return the violation of Coulomb's law by impulses [m/s], as complementarity measures it; normals come last."""
    rows = [r for block in blocks for r in (*block.rows[1:], block.rows[0])]
    Z = np.array([[r.z.get(k, 0.0) for k in range(len(free))] for r in rows])
    problem = ContactProblem((Z @ Z.T).tolist(), (Z @ np.array(free)).tolist(), [0.5] * len(blocks), [], [])
    p = [x for own in impulses for x in (*own[1:], own[0])]
    return max(map(abs, violations(problem, p, problem.speeds(p))))


@pytest.mark.parametrize("ratio", [10.0, 100.0, 1e3, 1e4])
def test_a_heavy_ball_on_a_light_one_is_solved(ratio: float):
    blocks, free = stack(ratio)
    targets, none = [0.0, 0.0], [[0.0] * 3, [0.0] * 3]
    swept = block_gauss_seidel(blocks, targets, free, none, 8)
    solution = augmented(blocks, targets, free, swept, ENOUGH)
    assert solution.residual <= ENOUGH
    assert law_missed(blocks, free, solution.impulses) <= 10.0 * ENOUGH
    if ratio >= 100.0:
        assert law_missed(blocks, free, swept.impulses) > 1e-3  # otherwise sweeps would suffice
    # Both rest on the ground, which carries all that weight gave them.
    total = 0.1 * (1.0 + ratio)
    assert solution.impulses[0][0] == pytest.approx(total, abs=1e-4 * total)


def test_sweeps_that_converge_are_left_alone():
    blocks, free = stack(1.0)
    targets, none = [0.0, 0.0], [[0.0] * 3, [0.0] * 3]
    assert solve_to_tolerance(blocks, targets, free, none, 40, 1e-3) == block_gauss_seidel(
        blocks, targets, free, none, 40
    )


def test_stalled_sweeps_are_continued_by_the_augmented_lagrangian():
    blocks, free = stack(1e3)
    targets, none = [0.0, 0.0], [[0.0] * 3, [0.0] * 3]
    solution, swept = (
        solve_to_tolerance(blocks, targets, free, none, 8, 1e-3),
        block_gauss_seidel(blocks, targets, free, none, 8),
    )
    assert law_missed(blocks, free, solution.impulses) <= 1e-3 < law_missed(blocks, free, swept.impulses)


def test_a_limit_and_a_tie_are_solved_with_contacts():
    """A loop row ties two degrees of freedom, a limit stops the second: both have the impulse that is needed."""
    tie = BoundedBlock.of(row(np.array([1.0, -1e-3, 0.0, 0.0])), -1e30, 1e30)
    limit = BoundedBlock.of(row(np.array([0.0, 1e-3, 0.0, 0.0])), 0.0, 1e30)
    free = [-0.1, -0.1, 0.0, 0.0]
    start = block_gauss_seidel([tie, limit], [0.0, 0.0], free, [[0.0], [0.0]], 4)
    solution = augmented([tie, limit], [0.0, 0.0], free, start, ENOUGH)
    np.testing.assert_allclose([tie.row.speed(solution.u), limit.row.speed(solution.u)], 0.0, atol=ENOUGH)
    assert solution.impulses[1][0] > 0.0


@pytest.mark.parametrize("factor", [1.0, 1.9, 2.5, 40.0])
def test_impulses_too_large_are_made_smaller_until_they_add_nothing(factor: float):
    """Twice the impulse that stops a body reverses its velocity; more would add energy."""
    blocks, free = stack(1.0)
    stopped = block_gauss_seidel(blocks, [0.0, 0.0], free, [[0.0] * 3, [0.0] * 3], 400)
    large, u = [[factor * x for x in own] for own in stopped.impulses], list(free)
    for block, own in zip(blocks, large, strict=True):
        for r, p in zip(block.rows, own, strict=True):
            u = r.after_impulse(u, p)
    solution = limit_energy(free, ImpulseSolution(u, large, 0.0), 0.0)
    assert sum(energy_gain(free, solution.u)) <= 1e-15
    if factor < 2.0:
        assert solution.impulses == large
        return
    assert solution.residual > 0.0
    share = solution.impulses[0][0] / large[0][0]
    for own, was in zip(solution.impulses, large, strict=True):  # the same share of each stays in its cone
        np.testing.assert_allclose(own, [share * x for x in was], rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_newton_step_is_the_same_from_a_system_in_rows(seed: int, monkeypatch: pytest.MonkeyPatch):
    """(1 + Y^T Y)^-1 b by Woodbury's identity, which holds for any rows, and by the matrix itself."""
    random, n = np.random.default_rng(seed), 12
    rows = [row(random.normal(size=n)) for _ in range(7)]
    blocks: list[Block] = [ContactBlock.of((rows[k], rows[k + 1], rows[k + 2]), 0.5) for k in (0, 3)]
    blocks.append(BoundedBlock.of(rows[6], 0.0, 1e30))
    w = [random.normal(size=len(block.rows)).tolist() for block in blocks]
    p = [[30.0, *random.normal(size=len(block.rows) - 1)] for block in blocks]  # pushed, so that all rows count
    state, targets, b = [w, p, [[0.1]] * 3], [0.0] * 3, random.normal(size=n).tolist()
    directions = []
    for least in (n, n + 1):
        monkeypatch.setattr(projection, "MIN_ROW_SYSTEM", least)
        directions.append(projection.newton_direction(blocks, targets, state, 0.1, b))
    np.testing.assert_allclose(directions[0], directions[1], atol=1e-12)
    assert np.linalg.norm(np.array(directions[0]) - b) > 0.1
