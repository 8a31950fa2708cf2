"""A page says when more bodies touch than its program has room for, since its results then differ from a run's."""

import pytest
from quadrupeds import quadruped
from worlds import touch

from gambol import Stepping, SurfaceProperties, World, start, write_live_page

NOTE = "more contacts than this program has capacity for"


@pytest.mark.parametrize(("room", "is_said"), [(2, True), (4, False)])
def test_feet_that_land_without_room_are_told(open_page, tmp_path, room, is_said):
    """A quadruped falls on its four feet."""
    figure = quadruped()
    feet = tuple(link.name for link in figure.links if link.name.endswith("shank"))
    world = World(figure, surface=SurfaceProperties(touch(), feet), contact=Stepping(room))
    state = start(world, position=(0.0, 0.0, 0.3))
    page = open_page(write_live_page(world, tmp_path / "page.html", state=state, grab=False))
    page.run("pause()", "reset()")
    page.wait(f"!document.getElementById('status').textContent.includes('{NOTE}')")  # in the air
    steps = round(0.3 / world.timing.control_step)  # it lands after 0.15 s
    page.run(f"step({steps})")
    assert page.page.evaluate("gambol.rows[gambol.about.overCapacity] > 0") == is_said
    page.wait(f"document.getElementById('status').textContent.includes('{NOTE}') === {str(is_said).lower()}")
