"""The command zoo: pages of creatures, those that live and those that play films, and the page that leads to them."""

from invoked import invoke

from gambol.cli.pages import MAX_BYTES
from gambol.cli.zoo.creatures import site_creatures
from gambol.creatures.table import CREATURES
from gambol.evolve.zoo import CREATURES as EVOLVED
from gambol.view import opengl


def test_the_zoo_has_all_creatures_that_come_with_gambol():
    names = [one.name for one in site_creatures()]
    assert {"roach", *CREATURES, *EVOLVED} <= set(names)
    assert len(names) == len(set(names))


def test_a_site_has_pages_that_live_and_films_with_their_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(opengl, "can_render", lambda: False)
    names = ("passive-walker", "robot-dog", "trampoline")
    result = invoke("zoo", *names, "--seconds", "0.1", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "1 of 3: passive-walker" in result.output
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", *(f"{name}.html" for name in names)}
    assert all(path.stat().st_size < MAX_BYTES for path in tmp_path.iterdir())
    simulated = ['id="live"' in (tmp_path / f"{name}.html").read_text() for name in names]
    assert simulated == [True, True, False]
    index = (tmp_path / "index.html").read_text()
    assert index.index("passive-walker.html") < index.index("trampoline.html")
    assert "plays a film" in index
    assert "cloth, ropes, meshes and particles are not computed in pages" in index


def test_unknown_names_and_impossible_times_are_refused_before_any_work(tmp_path):
    for words, message in (
        (("roch",), 'NAME: "roch" is not in the zoo; did you mean "roach"'),
        (("roach", "--seconds", "0"), "--seconds: 0 is not possible"),
    ):
        result = invoke("zoo", *words, "--out", tmp_path / "site")
        assert result.exit_code == 2
        assert message in result.output
    assert not list(tmp_path.iterdir())


def test_animals_walk_side_by_side_on_one_page(tmp_path):
    result = invoke("zoo", "hound", "--side-by-side", "--seconds", "0.5", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert {path.name for path in tmp_path.iterdir()} == {"side-by-side.html"}
    result = invoke("zoo", "roach", "--side-by-side", "--out", tmp_path)
    assert result.exit_code == 2
    assert 'NAME: "roach" is no animal that walks' in result.output
