"""Evolution over one's own ground, up a slope, along a path, at a wanted speed: stored with the run, and replayed."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from invoked import TINY, invoke

from gambol.cli.evolve.request import Request
from gambol.cli.evolve.surroundings import Surroundings
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.genotype import Genotype, grow, plan_named, write_genotype
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.runs import settings_of
from gambol.evolve.tasks.terrain import Heights, Hills, Slope
from gambol.evolve.zoo import zoo_creature

DUNES = 0.05 * (1.0 - np.cos(np.arange(81)[:, None] * 0.5) * np.ones(41))


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("dunes.npy", DUNES)
    Path("course.csv").write_text("-3,-0.5\n-1,0\n1,0.5\n3,0\n")
    Path("far.csv").write_text("-3,-0.5\n-1,0\n1,0.5\n30,0\n")
    Path("fast.csv").write_text("-3,-0.5,1\n-1,0,0.5\n1,0.5,1\n")


def task_with(task=None, body=None, seed=None, **given):
    return task_of(Request(task, body, seed=seed, surroundings=Surroundings(**given)).settings())


def test_options_change_the_task():
    assert task_with(slope=-12.0).ground == Slope(math.radians(-12.0))
    assert task_with(ground="dunes.npy", spacing=0.1).ground == Heights(DUNES, 0.1, "dunes.npy")
    body = grow(with_neutral_control(Genotype(plan_named("hexapod"))))
    hills = task_with(body="hexapod", seed=7, ground="hills").ground
    assert hills == Hills(round(body.height / 3.0, 3), round(2.0 * body.length, 3), 7)
    assert task_with(ground="flat") == task_with()


def test_a_path_sets_the_task_the_start_and_the_heading():
    task = task_with(path="course.csv", speed=0.6)
    assert task.name == "path"
    assert task.start[:2] == (-3.0, -0.5)
    assert task.start[2] == pytest.approx(math.atan2(0.5, 2.0), abs=0.1)
    term = task.terms[0]
    assert (term.term, term.options["speed"]) == ("along_path", 0.6)
    c, s = math.cos(task.start[2]), math.sin(task.start[2])
    x, y = term.options["points"][-1]  # back in the axes of the ground it is the last point of the file
    assert (c * x - s * y - 3.0, s * x + c * y - 0.5) == pytest.approx((3.0, 0.0), abs=1e-9)


def test_a_desired_speed_replaces_the_highest():
    terms = {term.term: term for term in task_with(speed=0.5).terms}
    assert terms["at_speed"].options == {"wanted": 0.5}
    assert not {"speed", "pace"} & set(terms)
    assert set(terms) >= {"slip", "upright"}


def test_a_run_over_dunes_along_a_path_is_stored_continued_and_replayed():
    words = ["--ground", "dunes.npy", "--spacing", "0.1", "--path", "course.csv", "--speed", "0.6"]
    result = invoke("evolve", *TINY, *words)
    assert result.exit_code == 0, result.output
    assert "run 1: path over dunes.npy along a path of 6.2" in result.output
    assert "along_path" in result.output
    Path("dunes.npy").unlink()
    Path("course.csv").unlink()
    again = invoke("evolve", "--resume", "--generations", 4, "--executor", "threads")
    assert again.exit_code == 0, again.output
    replay = invoke("replay", "last", 3, "--film")
    assert replay.exit_code == 0, replay.output
    assert "its outcome is the same as the stored one, to the last bit" in replay.output
    assert invoke("lineage", "--films", 1).exit_code == 0
    with Archive("out/evolve.db", create=False) as archive:
        assert task_of(settings_of(archive, 1)).ground == Heights(DUNES, 0.1, "dunes.npy")
    other = invoke("evolve", "--resume", "--slope", 4)
    assert other.exit_code == 2
    assert "cannot be resumed with other settings" in other.output
    assert max(map(len, other.output.splitlines())) < 1000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--slope", "60"], "--slope: a slope of 60 degrees is too steep; give -45 to 45"),
        (["--slope", "nan"], "--slope: a slope of nan degrees"),
        (["--speed", "0"], "--speed: 0 m/s is not possible; give more than 0, such as 0.5"),
        (["--ground", "hils"], '--ground: "hils" is unknown; did you mean "hills"?'),
        (["--ground", "none.csv"], 'there is no height file "none.csv"'),
        (["--ground", "dunes.npy", "--spacing", "0.001"], "too small for a creature of 0.5 m; give more heights"),
        (["--ground", "dunes.npy", "--spacing", "0"], "--spacing: 0 m is not possible"),
        (
            ["--ground", "dunes.npy", "--spacing", "0.1", "--path", "far.csv"],
            r'--path: "far.csv" leaves the ground at .* the ground has x from -4 to 4 m and y from -2 to 2 m',
        ),
        (["--path", "fast.csv"], '"fast.csv" has a third column, of speeds; leave it out, and give --speed'),
        (["--path", "none.csv"], 'there is no path file "none.csv"'),
        (
            ["hop", "--path", "course.csv"],
            '--path: the task "hop" does not follow a path; leave TASK out, or give path',
        ),
        (["swim", "--slope", "3"], '--slope: the task "swim" has no ground, creatures float'),
        (["--ground", "hills", "--slope", "3"], "give --ground or --slope, not both"),
        (["jump", "--speed", "1"], '--speed: the task "jump" has no speed; it is for walk, hop, swim and path'),
        (["path", "--speed", "1"], '--speed: the task "path" has no speed; give --path FILE, too'),
    ],
)
def test_impossible_input_is_an_error_before_any_work(words, message):
    result = invoke("evolve", *TINY, *words)
    assert result.exit_code == 2
    assert re.search(message, result.output), result.output
    assert not Path("out").exists()


def test_a_creature_of_a_file_runs_over_hills():
    write_genotype(zoo_creature("walker").genotype, Path("walk.toml"))
    result = invoke(
        "run", "walk.toml", "--ground", "hills", "--seed", "3", "--seconds", "0.3", "--film", "--export", "w.csv"
    )
    assert result.exit_code == 0, result.output
    refused = invoke("run", "walk.toml", "--ground", "none")
    assert refused.exit_code == 2
    assert '--ground: "none" is unknown' in refused.output
