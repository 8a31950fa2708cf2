"""Muscles of films: recorded from actuators with a path, kept by all that films do, saved and loaded."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import gambol
from gambol import Commanded, Drive, World
from gambol.actuation import ACTUATORS, Actuator, DrawnPath, add_actuator
from gambol.errors import GambolError
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.spatial import Vector
from gambol.world import Film, run
from gambol.world.film import FilmMuscle
from gambol.world.film_paths import SPECIFIC_TENSION

LENGTH, ANCHOR = 0.5, Vector(0.1, 0.0, 0.3)
FRAMES = 4


@dataclass(frozen=True)
class Cord(Actuator):
    """A cord from a point of the world to the end of a pendulum, which pulls with a commanded share of `strength`."""

    kind: ClassVar[str] = "test cord"
    commands: ClassVar[tuple[str, ...]] = ("share",)
    strength: float
    lower: float = 0.0
    upper: float = 1.0
    joints: tuple[str, ...] = ()

    def force(self, numbers, at):
        return [0.0]

    def drawn_paths(self, numbers, at):
        end = at.kinematics.point_position(at.links[0].index, Vector(0.0, 0.0, -LENGTH))
        share = at.commands[0]
        return [DrawnPath([[ANCHOR, end]], share, 0.5 * share * numbers["strength"], numbers["strength"])]


@pytest.fixture(autouse=True, scope="module")
def cord():
    add_actuator(Cord)
    yield
    del ACTUATORS[Cord.kind]


def pendulum():
    bob = Part(Sphere(0.02), position=(0.0, 0.0, -LENGTH), density=1000.0)
    figure = Figure("pendulum", (Link("arm", None, Joint("revolute", (0.0, 1.0, 0.0)), (bob,)),))
    return World(
        figure, controller=Drive(Commanded(1), {"cord": Cord(300.0, joints=("arm",))}), ground=gambol.NoGround()
    )


def filmed(worlds=2):
    world = pendulum()
    state = gambol.start(world, worlds)
    state.q[:, 0] = np.linspace(0.3, 0.9, worlds)
    return run(world, state, 0.1, rate=60.0)


def test_a_film_contains_the_moving_points_of_a_path():
    film = filmed()
    assert [(m.name, m.world, m.points.shape) for m in film.matter] == [("cord", w, (7, 2, 3)) for w in (0, 1)]
    for muscle in film.matter:
        x, z = film.quaternion[:, muscle.world, 0, 2], film.quaternion[:, muscle.world, 0, 0]
        angle = 2.0 * np.arctan2(x, z)
        bob = np.column_stack([-LENGTH * np.sin(angle), np.zeros(7), -LENGTH * np.cos(angle)])
        np.testing.assert_allclose(muscle.points[:, 1], bob, atol=1e-7)
        np.testing.assert_allclose(muscle.points[:, 0], np.tile(list(ANCHOR), (7, 1)), atol=1e-7)
        assert np.ptp(muscle.points[:, 1]) > 0.01
        # a drive commands the middle of the range for a signal of 0
        np.testing.assert_allclose(muscle.activation, 0.5)
        np.testing.assert_allclose(muscle.force, 0.25)


def test_the_width_is_that_of_a_muscle_of_this_strength():
    muscle = filmed(1).matter[0]
    assert np.pi / 4.0 * muscle.width**2 * SPECIFIC_TENSION == pytest.approx(300.0)


def test_a_film_without_paths_has_no_muscles():
    world = pendulum()
    bare = replace(world, controller=None)
    film = run(bare, gambol.start(bare), 0.05)
    assert film.matter == ()
    assert "paths" not in film.signals


def test_muscles_follow_their_worlds_and_frames(tmp_path):
    film = filmed()
    second = film.of_worlds([1])
    assert [m.world for m in second.matter] == [0]
    np.testing.assert_array_equal(second.matter[0].points, film.matter[1].points)
    cut = film.between(film.time[2], film.time[4])
    np.testing.assert_array_equal(cut.matter[0].points, film.matter[0].points[2:5])
    middle = film.at_times([0.5 * (film.time[3] + film.time[4])])
    np.testing.assert_allclose(middle.matter[1].points[0], film.matter[1].points[3:5].mean(axis=0), atol=1e-6)
    loaded = Film.load(film.save(tmp_path / "cord.npz"))
    for old, new in zip(film.matter, loaded.matter, strict=True):
        assert (old.name, old.width, old.world) == (new.name, new.width, new.world)
        for name in ("points", "activation", "force"):
            np.testing.assert_array_equal(getattr(old, name), getattr(new, name))


def muscle(**changed):
    points = np.zeros((FRAMES, 2, 3), np.float32)
    half = np.full(FRAMES, 0.5, np.float32)
    return FilmMuscle(**({"name": "m", "points": points, "activation": half, "force": half, "width": 0.01} | changed))


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"points": np.zeros((FRAMES, 1, 3), np.float32)}, "2 or more"),
        ({"points": np.full((FRAMES, 2, 3), np.nan, np.float32)}, "finite"),
        ({"activation": np.full(FRAMES, 1.1, np.float32)}, "activation must be 4 numbers from 0 to 1"),
        ({"force": np.zeros(FRAMES + 1, np.float32)}, "force must be"),
        ({"width": 0.0}, "more than 0"),
    ],
)
def test_what_no_muscle_can_be_is_refused(changed, text):
    with pytest.raises(GambolError, match=text):
        muscle(**changed)


def test_a_muscle_file_with_an_impossible_activation_is_refused(tmp_path):
    path = filmed(1).save(tmp_path / "cord.npz")
    arrays = dict(np.load(path))
    arrays["matter0:activation"] = arrays["matter0:activation"] + 2.0
    np.savez(path, **arrays)
    with pytest.raises(GambolError, match="activation"):
        Film.load(path)
