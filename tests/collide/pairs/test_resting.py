"""Contact points of resting bodies: those expected by hand, and none deeper than the body."""

import math

import numpy as np
import pytest

from gambol.collide.convex import PLANE, Geom
from gambol.collide.gap import FAR, Gap
from gambol.collide.pairs import gaps
from gambol.figure import Hull
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM
from gambol.spatial.rotation import IDENTITY

SUNK = 1e-3


def at(x: float, y: float, z: float, turn: Rotation = IDENTITY) -> Transform:
    return Transform(turn, Vector(x, y, z))


def about(axis: int, angle: float) -> Rotation:
    return Rotation.about_coordinate(axis, math.sin(angle), math.cos(angle))


def touching(result: list[Gap]) -> list[Gap]:
    return [gap for gap in result if gap.size < 0.5 * FAR and gap.size < 0.0]


def places(result: list[Gap]) -> np.ndarray:
    return np.array(sorted((round(g.point_a.x, 9) + 0.0, round(g.point_a.y, 9) + 0.0) for g in touching(result)))


def test_a_box_stands_on_four_corners_of_a_plane_and_of_a_wider_box():
    small, wide = Geom("box", (0.4, 0.2, 0.6)), Geom("box", (2.0, 2.0, 1.0))
    corners = [(-0.2, -0.1), (-0.2, 0.1), (0.2, -0.1), (0.2, 0.1)]
    pose = at(0.0, 0.0, 0.3 - SUNK)
    for below, under in ((PLANE, IDENTITY_TRANSFORM), (wide, at(0.0, 0.0, -0.5))):
        result = gaps(small, pose, below, under)
        np.testing.assert_allclose(places(result), corners, atol=1e-12)
        for gap in touching(result):
            assert gap.size == pytest.approx(-SUNK, abs=1e-12)
            np.testing.assert_allclose(list(gap.normal), [0.0, 0.0, 1.0], atol=1e-12)


def test_equal_boxes_in_a_stack_touch_at_their_four_common_corners():
    box = Geom("box", (1.0, 1.0, 1.0))
    result = gaps(box, at(0.0, 0.0, 1.0 - SUNK), box, IDENTITY_TRANSFORM)
    assert len(touching(result)) == 4
    np.testing.assert_allclose(np.abs(places(result)), 0.5, atol=1e-9)


def test_boxes_turned_by_an_eighth_touch_at_the_eight_corners_of_an_octagon():
    box = Geom("box", (1.0, 1.0, 1.0))
    result = gaps(box, at(0.0, 0.0, 1.0 - SUNK, about(2, math.pi / 4)), box, IDENTITY_TRANSFORM)
    radii = np.hypot(*places(result).T)
    assert len(radii) == 8
    np.testing.assert_allclose(radii, 0.5 / math.cos(math.pi / 8), atol=1e-9)


def test_crossed_edges_touch_at_one_point():
    box = Geom("box", (1.0, 1.0, 1.0))
    reach = math.sqrt(0.5)
    upper = about(2, math.pi / 2) @ about(0, math.pi / 4)
    result = gaps(
        box, at(0.1, 0.2, 2 * reach - SUNK, upper), box, Transform(about(0, math.pi / 4), Vector(0.0, 0.0, 0.0))
    )
    hits = touching(result)
    assert min(g.size for g in hits) == pytest.approx(-SUNK, abs=1e-9)
    deepest = min(hits, key=lambda g: g.size)
    np.testing.assert_allclose([deepest.point_a.x, deepest.point_a.y], [0.1, 0.0], atol=1e-6)


@pytest.mark.parametrize("below", ["plane", "box"])
def test_a_capsule_lies_on_both_its_ends_and_half_over_an_edge_on_end_and_edge(below: str):
    capsule, lying = Geom("capsule", (0.1, 1.0)), about(1, math.pi / 2)
    floor, under = (
        (PLANE, IDENTITY_TRANSFORM) if below == "plane" else (Geom("box", (3.0, 3.0, 1.0)), at(0.0, 0.0, -0.5))
    )
    result = gaps(capsule, at(0.0, 0.0, 0.1 - SUNK, lying), floor, under)
    np.testing.assert_allclose(places(result), [(-0.5, 0.0), (0.5, 0.0)], atol=1e-12)
    if below == "box":
        result = gaps(capsule, at(1.5, 0.0, 0.1 - SUNK, lying), floor, under)
        np.testing.assert_allclose(places(result), [(1.0, 0.0), (1.5, 0.0)], atol=1e-12)


