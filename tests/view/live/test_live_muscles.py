"""Muscles of a live page: the page draws them as the film of the same run does."""

import numpy as np
import pytest
from drives import ConstantPattern

from gambol import Timing, World, run, start, write_live_page
from gambol.actuation.muscle import AntagonistPair
from gambol.collide import NoGround
from gambol.control import Drive
from gambol.figure import Figure, Joint, Link, Part, Sphere

PAIR = AntagonistPair(-0.5, 0.5, radius=0.04, max_force=300.0, optimal_length=0.1)
TUBES = """player.matter.parts.map((tube) => [tube.points.map((x) => x * player.film.size), tube.levels])"""
SECONDS, RATE = 0.5, 100.0


def arms() -> World:
    """A body with an arm that two muscles turn, and another arm; it falls."""
    part, body = Part(Sphere(0.05), (0.0, 0.0, -0.3), density=1000.0), Part(Sphere(0.1), density=1000.0)
    joint = Joint("revolute", (0.0, 1.0, 0.0))
    links = [Link(name, "body", joint, (part,)) for name in ("arm", "other")]
    figure = Figure("arms", (Link("body", None, Joint("free"), (body,)), *links))
    drive = Drive(ConstantPattern((0.8,)), {"arm": PAIR})
    return World(figure, ground=NoGround(), controller=drive, contact="stepping", timing=Timing(1e-3, 1e-3))


@pytest.fixture(scope="module")
def opened(open_page, tmp_path_factory):
    world = arms()
    film = run(world, start(world), SECONDS, rate=RATE)
    page = open_page(write_live_page(world, tmp_path_factory.mktemp("arms") / "arms.html", film=film))
    page.page.evaluate("player.renderer.setAnimationLoop(null)")
    return film, page


def test_simulated_muscles_are_those_of_the_film(opened):
    """Points and levels of the snapshot are those of the film, to the rounding of single precision."""
    film, page = opened
    for frame in (10, 40):
        page.run("pause()", "reset()", f"step({10 * frame})")
        for (points, levels), muscle in zip(page.page.evaluate(TUBES), film.matter, strict=True):
            np.testing.assert_allclose(np.reshape(points, (-1, 3)), muscle.points[frame], atol=1e-6)
            np.testing.assert_allclose(levels, [muscle.activation[frame], muscle.force[frame]], atol=1e-6)
    assert abs(film.matter[0].activation[40] - film.matter[1].activation[40]) > 0.1


def test_muscles_of_the_film_alone_follow_its_time(opened):
    """A page stores levels in steps of 1/255, and points in steps that cannot be seen."""
    film, page = opened
    page.page.evaluate("player.recorded.seek(0.3); player.recorded.pose()")
    for (points, levels), muscle in zip(page.page.evaluate(TUBES), film.matter, strict=True):
        np.testing.assert_allclose(np.reshape(points, (-1, 3)), muscle.points[30], atol=1e-3)
        np.testing.assert_allclose(levels, [muscle.activation[30], muscle.force[30]], atol=0.6 / 255.0)


def test_muscles_of_a_limb_that_is_cut_off_are_hidden(opened):
    _, page = opened
    shown = "player.matter.parts.map((tube) => tube.group.visible)"
    page.run("pause()", "reset()", "set('cuts.arm', 1)")
    assert page.page.evaluate(shown) == [False, False]
    page.run("set('cuts.arm', 0)")
    assert page.page.evaluate(shown) == [True, True]
