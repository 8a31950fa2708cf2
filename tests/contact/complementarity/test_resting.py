"""Forces of resting and sliding contacts: blocks, ladders, rolling balls, joints at limits, and Painleve's rod."""

import math
from typing import Any

import numpy as np
import pytest

from gambol.contact import Constraint
from gambol.contact.complementarity import (
    SOLVERS,
    ContactForces,
    ContactSet,
    FrictionalContact,
    JointLimit,
    contact_forces,
    solver,
)
from gambol.dynamics import kinematics
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops import Target, closed_dynamics, point_row, reach_accelerations
from gambol.dynamics.quantities.operational import Contact
from gambol.errors import GambolError
from gambol.figure import Closure, Figure, Joint, Link, MassProperties, random_figure, random_state
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Rotation, Vector
from gambol.world import World

G = 9.81
ORIGIN = (0.0, 0.0, 0.0)
STATIC = [name for name in SOLVERS if name != "arnold"]
UP = Vector(0.0, 0.0, 1.0)


def diagonal(a: float, b: float, c: float) -> Any:
    return ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))


def body(name: str, mass: float, inertia: Any) -> Figure:
    return Figure(name, (Link(name, None, Joint("free"), (), MassProperties(mass, ORIGIN, inertia)),))


SIDE = 0.2
BOX = body("box", 2.0, diagonal(*[2.0 * SIDE**2 / 6.0] * 3))
ROD = body("rod", 3.0, diagonal(1e-4, 1.0, 1.0))
"""3 kg and 2 m along x: I = m l^2 / 3 = 1 kg m2 with half its length l = 1 m."""


def tilted(angle: float) -> list[float]:
    """Coordinates of a free body at the origin, turned about y [rad]; +x goes down for positive angles."""
    return [math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0, 0.0, 0.0, 0.0]


def on_incline(angle: float, mu: Any, speed: float = 0.0) -> tuple[Kinematics, ContactSet]:
    """A block on four corners, sliding down with some speed."""
    state = kinematics(BOX, tilted(angle), [0.0, 0.0, 0.0, speed, 0.0, 0.0])
    normal, half = Vector(math.sin(angle), 0.0, math.cos(angle)), SIDE / 2
    corners = [Vector(x, y, -half) for x in (-half, half) for y in (-half, half)]
    return state, ContactSet([FrictionalContact(Contact(1, corner), normal, mu) for corner in corners])


def pushes(solution: ContactForces) -> np.ndarray:
    return np.array([[*force] for force in solution.forces])


@pytest.mark.parametrize("method", STATIC)
@pytest.mark.parametrize(("degrees", "mu"), [(20, 0.3), (20, 0.4), (30, 0.5), (30, 0.6), (45, 0.5)])
def test_a_block_on_an_incline_sticks_or_slides(method: str, degrees: float, mu: float):
    """a = g (sin - mu cos) beyond the critical angle, 0 below it."""
    angle = math.radians(degrees)
    state, touching = on_incline(angle, mu)
    solution = contact_forces(state, touching, [0.0] * 6, method)
    expected = max(G * (math.sin(angle) - mu * math.cos(angle)), 0.0)
    np.testing.assert_allclose(solution.accelerations, [0.0, 0.0, 0.0, expected, 0.0, 0.0], atol=2e-6)
    total = 2.0 * np.array([expected * math.cos(angle), 0.0, G - expected * math.sin(angle)])
    np.testing.assert_allclose(pushes(solution).sum(axis=0), total, atol=5e-6)
    assert solution.jammed == 0.0


@pytest.mark.parametrize("method", STATIC)
@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_a_sliding_block_is_held_back_the_way_it_slides(method: str, speed: float):
    """Down: a = g (sin - mu cos). Up: a = g (sin + mu cos), whatever its acceleration at rest would be."""
    angle, mu = math.radians(20.0), 0.5
    solution = contact_forces(*on_incline(angle, mu, speed), [0.0] * 6, method)
    assert solution.converged == 1.0
    assert solution.accelerations[3] == pytest.approx(
        G * (math.sin(angle) - math.copysign(mu, speed) * math.cos(angle))
    )


