"""Kinematic walkers: standing feet do not move, by forward kinematics of the film; bodies lean as v^2 / (g r) says."""

import math

import numpy as np
import pytest

from gambol.collide import HeightGrid
from gambol.contact import SurfaceProperties
from gambol.creatures.models import default_contact_parameters
from gambol.errors import GambolError
from gambol.figure import Box, Capsule, Figure, Joint, Link, Part, Sphere
from gambol.plan.path import Ease, PacedCurve
from gambol.plan.walk import Foot, Footfalls, kinematic_walk, lowest_points
from gambol.spatial import interpolating, straight
from gambol.spatial.conversions import rotate
from gambol.world import World

TROT = (0.0, 0.5, 0.5, 0.0)
HIP, LIMB, BALL = 0.5, 0.3, 0.03  # height of the hips, length of a segment, radius of a foot [m]
BEND = math.acos(0.5 * (HIP - BALL) / LIMB)


def walker():
    """A box on four legs of two segments: hips that swing in two directions, knees, and balls as feet."""
    links = [Link("trunk", None, Joint("free"), (Part(Box((0.7, 0.3, 0.15))),))]
    for name, x, y in (("hl", -0.3, 0.15), ("fl", 0.3, 0.15), ("hr", -0.3, -0.15), ("fr", 0.3, -0.15)):
        limb = Part(Capsule(0.02, LIMB), position=(0.0, 0.0, -0.5 * LIMB))
        hip = Joint("universal", (1.0, 0.0, 0.0), across=(0.0, 1.0, 0.0), position=(x, y, 0.0))
        knee = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -LIMB))
        foot = Part(Sphere(BALL), position=(0.0, 0.0, -LIMB))
        links += [Link(f"{name} thigh", "trunk", hip, (limb,)), Link(f"{name} shank", f"{name} thigh", knee, (foot,))]
    return Figure("walker", tuple(links))


def posture(figure):
    return [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, HIP, *4 * [0.0, BEND, -2.0 * BEND]]


def feet_of(figure):
    return lowest_points(figure, posture(figure), [f"{name} shank" for name in ("hl", "fl", "hr", "fr")])


def circle(radius, turn=2.0 * math.pi):
    closed = turn > 6.0
    a = np.linspace(0.0, turn, 49)[: 48 if closed else 49]
    return interpolating(np.stack([radius * np.sin(a), radius * (1.0 - np.cos(a)), 0.0 * a], axis=-1), closed=closed)


@pytest.fixture(scope="module")
def figure():
    return walker()


@pytest.fixture(scope="module")
def turning(figure):
    """A circle to the left with a radius of 2 m in 12 s, with constant speed in its middle."""
    path = PacedCurve(circle(2.0), 12.0, Ease(0.1, 0.1))
    return path, kinematic_walk(figure, posture(figure), feet_of(figure), path, Footfalls(0.4, 0.6, TROT, 0.08))


def foot_positions(figure, film):
    """Return the places of the feet's centres (F, 4, 3) from the poses of links in a film."""
    index = [film.link_names.index(f"{name} shank") for name in ("hl", "fl", "hr", "fr")]
    return film.position[:, 0, index] + rotate(film.quaternion[:, 0, index], (0.0, 0.0, -LIMB))


def test_the_lowest_points_are_the_centres_of_the_feet(figure):
    for foot in feet_of(figure).values():
        np.testing.assert_allclose(foot.points, [(0.0, 0.0, -LIMB)], atol=1e-15)
        assert foot.height == BALL


def test_standing_feet_do_not_move(figure, turning):
    """Between two frames of one stance, by the poses of the film; a stance lasts at least 14 frames."""
    _, walk = turning
    film, places = walk.film, foot_positions(figure, walk.film)
    stands = film.signals["stepping"][:, 0] == 0.0
    assert stands.mean() == pytest.approx(0.6, abs=0.02)  # the duty factor
    both = stands[1:] & stands[:-1]
    moved = np.linalg.norm(np.diff(places, axis=0), axis=-1)[both]
    assert moved.max() < 1e-9
    np.testing.assert_allclose(places[..., 2][stands], BALL, atol=1e-9)
    assert walk.error < 1e-9


def test_swinging_feet_clear_the_ground_and_land_softly(figure, turning):
    """The lift is reached in mid-swing, and the path has no jump: at most 5 times the body's speed (2 / 0.4)."""
    path, walk = turning
    places = foot_positions(figure, walk.film)
    assert places[..., 2].min() > BALL - 1e-9
    assert places[..., 2].max() == pytest.approx(BALL + 0.08, abs=2e-3)
    speed = path.curve.length / path.duration / 0.9
    flat = np.linalg.norm(np.diff(places[..., :2], axis=0), axis=-1) * 60.0
    assert flat.max() < 1.25 * 2.0 / 0.4 * speed  # outer feet move on a circle of 2.15 m, and turn


def test_the_body_leans_into_the_turn(turning):
    path, walk = turning
    speed = path.curve.length / path.duration / 0.9
    up = rotate(walk.film.quaternion[:, 0, 0], (0.0, 0.0, 1.0))
    place, time = walk.film.position[:, 0, 0], walk.film.time
    middle = (time > 2.0) & (time < 10.0)
    inward = np.array([0.0, 2.0, 0.0]) - place
    inward /= np.linalg.norm(inward[:, :2], axis=1, keepdims=True)
    lean = np.arctan2((up * inward)[:, :2].sum(axis=1), up[:, 2])
    # a spline through 49 points has a curvature that is off by less than (2 pi / 48)^2
    np.testing.assert_allclose(lean[middle], math.atan(speed**2 / (9.81 * 2.0)), rtol=0.02)
    np.testing.assert_allclose(walk.film.signals["lean"][middle, 0], -lean[middle], atol=1e-9)
    assert abs(lean[0]) < 1e-12
    ahead = rotate(walk.film.quaternion[:, 0, 0], (1.0, 0.0, 0.0))
    np.testing.assert_allclose(ahead[:, 2], 0.0, atol=1e-12)