def test_parallel_capsules_touch_at_both_ends_of_where_they_lie_side_by_side_and_crossed_ones_once():
    capsule = Geom("capsule", (0.1, 1.0))
    lying = about(1, math.pi / 2)
    result = gaps(capsule, at(0.3, 0.0, 0.2 - SUNK, lying), capsule, at(0.0, 0.0, 0.0, lying))
    np.testing.assert_allclose(places(result), [(-0.2, 0.0), (0.5, 0.0)], atol=1e-12)
    crossed = about(2, math.pi / 2) @ lying
    result = gaps(capsule, at(0.3, 0.0, 0.2 - SUNK, crossed), capsule, at(0.0, 0.0, 0.0, lying))
    np.testing.assert_allclose(places(result), [(0.3, 0.0)], atol=1e-12)


def test_a_cylinder_stands_on_a_triangle_of_its_rim_and_lies_on_a_line():
    cylinder = Geom("cylinder", (0.3, 1.0))
    standing = gaps(cylinder, at(0.0, 0.0, 0.5 - SUNK), PLANE, IDENTITY_TRANSFORM)
    spots = places(standing)
    assert len(spots) == 3
    np.testing.assert_allclose(spots.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.hypot(*spots.T), 0.3, atol=1e-12)
    for floor, under in ((PLANE, IDENTITY_TRANSFORM), (Geom("box", (3.0, 3.0, 1.0)), at(0.0, 0.0, -0.5))):
        lying = gaps(cylinder, at(0.0, 0.0, 0.3 - SUNK, about(1, math.pi / 2)), floor, under)
        np.testing.assert_allclose(places(lying), [(-0.5, 0.0), (0.5, 0.0)], atol=1e-9)


def test_cylinders_that_lie_side_by_side_touch_on_a_line():
    cylinder, lying = Geom("cylinder", (0.3, 1.0)), about(1, math.pi / 2)
    result = gaps(cylinder, at(0.4, 0.0, 0.6 - SUNK, lying), cylinder, at(0.0, 0.0, 0.0, lying))
    np.testing.assert_allclose(places(result), [(-0.1, 0.0), (0.5, 0.0)], atol=1e-6)


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 0.3, 1.0, math.pi / 2, 2.5])
def test_the_lowest_point_of_a_tilted_rim_is_exact(tilt: float):
    """A rim sampled at a million places is never lower."""
    base, top, length = 0.3, 0.2, 0.7
    pose = at(0.0, 0.0, 0.1, about(0, 0.4) @ about(1, tilt))
    angles = np.linspace(0.0, 2 * math.pi, 100_001)
    rows = np.array(pose.rotation.rows)
    lowest = math.inf
    for radius, z in ((base, -length / 2), (top, length / 2)):
        rim = np.array([radius * np.cos(angles), radius * np.sin(angles), np.full_like(angles, z)])
        lowest = min(lowest, float((rows[2] @ rim).min()) + 0.1)
    result = gaps(Geom("frustum", (base, top, length)), pose, PLANE, IDENTITY_TRANSFORM)
    assert result[0].size == min(g.size for g in result)
    assert lowest - 1e-9 <= result[0].size <= lowest + 1e-15


def test_a_hull_of_many_corners_rests_on_some_that_are_lowest_and_no_corner_counts_twice():
    angles = np.linspace(0.0, 2 * math.pi, 12, endpoint=False)
    prism = Hull(tuple((math.cos(a), math.sin(a), z) for a in angles for z in (-0.5, 0.5)))
    result = touching(gaps(prism, at(0.0, 0.0, 0.5 - SUNK), PLANE, IDENTITY_TRANSFORM))
    spots = {(g.point_a.x, g.point_a.y) for g in result}
    assert 3 <= len(spots) == len(result)
    on_box = touching(gaps(prism, at(0.0, 0.0, 0.5 - SUNK), Geom("box", (4.0, 4.0, 1.0)), at(0.0, 0.0, -0.5)))
    assert len({(round(g.point_a.x, 6), round(g.point_a.y, 6)) for g in on_box}) == len(on_box) == 4


