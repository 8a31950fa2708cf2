"""Sweeps over blocks: inactive ones leave everything as it is."""

import numpy as np

from gambol.contact.stepping.blocks import BoundedBlock, ContactBlock
from gambol.contact.stepping.rows import Row
from gambol.contact.stepping.sweep import AcceleratedSweeps, accelerated_sweep, block_gauss_seidel, sweeps

NOWHERE = Row({0: 0.0, 1: 0.0, 2: 0.0}, None, 0.0)


def rows_of(matrix: np.ndarray) -> list[Row]:
    return [Row(dict(enumerate(map(float, row))), None, float(row @ row)) for row in matrix]


def test_absent_contacts_and_limits_have_no_impulse():
    random = np.random.default_rng(5)
    block = ContactBlock.of((*rows_of(random.normal(size=(3, 3))),), 0.5)
    none, loose = ContactBlock.of((NOWHERE,) * 3, 0.5), BoundedBlock.of(NOWHERE, 0.0, 1e30)
    free, warm = list(map(float, random.normal(size=3))), [[0.3, 0.1, 0.0], [7.0, 8.0, 9.0], [4.0]]
    alone = block_gauss_seidel([block], [0.1], free, warm[:1], 5)
    among = block_gauss_seidel([block, none, loose], [0.1, -1e5, -1e5], free, warm, 5)
    assert among.u == alone.u
    assert among.impulses == [*alone.impulses, [0.0] * 3, [0.0]]
    assert among.residual == alone.residual


def test_the_residual_vanishes_with_more_sweeps():
    random = np.random.default_rng(6)
    blocks = [ContactBlock.of((*rows_of(random.normal(size=(3, 6))),), 0.7) for _ in range(2)]
    free, warm, targets = list(map(float, random.normal(size=6))), [[0.0] * 3] * 2, [0.2, 0.1]
    found = [block_gauss_seidel(blocks, targets, free, warm, iterations) for iterations in (1, 10, 60)]
    assert found[0].residual > 1e-2
    assert found[1].residual < 1e-1 * found[0].residual
    assert found[2].residual < 1e-8
    np.testing.assert_allclose(found[1].u, found[2].u, atol=2.0 * found[1].residual)


def test_one_block_is_settled_in_one_round_however_many_follow():
    block = ContactBlock.of((*rows_of(np.random.default_rng(7).normal(size=(3, 6))),), 10.0)
    free = [0.1, -0.3, 0.2, -0.1, 0.5, -0.2]
    one, many = (block_gauss_seidel([block], [0.5], free, [[0.0] * 3], iterations) for iterations in (1, 8))
    np.testing.assert_allclose(one.u, many.u, atol=1e-14)
    np.testing.assert_allclose([row.speed(one.u) for row in block.rows], [0.5, 0.0, 0.0], atol=1e-14)


def test_acceleration_solves_two_coupled_rows_at_once():
    """The iteration of sweeps over two rows has rank 1, so that the line through two starts contains the solution."""
    rows = rows_of(np.random.default_rng(8).normal(size=(2, 4)))
    blocks, targets, free = [BoundedBlock.of(row, -1e30, 1e30) for row in rows], [0.3, -0.7], [0.4, -0.2, 0.6, 0.1]
    end = sweeps(blocks, targets, free, [[0.0], [0.0]], 4)
    state = accelerated_sweep(blocks, targets, AcceleratedSweeps.of(end))
    assert state.last.solution.residual > 1e-3
    np.testing.assert_allclose([row.speed(state.next_u) for row in rows], targets, atol=1e-12)


def test_accelerated_sweeps_solve_chains_that_plain_ones_do_not():
    """Many rows, each coupled with its neighbours: impulses travel from row to row."""
    count = 30
    chain = np.eye(count, count + 1) - np.eye(count, count + 1, 1)
    blocks = [BoundedBlock.of(row, 0.0, 1e30) for row in rows_of(chain)]
    free = np.random.default_rng(9).normal(size=count + 1).tolist()
    targets, none = [0.0] * count, [[0.0]] * count
    state = AcceleratedSweeps.of(sweeps(blocks, targets, free, none, 4))
    for _ in range(80):
        state = accelerated_sweep(blocks, targets, state)
    plain, found = sweeps(blocks, targets, free, none, 84).solution, state.last.solution
    assert found.residual < 1e-2 * plain.residual
    speeds, impulses = chain @ found.u, np.array(found.impulses)[:, 0]
    np.testing.assert_allclose(free + chain.T @ impulses, found.u, atol=1e-13)
    assert impulses.min() >= 0.0
    assert speeds.min() > -found.remaining
    assert abs(np.minimum(speeds, impulses)).max() < found.remaining
