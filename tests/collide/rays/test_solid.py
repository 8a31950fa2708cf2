"""Rays at shapes, against MuJoCo's rays, Newton's method on distances, and a search along the ray."""

import math
from typing import Any

import mujoco
import numpy as np
import pytest
from matplotlib.tri import LinearTriInterpolator, Triangulation
from numpy.typing import NDArray

from gambol.collide.continuous import BallMotion, time_of_impact
from gambol.collide.convex.geom import PLANE
from gambol.collide.gap import FAR
from gambol.collide.rays import Ray, shape_distance
from gambol.errors import FigureError
from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Frustum, HeightField, Hull, Pipe, Sphere
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.rotation import Quaternion

CUBE = ((-1.0, -1.0, -1.0), (1.0, -1.0, -1.0), (0.0, 1.2, -0.8), (0.1, 0.2, 1.3), (0.4, -0.9, 1.0), (-0.8, 0.1, 0.4))
SHAPES: dict[str, tuple[Any, str]] = {
    "sphere": (Sphere(0.7), 'type="sphere" size="0.7"'),
    "capsule": (Capsule(0.4, 1.1), 'type="capsule" size="0.4 0.55"'),
    "box": (Box((1.0, 0.6, 1.7)), 'type="box" size="0.5 0.3 0.85"'),
    "cylinder": (Cylinder(0.6, 0.9), 'type="cylinder" size="0.6 0.45"'),
    "ellipsoid": (Ellipsoid((0.5, 0.9, 0.3)), 'type="ellipsoid" size="0.5 0.9 0.3"'),
    "hull": (Hull(CUBE), 'type="mesh" mesh="hull"'),
}


def random_ray(rng: np.random.Generator, aim: float = 0.8) -> tuple[NDArray[Any], NDArray[Any]]:
    """An origin around the shapes, and a direction to a point near them."""
    origin = rng.normal(size=3)
    origin *= rng.uniform(2.0, 4.0) / np.linalg.norm(origin)
    direction = rng.uniform(-aim, aim, 3) - origin
    return origin, direction / np.linalg.norm(direction)


def random_pose(rng: np.random.Generator) -> tuple[Transform, NDArray[Any], NDArray[Any]]:
    q, p = rng.normal(size=4), rng.uniform(-0.2, 0.2, 3)
    q /= np.linalg.norm(q)
    return Transform(Quaternion(*q).rotation(), Vector(*p)), q, p


@pytest.mark.parametrize("kind", SHAPES)
def test_rays_hit_shapes_where_mujocos_do(kind: str):
    """MuJoCo's closed forms lose digits to cancellation: 1e-7 of 4 m for quadrics seen at a grazing angle."""
    shape, geom = SHAPES[kind]
    rng = np.random.default_rng(3)
    vertices = " ".join(f"{x:.17g}" for vertex in CUBE for x in vertex)
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><asset><mesh name="hull" vertex="{vertices}" inertia="exact"/></asset>'
        f'<worldbody><body mocap="true"><geom {geom}/></body></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    hits = misses = 0
    for _ in range(200):
        pose, q, p = random_pose(rng)
        data.mocap_quat[0], data.mocap_pos[0] = q, p
        mujoco.mj_forward(model, data)
        origin, direction = random_ray(rng)
        hit_geom = np.zeros(1, np.int32)
        expected = mujoco.mj_ray(model, data, origin, direction, None, 1, -1, hit_geom)
        distance = shape_distance(Ray(Vector(*origin), Vector(*direction)), shape, pose)
        if expected < 0.0:
            assert distance == FAR
            misses += 1
        else:
            assert distance == pytest.approx(expected, abs=4e-7)
            hits += 1
    assert min(hits, misses) > 20


FRUSTA = [Frustum(0.9, 0.3, 1.2), Frustum(0.2, 0.8, 0.5), Frustum(0.7, 0.0, 0.7), Frustum(0.5, 0.5, 1.0)]


@pytest.mark.parametrize("shape", [*FRUSTA, *(shape for shape, _ in SHAPES.values())])
def test_rays_hit_shapes_where_newtons_method_does(shape: Any):
    """The time of impact of a point, by Newton's method on its distance, which stops within 1e-9 of the lengths."""
    rng, reach, hits = np.random.default_rng(4), 8.0, 0
    for _ in range(60):
        pose, _, _ = random_pose(rng)
        origin, direction = (Vector(*x) for x in random_ray(rng, 0.6))
        hit = time_of_impact(shape, pose, BallMotion(origin, direction * reach))
        distance = shape_distance(Ray(origin, direction), shape, pose)
        assert (distance >= FAR) == (hit.time >= FAR)
        if hit.time < FAR:
            hits += 1
            assert distance == pytest.approx(reach * hit.time, abs=1e-6)  # a grazing angle of 1e-3 magnifies the 1e-9
    assert hits > 20


def test_a_ray_parallel_to_the_side_of_a_cone_hits_it():
    """The quadric is linear along such a ray. A cone of half angle 45 degrees, seen along its side from outside."""
    cone = Frustum(1.0, 0.0, 1.0)
    direction = Vector(-math.sqrt(0.5), 0.0, math.sqrt(0.5))
    inward = Ray(Vector(-1.0, 0.0, -1.5), Vector(math.sqrt(0.5), 0.0, math.sqrt(0.5)))
    still = Transform(Rotation(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))), Vector(0.0, 0.0, 0.0))
    assert shape_distance(Ray(Vector(2.0, 0.0, -0.5), direction), cone, still) == FAR
    assert shape_distance(inward, cone, still) == pytest.approx(math.sqrt(2.0), abs=1e-12)  # at its base, z = -0.5