def leaning(angle: float, turning: float, slip: float | None = None) -> Kinematics:
    """A rod at an angle from the floor, its lower end at -x; turning: rate of the angle [rad/s].

    slip: of its lower end along x [m/s]; None: the upper end moves along a wall.
    """
    c, s = math.cos(angle), math.sin(angle)
    x = s * turning if slip is None else slip - s * turning
    z = c * turning
    return kinematics(ROD, tilted(-angle), [0.0, -turning, 0.0, c * x + s * z, 0.0, c * z - s * x])


def ladder(angle: float, mu: float, turning: float = 0.0) -> tuple[Kinematics, ContactSet]:
    """A rod on a floor and against a smooth wall."""
    foot = FrictionalContact(Contact(1, Vector(-1.0, 0.0, 0.0)), UP, mu)
    head = FrictionalContact(Contact(1, Vector(1.0, 0.0, 0.0)), Vector(-1.0, 0.0, 0.0), 0.0)
    return leaning(angle, turning), ContactSet([foot, head])


@pytest.mark.parametrize("method", STATIC)
@pytest.mark.parametrize("turning", [0.0, -0.5])
def test_a_smooth_ladder_falls_as_its_energy_requires(method: str, turning: float):
    """2/3 m l^2 theta'' = - m g l cos(theta) / 2, with l half its length, also while it is moving."""
    solution = contact_forces(*ladder(1.1, 0.0, turning), [0.0] * 6, method)
    assert solution.converged == 1.0
    assert -solution.accelerations[1] == pytest.approx(-0.75 * G * math.cos(1.1))


@pytest.mark.parametrize("method", STATIC)
def test_a_ladder_stands_where_friction_is_half_the_cotangent(method: str):
    angle = 1.0
    critical = 0.5 / math.tan(angle)
    solution = contact_forces(*ladder(angle, critical * 1.001), [0.0] * 6, method)
    np.testing.assert_allclose(solution.accelerations, 0.0, atol=1e-5)
    weight = 3.0 * G
    np.testing.assert_allclose(
        pushes(solution), [[weight * critical, 0.0, weight], [-weight * critical, 0.0, 0.0]], atol=1e-4
    )


@pytest.mark.parametrize("method", STATIC)
def test_a_ladder_slides_below_that(method: str):
    """Newton's equations of the rod, with F = mu N at the foot, as three equations for theta'', N and W."""
    angle, mu = 1.0, 0.2
    c, s = math.cos(angle), math.sin(angle)
    turning, push, wall = np.linalg.solve(
        [[3.0 * s, -mu, 1.0], [3.0 * c, -1.0, 0.0], [1.0, c - mu * s, -s]], [0.0, -3.0 * G, 0.0]
    )
    solution = contact_forces(*ladder(angle, mu), [0.0] * 6, method)
    assert solution.converged == 1.0
    assert -solution.accelerations[1] == pytest.approx(turning, rel=1e-6)
    np.testing.assert_allclose(pushes(solution), [[mu * push, 0.0, push], [-wall, 0.0, 0.0]], atol=1e-5)


STEEP = math.radians(60.0)


def painleve(mu: float, turning: float, slip: float, method: str) -> tuple[ContactForces, float, float]:
    """Return forces on a rod's lower end; its normal response to a sliding force, and its free acceleration."""
    c, s = math.cos(STEEP), math.sin(STEEP)
    foot = FrictionalContact(Contact(1, Vector(-1.0, 0.0, 0.0)), UP, mu)
    solution = contact_forces(leaning(STEEP, turning, slip), ContactSet([foot]), [0.0] * 6, method)
    return solution, 1.0 / 3.0 + c * c + mu * math.copysign(1.0, slip) * c * s, turning**2 * s - G


@pytest.mark.parametrize("method", STATIC)
@pytest.mark.parametrize(
    ("mu", "turning", "slip"), [(0.5, 0.0, -1.0), (0.5, 2.0, 1.0), (2.0, 0.0, 1.0), (1.3, 0.0, -1.0)]
)
def test_a_sliding_rod_is_pushed_as_much_as_it_takes(method: str, mu: float, turning: float, slip: float):
    solution, response, free = painleve(mu, turning, slip, method)
    assert response > 0.0
    assert (solution.converged, solution.jammed) == (1.0, 0.0)
    push = -free / response
    np.testing.assert_allclose(pushes(solution)[0], [-mu * math.copysign(push, slip), 0.0, push], rtol=1e-6, atol=1e-9)
    assert solution.separation[0] == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("method", STATIC)
