"""Stored creatures as input of other commands by their address, ARCHIVE:RUN:ID."""

import re
from pathlib import Path

import numpy as np
import pygltflib
import pytest
from invoked import invoke

from gambol.cli.evolve.creature_address import CreatureAddress
from gambol.cli.figures import inspection
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import film_rollout
from gambol.evolve.genotype import grow, of_json
from gambol.evolve.runs import settings_of
from gambol.formats import read_figure, read_usd
from gambol.view import opengl
from gambol.world import Film


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(opengl, "can_render", lambda: False)


def stored(archive, number):
    """Return the settings of the run, and a creature of it."""
    with Archive(archive, create=False) as open_archive:
        return settings_of(open_archive, 1), open_archive.individual(1, number)


@pytest.mark.parametrize(
    ("word", "parts", "name"),
    [
        ("out/evolve.db:1:17", ("out/evolve.db", "1", "17"), "evolve-1-17"),
        ("evolve.sqlite:last:best", ("evolve.sqlite", "last", "best"), "evolve-last-best"),
        ("runs/a.DB:2", ("runs/a.DB", "2", None), "a-2"),
        ("evolve.db", ("evolve.db", None, None), "evolve"),
        ("postgresql+psycopg://ann@host:5432/runs:3:best", ("postgresql+psycopg://ann@host:5432/runs", "3", "best"),
         "runs-3-best"),
    ],
)  # fmt: skip
def test_an_address_names_archive_run_and_creature(word, parts, name):
    for given in (word, Path(word)):
        address = CreatureAddress.of(given)
        assert (address.db, address.run, address.creature) == parts
        assert address.name == name


@pytest.mark.parametrize("word", ["walk.toml", "arm.xml", "1:17", "out/walk", "a.db.toml", "film.npz"])
def test_other_files_are_no_addresses(word):
    assert CreatureAddress.of(word) is None


def test_run_films_a_stored_creature_in_its_own_task(archive, tmp_path):
    result = invoke("run", f"{archive}:1:17", "--seconds", "0.5", "--export", "take.csv")
    assert result.exit_code == 0, result.output
    settings, individual = stored(archive, 17)
    film = Film.load(tmp_path / "out" / "evolve-1-17.npz")
    same = film_rollout(settings, individual.genotype, individual.seed, seconds=0.5)
    np.testing.assert_array_equal(film.position, same.position)
    assert (tmp_path / "take.csv").stat().st_size > 1000


def test_inspect_and_convert_take_its_body(archive, monkeypatch):
    monkeypatch.setattr(inspection, "draw", lambda model, path: path)  # needs OpenGL
    _, individual = stored(archive, 17)
    creature = grow(of_json(individual.genotype), "evolve-1-17")
    reported = invoke("inspect", f"{archive}:1:17", "--picture", "body.png")
    assert reported.exit_code == 0, reported.output
    assert all(link.name in reported.output for link in creature.figure.links)
    assert invoke("convert", f"{archive}:1:17", "body.toml").exit_code == 0
    assert read_figure("body.toml").figure == creature.figure
    assert invoke("convert", f"{archive}:1:17", "body.xml").exit_code == 0
    assert (
        invoke("convert", f"{archive}:1:17", "body.urdf", "--leave-out", "motors", "--leave-out", "rotors").exit_code
        == 0
    )


def test_convert_writes_the_film_of_its_rollout_for_other_programs(archive):
    result = invoke("convert", f"{archive}:1:17", "walk.glb")
    assert result.exit_code == 0, result.output
    settings, individual = stored(archive, 17)
    names = {node.name for node in pygltflib.GLTF2().load("walk.glb").nodes}
    film = film_rollout(settings, individual.genotype, individual.seed)
    assert set(film.link_names) <= names
    invoke("convert", f"{archive}:1:17", "walk.csv")
    assert len(Path("walk.csv").read_text().splitlines()) == 1 + len(film.time)


def test_the_best_is_taken_without_an_id_and_replay_and_evolve_read_addresses_too(archive):
    with Archive(archive, create=False) as open_archive:
        best = open_archive.best(1)[0].number
    result = invoke("replay", f"{archive}")
    assert result.exit_code == 0, result.output
    assert f"creature {best}," in result.output
    assert f"wrote out/walk-1-{best}.toml" in result.output
    assert "creature 5," in invoke("replay", f"{archive}:1", 5).output
    words = ["--population", 4, "--generations", 1, "--seconds", 1.2, "--executor", "here", "--out", "child"]
    child = invoke("evolve", "--body", f"{archive}:1:5", *words)
    assert child.exit_code == 0, child.output
    assert "run 1: walk, evolve-1-5, control by" in child.output


def test_the_film_of_the_best_is_exported_at_the_end_of_a_run(archive):
    files = ["--export", "best.csv", "--export", "best.usda", "--plot", "speed", "--plot-file", "speed.csv"]
    result = invoke("evolve", "--resume", "--db", archive, *files)
    assert result.exit_code == 0, result.output
    assert "best.csv, best.usda, speed.csv\n" in result.output
    with Archive(archive, create=False) as open_archive:
        best = open_archive.best(1)[0]
    film = film_rollout(stored(archive, 0)[0], best.genotype, best.seed)
    for table in ("best.csv", "speed.csv"):
        assert len(Path(table).read_text().splitlines()) == 1 + len(film.time)
    body = grow(of_json(best.genotype)).figure
    assert read_usd("best.usda").figure.mass == pytest.approx(body.mass, rel=1e-5)  # masses are float32


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "{}:1:99"], "run 1 has no individual 99; it has 0 to 23"),
        (["inspect", "{}:7"], "there is no run 7; there are: 1"),
        (["convert", "nowhere.db:1:1", "a.glb"], "nowhere.db: there is no such file"),
        (["run", "{}:1:x"], "is not a creature of an archive; give ARCHIVE:RUN:ID, such as out/evolve.db:1:17"),
        (["replay", "{}:1:5", "6"], "names an archive and a creature; leave out --db and ID"),
        (["run", "{}:1:5", "--lanes", "3"], "--lanes: .*is a genotype, which sets this itself"),
        (["convert", "{}:1:5", "a.toml", "--cycle"], "--cycle is for films"),
        (["convert", "{}:1:5", "a.fbx"], "has a suffix that cannot be written"),
        (["evolve", "--resume", "--db", "{}", "--export", "a.fbx"], "fbx"),
    ],
)
def test_an_address_without_creature_is_an_error(words, message, archive):
    before = archive.read_bytes()
    result = invoke(*[word.format(archive) for word in words])
    assert result.exit_code == 2
    assert re.search(message, result.output), result.output
    assert archive.read_bytes() == before
    assert {path.name for path in Path().iterdir()} == {"evolve.db"}
