"""Parts smaller than the spacing of a mesh, and lighter than its points: they rest, slide and stick as Coulomb says."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.collide import NoGround
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.lanes import jacobian
from gambol.matter.elements.link_point import FAR, point_on_triangle
from gambol.matter.forces import Surroundings, Touch
from gambol.matter.mesh import ClothMaterial, cloth
from gambol.matter.motion import StepRule
from gambol.matter.scene import MeshPart, Scene
from gambol.matter.touch.places import Places
from gambol.spatial import Vector
from gambol.world import Timing, World, start

G, H = 9.81, 1.0 / 240.0
SIDE, SPACING = 0.01, 0.04
MATERIAL = ClothMaterial(density=0.2, warp=100.0, weft=100.0, shear=30.0, bend=0.0, damping=0.01)
CORNERS = (Vector(0.0, 0.0, 0.0), Vector(1.0, 0.0, 0.0), Vector(0.0, 2.0, 0.0))


def box_world(mass, gravity=(0.0, 0.0, -G)):
    part = Part(Box((SIDE, SIDE, SIDE)), density=mass / SIDE**3)
    figure = Figure("box", (Link("box", None, Joint("free"), (part,)),))
    return World(figure, ground=NoGround(), gravity=gravity, timing=Timing(H, H, "semi-implicit euler"))


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_point_of_a_part_touches_a_triangle_on_the_side_of_the_parts_middle(side):
    p, middle = Vector(0.25, 0.5, 0.1 * side), Vector(0.2, 0.5, side)
    found = point_on_triangle(p, middle, 0.02, CORNERS, CORNERS)
    assert found.gap == pytest.approx(0.08)
    assert found.lagging == pytest.approx(0.08)
    assert list(found.normal) == pytest.approx([0.0, 0.0, -side])
    assert found.weights == pytest.approx((0.5, 0.25, 0.25))
    through = point_on_triangle(Vector(0.25, 0.5, -0.3 * side), middle, 0.02, CORNERS, CORNERS)
    assert through.gap == pytest.approx(-0.32)
    assert point_on_triangle(Vector(2.0, 2.0, 0.1), middle, 0.02, CORNERS, CORNERS).lagging == FAR


def test_the_rate_of_a_gap_is_the_speed_of_the_place_along_its_normal():
    # so that a contact's force at the corners, by weights, is minus the gradient of its energy
    rng = np.random.default_rng(3)
    x = np.array([list(c) for c in CORNERS]) + 0.2 * rng.standard_normal((3, 3))
    p, middle = Vector(0.3, 0.4, 0.2), Vector(0.3, 0.4, 1.0)

    def gap(numbers):
        corners = tuple(Vector(*numbers[k : k + 3]) for k in (0, 3, 6))
        return [point_on_triangle(p, middle, 0.0, corners, corners).gap]

    _, (gradient,) = jacobian(gap, x.ravel().tolist())
    corners = tuple(Vector(*row) for row in x)
    found = point_on_triangle(p, middle, 0.0, corners, corners)
    expected = [w * c for w in found.weights for c in found.normal]
    assert np.allclose([float(g) for g in gradient], [float(e) for e in expected], atol=1e-12)


def test_forces_at_places_preserve_force_and_moment():
    rng = np.random.default_rng(1)
    x, force = rng.standard_normal((3, 6)), rng.standard_normal((3, 2))
    weights = np.array([[0.2, 0.5], [0.3, 0.25], [0.5, 0.25]])
    places = Places(np.array([[0, 3], [1, 3 + 1], [2, 5]]), weights)
    total = np.zeros((3, 6))
    places.add_to(total, force)
    assert np.allclose(total.sum(axis=1), force.sum(axis=1))
    assert np.allclose(np.cross(x.T, total.T).sum(axis=0), np.cross(places.of(x).T, force.T).sum(axis=0))


@pytest.mark.parametrize("mass", [0.05, 0.001])
def test_a_box_in_a_gap_between_threads_rests_on_the_net(mass):
    rim = [(i, j) for i in range(6) for j in range(6) if i in (0, 5) or j in (0, 5)]
    net = cloth(6, 6, SPACING, MATERIAL, origin=(-2.5 * SPACING, -2.5 * SPACING, 0.0), pins=rim)
    touch = Touch(stiffness=500.0, damping=0.2, friction=0.5, thickness=1e-3)
    part = MeshPart(net, Surroundings(touch=touch), StepRule("implicit euler", H))
    scene = Scene(box_world(mass), {"net": part}, passes=1)
    state = scene.start(start(scene.world, position=(0.003, 0.002, 0.5 * SIDE + 1e-3)))
    states = scene.run(state, 1.5)
    borne = np.mean([s.exchange[0, 5] for s in states[-120:]]) / H
    assert borne == pytest.approx(mass * G, rel=0.02)
    assert abs(states[-1].figure.v[0, 3:]).max() < 5e-3
    nearest = np.linalg.norm(net.points[:, :2] - states[-1].figure.q[0, 4:6], axis=1).min()
    assert nearest > SIDE, "no point of the net is below it"


@pytest.mark.parametrize("mass", [1.0, 1e-3, 1e-5])
@pytest.mark.parametrize(("friction", "slides"), [(0.6, False), (0.3, True)])
def test_a_box_of_any_mass_slides_on_a_slope_of_cloth_by_coulombs_law(mass, friction, slides):
    slope = 0.45
    angle = np.arctan(slope)
    gravity = (G * np.sin(angle), 0.0, -G * np.cos(angle))
    sheet = cloth(9, 33, SPACING, MATERIAL, origin=(-4.0 * SPACING, -4.0 * SPACING, 0.0))
    sheet = replace(sheet, pins=np.arange(len(sheet.points)))  # a rigid slope: only the law of touch is tested
    touch = Touch(stiffness=1e3 * mass / 0.01, damping=30.0 * mass, friction=friction, thickness=0.0)
    around = Surroundings(gravity=gravity, touch=touch)
    part = MeshPart(sheet, around, StepRule("implicit euler", H))
    scene = Scene(box_world(mass, gravity), {"slope": part}, passes=1)
    sunk = mass * G * np.cos(angle) / (4.0 * touch.stiffness)
    state = scene.start(start(scene.world, position=(0.003, 0.005, 0.5 * SIDE - sunk)))
    end = scene.run(state, 0.4)[-1]
    acceleration = G * (np.sin(angle) - friction * np.cos(angle)) if slides else 0.0
    moved = end.figure.q[0, 4] - 0.003
    # a tenth: friction is solved to 3 % of a step's change; a millimetre: it slips as its corners begin to press
    assert moved == pytest.approx(0.5 * acceleration * 0.16, rel=0.1, abs=1e-3)
    assert abs(end.figure.q[0, 6] - (0.5 * SIDE - sunk)) < 0.1 * SIDE