def test_painleves_rod_has_no_answer(method: str):
    """mu = 2 > 1.35, sliding back: any push presses the end further in. It is reported, and forces stay bounded."""
    solution, response, free = painleve(2.0, 0.0, -1.0, method)
    assert response < 0.0
    assert free < 0.0
    assert (solution.converged, solution.jammed) == (0.0, 1.0)
    assert solution.residual > 1.0
    assert np.abs(pushes(solution)).max() < 1e3


@pytest.mark.parametrize("method", STATIC)
def test_painleves_rod_has_two_answers(method: str):
    """It turns so fast that its end may lift off, or be held down by its own push. The solver lets it lift off."""
    solution, response, free = painleve(2.0, 4.0, -1.0, method)
    assert response < 0.0
    assert free > 0.0
    assert (solution.converged, solution.jammed) == (1.0, 1.0)
    np.testing.assert_allclose(pushes(solution), 0.0, atol=1e-9)
    assert solution.separation[0] == pytest.approx(free)


BALL = body("ball", 1.5, diagonal(*[0.4 * 1.5 * 0.25**2] * 3))


@pytest.mark.parametrize("method", STATIC)
def test_a_ball_rolls_at_five_sevenths(method: str):
    """The contact point accelerates towards the centre; this is no acceleration of the gap, and the bias removes it."""
    angle, r, turning = 0.3, 0.25, 6.0
    state = kinematics(BALL, tilted(angle), [0.0, turning, 0.0, turning * r, 0.0, 0.0])
    normal = Vector(math.sin(angle), 0.0, math.cos(angle))
    support = FrictionalContact(
        Contact(1, Vector(0.0, 0.0, -r)), normal, 0.5, bias_acceleration=normal * (-r * turning**2)
    )
    solution = contact_forces(state, ContactSet([support]), [0.0] * 6, method)
    assert solution.accelerations[3] == pytest.approx(5.0 / 7.0 * G * math.sin(angle))
    assert solution.forces[0].dot(normal) == pytest.approx(1.5 * G * math.cos(angle))


HALF = MassProperties(2.0, (0.5, 0.0, 0.0), diagonal(0.01, 1 / 6, 1 / 6))
PENDULUM = Figure("pendulum", (Link("rod", None, Joint("revolute", (0.0, -1.0, 0.0)), (), HALF),))
"""2 kg and 1 m, level at q = 0 and rising with q: 2/3 kg m2 about its pivot."""


@pytest.mark.parametrize("method", STATIC)
def test_a_joint_at_its_limit_is_held_and_leaves(method: str):
    state = kinematics(PENDULUM, [0.0], [0.0])
    held = contact_forces(state, ContactSet([], [JointLimit(0, 1.0)]), [0.0], method)
    assert (held.limits[0], held.accelerations[0]) == (pytest.approx(2.0 * G * 0.5), pytest.approx(0.0, abs=1e-8))
    driven = contact_forces(state, ContactSet([], [JointLimit(0, 1.0)]), [15.0], method)
    assert driven.limits[0] == pytest.approx(0.0, abs=1e-9)
    assert driven.accelerations[0] == pytest.approx((15.0 - 2.0 * G * 0.5) * 1.5)
    above = contact_forces(state, ContactSet([], [JointLimit(0, -1.0)]), [15.0], method)
    assert (above.limits[0], above.accelerations[0]) == (
        pytest.approx(15.0 - 2.0 * G * 0.5),
        pytest.approx(0.0, abs=1e-8),
    )


