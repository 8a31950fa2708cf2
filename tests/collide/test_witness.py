"""Separating planes as witnesses: lower bounds of distances, and no pair within the margin is ever missed."""

from typing import Any

import numpy as np
import pytest

from gambol.collide.gap import FAR
from gambol.collide.pairs import gaps, is_searched
from gambol.collide.witness import NO_PLANE, gaps_with_witness, separation_along
from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Frustum, Hull
from gambol.lanes import Precision, Program, ProgramSpec
from gambol.spatial import Quaternion, Transform, Vector

OCTAHEDRON = Hull(
    ((0.2, 0.0, 0.0), (-0.2, 0.0, 0.0), (0.0, 0.15, 0.0), (0.0, -0.15, 0.0), (0.0, 0.0, 0.3), (0.0, 0.0, -0.1))
)
SHAPES: dict[str, Any] = {
    "box": Box((0.3, 0.2, 0.1)),
    "cylinder": Cylinder(0.1, 0.3),
    "frustum": Frustum(0.15, 0.05, 0.2),
    "ellipsoid": Ellipsoid((0.2, 0.1, 0.05)),
    "capsule": Capsule(0.05, 0.2),
    "hull": OCTAHEDRON,
}
PAIRS = [("box", "box"), ("box", "cylinder"), ("ellipsoid", "frustum"), ("hull", "capsule"), ("hull", "box")]


def random_unit(rng: np.random.Generator, count: int) -> Any:
    x = rng.normal(size=count)
    return x / np.linalg.norm(x)


def pose(quaternion: Any, position: Any) -> Transform:
    return Transform(Quaternion(*quaternion.tolist()).rotation(), Vector(*np.asarray(position).tolist()))


@pytest.mark.parametrize("kinds", PAIRS)
def test_separation_is_a_lower_bound_that_the_normal_of_the_distance_attains(kinds: tuple[str, str]):
    rng = np.random.default_rng(3)
    a, b = (SHAPES[kind] for kind in kinds)
    apart = 0
    for _ in range(60):
        A = pose(random_unit(rng, 4), rng.normal(size=3))
        B = pose(random_unit(rng, 4), np.array([*A.position]) + rng.uniform(-0.4, 0.4, 3))
        nearest = min(gaps(a, A, b, B), key=lambda gap: gap.size)
        if nearest.size <= 1e-3:
            continue
        apart += 1
        attained, _ = separation_along(a, A, b, B, nearest.normal)
        # By duality the largest separation over all directions is the distance [Ericson 2005, section 9.5].
        assert abs(attained - nearest.size) < 1e-6
        for _ in range(10):
            s, _ = separation_along(a, A, b, B, Vector(*random_unit(rng, 3).tolist()))
            assert s <= nearest.size + 1e-9
    assert apart > 10


MARGIN = 0.02
UPRIGHT = pose(np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3))


def both_ways(kinds: tuple[str, str]) -> ProgramSpec:
    """The gaps of a shape at the origin and one at (q, x), with a plane of normal n, and without."""
    a, b = (SHAPES[kind] for kind in kinds)

    def sizes(q: Any, x: Any, n: Any) -> Any:
        B = Transform(Quaternion(*q).rotation(), Vector.of(x))
        found = gaps_with_witness(a, UPRIGHT, b, B, Vector.of(n), MARGIN)
        return (
            [gap.size for gap in found.gaps],
            [gap.size for gap in gaps(a, UPRIGHT, b, B)],
            found.normal,
            found.separated,
        )

    return ProgramSpec("witness", sizes, ((0.0,) * 4, (0.0,) * 3, (0.0,) * 3), 0, kinds)


@pytest.mark.parametrize("kinds", PAIRS)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_gaps_within_the_margin_are_those_of_the_search_along_a_motion(kinds: tuple[str, str], precision: Precision):
    rng, program = np.random.default_rng(4), Program(both_ways(kinds), precision, 8)
    q, w = (np.array([random_unit(rng, 4) for _ in range(64)]).T for _ in range(2))
    v = np.array([random_unit(rng, 3) for _ in range(64)]).T
    normals = np.tile(np.array([*NO_PLANE]).reshape(3, 1), 64)
    hits = within = apart = 0
    for t in np.linspace(-1.0, 1.0, 60):  # each shape flies past, turning, 0.1 m off the origin
        turned = q + 0.3 * t * w
        x = 0.8 * t * v + 0.1 * np.array([v[1], -v[0], 0.0 * v[2]])
        found, expected, normals, separated = program(turned / np.linalg.norm(turned, axis=0), x, normals)
        near = expected.min(axis=0) <= MARGIN
        assert not separated[0, near].any()
        searched = separated[0] < 0.5
        assert np.array_equal(found[:, searched], expected[:, searched])
        assert (found[:, ~searched] == FAR).all()
        hits, within, apart = hits + int(separated.sum()), within + int(near.sum()), apart + int((~near).sum())
    assert within > 200
    assert hits > 0.9 * apart  # the plane of one step mostly separates in the next


def test_floats_make_what_a_program_makes():
    rng, spec = np.random.default_rng(5), both_ways(("box", "cylinder"))
    q = np.array([random_unit(rng, 4) for _ in range(16)]).T
    x = rng.uniform(-0.3, 0.3, (3, 16))
    n = -x / np.linalg.norm(x, axis=0)
    results, total = Program(spec, "float64", 8)(q, x, n), 0.0
    for k in range(16):
        found, expected, normal, separated = spec.function(q[:, k].tolist(), x[:, k].tolist(), n[:, k].tolist())
        # The points of contact beside the nearest depend on the last bits of the normal; the nearest does not.
        for result, sizes in zip(results[:2], (found, expected), strict=True):
            np.testing.assert_allclose(result[:, k].min(), min(sizes), atol=1e-9)
        # A direction that is off by d changes the distance by d^2, and the search ends at 1e-12 of it.
        np.testing.assert_allclose(results[2][:, k], [*normal], atol=1e-5)
        assert results[3][0, k] == separated
        total += separated
    assert 0.0 < total < 16.0


def test_search_is_known_by_its_kinds():
    assert is_searched("box", "box")
    assert is_searched("hull", "sphere")
    assert not is_searched("sphere", "box")
