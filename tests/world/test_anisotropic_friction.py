"""Bodies with belly scales: slopes, the curve of a slide, energy, files, and methods that refuse them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol.contact import ContactParameters, Penalty, Stepping, SurfaceProperties
from gambol.errors import FigureError, WorldError
from gambol.figure import AnisotropicFriction, Box, Figure, Joint, Link, Part, Sphere, mirrored_part, stacked
from gambol.formats import Model
from gambol.formats.figure_file.reading import parse_figure
from gambol.formats.figure_file.writing import figure_text
from gambol.lanes import Precision
from gambol.world import Film, InitialState, State, Timing, World, contacts, run, start

SCALES = AnisotropicFriction(forward=0.2, backward=0.35, sideways=0.5)
RADIUS = 0.05
G = 9.81
STIFFNESS, SKID = 2e4, 2e3
GROUND = ContactParameters(
    stiffness=STIFFNESS, alpha=0.0, beta=1.0, damping=40.0, deepest=0.05, restitution=0.0, restitution_speed=0.1,
    friction=0.9, bristle_stiffness=1e4, bristle_damping=10.0, skid_damping=SKID,
)  # fmt: skip
CREEP = 0.5 * G / SKID
"""Speed below which friction of compliant ground is viscous [m/s]."""
METHODS = ["stepping", "penalty"]


def slider(surface: AnisotropicFriction = SCALES) -> Figure:
    """Return a ball of 1 kg that slides along x, y and z but does not turn."""
    axes = (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)), ("ball", (0.0, 0.0, 1.0)))
    joints = [(name, Joint("prismatic", axis=axis)) for name, axis in axes]
    density = 1.0 / (4.0 / 3.0 * math.pi * RADIUS**3)
    ball = Part(Sphere(RADIUS), density=density, anisotropic_friction=surface)
    return Figure("slider", stacked(Link("ball", None, joints[-1][1], (ball,)), joints))


def slide(
    method: str,
    gravity: tuple[float, float, float],
    velocity: tuple[float, float],
    seconds: float,
    surface: AnisotropicFriction = SCALES,
) -> tuple[World, State, Film]:
    """Return the world, the last state and the film of a slider. gravity: in the coordinates of a slope [m/s2]."""
    stepping = method == "stepping"
    depth = 0.0 if stepping else -gravity[2] / STIFFNESS
    timing = Timing(2e-3, 2e-3) if stepping else Timing(2e-4, 2e-4, "rk4")
    contact = Stepping() if stepping else Penalty()
    initial = InitialState((0.0, 0.0, RADIUS - depth), (*velocity, 0.0))
    of_ground = SurfaceProperties(GROUND)
    world = World(
        slider(surface), {}, surface=of_ground, contact=contact, gravity=gravity, timing=timing, initial=initial
    )
    state = start(world)
    return world, state, run(world, state, seconds, rate=50)


def velocity_of(state: State) -> np.ndarray:
    """Return the velocity along the ground [m/s]."""
    return np.asarray(state.v, float)[0][:2]


def slope(angle: float, heading: float) -> tuple[float, float, float]:
    """Return gravity on a slope that falls in the direction of a heading [m/s2]."""
    along = G * math.sin(angle)
    return along * math.cos(heading), along * math.sin(heading), -G * math.cos(angle)


DIRECTIONS = [(0.0, 0.2), (math.pi, 0.35), (math.pi / 2, 0.5), (-math.pi / 2, 0.5)]  # heading, mu


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("heading", "mu"), DIRECTIONS)
def test_a_body_slides_down_a_slope_in_each_direction(method: str, heading: float, mu: float):
    """Steeper than atan mu it falls with g (sin - mu cos), apart from viscous friction up to the creep."""
    angle, t = math.atan(mu) + 0.1, 0.5
    _, state, film = slide(method, slope(angle, heading), (0.0, 0.0), t)
    speed = G * (math.sin(angle) - mu * math.cos(angle)) * t
    tolerance = 1e-9 if method == "stepping" else CREEP
    assert velocity_of(state) == pytest.approx([speed * math.cos(heading), speed * math.sin(heading)], abs=tolerance)
    assert abs(film.signals["unaccounted"][-1, 0]) < 1e-6 * film.signals["sliding"][-1, 0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("heading", "mu"), DIRECTIONS)
def test_a_body_stands_on_a_flatter_slope(method: str, heading: float, mu: float):
    angle = math.atan(mu) - 0.03
    _, state, _ = slide(method, slope(angle, heading), (0.0, 0.0), 0.5)
    assert np.linalg.norm(velocity_of(state)) <= (1e-9 if method == "stepping" else CREEP)


@pytest.mark.parametrize("method", METHODS)
def test_a_slide_curves_as_the_closed_form(method: str):
    """dv = -g (m_x v_x, m_y v_y) / |v| dt, so v_y / v_y0 = (v_x / v_x0)^(m_y / m_x) at all times."""
    for velocity, ratio in (((1.5, 1.0), 0.5 / 0.2), ((-1.5, 1.0), 0.5 / 0.35)):
        _, state, film = slide(method, (0.0, 0.0, -G), velocity, 0.24)
        v = velocity_of(state) / velocity
        assert 0.05 < v[1] < 0.8
        assert v[1] == pytest.approx(v[0] ** ratio, rel=5e-3)
        # The time follows from the path: dv_x / dt = -g m_x v_x / |v|.
        xs = np.linspace(1.0, v[0], 4001) * abs(velocity[0])
        speeds = np.hypot(xs, velocity[1] * (xs / abs(velocity[0])) ** ratio)
        time = np.trapezoid(speeds / (G * 0.5 / ratio * xs), -xs)
        assert time == pytest.approx(0.24, rel=5e-3)
        kinetic = film.signals["kinetic"][:, 0]
        assert np.all(np.diff(kinetic) < 0.0)
        assert film.signals["sliding"][-1, 0] == pytest.approx(kinetic[0] - kinetic[-1], rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_contacts_show_the_force_in_the_world(method: str):
    world, state, _ = slide(method, (0.0, 0.0, -G), (3.0, 2.0), 0.1)
    v = velocity_of(state)
    expected = -G * np.array([0.2, 0.5]) * v / np.linalg.norm(v)
    (force,) = contacts(world, state).force
    assert force == pytest.approx([*expected, G], rel=5e-3)


def test_equal_coefficients_are_isotropic():
    """Then it slides straight, and slows down by mu g."""
    _, state, _ = slide("stepping", (0.0, 0.0, -G), (1.5, 1.0), 0.2, AnisotropicFriction(0.4, 0.4, 0.4))
    v = np.array([1.5, 1.0])
    assert velocity_of(state) == pytest.approx(v * (1.0 - 0.4 * G * 0.2 / np.linalg.norm(v)), rel=1e-9)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("capacity", [1, 3])
def test_scaly_and_plain_parts_share_a_world(precision: Precision, capacity: int):
    """The plain balls of a body fly above the ground; with a capacity of 1, the nearest contact is selected."""
    scaly = slider()
    ball = scaly.given_links[-1]
    plain = [Part(Sphere(0.02), (0.0, y, 0.1), inertial=False) for y in (-0.1, 0.1)]
    figure = Figure("mixed", (*scaly.given_links[:-1], replace(ball, parts=(*plain, *ball.parts))))
    world = World(
        figure,
        {},
        surface=SurfaceProperties(GROUND),
        contact=Stepping(max_contacts=capacity),
        timing=Timing(2e-3, 2e-3),
        initial=InitialState((0.0, 0.0, RADIUS), (1.5, 0.0, 0.0)),
    )
    state = start(world, precision=precision)
    run(world, state, 0.2)
    assert velocity_of(state) == pytest.approx([1.5 - 0.2 * G * 0.2, 0.0], abs=1e-9 if precision == "float64" else 1e-5)


@pytest.mark.parametrize("method", ["impulse", "constraint"])
def test_other_methods_refuse_it(method: str):
    timing = Timing(method="rk4")
    with pytest.raises(WorldError, match='"slider" has parts whose friction depends on the direction'):
        World(slider(), {}, surface=SurfaceProperties(GROUND), contact=method, timing=timing)


def test_a_figure_file_holds_it():
    model = Model(slider(AnisotropicFriction(0.1, 0.2, 0.3, (0.0, 1.0, 0.0))))
    text = figure_text(model)
    assert "anisotropic_friction = { forward = 0.1, backward = 0.2, sideways = 0.3, axis = [0.0, 1.0, 0.0] }" in text
    assert parse_figure(text, "slider.toml") == model
    with pytest.raises(FigureError, match="anisotropic friction of 0 forward; give more than 0"):
        parse_figure(text.replace("forward = 0.1", "forward = 0"), "slider.toml")


def test_a_part_has_one_friction_only():
    part = Part(Box((1.0, 1.0, 1.0)), friction=0.5, anisotropic_friction=SCALES)
    with pytest.raises(FigureError, match="a friction and an anisotropic friction"):
        Figure("block", (Link("block", None, Joint("free"), (part,)),))


def test_its_mirror_image_has_the_mirrored_axis():
    part = Part(Sphere(0.1), anisotropic_friction=AnisotropicFriction(0.1, 0.2, 0.3, (1.0, 2.0, 3.0)))
    assert mirrored_part(part).anisotropic_friction == AnisotropicFriction(0.1, 0.2, 0.3, (1.0, -2.0, 3.0))
