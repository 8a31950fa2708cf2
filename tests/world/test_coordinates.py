"""Coordinates, velocities and torques of joints in films, by name and with units."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gambol
from gambol.errors import GambolError
from gambol.view.pattern import write_pattern
from gambol.world import Film
from gambol.world.film.axes import film_axes
from gambol.world.film.quantities import quantities_of, with_stepping

STIFFNESS, DAMPING, REST = 0.7, 0.02, 0.3


def boxes() -> gambol.Figure:
    """A free box with an arm on a hinge and a hand on a slide."""
    box = gambol.Part(gambol.Box((0.2, 0.1, 0.1)), density=500.0)
    rod = gambol.Part(gambol.Box((0.02, 0.02, 0.3)), density=500.0, position=(0.0, 0.0, -0.15))
    hinge, slide = gambol.Joint("revolute", axis=(0.0, 1.0, 0.0)), gambol.Joint("prismatic", axis=(0.0, 0.0, 1.0))
    links = ("box", None, gambol.Joint("free"), box), ("arm", "box", hinge, rod), ("hand", "arm", slide, rod)
    return gambol.Figure("boxes", tuple(gambol.Link(*link[:3], (link[3],)) for link in links))


@pytest.fixture(scope="module")
def film() -> Film:
    """The boxes with springs at both joints, without gravity and ground."""
    figure = boxes()
    spring = gambol.JointSpring(stiffness=STIFFNESS, damping=DAMPING, rest=REST)
    world = gambol.World(figure, springs={"arm": (spring,), "hand": (spring,)}, ground=gambol.NoGround(), gravity=0.0)
    return gambol.run(world, gambol.start(world), 0.5, rate=1200.0, coordinates=True)


def test_torques_of_sprung_joints_are_those_of_their_springs(film: Film):
    columns = film.columns()
    for link, unit, force in (("arm", "rad", "N m"), ("hand", "m", "N")):
        q, v = columns[f"q.{link} [{unit}]"], columns[f"v.{link} [{unit}/s]"]
        expected = -STIFFNESS * (q - REST) - DAMPING * v
        np.testing.assert_allclose(columns[f"torques.{link} [{force}]"], expected, rtol=1e-12, atol=1e-15)
        assert np.ptp(q) > 0.1


def test_velocities_are_the_rates_of_coordinates(film: Film):
    columns = film.columns()
    for link, unit in (("arm", "rad"), ("hand", "m")):
        q, v = columns[f"q.{link} [{unit}]"], columns[f"v.{link} [{unit}/s]"]
        rate, dt = np.gradient(q, film.time)[1:-1], 1.0 / 1200.0
        third = np.abs(np.diff(v, 2)).max() / dt**2  # of q
        np.testing.assert_allclose(rate, v[1:-1], atol=1.1 * third * dt**2 / 6.0)


def test_torques_give_the_accelerations_of_the_film(film: Film):
    q, v, tau = (film.signals[name][:, 0] for name in ("q", "v", "torques"))
    dt = 1.0 / 1200.0
    rate = (v[2:] - v[:-2]) / (2.0 * dt)
    forward = gambol.Dynamics(boxes(), gravity=0.0).forward(q[1:-1], v[1:-1], tau[1:-1])
    third = np.abs(np.diff(rate, 2, axis=0)).max() / dt**2
    np.testing.assert_allclose(rate, forward, atol=1.5 * third * dt**2 / 6.0)
    assert np.abs(forward).max() > 1.0


def test_names_along_axes_have_units_and_are_each_once():
    axes = film_axes(boxes(), ("hand",))
    assert axes["feet"] == ("hand",)
    assert axes["coordinates"][4:] == ("box.x [m]", "box.y [m]", "box.z [m]", "arm [rad]", "hand [m]")
    assert axes["freedoms"] == (
        "box.wx [rad]", "box.wy [rad]", "box.wz [rad]", "box.vx [m]", "box.vy [m]", "box.vz [m]", "arm [rad]",
        "hand [m]",
    )  # fmt: skip
    for seed in range(20):
        figure = gambol.random_figure(seed, 8)
        axes = film_axes(figure, ())
        assert [len(set(axes[name])) for name in ("coordinates", "freedoms")] == [figure.nq, figure.nv]


def test_a_joint_is_a_quantity_and_one_of_mixed_units_has_several(film: Film):
    (arm,) = quantities_of(film, ["q.arm"])
    assert (arm.unit, list(arm.lines)) == ("rad", ["q.arm"])
    np.testing.assert_array_equal(arm.lines["q.arm"], film.signals["q"][:, :, 7])
    assert [(each.unit, len(each.lines)) for each in quantities_of(film, ["q.box"])] == [("", 4), ("m", 3)]
    assert [each.unit for each in quantities_of(film, ["torques"])] == ["N m", "N"]


def test_names_of_a_film_are_written_and_files_without_them_read(film: Film, tmp_path: Path):
    assert Film.load(film.save(tmp_path / "a.npz")).axes == film.axes
    older = replace(film, axes={})
    assert Film.load(older.save(tmp_path / "b.npz")).axes == {}
    assert "q.7 [rad or m]" in older.columns()


@pytest.mark.parametrize(
    ("name", "message"), [("q.amr", '"q.arm"'), ("torque.hand", '"torques.hand"'), ("v.hnad", '"v.hand"')]
)
def test_the_nearest_joint_is_named(film: Film, name: str, message: str):
    with pytest.raises(GambolError, match=message):
        quantities_of(film, [name])


def test_the_error_of_a_film_without_coordinates_names_the_option(film: Film):
    signals = {name: signal for name, signal in film.signals.items() if name not in ("q", "v", "torques")}
    with pytest.raises(GambolError, match=r"coordinates=True"):
        quantities_of(replace(film, signals=signals), ["q.arm"])


def test_feet_step_while_the_ground_does_not_push(film: Film, tmp_path: Path):
    push = np.zeros((len(film.time), 1, 1))
    push[100:200] = 2.0
    footed = replace(film, axes={"feet": ("hand",)}, signals={"push": push})
    np.testing.assert_array_equal(with_stepping(footed).signals["stepping"], (push == 0.0).astype(float))
    (stepping,) = quantities_of(footed, ["stepping"])
    assert list(stepping.lines) == ["stepping.hand"]
    write_pattern(footed, tmp_path / "pattern.png")
    with pytest.raises(GambolError, match="stepping"):
        write_pattern(film, tmp_path / "none.png")