def test_a_sticky_foot_is_a_tie():
    """It is held in all directions, as test forces hold it."""
    figure = random_figure(3, 5, kinds=("revolute", "universal"), root="free")
    q, v = random_state(figure, 3)
    state = kinematics(figure, q.tolist(), v.tolist())
    rows = [point_row(state, 5, Vector(0.1, 0.0, 0.1), Vector.axis(k)) for k in range(3)]
    tau = [0.1] * figure.nv
    solution = contact_forces(state, ContactSet([], [], rows), tau)
    wanted = reach_accelerations(state, [Target(row, 0.0) for row in rows], tau)
    np.testing.assert_allclose(solution.loops, wanted.forces, rtol=1e-6)
    np.testing.assert_allclose(solution.accelerations, wanted.motion, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("loops", [False, True])
def test_forces_are_what_forward_dynamics_needs(loops: bool):
    """As external forces on the links, they give the same accelerations."""
    figure = random_figure(8, 5, kinds=("revolute", "universal"), root="free")
    if loops:
        figure = Figure("tied", figure.given_links, constraints=(Closure("distance", "link3", "link4", length=0.5),))
    q, v = random_state(figure, 8)
    state = kinematics(figure, q.tolist(), (0.1 * v).tolist())
    places = [
        Contact(3, Vector(0.1, 0.0, 0.0)),
        Contact(4, Vector(0.0, 0.1, 0.0)),
        Contact(2, Vector(0.0, 0.0, 0.1), 5),
    ]
    solution = contact_forces(
        state, ContactSet([FrictionalContact(place, UP, 0.4) for place in places]), [0.0] * figure.nv
    )
    assert solution.converged == 1.0
    f_ext: dict[int, Any] = {}
    for place, force in zip(places, solution.forces, strict=True):
        on_first = state.force_on_link(place.link, place.point, force)
        f_ext[place.link] = f_ext[place.link] + on_first if place.link in f_ext else on_first
        if place.other:
            at = state.poses[place.other].inverse @ state.point_position(place.link, place.point)
            on_other = state.force_on_link(place.other, at, -force)
            f_ext[place.other] = f_ext[place.other] + on_other if place.other in f_ext else on_other
    again = closed_dynamics(state, [0.0] * figure.nv, f_ext=f_ext).a
    np.testing.assert_allclose(solution.accelerations, again, rtol=1e-7, atol=1e-7)


def test_an_unknown_method_is_named():
    with pytest.raises(GambolError, match='"newtn"; did you mean "newton"'):
        contact_forces(*on_incline(0.1, 0.5), [0.0] * 6, "newtn")


def test_axes_of_a_contact_are_a_rotation():
    for x in np.random.default_rng(0).normal(size=(20, 3)):
        normal = x / np.linalg.norm(x)
        R = np.array(Rotation.with_z_axis(Vector(*normal.tolist())).rows)
        np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-14)
        np.testing.assert_allclose(R[:, 2], normal)
        assert np.linalg.det(R) == pytest.approx(1.0)
    np.testing.assert_allclose(Rotation.with_z_axis(Vector(0.0, 0.0, -1.0)).rows, np.diag([1.0, -1.0, -1.0]))


def test_every_lane_rests_or_slides_for_itself():
    angle = math.radians(25.0)
    normal, half = Vector(math.sin(angle), 0.0, math.cos(angle)), SIDE / 2
    corners = [Vector(x, y, -half) for x in (-half, half) for y in (-half, half)]

    def rates(v: list[Any], mu: list[Any]) -> tuple[Any, ...]:
        state = kinematics(BOX, tilted(angle), v)
        solution = contact_forces(
            state, ContactSet([FrictionalContact(Contact(1, corner), normal, mu[0]) for corner in corners]), [0.0] * 6
        )
        return solution.accelerations, [solution.converged]

    program = Program(ProgramSpec("rates", rates, ([0.0] * 6, [0.0])))
    mus, speeds = np.linspace(0.2, 0.7, 8), np.array([0.0] * 4 + [1.0] * 4)
    v = np.zeros((6, 8))
    v[3] = speeds
    solution, converged = program(v, mus[None])
    assert converged.tolist() == [[1.0] * 8]
    free = G * (math.sin(angle) - mus * math.cos(angle))
    np.testing.assert_allclose(solution[3], np.where(speeds > 0.0, free, np.maximum(free, 0.0)), atol=1e-8)


def test_arnolds_iteration_is_refused_but_for_one_contact_alone():
    """In a world it left 132 of 195 steps unsolved."""
    for contacts, others in ((2, 0), (float("inf"), 0), (1, 1)):
        with pytest.raises(GambolError, match='"arnold" is meant for one static contact alone'):
            solver("arnold", contacts, others)
    assert solver("arnold") is SOLVERS["arnold"]
    with pytest.raises(GambolError, match='use "newton"'):
        World(body("ball", 1.0, diagonal(1.0, 1.0, 1.0)), contact=Constraint(solver="arnold"))