def test_a_ray_passes_through_a_pipe_and_hits_its_inside():
    """A search along the ray: the first of many points that is in the wall, refined by bisection."""
    pipe, rng, hits = Pipe(0.5, 0.7, 1.2), np.random.default_rng(5), 0

    def in_wall(p: NDArray[Any]) -> Any:
        r = np.hypot(p[..., 0], p[..., 1])
        return (r >= 0.5) & (r <= 0.7) & (np.abs(p[..., 2]) <= 0.6)

    for _ in range(300):
        pose, _, _ = random_pose(rng)
        origin, direction = random_ray(rng)
        local = Ray(Vector(*origin), Vector(*direction)).local(pose)
        o, d = np.array(list(local.origin)), np.array(list(local.direction))
        t = np.linspace(0.0, 6.0, 12001)
        inside = in_wall(o + t[:, None] * d)
        distance = shape_distance(Ray(Vector(*origin), Vector(*direction)), pipe, pose)
        if not inside.any():
            assert distance == FAR or in_wall(o + (distance + 1e-9) * d) or in_wall(o + (distance - 1e-9) * d)
            continue
        hits += 1
        low, high = t[np.argmax(inside) - 1], t[np.argmax(inside)]
        if distance < low:  # a corner of the wall between two points of the search
            assert in_wall(o + (distance + 1e-9) * d)
            continue
        for _ in range(50):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if in_wall(o + middle * d) else (middle, high)
        assert distance == pytest.approx(high, abs=1e-9)
    assert hits > 50


@pytest.mark.parametrize("shape", [*(shape for shape, _ in SHAPES.values()), Frustum(0.9, 0.5, 1.2)])
def test_a_ray_from_inside_has_no_length_and_one_away_none(shape: Any):
    pose = Transform(Rotation(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))), Vector(0.0, 0.0, 0.0))
    for direction in (Vector(1.0, 0.0, 0.0), Vector(0.0, -1.0, 0.0), Vector(0.0, 0.0, 1.0)):
        assert shape_distance(Ray(Vector(0.0, 0.0, 0.0), direction), shape, pose) == 0.0
        assert shape_distance(Ray(direction * 3.0, direction), shape, pose) == FAR
        assert 0.0 < shape_distance(Ray(direction * -3.0, direction), shape, pose) < 3.0


def test_compiled_rays_are_those_of_python():
    shapes = [shape for shape, _ in SHAPES.values()] + [FRUSTA[0], Pipe(0.5, 0.7, 1.2)]
    rng = np.random.default_rng(6)
    pose, _, _ = random_pose(rng)

    def distances(origin: list[Any], direction: list[Any]) -> tuple[Any, ...]:
        ray = Ray(Vector(*origin), Vector(*direction))
        return ([shape_distance(ray, shape, pose) for shape in shapes],)

    rays = [random_ray(rng) for _ in range(40)]
    program = Program(ProgramSpec("rays", distances, ([0.0] * 3, [0.0] * 3)))
    (compiled,) = program(np.array([o for o, _ in rays]).T.copy(), np.array([d for _, d in rays]).T.copy())
    expected = np.array([distances(list(o), list(d))[0] for o, d in rays]).T
    np.testing.assert_allclose(compiled, expected, rtol=0, atol=1e-9)
    assert ((expected < FAR).mean(axis=1) > 0.1).all()


def test_a_height_field_is_hit_on_its_top_and_its_sides():
    """A search along the ray for the solid below the triangles, which scipy interpolates."""
    rng, hits = np.random.default_rng(8), 0
    heights = rng.uniform(0.0, 0.5, (5, 4))
    field = HeightField(tuple(map(tuple, heights)), 0.4, 0.3)
    x, y = np.meshgrid(0.4 * (np.arange(5) - 2.0), 0.4 * (np.arange(4) - 1.5), indexing="ij")
    cells = [(i * 4 + j, i * 4 + j + 1, (i + 1) * 4 + j, (i + 1) * 4 + j + 1) for i in range(4) for j in range(3)]
    triangles = [t for a, b, c, d in cells for t in ((a, c, b), (d, b, c))]
    top = LinearTriInterpolator(Triangulation(x.ravel(), y.ravel(), triangles), heights.ravel())
    bottom = heights.min() - 0.3
    for _ in range(150):
        pose, _, _ = random_pose(rng)
        origin, direction = random_ray(rng, 0.5)
        ray = Ray(Vector(*origin), Vector(*direction))
        local, t = ray.local(pose), np.linspace(0.0, 6.0, 6001)
        o, d = np.array(list(local.origin)), np.array(list(local.direction))

        def is_inside(t: Any, o: Any = o, d: Any = d) -> Any:
            p = o + np.atleast_1d(t)[:, None] * d
            return (p[:, 2] <= np.ma.filled(top(p[:, 0], p[:, 1]), -np.inf)) & (p[:, 2] >= bottom)

        inside, distance = is_inside(t), shape_distance(ray, field, pose)
        sampled = t[np.argmax(inside)] if inside.any() else FAR
        assert distance <= sampled + 1e-9
        if distance < FAR:
            hits += 1
            assert sampled - distance <= 1e-3 or is_inside(distance + 1e-7).all()  # else a corner between two samples
            assert not is_inside(distance - 1e-7).any()
    assert hits > 50


def test_rays_refuse_shapes_that_they_cannot_hit():
    with pytest.raises(FigureError, match="rays cannot be cast at a plane; they can at sphere, capsule"):
        shape_distance(
            Ray(Vector(0.0, 0.0, 3.0), Vector(0.0, 0.0, -1.0)), PLANE, random_pose(np.random.default_rng())[0]
        )
