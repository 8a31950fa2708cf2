"""Springs by point: their sums against NumPy's, opposite forces, broken springs, and points with many springs."""

import numpy as np
import pytest

from gambol.matter.forces.layout import padded_count, padded_rows
from gambol.matter.forces.point_springs import MAX_SLOTS, PointSprings
from gambol.matter.mesh import SpringMesh, Springs

HUB = 40
"""Springs of the middle point: more than a program's run has."""


def star(rng, damping):
    """Return a mesh of points around a hub, joined to it and to their neighbours."""
    points = np.concatenate([[[0.0, 0.0, 0.0]], rng.standard_normal((HUB, 3))])
    rim = np.arange(1, HUB)
    ends = np.concatenate([[[k, 0] for k in range(1, HUB + 1)], np.stack([rim, rim + 1], axis=1)])
    rest, stiffness = rng.uniform(0.5, 1.5, len(ends)), rng.uniform(10.0, 90.0, len(ends))
    return SpringMesh(points, np.ones(len(points)), Springs(ends, rest, stiffness, damping * stiffness))


@pytest.mark.parametrize("damping", [0.0, 0.02])
def test_forces_energies_and_losses_are_those_of_numpy(damping):
    rng = np.random.default_rng(4)
    mesh = star(rng, damping)
    s, n, N = mesh.springs, len(mesh.points), padded_count(len(mesh.points))
    assert HUB > 2 * MAX_SLOTS
    x, v = padded_rows(mesh.points.T, N), padded_rows(rng.standard_normal((3, n)), N)
    intact = (rng.uniform(size=len(s)) < 0.7).astype(float)
    springs, total = PointSprings.of(mesh, N), np.zeros((3, N))
    energy, lost = springs.add_forces(springs.without_broken(intact), x, v, total, (None, 1))
    a, b = s.ends.T
    r, u = mesh.points[a] - mesh.points[b], (v[:, a] - v[:, b]).T
    length = np.linalg.norm(r, axis=1)
    d, stretch = r / length[:, None], length - s.rest
    rate = (d * u).sum(axis=1)
    force = -((s.stiffness * stretch + s.damping * rate) * intact)[:, None] * d
    expected = np.zeros((n, 3))
    np.add.at(expected, a, force)
    np.add.at(expected, b, -force)
    scale = np.abs(force).sum()
    assert np.allclose(total[:, :n].T, expected, rtol=0.0, atol=1e-14 * scale)
    assert np.abs(total[:, :n].sum(axis=1)).max() < 1e-14 * scale
    assert energy.sum() == pytest.approx((0.5 * s.stiffness * stretch**2 * intact).sum(), rel=1e-13)
    assert lost.sum() == pytest.approx((s.damping * rate**2 * intact).sum(), rel=1e-13)


def test_the_forces_of_one_spring_are_exactly_opposite_for_any_lanes():
    rng = np.random.default_rng(5)
    N = padded_count(2)
    for _ in range(20):
        mesh = SpringMesh(rng.standard_normal((2, 3)), np.ones(2), Springs(np.array([[0, 1]]), 0.3, 70.0, 0.4))
        x, v = padded_rows(mesh.points.T, N), padded_rows(rng.standard_normal((3, 2)), N)
        springs, found = PointSprings.of(mesh, N), []
        for lanes in (1, 4, None):
            total = np.zeros((3, N))
            springs.add_forces(springs.numbers, x, v, total, (lanes, 1))
            found.append(total[:, :2])
        assert np.array_equal(found[0][:, 0], -found[0][:, 1])
        assert all(np.array_equal(found[0], other) for other in found[1:])
