"""Figures without degrees of freedom: every function accepts them, and they do not move."""

from dataclasses import replace

import numpy as np
import pytest
from invoked import invoke

from gambol.collide import Plane
from gambol.contact import CONTACT_METHODS
from gambol.creatures.models import initial_state, world_of_model
from gambol.dynamics import METHODS, Dynamics
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from gambol.formats import Model, write_figure, write_mjcf, write_urdf
from gambol.integrate import INTEGRATORS
from gambol.world import Timing, depth_of, run, start

POST = Model(Figure("post", (Link("post", None, Joint("fixed"), (Part(Box((0.1, 0.1, 1.0))),)),)))
RATE = 240.0


def check_rest(world):
    film = run(world, initial_state(POST, world, 2), 0.02, rate=RATE)
    assert film.position.shape == (5, 2, 1, 3)
    assert not film.position.any()
    assert not film.signals["kinetic"].any()
    assert not film.signals["unaccounted"].any()


@pytest.mark.parametrize("contact", CONTACT_METHODS)
@pytest.mark.parametrize("ground", [None, Plane(-0.6)])
def test_rests_under_every_contact_method(contact, ground):
    check_rest(world_of_model(POST, ground=ground, contact=contact))


@pytest.mark.parametrize("contact", CONTACT_METHODS)
def test_a_post_in_the_ground_is_no_contact(contact):
    """It was reported as unsolved in every step of "stepping", and was a foot under "penalty"."""
    post, ball = (
        Link("post", None, Joint("fixed"), (Part(Box((0.1, 0.1, 1.0))),)),
        Link("ball", "post", Joint("free", position=(0.5, 0.0, 0.1)), (Part(Sphere(0.1)),)),
    )
    both = Model(Figure("post and ball", (post, ball)), ground=True)
    world = world_of_model(both, contact=contact)
    assert world.surface.feet == ()
    state = initial_state(both, world)
    film = run(world, state, 0.1, rate=RATE)
    assert depth_of(world, [1.0] + [0.0] * 6) == pytest.approx(0.0)
    weight = ball.parts[0].mass_properties().mass * 9.81
    if contact != "penalty":
        assert film.signals["unsolved"][-1] == 0.0
        np.testing.assert_allclose(film.signals["elsewhere"][-1], weight, rtol=1e-3)
    alone = run(
        world_of_model(POST, ground=Plane(), contact=contact),
        start(world_of_model(POST, contact=contact)),
        0.1,
        rate=RATE,
    )
    for name in ("elsewhere", "stored", "unsolved"):
        assert not alone.signals.get(name, np.zeros(1)).any(), name


@pytest.mark.parametrize("name", INTEGRATORS)
def test_rests_under_every_integrator(name):
    check_rest(world_of_model(POST, timing=Timing(1.0 / RATE, 1e-3, name)))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_no_accelerations(method):
    check_rest(replace(world_of_model(POST), dynamics=method))
    dynamics = Dynamics(POST.figure, method=method)
    assert dynamics.forward([], []).shape == (0,)
    assert dynamics.forward(np.zeros((7, 0)), np.zeros((7, 0))).shape == (7, 0)
    assert dynamics.mass_matrix([]).shape == (0, 0)


@pytest.mark.parametrize(("ending", "write"), [(".toml", write_figure), (".xml", write_mjcf), (".urdf", write_urdf)])
def test_every_command_takes_one_from_every_format(tmp_path, ending, write):
    file = tmp_path / f"post{ending}"
    write(POST, file)
    for words in (
        ("run", file, "--seconds", 0.1, "--out", tmp_path / "out"),
        ("inspect", file, "--picture", tmp_path / "post.png"),
        ("convert", file, tmp_path / "other.toml"),
    ):
        result = invoke(*words)
        assert result.exit_code == 0, result.output
