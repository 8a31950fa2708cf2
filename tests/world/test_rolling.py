"""Round shapes on soft ground: a coin that leans and rolls, wheels, cans that stand, against closed forms."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from gambol.collide import HeightGrid, Plane
from gambol.contact import ContactParameters
from gambol.creatures.models import initial_state, world_of_model
from gambol.figure import Cylinder, Ellipsoid, Figure, Frustum, Joint, Link, Part
from gambol.figure.shapes import Shape
from gambol.formats import Model
from gambol.spatial import Quaternion, Rotation
from gambol.world import Film, Timing, run

RADIUS, THICKNESS, G = 0.1, 0.004, 9.81
FINE = Timing(1.0 / 240.0, 1e-4, "rkf45", 1e-8)


def solid(shape: Shape) -> Figure:
    return Figure("solid", (Link("solid", None, Joint("free"), (Part(shape),)),))


@dataclass(frozen=True)
class Start:
    """The initial state of a body: its axes as columns, the height of its centre, omega and v, all in the world."""

    axes: np.ndarray
    height: float
    omega: np.ndarray
    v: np.ndarray


def rolled(figure: Figure, start: Start, seconds: float, stiff: float = 1.0) -> Film:
    """Return the film of a body on level ground, stiff: times as stiff as that of files."""
    axes, height, omega, v = start.axes, start.height, start.omega, start.v
    turn = Quaternion.of(Rotation.of(axes.tolist())).components()
    model = Model(figure, q=(*turn, 0.0, 0.0, height), v=(*(axes.T @ omega), *(axes.T @ v)), ground=True)
    world = world_of_model(model, timing=FINE)
    assert isinstance(world.surface.parameters, ContactParameters)
    k, bristle, damping = (
        world.surface.parameters.stiffness,
        world.surface.parameters.bristle_stiffness,
        world.surface.parameters.bristle_damping,
    )
    harder = replace(
        world.surface.parameters,
        stiffness=stiff * k,
        bristle_stiffness=stiff * bristle,
        bristle_damping=stiff**0.5 * damping,
    )
    world = replace(world, surface=replace(world.surface, parameters=harder))
    return run(world, initial_state(model, world), seconds, rate=240.0)


def axis_of(film: Film) -> np.ndarray:
    """Return the direction of the body's z axis in each frame (F, 3)."""
    turns = [Quaternion(*(float(x) for x in q)).rotation() for q in film.quaternion[:, 0, -1]]
    return np.array([[float(x) for x in turn.columns[2]] for turn in turns])


def spin_of_steady_rolling(lean: float, precession: float, m: float, across: float, axial: float) -> float:
    """Return the spin of a thick disc about its axis, besides its precession, in steady rolling [rad/s].

    lean: of the axis from the vertical. The balance of moments about the centre, with e the axis, r the way from the
    centre to the point of contact, omega = precession z + spin e, and v = -omega x r, so that nothing slips:
    precession z x L = r x m (precession z x v + g z). It is linear in the spin. [Goldstein, Classical Mechanics, ch. 5]
    """
    e, z = np.array([math.sin(lean), 0.0, math.cos(lean)]), np.array([0.0, 0.0, 1.0])
    r = arm(lean)

    def moment(spin: float) -> float:
        omega = precession * z + spin * e
        inertial = np.cross(precession * z, across * omega + (axial - across) * e * omega.dot(e))
        force = m * (np.cross(precession * z, -np.cross(omega, r)) + G * z)
        return float((inertial - np.cross(r, force))[1])

    return -moment(0.0) / (moment(1.0) - moment(0.0))


def arm(lean: float) -> np.ndarray:
    """Return the vector from the centre of the coin to its lowest point, for an axis in the plane of x and z."""
    e, down = np.array([math.sin(lean), 0.0, math.cos(lean)]), np.array([math.cos(lean), 0.0, -math.sin(lean)])
    return RADIUS * down - 0.5 * THICKNESS * e


