"""Contact points of round shapes: the lowest of the shape, and continuous in force and energy as the shapes move."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.collide import HeightGrid, Plane
from gambol.collide.gap import Gap
from gambol.collide.pairs import ROLLING_SLOTS, rolling_gaps
from gambol.collide.pairs.rolling import MIN_TILT_SINE
from gambol.figure import Cylinder, Ellipsoid, Frustum
from gambol.figure.shapes import Shape
from gambol.spatial import Quaternion, Transform, Vector

SHAPES: list[Shape] = [Cylinder(0.1, 0.05), Frustum(0.1, 0.04, 0.2), Frustum(0.0, 0.1, 0.2), Ellipsoid((0.1, 0.2, 0.3))]
LEVEL = Plane()


def pose(turn: tuple[float, float, float], height: float = 0.0) -> Transform:
    return Transform(Quaternion.exponential(Vector(*turn)).rotation(), Vector(0.3, -0.2, height))


def over(shape: Shape, at: Transform, ground: Plane | HeightGrid = LEVEL) -> list[Gap]:
    return rolling_gaps(shape, at, ground, ground.numbers(), ground.table())


def surface_points(shape: Shape) -> np.ndarray:
    """Return a dense sample of points of a shape's rims, or of an ellipsoid (n, 3)."""
    turn = np.linspace(0.0, 2.0 * math.pi, 4000)
    if isinstance(shape, Ellipsoid):
        polar, azimuth = np.meshgrid(np.linspace(0.0, math.pi, 600), np.linspace(0.0, 2.0 * math.pi, 1200))
        way = np.stack([np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth), np.cos(polar)], axis=-1)
        return way.reshape(-1, 3) * shape.radii
    base, top = (shape.radius, shape.radius) if isinstance(shape, Cylinder) else (shape.base_radius, shape.top_radius)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    ends = [(base, -0.5 * shape.length), (top, 0.5 * shape.length)]
    return np.vstack([np.column_stack([radius * ring, np.full(len(ring), z)]) for radius, z in ends])


@pytest.mark.parametrize("shape", SHAPES)
@given(turn=st.tuples(*[st.floats(-3.0, 3.0)] * 3))
def test_no_point_of_the_shape_is_lower(shape: Shape, turn: tuple[float, float, float]):
    at = pose(turn)
    gaps = over(shape, at)
    assert len(gaps) == ROLLING_SLOTS[shape.kind]
    rows = np.array([[float(x) for x in row] for row in at.rotation.rows])
    lowest = (surface_points(shape) @ rows[2]).min()
    assert min(float(gap.size) for gap in gaps) == pytest.approx(lowest, abs=2e-5)
    tilt = math.hypot(*rows[2][:2])
    # Below a tilt of MIN_TILT_SINE the points stay where they are on a rim of 0.1 m, whose lowest is that much lower.
    assert min(float(gap.size) for gap in gaps) <= lowest + 1e-12 + (2.0 * 0.1 * tilt if tilt <= MIN_TILT_SINE else 0.0)


def energy(shape: Shape, at: Transform) -> float:
    """Return the energy of springs of 1 N/m at all points [J]."""
    return sum(0.5 * max(-float(gap.size), 0.0) ** 2 for gap in over(shape, at))


@pytest.mark.parametrize("shape", SHAPES[:3])
@given(
    tilt=st.sampled_from([1e-4, 1e-3, 0.02, 0.1, 0.5, 1.2, math.pi / 2, 2.5]),
    azimuth=st.floats(0.0, 6.2),
    depth=st.floats(1e-3, 0.02),
)
def test_the_force_of_springs_at_the_points_is_the_slope_of_their_energy(
    shape: Shape, tilt: float, azimuth: float, depth: float
):
    """Hence no energy is gained or lost as the points move over the shape."""
    turn = (tilt * math.cos(azimuth), tilt * math.sin(azimuth), 0.0)
    low = min(float(gap.size) for gap in over(shape, pose(turn)))
    at = pose(turn, -low - depth)
    moment = Vector(0.0, 0.0, 0.0)
    for gap in over(shape, at):
        moment = moment + (gap.point_a - at.position).cross(gap.normal * max(-float(gap.size), 0.0))
    step = 1e-6
    for axis in range(3):
        turned = [
            Transform(Quaternion.exponential(Vector.axis(axis, way)).rotation() @ at.rotation, at.position)
            for way in (step, -step)
        ]
        slope = (energy(shape, turned[0]) - energy(shape, turned[1])) / (2.0 * step)
        assert -slope == pytest.approx(float(moment[axis]), abs=1e-7)


def test_the_angle_of_the_points_of_a_flat_disc_has_no_effect():
    disc, forces = Cylinder(0.1, 0.02), list[np.ndarray]()
    for azimuth in np.linspace(0.0, 2.0 * math.pi, 7):
        tilt = 1e-3
        at = pose((tilt * math.cos(azimuth), tilt * math.sin(azimuth), 0.0), 0.009)
        force, moment = 0.0, np.zeros(3)
        for gap in over(disc, at):
            push = max(-float(gap.size), 0.0)
            force += push
            moment += np.cross([*(gap.point_a - at.position)], [0.0, 0.0, push])
        back = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
        forces.append(np.array([force, moment @ back, np.linalg.norm(np.cross(moment, back))]))
    np.testing.assert_allclose(forces, [forces[0]] * 7, atol=1e-12)
    assert forces[0][1] == pytest.approx(-1.5 * 0.1**2 * 1e-3, rel=0.02)  # three springs on a circle


def test_on_a_slope_the_points_are_as_deep_as_on_a_plane_that_is_tilted():
    slope = HeightGrid(0.3 * np.array([[-5.0, -5.0], [5.0, 5.0]]), 10.0, -5.0, -5.0)
    at, normal = pose((0.4, 0.3, 0.1), 0.2), Vector(-0.3, 0.0, 1.0) * (1.0 / math.hypot(0.3, 1.0))
    for shape in SHAPES:
        for gap in over(shape, at, slope):
            assert float(gap.size) == pytest.approx(float(gap.point_a.dot(normal)), abs=1e-12)
        points = surface_points(shape) @ np.array([[float(x) for x in row] for row in at.rotation.rows]).T
        lowest = (points @ [*normal]).min() + float(at.position.dot(normal))
        assert min(float(gap.size) for gap in over(shape, at, slope)) == pytest.approx(lowest, abs=3e-5)