def test_without_bank_the_body_stays_upright(figure):
    path = PacedCurve(circle(2.0, 1.0), 3.0)
    walk = kinematic_walk(figure, posture(figure), feet_of(figure), path, Footfalls(0.4, 0.6, TROT, 0.08), bank=0.0)
    np.testing.assert_allclose(rotate(walk.film.quaternion[:, 0, 0], (0.0, 0.0, 1.0))[:, 2], 1.0, atol=1e-12)


def test_a_walk_begins_and_ends_at_rest_on_all_feet(figure):
    path = PacedCurve(straight((0.0, 0.0, 0.0), (2.0, 0.0, 0.0)), 4.0, start=0.5)
    walk = kinematic_walk(figure, posture(figure), feet_of(figure), path, Footfalls(0.4, 0.6, TROT, 0.08))
    first = walk.film.time < 0.24  # the first foot steps at 0.6 of a period
    np.testing.assert_allclose(walk.q[first], np.tile(posture(figure), (first.sum(), 1)), atol=1e-7)
    np.testing.assert_allclose(walk.film.position[-1, 0, 0], (2.0, 0.0, HIP), atol=1e-12)


def test_impossible_walks_are_refused(figure):
    path, feet, q = PacedCurve(straight((0.0, 0.0, 0.0), (2.0, 0.0, 0.0)), 1.0), feet_of(figure), posture(figure)
    with pytest.raises(GambolError, match="misses its place"):
        kinematic_walk(figure, q, feet, path, Footfalls(1.0, 0.6, TROT, 0.08))
    with pytest.raises(GambolError, match="4 feet and 2 offsets"):
        kinematic_walk(figure, q, feet, path, Footfalls(0.4, 0.6, (0.0, 0.5), 0.08))
    with pytest.raises(GambolError, match="duty factor"):
        Footfalls(0.4, 1.0, TROT, 0.08)
    steep = PacedCurve(straight((0.0, 0.0, 0.0), (1.0, 0.0, 1.0)), 1.0)
    with pytest.raises(GambolError, match="not level"):
        kinematic_walk(figure, q, feet, steep, Footfalls(0.4, 0.6, TROT, 0.08))
    with pytest.raises(GambolError, match="did you mean"):
        lowest_points(figure, q, ["hl shan"])
    fixed = Figure("arm", (Link("base", None, Joint("revolute", (0.0, 1.0, 0.0)), (Part(Sphere(0.1)),)),))
    with pytest.raises(GambolError, match="free one"):
        kinematic_walk(
            fixed, [0.0], {"base": Foot("base", ((0.0, 0.0, 0.0),))}, path, Footfalls(0.4, 0.6, (0.0,), 0.08)
        )


def test_the_body_follows_a_slope(figure):
    """On the plane z = 0.2 x + 0.1 y its z axis is the normal, its x axis lies in the path's vertical plane."""
    x = 0.25 * np.arange(-8.0, 25.0)
    ground = HeightGrid(0.2 * x[:, None] + 0.1 * x[None, :], 0.25, -2.0, -2.0)
    world = World(figure, ground=ground, surface=SurfaceProperties(default_contact_parameters(figure, 1.0)))
    path = PacedCurve(straight((0.0, 0.0, 0.0), (2.0, 0.0, 0.0)), 4.0)
    walk = kinematic_walk(world, posture(figure), feet_of(figure), path, Footfalls(0.4, 0.6, TROT, 0.08))
    film, normal = walk.film, np.array([-0.2, -0.1, 1.0]) / math.sqrt(1.05)
    up = rotate(film.quaternion[:, 0, 0], (0.0, 0.0, 1.0))
    np.testing.assert_allclose(up, np.tile(normal, (len(up), 1)), atol=1e-9)
    below = film.position[:, 0, 0] - HIP * up
    np.testing.assert_allclose(below[:, 2], 0.2 * below[:, 0] + 0.1 * below[:, 1], atol=1e-9)
    np.testing.assert_allclose(below[:, 1], 0.0, atol=1e-9)
    stands = film.signals["stepping"][:, 0] == 0.0
    places = foot_positions(figure, film)
    on_ground = 0.2 * places[..., 0] + 0.1 * places[..., 1] + BALL
    np.testing.assert_allclose(places[..., 2][stands], on_ground[stands], atol=1e-9)


def test_an_edge_of_the_ground_raises_the_body_within_a_period(figure):
    """A step of 4 cm: the body rises by it, and never by more than a tenth of it between two frames."""
    x = 0.02 * np.arange(-50.0, 151.0)
    ground = HeightGrid(np.repeat(np.where(x > 1.0, 0.04, 0.0)[:, None], 101, axis=1), 0.02, -1.0, -1.0)
    world = World(figure, ground=ground, surface=SurfaceProperties(default_contact_parameters(figure, 1.0)))
    path = PacedCurve(straight((0.0, 0.0, 0.0), (1.9, 0.0, 0.0)), 6.0)
    walk = kinematic_walk(world, posture(figure), feet_of(figure), path, Footfalls(0.4, 0.6, TROT, 0.08))
    height = walk.film.position[:, 0, 0, 2]
    assert height[0] == pytest.approx(HIP, abs=1e-9)
    assert height[-1] == pytest.approx(HIP + 0.04, abs=1e-9)
    assert abs(np.diff(height)).max() < 0.004