@pytest.mark.parametrize(("degrees", "precession", "stiff"), [(70.0, 3.0, 1.0), (50.0, 6.0, 10.0)])
def test_the_lean_and_precession_of_a_coin_are_constant(degrees: float, precession: float, stiff: float):
    coin, lean = solid(Cylinder(RADIUS, THICKNESS)), math.radians(degrees)
    body = coin.root.mass_properties
    spin = spin_of_steady_rolling(lean, precession, body.mass, body.inertia[0][0], body.inertia[2][2])
    e, r = np.array([math.sin(lean), 0.0, math.cos(lean)]), arm(lean)
    omega = np.array([0.0, 0.0, precession]) + spin * e
    axes = np.column_stack([[math.cos(lean), 0.0, -math.sin(lean)], [0.0, 1.0, 0.0], e])
    film = rolled(coin, Start(axes, -r[2], omega, -np.cross(omega, r)), 2.0, stiff)
    axis = axis_of(film)
    np.testing.assert_allclose(np.degrees(np.arccos(axis[:, 2])), degrees, atol=0.2)
    turned = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    assert turned[-1] - turned[0] == pytest.approx(precession * film.time[-1], rel=4e-3)  # it landed softly first
    sliding, kinetic = film.signals["sliding"][:, 0], film.signals["kinetic"][0, 0]
    assert abs(sliding[-1] - sliding[48]) < 1e-3 * kinetic  # after 0.2 s, in which the ground takes up the weight


@pytest.mark.parametrize("shape", [Cylinder(0.1, 0.1), Frustum(0.1, 0.1, 0.2), Ellipsoid((0.1, 0.1, 0.1))])
def test_a_wheel_rolls_on_without_loss(shape: Shape):
    """Also for a foot of the world that grips: the point of contact moves on without any slip."""
    axes = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # its axis along -y
    film = rolled(solid(shape), Start(axes, 0.1, np.array([0.0, 10.0, 0.0]), np.array([1.0, 0.0, 0.0])), 1.0)
    assert film.position[-1, 0, -1, 0] == pytest.approx(1.0, abs=2e-3)
    assert np.ptp(film.position[120:, 0, -1, 2]) < 1e-5
    assert film.signals["kinetic"][-1, 0] == pytest.approx(film.signals["kinetic"][0, 0], rel=2e-3)


@pytest.mark.parametrize("shape", [Cylinder(0.05, 0.1), Frustum(0.06, 0.03, 0.1), Frustum(0.05, 0.0, 0.1)])
@pytest.mark.parametrize("slope", [0.0, 0.2])
def test_what_stands_on_its_flat_end_does_not_creep(shape: Shape, slope: float):
    grid = HeightGrid(slope * np.array([[-1.0, -1.0], [1.0, 1.0]]), 2.0, -1.0, -1.0)
    c, s = math.cos(math.atan(slope)), math.sin(math.atan(slope))
    turn = (math.cos(0.5 * math.atan(slope)), 0.0, -math.sin(0.5 * math.atan(slope)), 0.0)
    half = 0.05
    model = Model(solid(shape), q=(*turn, -half * s, 0.0, half * c), ground=True)
    world = world_of_model(model, ground=grid if slope else Plane(), timing=FINE)
    film = run(world, initial_state(model, world), 2.0, rate=60.0)
    settled = film.time > 1.0
    assert np.abs(np.ptp(film.position[settled, 0, -1], axis=0)).max() < 1e-6
    assert isinstance(world.surface.parameters, ContactParameters)
    weight, k = model.figure.mass * G, world.surface.parameters.stiffness
    sunk = half - (film.position[-1, 0, -1] @ [-s, 0.0, c])
    assert sunk == pytest.approx(weight * c / (3.0 * k), rel=0.02)  # on three points of its rim


def test_a_can_that_lies_down_touches_along_its_side():
    axes = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    film = rolled(solid(Cylinder(0.05, 0.2)), Start(axes, 0.05, np.zeros(3), np.zeros(3)), 1.0)
    assert abs(film.position[-1, 0, -1, 0]) < 1e-6
    assert axis_of(film)[-1, 2] == pytest.approx(0.0, abs=1e-6)
