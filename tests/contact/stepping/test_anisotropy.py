"""Anisotropic friction in contact blocks: sliding, sticking and energy, by sweeps and by Newton's method."""

import math

import numpy as np
import pytest

from gambol.contact.stepping.anisotropy import ISOTROPIC, Anisotropy, contact_frame
from gambol.contact.stepping.augmented import augmented
from gambol.contact.stepping.blocks import Block, ContactBlock
from gambol.contact.stepping.rows import Row
from gambol.contact.stepping.solve import energy_gain
from gambol.contact.stepping.sweep import ImpulseSolution, block_gauss_seidel
from gambol.spatial import Vector

X = Vector(1.0, 0.0, 0.0)
SCALES = Anisotropy(X, 0.5, 0.75)  # a snake's: sideways is hardest, forward easiest
SIDEWAYS = 0.4


def row(z: np.ndarray) -> Row:
    return Row(dict(enumerate(map(float, z))), None, float(z @ z))


def random_blocks(seed: int, contacts: int, anisotropy: Anisotropy) -> tuple[list[Block], list[float]]:
    """Return contacts of a body with random inertias, and velocities that press it down while it slides."""
    rng = np.random.default_rng(seed)
    freedoms = 3 * contacts
    blocks: list[Block] = []
    for k in range(contacts):
        own = 0.2 * rng.normal(size=(3, freedoms))
        own[:, 3 * k : 3 * k + 3] += np.eye(3)
        n, x, y = (row(z) for z in own)
        blocks.append(ContactBlock.of((n, x, y), SIDEWAYS, anisotropy=anisotropy))
    u = rng.normal(size=freedoms)
    u[::3] = -abs(u[::3])
    return blocks, u.tolist()


def missed(block: Block, w: list[float], p: list[float]) -> float:
    """Return by how much a contact misses the law: complementarity, cone, and [Hu et al. 2009] where it slides."""
    n, x, y = p
    ratio = SCALES.backward if x > 0.0 else SCALES.forward
    stretched = np.array([x / (SIDEWAYS * ratio), y / SIDEWAYS])
    slip = np.array(w[1:])
    speed = np.linalg.norm(slip)
    worst = max(-n, -w[0], abs(n * w[0]), np.linalg.norm(stretched) - n)
    if speed > 1e-5:
        worst = max(worst, float(np.linalg.norm(stretched + n * slip / speed)))
    return worst


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("contacts", [1, 3])
def test_sweeps_find_the_law(seed: int, contacts: int):
    blocks, u = random_blocks(seed, contacts, SCALES)
    solution = block_gauss_seidel(blocks, [0.0] * contacts, u, [[0.0] * 3] * contacts, 400)
    for block, p in zip(blocks, solution.impulses, strict=True):
        assert missed(block, [r.speed(solution.u) for r in block.rows], p) < 1e-6


@pytest.mark.parametrize("contacts", [1, 2, 4])
def test_the_augmented_lagrangian_finds_the_same_impulses(contacts: int):
    """Its slip terms are found by iteration, which is not proved to converge: one problem in twenty may be left."""
    found = 0
    for seed in range(20):
        blocks, u = random_blocks(seed, contacts, SCALES)
        swept = block_gauss_seidel(blocks, [0.0] * contacts, u, [[0.0] * 3] * contacts, 400)
        start = ImpulseSolution(u, [[0.0] * 3] * contacts, 1.0)
        solution = augmented(blocks, [0.0] * contacts, u, start, 1e-7)
        if solution.residual <= 1e-7:
            assert np.array(solution.impulses) == pytest.approx(np.array(swept.impulses), abs=1e-5)
            found += 1
    assert found >= 19


@pytest.mark.parametrize("seed", range(20))
def test_impulses_never_add_energy(seed: int):
    blocks, u = random_blocks(seed, 4, SCALES)
    solution = block_gauss_seidel(blocks, [0.0] * 4, u, [[0.0] * 3] * 4, 200)
    assert sum(energy_gain(u, solution.u)) < 0.0


def test_the_ratios_1_are_coulombs_cone():
    for seed in range(10):
        blocks, u = random_blocks(seed, 2, ISOTROPIC)
        plain: list[Block] = [ContactBlock.of(b.rows, SIDEWAYS) for b in blocks if isinstance(b, ContactBlock)]
        solutions = [block_gauss_seidel(b, [0.0] * 2, u, [[0.0] * 3] * 2, 50) for b in (blocks, plain)]
        assert np.array(solutions[0].impulses) == pytest.approx(np.array(solutions[1].impulses), abs=1e-12)


@pytest.mark.parametrize("angle", np.linspace(0.0, 2.0 * math.pi, 9)[:-1])
def test_the_force_turns_from_the_slip_as_in_hu(angle: float):
    """Friction (m_x cos, m_y sin) at a slip of a given angle; it dissipates m_x cos^2 + m_y sin^2 of the speed."""
    slip, isotropic = Vector(math.cos(angle), math.sin(angle), 0.0) * 0.3, SIDEWAYS * 7.0
    friction = SCALES.friction(Vector(0.0, 0.0, 1.0), slip * (-isotropic / 0.3), slip)
    m_x = SIDEWAYS * (0.5 if math.cos(angle) > 0.0 else 0.75)
    expected = (-7.0 * m_x * math.cos(angle), -7.0 * SIDEWAYS * math.sin(angle), 0.0)
    assert tuple(friction) == pytest.approx(expected, abs=1e-12)
    assert friction.dot(slip) < 0.0


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.6, 0.0, 0.8), (0.0, 0.0, 1.0)])
def test_the_frame_of_a_contact_is_right_handed(axis: tuple[float, float, float]):
    n = Vector(0.0, -0.28, 0.96)
    normal, forward, left = contact_frame(n, Anisotropy(Vector(*axis), 0.5, 0.5))
    F = np.array([list(forward), list(left), list(normal)])
    assert pytest.approx(np.eye(3), abs=1e-12) == F @ F.T
    assert np.linalg.det(F) == pytest.approx(1.0)
