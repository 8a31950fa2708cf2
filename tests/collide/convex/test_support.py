"""Support points: in the body, and at the support extent that the closed form of the body gives."""

import numpy as np
import pytest
from solids import SOLIDS, bodies, local_extent

from gambol.collide.convex.support import margin, support
from gambol.spatial import Vector


@pytest.mark.parametrize("kind", SOLIDS)
def test_support_points_extend_as_far_as_the_body_does(kind: str):
    rng = np.random.default_rng(0)
    many = bodies(kind, 500, rng)
    d = rng.normal(size=(500, 3))
    point = np.array([np.broadcast_to(c, (500,)) for c in support(many.geom, Vector(*d.T))]).T
    extent = (point * d).sum(axis=1) + margin(many.geom) * np.linalg.norm(d, axis=1)
    np.testing.assert_allclose(extent, local_extent(kind, many.sizes, d), atol=1e-12)


@pytest.mark.parametrize("kind", SOLIDS)
@pytest.mark.parametrize("d", [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)])
def test_along_axes_and_along_nothing_support_points_are_finite(kind: str, d: tuple[float, float, float]):
    one = bodies(kind, 1, np.random.default_rng(1))
    point = support(one.geom, Vector(*d))
    assert all(np.isfinite(c) for c in point)
    extent = sum(c * e for c, e in zip(point, d, strict=True)) + margin(one.geom) * abs(sum(d))
    np.testing.assert_allclose(extent, local_extent(kind, one.sizes, np.array([d])), atol=1e-12)
