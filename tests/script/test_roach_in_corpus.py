"""The roach of the thesis from its script: the same creature as roach("thesis"), to the last bit, and the same walk."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from gambol.creatures import roach, standing_state, world_of
from gambol.figure import Figure
from gambol.lanes import leaves
from gambol.script import read_script
from gambol.world import World, run

SCRIPTS = Path(__file__).parents[2] / "examples" / "scripts"
ROACH = roach("thesis")


def copy_roach(folder: Path) -> None:
    """Copy the script of the roach and its parts into a folder."""
    shutil.copy(SCRIPTS / "roach.corpus", folder)
    shutil.copytree(SCRIPTS / "parts", folder / "parts")


@pytest.fixture(scope="module")
def world() -> World:
    return read_script(SCRIPTS / "roach.corpus").dry_run().build_world()


@pytest.fixture(scope="module")
def figure(world: World) -> Figure:
    return world.figure


@pytest.mark.parametrize("link", ROACH.figure.links, ids=lambda link: link.name)
def test_link_by_link_it_is_the_roach(figure, link):
    ours = figure.link(link.name)
    assert ours == link  # number, parent, joint, mass, centre of mass, inertia, box and place: all of it


def test_it_has_no_other_links(figure):
    assert [link.name for link in figure.links] == [link.name for link in ROACH.figure.links]


def test_its_springs_are_the_roachs(world):
    assert world.resolved_springs == world_of(ROACH).resolved_springs


def test_its_legs_and_programs_are_the_roachs(world):
    assert world.controller.legs == ROACH.legs
    assert world.surface.feet == tuple(leg.foot for leg in ROACH.legs)


def test_its_world_is_the_roachs(world):
    theirs = world_of(ROACH, speed=1000.0, begins=world.controller.begins)
    assert world.structure() == theirs.structure()
    assert leaves(world.numbers()) == leaves(theirs.numbers())
    assert world.timing == theirs.timing


def test_it_walks_as_the_roach_does(tmp_path):
    script = (SCRIPTS / "walk.corpus").read_text().replace("alarm 0.1 ", "alarm 0.02 ").replace("go 600", "go 60")
    (tmp_path / "walk.corpus").write_text(script)
    copy_roach(tmp_path)
    output = []
    film = read_script(tmp_path / "walk.corpus").run(tmp_path, echo=output.append)
    world = world_of(ROACH, begins=0.02)
    theirs = run(world, standing_state(ROACH, world), 0.05)
    assert output[0] == "It walks."
    np.testing.assert_array_equal(film.position, theirs.position)
    np.testing.assert_array_equal(film.signals["stepping"], theirs.signals["stepping"])
    np.testing.assert_allclose(film.time, theirs.time, rtol=0, atol=1e-12)
    assert film.signals["stepping"].any()


TUNED = roach("tuned")


def test_the_tuned_script_has_the_roach_that_walks_well():
    """Its numbers, motor programs and reflexes; the gait runs at its speed once it has begun."""
    world = read_script(SCRIPTS / "roach_tuned.corpus").dry_run().build_world()
    theirs = world_of(TUNED, begins=world.controller.begins)
    assert world.structure() == theirs.structure()
    assert leaves(world.numbers()) == leaves(theirs.numbers())
    assert world.controller.legs == TUNED.legs
    assert world.controller.reflexes == TUNED.reflexes
    assert world.timing == theirs.timing


def test_the_tuned_script_walks_at_the_speed_of_the_tuned_roach(tmp_path):
    """Over two strides, after one for the transient: 11.0 cm/s (docs/decisions/005)."""
    script = (SCRIPTS / "roach_tuned.corpus").read_text().replace("go 1320", "go 480")
    (tmp_path / "tuned.corpus").write_text(script)
    copy_roach(tmp_path)
    film = read_script(tmp_path / "tuned.corpus").run(tmp_path)
    steady = film.time >= 0.2
    distance = np.ptp(film.position[steady][:, 0, 0, 0])
    assert distance / np.ptp(film.time[steady]) == pytest.approx(0.11, rel=0.05)
    assert film.position[:, 0, 0, 2].min() > 0.01  # on its feet
