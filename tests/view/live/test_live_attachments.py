"""Attachments in a live page: lines between the present places of their ends, until they break."""

import numpy as np
import pytest

from gambol import Timing, World, run, start, write_live_page
from gambol.collide import NoGround
from gambol.contact import Attachment
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.world import External
from gambol.world.film_attachments import is_attachment

LINES = """player.matter.parts.map((line) => [line.points.map((x) => x * player.film.size), line.group.visible])"""
SECONDS, RATE = 0.4, 100.0


def hanging() -> World:
    """A ball on two springs, of which the weaker one breaks as the ball falls and swings."""
    ball = Link("ball", None, Joint("free"), (Part(Sphere(0.1), density=1000.0),))
    springs = (
        Attachment("ball", None, (0.0, 0.05, 0.1), (0.0, 0.0, 0.5), stiffness=50.0),
        Attachment("ball", None, (0.05, 0.0, 0.0), (0.3, 0.0, 0.3), stiffness=10.0, breaks_at=0.55),
    )
    return World(
        Figure("hanging", (ball,)),
        ground=NoGround(),
        external=External(attachments=springs),
        contact="stepping",
        timing=Timing(1e-3, 1e-3),
    )


@pytest.fixture(scope="module")
def opened(open_page, tmp_path_factory):
    world = hanging()
    film = run(world, start(world), SECONDS, rate=RATE)
    page = open_page(write_live_page(world, tmp_path_factory.mktemp("hanging") / "hanging.html", film=film))
    page.page.evaluate("player.renderer.setAnimationLoop(null)")
    return film, page


def test_simulated_attachments_are_those_of_the_film(opened):
    film, page = opened
    lines = [each for each in film.matter if is_attachment(each)]
    intact = film.signals["intact"][:, 0]
    breaks = int(np.argmin(intact[:, 1]))
    assert 5 < breaks < len(intact) - 5
    assert intact[:, 0].all()
    for frame in (breaks - 2, breaks + 2):
        page.run("pause()", "reset()", f"step({10 * frame})")
        for k, ((points, visible), line) in enumerate(zip(page.page.evaluate(LINES), lines, strict=True)):
            np.testing.assert_allclose(np.reshape(points, (-1, 3)), line.points[frame], atol=1e-5)
            assert visible == (intact[frame, k] > 0.5)


def test_attachments_of_the_film_alone_follow_its_time(opened):
    film, page = opened
    lines = [each for each in film.matter if is_attachment(each)]
    intact = film.signals["intact"][:, 0]
    for frame in (3, len(film.time) - 2):
        page.page.evaluate(f"player.recorded.seek({frame / RATE}); player.recorded.pose()")
        for k, ((points, visible), line) in enumerate(zip(page.page.evaluate(LINES), lines, strict=True)):
            np.testing.assert_allclose(np.reshape(points, (-1, 3)), line.points[frame], atol=2e-3)
            assert visible == (intact[frame, k] > 0.5)
