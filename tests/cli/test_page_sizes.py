"""Pages that commands write: one that would be too large has no hills, one that is still too large plays the film."""

import pytest
from quadrupeds import quadruped
from worlds import touch

from gambol import SurfaceProperties, World, run, start, write_live_page
from gambol.cli import pages
from gambol.cli.pages import first_state, write_simulation_page
from gambol.cli.targets import Targets


@pytest.fixture(scope="module")
def walk():
    """The film of a quadruped, and its state for a page."""
    figure = quadruped()
    feet = tuple(link.name for link in figure.links if link.name.endswith("shank"))
    world = World(figure, surface=SurfaceProperties(touch(), feet))
    state = start(world, position=(0.0, 0.0, 0.3))
    return run(world, state.copied(), 0.05), first_state(state)


def test_hills_are_left_out_before_the_page_only_plays_a_film(walk, tmp_path, monkeypatch):
    film, simulation = walk
    sizes = []
    for hills in (True, False):
        path = tmp_path / f"{hills}.html"
        write_live_page(
            simulation.state.world, path, state=simulation.state, film=film, hills=hills, **simulation.page()
        )
        sizes.append(path.stat().st_size)
    assert sizes[1] < sizes[0]
    targets, path = Targets(tmp_path, "page"), tmp_path / "page.html"
    for limit, size in ((sizes[0], sizes[0]), (sizes[0] - 1, sizes[1]), (sizes[1], sizes[1])):
        monkeypatch.setattr(pages, "MAX_BYTES", limit)
        assert write_simulation_page(film, path, simulation, targets) is None
        assert path.stat().st_size == size
    monkeypatch.setattr(pages, "MAX_BYTES", sizes[1] - 1)
    reason = write_simulation_page(film, path, simulation, targets)
    assert reason is not None
    assert "plays the film only: it would have" in reason
    assert 'id="live"' not in path.read_text()