def test_a_capsule_through_a_box_leaves_by_the_shortest_way():
    """The shortest way out is through the nearer of the large faces, although it sticks out of both small ones."""
    plate, rod = Geom("box", (2.0, 2.0, 0.2)), Geom("capsule", (0.05, 1.0))
    lying = about(1, math.pi / 2)
    first, second = gaps(rod, at(0.0, 0.0, 0.03, lying), plate, IDENTITY_TRANSFORM)
    assert first.size == pytest.approx(-(0.1 - 0.03) - 0.05, abs=1e-12)
    assert first.normal.z == 1.0
    assert second.size == FAR
    upright, _ = gaps(rod, at(0.9, 0.1, 0.0), plate, IDENTITY_TRANSFORM)
    assert upright.size == pytest.approx(-0.1 - 0.05, abs=1e-12)
    np.testing.assert_allclose(list(upright.normal), [1.0, 0.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("below", ["sphere", "capsule", "box", "ellipsoid", "cylinder"])
def test_concentric_bodies_still_have_a_way_out(below: str):
    sizes = {"sphere": (0.5,), "capsule": (0.5, 1.0), "box": (1.0, 1.2, 1.4), "ellipsoid": (0.5, 0.6, 0.7)}
    form = Geom(below, sizes.get(below, (0.5, 1.0)))
    for gap in gaps(Geom("sphere", (0.1,)), IDENTITY_TRANSFORM, form, IDENTITY_TRANSFORM):
        assert gap.size == pytest.approx(-0.6, abs=1e-9)
        assert gap.normal.length() == pytest.approx(1.0, abs=1e-12)
    for gap in gaps(form, IDENTITY_TRANSFORM, form, IDENTITY_TRANSFORM)[:1]:
        assert math.isfinite(gap.size)
        assert gap.size < 0.0


DEGENERATE = {
    "sphere": (0.0,),
    "capsule": (0.0, 1.0),
    "box": (1.0, 1.0, 0.0),
    "cylinder": (1.0, 0.0),
    "frustum": (0.0, 0.0, 1.0),
    "ellipsoid": (1.0, 1.0, 0.01),
}


@pytest.mark.parametrize("kind", list(DEGENERATE))
@pytest.mark.parametrize("other", ["box", "cylinder", "ellipsoid", "plane"])
def test_bodies_without_width_are_points_lines_and_plates(kind: str, other: str):
    """Each of the six has a point at the end of its first axis without thickness, and its true distance is found."""
    solid = {"box": (0.2, 0.2, 0.2), "cylinder": (0.1, 0.2), "ellipsoid": (0.1, 0.1, 0.1), "plane": ()}[other]
    thickness = 0.01 if kind == "ellipsoid" else 0.5 if kind in ("capsule", "frustum") else 0.0
    below = 0.0 if other == "plane" else 0.1
    for height in (0.3, 1e-3):
        result = gaps(
            Geom(kind, DEGENERATE[kind]),
            at(0.0, 0.0, below + thickness + height),
            Geom(other, solid),
            IDENTITY_TRANSFORM,
        )
        assert min(g.size for g in result) == pytest.approx(height, abs=1e-8)


def test_slivers_of_a_hundred_to_one_have_their_true_distance():
    needle, plate = Geom("box", (1.0, 0.01, 0.01)), Geom("box", (1.0, 1.0, 0.01))
    result = gaps(needle, at(0.1, 0.2, 0.0101, about(2, 0.7)), plate, IDENTITY_TRANSFORM)
    assert min(g.size for g in result) == pytest.approx(1e-4, abs=1e-12)
    blade = Geom("ellipsoid", (1.0, 0.01, 0.1))
    result = gaps(blade, at(0.0, 0.0, 0.1051), plate, IDENTITY_TRANSFORM)
    assert result[0].size == pytest.approx(1e-4, abs=1e-10)
