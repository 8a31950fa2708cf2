"""Distances between shapes against MuJoCo's, for every pair of kinds, and zones against closed forms."""

from itertools import combinations_with_replacement
from typing import Any

import mujoco
import numpy as np
import pytest

from gambol.creatures.make_world import make_world
from gambol.errors import GambolError
from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Figure, Joint, Link, Part, Shape, Sphere
from gambol.figure.forest import make_forest
from gambol.formats import Model
from gambol.sensing import Distance, InsideZone, Sensor
from gambol.world import State, World, start
from gambol.world.sensor_values import sensors

LIBRARY: Any = mujoco
SHAPES: dict[str, tuple[Shape, str]] = {
    "sphere": (Sphere(0.15), ".15"),
    "capsule": (Capsule(0.1, 0.4), ".1 .2"),
    "box": (Box((0.2, 0.3, 0.4)), ".1 .15 .2"),
    "cylinder": (Cylinder(0.1, 0.4), ".1 .2"),
    "ellipsoid": (Ellipsoid((0.1, 0.15, 0.2)), ".1 .15 .2"),
}
CCD_TOLERANCE = 1e-6
"""Error of MuJoCo's search of nearest points (opt.ccd_tolerance) [m]; the direction of a line of 1 m is as accurate."""
POSES = 8
EVERYTHING = ("distance", "normal", "points")


def two(a: str, b: str, **placed: Sensor) -> tuple[World, Any]:
    """Return a world with two free bodies, and MuJoCo's model of the same."""
    kinds = {"a": a, "b": b}
    links = {name: Link(name, None, Joint("free"), (Part(SHAPES[kind][0]),)) for name, kind in kinds.items()}
    figure = make_forest("two", {name: Figure(name, (link,)) for name, link in links.items()})
    geoms = {name: f'<geom name="{name}" type="{kind}" size="{SHAPES[kind][1]}"/>' for name, kind in kinds.items()}
    bodies = "".join(f'<body name="{name}"><freejoint/>{geom}</body>' for name, geom in geoms.items())
    floor = '<geom name="floor" type="plane" size="9 9 1"/>'
    world = make_world(Model(figure, ground=True), contact="stepping", pairs=(), sensors=placed)
    return world, LIBRARY.MjModel.from_xml_string(f"<mujoco><worldbody>{floor}{bodies}</worldbody></mujoco>")


def random_poses(world: World, model: Any, spread: float) -> list[tuple[State, Any]]:
    """Return states with both bodies at random poses, and MuJoCo's data of the same. spread: their distance [m]."""
    found: list[tuple[State, Any]] = []
    rng = np.random.default_rng(3)
    for _ in range(POSES):
        state, data = start(world), LIBRARY.MjData(model)
        for k, x in enumerate((0.0, spread)):
            quaternion = rng.normal(size=4)
            quaternion /= np.linalg.norm(quaternion)
            position = np.array([x, 0.0, 1.0]) + rng.uniform(-0.1, 0.1, 3)
            state.q[0, 7 * k : 7 * k + 7] = [*quaternion, *position]
            data.qpos[7 * k : 7 * k + 7] = [*position, *quaternion]
        LIBRARY.mj_kinematics(model, data)
        found.append((state, data))
    return found


@pytest.mark.parametrize(("a", "b"), [*combinations_with_replacement(SHAPES, 2)])
def test_two_shapes_are_as_far_apart_as_in_mujoco(a: str, b: str):
    world, model = two(a, b, gap=Distance("a", "b", parts=EVERYTHING))
    for state, data in random_poses(world, model, 1.0):
        ends = np.zeros(6)
        theirs = LIBRARY.mj_geomDistance(model, data, model.geom("a").id, model.geom("b").id, 5.0, ends)
        distance, *rest = sensors(world, state)["gap"][0]
        normal, start_point, end_point = np.array(rest).reshape(3, 3)
        assert distance == pytest.approx(theirs, abs=CCD_TOLERANCE)
        np.testing.assert_allclose(end_point - start_point, distance * normal, atol=1e-9)
        # the nearest points of two faces, or of curved surfaces, are the square root of the error away from the best
        np.testing.assert_allclose(normal, (ends[3:] - ends[:3]) / theirs, atol=2.0 * CCD_TOLERANCE**0.5)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_shape_is_as_high_above_the_ground_as_in_mujoco(kind: str):
    world, model = two(kind, "sphere", gap=Distance("a"))
    for state, data in random_poses(world, model, 1.0):
        theirs = LIBRARY.mj_geomDistance(model, data, model.geom("a").id, model.geom("floor").id, 5.0, np.zeros(6))
        assert sensors(world, state)["gap"][0, 0] == pytest.approx(theirs, abs=1e-9)


def test_overlaps_are_negative_and_nothing_is_found_beyond_the_reach():
    world, model = two("sphere", "capsule", gap=Distance("a", "b"), far=Distance("a", "b", reach=0.2, parts=EVERYTHING))
    (state, data), *_ = random_poses(world, model, 0.1)
    theirs = LIBRARY.mj_geomDistance(model, data, model.geom("a").id, model.geom("b").id, 5.0, np.zeros(6))
    assert theirs < 0.0
    assert sensors(world, state)["gap"][0, 0] == pytest.approx(theirs, abs=1e-9)
    (state, _), *_ = random_poses(world, model, 1.0)
    np.testing.assert_array_equal(sensors(world, state)["far"][0], [0.2] + 9 * [0.0])


def test_a_zone_contains_what_is_within_its_radius():
    zone = Sphere(0.3)
    world, model = two("sphere", "box", near=InsideZone("a", reference="b", zone=zone))
    inside = 0
    for state, data in random_poses(world, model, 0.3):
        distance = np.linalg.norm(data.xpos[1] - data.xpos[2])
        assert sensors(world, state)["near"][0, 0] == float(distance < 0.3)
        inside += distance < 0.3
    assert 0 < inside < POSES


def test_what_cannot_be_measured_is_refused():
    for sensor, message in (
        (Distance("a", "c"), 'no link "c"'),
        (Distance("a", "b", part=1), 'reads part 1 of "a", which has 1'),
        (Distance("a", "b", reach=0.0), "reaches 0.0 m"),
        (Distance("a", "b", parts=("size",)), 'reads "size"'),
        (InsideZone("a"), "has no zone"),
    ):
        with pytest.raises(GambolError, match=message):
            two("sphere", "box", s=sensor)
