"""Files of changed numbers, which pages save, are run by `gambol run` with the numbers that the page had."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from invoked import invoke

from gambol import Engine, State
from gambol.cli.figures.creatures import EvolvedCreature
from gambol.cli.figures.run_request import RunRequest
from gambol.cli.figures.sources import ReadOptions
from gambol.cli.source import Source, check_options, source_of
from gambol.cli.walk.creature import prepare_walk
from gambol.cli.walk.creature_request import CreatureRequest
from gambol.cli.walk.roach import RoachRequest
from gambol.errors import GambolError
from gambol.evolve.genotype import to_json
from gambol.evolve.zoo import zoo_creature
from gambol.formats import read_figure
from gambol.view.live.number_file import changed_inputs, read_number_file
from gambol.world import Film

MODEL = Path(__file__).parents[3] / "examples" / "figures" / "monopod.toml"
WALKER = {"kind": "creature", "options": {"name": "passive-walker"}}


def saved(folder, figure, source, numbers, name="page.numbers.json", **more):
    path = folder / name
    data = {"format": "gambol numbers", "figure": figure, "source": source, "numbers": numbers, **more}
    path.write_text(json.dumps(data))
    return path


def film_of(folder, name="page-changed"):
    return Film.load(folder / f"{name}.npz")


def test_a_creature_walks_with_the_numbers_of_its_page(tmp_path):
    path = saved(tmp_path, "passive-walker", WALKER, {"touch.friction": 0.9})
    result = invoke("run", path, "--seconds", "0.1", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    walk = prepare_walk(CreatureRequest("passive-walker"))
    engine, state = Engine(walk.world, lanes=1), State(walk.world, walk.state.rows.copy())
    numbers = walk.world.numbers()
    inputs = engine.numbers(touch=replace(numbers["touch"], friction=0.9))
    film = film_of(tmp_path)
    engine.advance(state, round(0.1 / walk.world.timing.control_step), inputs)
    expected = np.array(engine.observe(state, inputs).positions, float).reshape(-1, 3)
    np.testing.assert_array_equal(film.position[-1, 0], expected)
    assert json.loads(path.read_text())["numbers"] == {"touch.friction": 0.9}  # the file itself remains
    assert json.loads((tmp_path / "page-changed.json").read_text())["numbers"] == {"touch.friction": 0.9}


def test_a_figure_is_found_beside_the_file_and_a_tilted_gravity_acts(tmp_path):
    """In the first instant after release the centre of mass of a free figure gains the velocity g t."""
    text = MODEL.read_text()
    (tmp_path / "hopper.toml").write_text(text)
    options = {"file": "hopper.toml", "ground": "none"}
    source = {"kind": "figure", "options": options}
    name = read_figure(MODEL).figure.name
    pull = (1.0, 0.0, -2.0)
    path = saved(tmp_path, name, source, {"gravity": pull})
    result = invoke("run", path, "--seconds", "0.1", "--film", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    film = film_of(tmp_path)
    centre = film.signals["centre"][:, 0]
    t = film.time - film.time[0]
    np.testing.assert_allclose(centre - centre[0], 0.5 * np.outer(t**2, pull), atol=1e-6)


def test_an_evolved_creature_keeps_its_genes_and_takes_the_changes(tmp_path):
    found = zoo_creature("walker")
    state, numbers = EvolvedCreature("walker", to_json(found.genotype), found.settings).start()
    source = {"kind": "evolved", "options": {"name": "walker"}}
    path = saved(tmp_path, state.world.figure.name, source, {"gravity": 3.0})
    result = invoke("run", path, "--seconds", "0.2", "--film", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    engine, changed = Engine(state.world, "float32", lanes=1), numbers.copy()
    changed[engine.number_rows["gravity"]] = 3.0
    film = film_of(tmp_path)
    engine.advance(state, round(film.duration / state.world.timing.control_step), changed)
    expected = np.array(engine.observe(state, changed).positions, float).reshape(-1, 3)
    np.testing.assert_array_equal(film.position[-1, 0], expected)


def test_an_evolved_creature_grows_with_the_changed_genes(tmp_path):
    """Its trunk is longer in the file of its film, and unknown genes are refused."""
    source, genes = {"kind": "evolved", "options": {"name": "walker"}}, {"trunk length": 0.6}
    path = saved(tmp_path, "creature", source, {}, genes=genes)
    result = invoke("run", path, "--seconds", "0.1", "--film", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    trunk = next(shape for shape in film_of(tmp_path).shapes if shape.link == 0)
    assert trunk.kind == "box"
    assert trunk.size[0] == pytest.approx(0.6)
    result = invoke("run", saved(tmp_path, "creature", source, {}, genes={"trunk lenght": 0.6}), "--out", tmp_path)
    assert result.exit_code == 2
    assert 'did you mean "trunk length"' in result.output


@pytest.mark.parametrize(
    ("kind", "request_"),
    [
        ("roach", RoachRequest(gait="wave:tripod", turn=10.0, readings=("stance-from-the-start",), muscles=True)),
        ("creature", CreatureRequest("dog", gait="trot", lanes=1, slope=3.0)),
        ("figure", RunRequest(Path("a.xml"), 2.0, ground="flat", hold=True, reading=ReadOptions(leave_out=("x",)))),
        ("figure", RunRequest(Path("evolve.db:1:17"))),
    ],
)
def test_the_options_of_a_command_come_back_from_its_page(kind, request_):
    data = json.loads(json.dumps(source_of(kind, request_)))
    source = Source.of(data, "page")
    options = dict(source.options)
    if kind == "figure":
        options["file"] = Path(options["file"])
    assert check_options(type(request_), options) == request_


def test_of_a_path_only_the_name_is_told_and_other_files_have_no_source():
    assert source_of("figure", RunRequest(Path("/home/me/secret/a.xml")))["options"] == {"file": "a.xml"}
    for request in (
        RunRequest(Path("a.xml"), controller="law.py:f"),
        RunRequest(Path("a.xml"), policy="walk.onnx"),
        RunRequest(Path("a.xml"), ground="hills.csv"),
        RunRequest(Path("other.db:1:17")),
        RoachRequest(path="curve.csv"),
        RoachRequest(parameters="mine.toml"),
    ):
        assert source_of("figure", request) is None


@pytest.mark.parametrize(
    ("source", "numbers", "words"),
    [
        (None, {}, "does not say which world its numbers are of"),
        ({"kind": "other", "options": {}}, {}, "the source is of kind 'other'"),
        ({"kind": "roach", "options": {"gait": 3}}, {}, "gait = 3, which is of another type"),
        ({"kind": "roach", "options": {"path": "x.csv"}}, {}, 'cannot have the option "path"'),
        ({"kind": "roach", "options": {"ground": "../x.csv"}}, {}, "which is a file; a source has names only"),
        ({"kind": "figure", "options": {"file": "a.toml", "controller": "x.py:f"}}, {}, '"controller"'),
        ({"kind": "figure", "options": {"file": "a.toml", "policy": "x.onnx"}}, {}, '"policy"'),
        ({"kind": "figure", "options": {"file": "/etc/a.toml"}}, {}, '"a.toml", which is not found'),
        ({"kind": "figure", "options": {"file": "evolve.db:1:2"}}, {}, '"evolve.db", which is not found'),
        ({"kind": "evolved", "options": {"name": "nobody"}}, {}, 'there is no evolved creature "nobody"'),
        (WALKER, {"nothing": 1.0}, 'this world has no number "nothing"'),
        (WALKER, {"touch.friction": "a"}, "give a finite number"),
        (WALKER, {"touch.friction": [1.0, 2.0, 3.0]}, "give a finite number"),
        (WALKER, [], '"numbers" and "genes" must be objects'),
    ],
)
def test_a_file_that_cannot_be_run_is_refused_before_any_work(tmp_path, monkeypatch, source, numbers, words):
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out"
    result = invoke("run", saved(tmp_path, "passive-walker", source, numbers), "--out", out)
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())
    assert not out.exists()


def test_numbers_of_another_figure_and_other_options_are_refused(tmp_path):
    path = saved(tmp_path, "roach", WALKER, {})
    assert 'has numbers of "roach"; its source is "passive-walker"' in invoke("run", path).output
    assert "give --seconds only" in invoke("run", path, "--hold").output


def test_other_files_are_no_numbers(tmp_path):
    path = tmp_path / "a.json"
    for text, words in (("{", "is not JSON"), ('{"format": "x"}', "is not of the format"), ("[1]", "is not of")):
        path.write_text(text)
        with pytest.raises(GambolError, match=words):
            read_number_file(path)
    with pytest.raises(GambolError, match="cannot be read"):
        read_number_file(tmp_path / "none.json")
    path.write_text('{"format": "gambol numbers", "numbers": {"gravity": NaN}}')
    with pytest.raises(GambolError, match="finite"):
        read_number_file(path)


def test_a_vector_keeps_the_other_numbers():
    walk = prepare_walk(CreatureRequest("passive-walker"))
    walk_numbers = Engine(walk.world).numbers()
    state, numbers = changed_inputs(walk.state, None, {"gravity": (0.0, 0.0, -9.81), "tolerance": 0.5})
    assert state.world.gravity == (0.0, 0.0, -9.81)
    again, scalar = changed_inputs(walk.state, walk_numbers, {})
    assert again.world is walk.world
    np.testing.assert_array_equal(scalar, walk_numbers)
    assert len(numbers) >= len(walk_numbers)
