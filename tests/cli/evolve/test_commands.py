"""The commands about evolution as their user meets them: their files, exit codes, and errors for invalid input."""

import base64
import gzip
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from invoked import TINY, invoke

from gambol.cli.evolve import lineage_command
from gambol.cli.evolve.breed_command import HumanChoice
from gambol.cli.evolve.replay_command import outcome_differences
from gambol.evolve.archive import Archive
from gambol.evolve.genotype import of_json, read_genotype, to_json
from gambol.evolve.outcome import Outcome
from gambol.evolve.runs import Settings
from gambol.evolve.zoo import zoo_creature


def rows(path):
    """Return all individuals of the first run of an archive."""
    with Archive(path, create=False) as archive:
        return [
            replace(one, outcome=repr(one.outcome))
            for generation in archive.generations(1)
            for one in archive.individuals(1, generation.generation)
        ]


def best_of(path):
    with Archive(path, create=False) as archive:
        return archive.best(1)[0]


@pytest.mark.parametrize("command", ["evolve", "lineage", "replay", "breed"])
def test_help_lists_the_commands_and_the_options_of_each(command):
    assert f"gambol {command}" in invoke().output
    reported = invoke(command, "--help")
    assert reported.exit_code == 0
    assert "--db" in reported.output


def test_evolve_writes_the_best_creature_and_prints_its_path(bred):
    folder, output = bred
    assert {path.name for path in folder.iterdir()} == {"evolve.db", "walk.html", "walk.toml"}
    one = best_of(folder / "evolve.db")
    assert f"creature {one.number} of generation {one.generation}, fitness {one.outcome.fitness:.3f}" in output
    reported = "terms: the worse of 2 trials; film: the undisturbed one"
    assert f"({reported})</h1>" in (folder / "walk.html").read_text()
    assert f"\n{reported}\n" in output
    assert read_genotype(folder / "walk.toml") == of_json(one.genotype)
    for words in ("run 1: walk, quadruped, control by spectral, search es, 8 x 3 rollouts of 1.5 s in 2 trials, seed 3",
                  "generation 3 of 3: best", "creatures/s", "walk.html", "gambol lineage 1", "no OpenGL"):  # fmt: skip
        assert words in output


def test_a_run_is_resumed_for_longer_and_nothing_is_evaluated_twice(archive, tmp_path, bred):
    before = rows(archive)
    result = invoke("evolve", "--resume", "--generations", "4", "--executor", "here", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    after = rows(archive)
    assert after[:24] == before
    assert len(after) == 32
    whole = tmp_path / "whole"
    assert invoke("evolve", *TINY, "--seed", "3", "--generations", "4", "--out", whole).exit_code == 0
    assert rows(whole / "evolve.db") == after
    again = invoke("evolve", "walk", "--resume", "1", "--out", tmp_path)
    assert again.exit_code == 0
    assert "best of 32" in again.output


def test_a_replay_draws_joints_and_stepping(archive, tmp_path):
    names, table = "q.limb1_left_2,stepping,limb1_left_9.z", tmp_path / "a.csv"
    result = invoke("replay", "--plot", names, "--plot-file", table, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert 'did you mean "limb1 left ' in result.output
    header, *lines = table.read_text().splitlines()
    assert header.startswith("time [s],q.limb1 left 2 [rad],stepping.")
    assert len(lines) == 1 + round(1.5 * 60)
    assert {float(x) for line in lines for x in line.split(",")[2:]} == {0.0, 1.0}


def test_ctrl_c_saves_the_run_and_prints_how_to_resume_it(tmp_path):
    words = ["evolve", *TINY, "--generations", "500", "--out", str(tmp_path)]
    command, environment = [sys.executable, "-m", "gambol", *words], os.environ | {"COLUMNS": "200"}
    said = ""
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment
    ) as child:
        while "generation 1 of" not in said:
            said += child.stderr.readline()
        child.send_signal(signal.SIGINT)
        said += child.stderr.read()
    assert child.returncode == 130
    done = int(re.search(r"interrupted after (\d+) generation", said).group(1))
    assert f"gambol evolve --resume 1 --db {tmp_path / 'evolve.db'}" in said
    with Archive(tmp_path / "evolve.db", create=False) as archive:
        assert len(archive.generations(1)) == done >= 1


def test_an_ancestor_is_replayed_to_the_last_bit(archive, tmp_path):
    result = invoke("replay", 1, 17, "--db", archive, "--out", tmp_path / "again")
    assert result.exit_code == 0, result.output
    assert "the same as the stored one, to the last bit" in result.output
    assert {path.name for path in (tmp_path / "again").iterdir()} == {"walk-1-17.toml", "walk-1-17.html"}
    best = invoke("replay", "--db", archive, "--out", tmp_path / "again")
    assert f"creature {best_of(archive).number}," in best.output


def test_any_trial_of_an_ancestor_is_shown(archive, tmp_path):
    result = invoke("replay", 1, 17, "--trial", 1, "--film", "--db", archive, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "the same as the stored one, to the last bit" in result.output
    assert "\nterms: the worse of 2 trials; film: trial 1\n" in result.output
    title = re.search("<title>(.*)</title>", (tmp_path / "walk-1-17-trial-1.html").read_text()).group(1)
    assert title.startswith("walk, quadruped: creature 17 of run 1, fitness ")
    assert title.endswith(", trial 1 (terms: the worse of 2 trials; film: trial 1)")


def test_a_replay_that_differs_is_reported(archive, tmp_path):
    with Archive(archive, create=False) as open_archive, open_archive._engine.begin() as connection:
        before = open_archive.individual(1, 5).outcome.fitness
        connection.exec_driver_sql("UPDATE gambol_individual SET fitness = fitness + 1.5 WHERE number = 5")
    result = invoke("replay", 1, 5, "--db", archive, "--out", tmp_path)
    assert result.exit_code == 1
    assert (
        f"its outcome differs from the stored one: fitness {before + 1.5!r} stored, {before!r} new\n" in result.output
    )
    assert "generation 0 of run 1 is not what was stored: it is damaged, or was changed" in result.output
    result = invoke("replay", 1, 6, "--db", archive, "--out", tmp_path)  # of the same generation
    assert result.exit_code == 0
    assert "generation 0 of run 1 is not what was stored" in result.output
    assert "the same as the stored one, to the last bit" in result.output
    result = invoke("replay", 1, 8, "--db", archive, "--out", tmp_path)
    assert "not what" not in result.output


def test_a_replay_of_another_version_names_the_differences(archive, tmp_path):
    """Another version of gambol wrote the archive and gave the creature another outcome: both are reported."""
    with Archive(archive, create=False) as open_archive, open_archive._engine.begin() as connection:
        before = open_archive.individual(1, 5).outcome.fitness
        connection.exec_driver_sql("UPDATE gambol_run SET versions = json_set(versions, '$.gambol', '0.0.9')")
    same = invoke("replay", 1, 6, "--db", archive, "--out", tmp_path)
    assert same.exit_code == 0
    note = "was evaluated with other versions, so it may move differently now: gambol 0.0.9 then and"
    assert f"individual 6 of run 1 {note}" in same.output
    assert "its outcome is the same as the stored one, to the last bit" in same.output
    with Archive(archive, create=False) as open_archive, open_archive._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE gambol_individual SET fitness = fitness + 1.5 WHERE number = 5")
    other = invoke("replay", 1, 5, "--db", archive, "--out", tmp_path)
    assert other.exit_code == 1
    assert f"individual 5 of run 1 {note}" in other.output
    assert f"its outcome differs from the stored one: fitness {before + 1.5!r} stored, {before!r} new\n" in other.output


def test_the_differences_of_a_replay_are_named():
    stored = Outcome(1.0, {"speed": 2.0, "height": 0.1}, (0.5,))
    assert outcome_differences(stored, stored) == []
    new = Outcome(1.0, {"speed": 2.0000000000000004, "slip": 0.0}, (0.25,), "froze")
    assert outcome_differences(stored, new) == [
        "speed 2.0 stored, 2.0000000000000004 new",
        "slip none stored, 0.0 new",
        "height 0.1 stored, none new",
        "behaviour (0.5,) stored, (0.25,) new",
        "mark none stored, 'froze' new",
    ]


def test_a_lineage_leads_from_the_best_back_to_random_creatures(archive, tmp_path):
    page = tmp_path / "lineage.html"
    plots = [tmp_path / "plots" / "fitness.csv", tmp_path / "fitness.svg"]
    plot_options = [word for path in plots for word in ("--plot-file", path)]
    result = invoke("lineage", 1, "--films", 2, "--db", archive, "--out", page, *plot_options)
    assert result.exit_code == 0, result.output
    assert all(path.name in result.output for path in plots)
    assert plots[1].stat().st_size > 1000
    text = page.read_text()
    reported = page_data(text)
    people = {one["number"]: one for one in reported["individuals"]}
    assert reported["line"][-1] == best_of(archive).number
    for parent, child in zip(reported["line"], reported["line"][1:], strict=False):
        assert parent in people[child]["parents"]
    assert people[reported["line"][0]]["generation"] == 0
    assert not people[reported["line"][0]]["parents"]
    film_rollout = {int(number) for number in re.findall(r'id="film(\d+)"', text)}
    assert film_rollout == {reported["line"][0], reported["line"][-1]}
    assert any("not ancestors" in note for note in reported["leftOut"])
    assert [name for name, *_ in reported["geneLists"][0]][:3] == ["limb1 shift", "limb2 shift", "frequency"]
    assert len(reported["generations"]) == 3
    best = np.loadtxt(plots[0], delimiter=",", skiprows=1)[:, 1]
    assert best == pytest.approx(
        [generation[0] for generation in reported["generations"]], rel=1e-5
    )  # 6 digits in pages
    assert reported["about"]["rollouts"] == "8 x 3 of 1.5 s in 2 trials"
    assert reported["trials"] == "terms: the worse of 2 trials; film: the undisturbed one"
    assert f"{reported['trials']}\n" in result.output
    assert reported["filmCommand"] == "See it with: gambol replay 1 NUMBER --db ARCHIVE, where the run is stored"


def test_a_lineage_of_free_bodies_lists_the_genes_of_each(tmp_path):
    words = ["--body", "free", "--control", "spectral", "--population", "8", "--generations", "2", "--seconds", "1.2"]
    assert invoke("evolve", *words, "--executor", "here", "--out", tmp_path).exit_code == 0
    page = tmp_path / "lineage.html"
    result = invoke("lineage", "--films", 1, "--db", tmp_path / "evolve.db", "--out", page)
    assert result.exit_code == 0, result.output
    reported = page_data(page.read_text())
    assert all(len(reported["geneLists"][one["geneList"]]) == len(one["values"]) for one in reported["individuals"])
    assert "trunk length" in [name for name, *_ in reported["geneLists"][0]]


def page_data(page):
    encode_film = re.search(r'<script id="lineage"[^>]*>([^<]*)<', page).group(1)
    return json.loads(gzip.decompress(base64.b64decode(encode_film)))


def test_films_are_spread_over_a_line_and_the_last_is_always_among_them():
    line = list(range(11))
    assert lineage_command.evenly_spaced(line, 3) == [0, 5, 10]
    assert lineage_command.evenly_spaced(line, 1) == [10]
    assert lineage_command.evenly_spaced(line, 0) == []
    assert lineage_command.evenly_spaced(line, 99) == line


class Picker:
    """A person at a choice server who always chooses the second creature, and leaves after some generations."""

    def __init__(self, most):
        self.most, self.seen = most, []

    def chosen(self, generation, candidates, programs):
        if len(self.seen) == self.most:
            raise KeyboardInterrupt
        self.seen.append([one.number for one in candidates])
        return [1]


@pytest.fixture
def person(monkeypatch):
    """Return a function that lets a person choose in every choice server; it takes the number of generations."""
    from gambol.view.choice import ChoiceServer

    def sit(most):
        picker = Picker(most)
        monkeypatch.setattr(ChoiceServer, "chosen", lambda _, *words: picker.chosen(*words))
        return picker

    return sit


def test_choices_are_in_the_archive_and_breeding_continues(person, tmp_path):
    picker = person(2)
    words = ["--population", "4", "--seconds", "1.2", "--out", tmp_path]
    result = invoke("breed", *words)
    assert result.exit_code == 0, result.output
    assert "http://127.0.0.1:" in result.output
    assert "continue with `gambol breed 1" in result.output
    one, other = rows(tmp_path / "evolve.db")[:4], rows(tmp_path / "evolve.db")[4:]
    assert ["fitness=1.0" in who.outcome for who in one] == [False, True, False, False]
    assert other[0].genotype == one[1].genotype  # the chosen creature survives
    assert all(who.parents == (1,) for who in other)
    picker = person(1)
    result = invoke("breed", 1, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert picker.seen == [[8, 9, 10, 11]]
    assert len(rows(tmp_path / "evolve.db")) == 12
    replay = invoke("replay", 1, 5, "--db", tmp_path / "evolve.db", "--out", tmp_path / "again")
    assert replay.exit_code == 0, replay.output


def test_breeding_of_an_animal_begins_with_its_walk_and_mutants_that_mostly_walk():
    """The first is the lizard of the zoo. Of 24, at least half stay upright; of random strides nearly all fall."""
    from gambol.cli.evolve.breed_command import DEFAULTS, BreedCommand
    from gambol.cli.evolve.request import Request
    from gambol.evolve.evaluate import evaluate_genotypes
    from gambol.evolve.evaluate.options import search_space

    request = Request(body="lizard", population=9)
    settings = BreedCommand("new", request, None, Path(), 0, False, "cpu")._new_settings()
    assert (settings.body, settings.control) == ("lizard", "stride")
    walk = zoo_creature("lizard").genotype
    assert settings.options["search"]["start"] == [to_json(walk)]
    space = search_space(settings)
    rng = np.random.default_rng(0)
    mutants = [to_json(space.mutated(walk, settings.options["search"]["step"], rng)) for _ in range(24)]
    outcomes = evaluate_genotypes(settings, mutants, range(24))
    assert sum(outcome.terms["upright"] > 0.8 for outcome in outcomes) >= 12
    for other in (Request(body="lizard", control="spectral"), Request(body="quadruped"), Request()):
        plain = BreedCommand("new", other, None, Path(), 0, False, "cpu")._new_settings()
        assert plain.options == DEFAULTS.options


def test_breeding_by_eye_may_begin_with_the_best_of_a_run(person, archive, tmp_path):
    person(1)
    result = invoke("breed", 1, "--population", "3", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    with Archive(archive, create=False) as open_archive:
        given = open_archive.individuals(2, 0)
        best = open_archive.best(1, 2)
    assert [one.origin for one in given] == ["given", "given", "mutated"]
    assert [one.genotype for one in given[:2]] == [one.genotype for one in best]
    assert invoke("evolve", "--resume", 2, "--out", tmp_path).exit_code == 2  # a person's run is not evolve's


def test_marked_creatures_stay_marked_whatever_the_person_chooses(monkeypatch):
    from gambol.cli.evolve import breed_command
    from gambol.view.choice import Candidate

    lives = [Outcome(0.5, {"speed": 0.5}), Outcome(0.0, {}, (), "froze")]
    monkeypatch.setattr(breed_command, "evaluate_genotypes", lambda *_: lives)
    monkeypatch.setattr(
        breed_command, "candidate", lambda _, __, number, outcome, ___: Candidate(number, "", "film", outcome.marked)
    )
    outcomes = HumanChoice(Picker(1), breed_command.Console()).evaluate(Settings(population=2), [{}, {}], [0, 1])
    assert [one.valid for one in outcomes] == [True, False]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["evolve", "wak"], 'the task: "wak" is unknown; did you mean "walk"?'),
        (["evolve", "--executor", "treads"], 'there is no executor "treads"; did you mean "threads"?'),
        (["evolve", "--workers", "0"], "0 workers are not possible"),
        (["evolve", "--body", "free", "--search", "cma"], "CMA-ES needs genotypes that all have the same"),
        (["evolve", "--search", "choice"], "use `gambol breed`"),
        (["evolve", "--db", "nowhere/x.db"], "the folder nowhere does not exist"),
        (["evolve", "--db", "tape://x"], "SQLAlchemy knows no such database"),
        (["evolve", "--out", "/proc/x"], '--out: the folder "/proc/x" cannot be written'),
        (["evolve", "--resume"], "begin a run with `gambol evolve`"),
        (["evolve", "--resume", "--db", "other.db"], "other.db: there is no such file"),
        (["lineage"], "begin a run with `gambol evolve`"),
        (["replay"], "begin a run with `gambol evolve`"),
        (["lineage", "--out", "lineage.png"], '--out: a lineage needs the suffix .html, not that of "lineage.png"'),
        (["lineage", "--films", "-1"], "--films: -1 is not possible"),
        (["breed", "--population", "12"], "--population: 12 creatures do not fit the page; give 2 to 9"),
        *(
            ([command, "--device", "gpu"], 'there is no device "gpu"; give "cuda", or "cuda:1" for a second')
            for command in ("evolve", "breed", "compete")
        ),
        (["breed", "--port", "99999"], "--port: there is no port 99999"),
        (["breed", "old"], 'RUN: "old" is not a number'),
        (
            ["replay", "wolker"],
            'RUN: "wolker" is neither a run nor a creature that comes with gambol; did you mean "walker"?',
        ),
        (["replay", "lats"], 'did you mean "last"? Or give the number of a run'),
        (["evolve", "walk", "1"], '"1" is one argument too many; give a TASK alone, or --resume to continue a run'),
        (["evolve", "walk", "hop", "--resume"], '--resume: "walk" and "hop" are given as TASK; give only one'),
    ],
)
def test_bad_input_is_an_error_and_writes_no_files(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = invoke(*words)
    assert result.exit_code == 2
    assert message in result.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["evolve", "--resume", "--population", "9"], "cannot be resumed with other settings"),
        (["evolve", "--resume", "--generations", "2"], "has 3 generations already, more than the 2 requested"),
        (["evolve", "--resume", "7"], "there is no run 7; there are: 1"),
        (["lineage", "7"], "there is no run 7; there are: 1"),
        (["evolve", "hop", "--resume", "1"], "task: walk stored, hop requested"),
        (["lineage", "one"], 'RUN: "one" is not a number; give one, or "last"'),
        (["lineage", "--of", "99"], "run 1 has no individual 99; it has 0 to 23"),
        (["replay", "1", "5", "--trial", "2"], "there is no trial 2: rollouts of this run have trials 0 to 1"),
        (["replay", "1", "99"], "run 1 has no individual 99; it has 0 to 23"),
        (["replay", "1", "worst"], 'ID: "worst" is not a number; give one, or "best"'),
        (["breed", "7"], "there is no run 7; there are: 1"),
        (
            ["breed", "1", "--body", "biped"],
            '--body: the best creatures of run 1 have the body "quadruped", the new run has "biped"',
        ),
        (
            ["breed", "1", "--control", "sinusoid"],
            '--control: the best creatures of run 1 have the control "spectral", the new',
        ),
    ],
)
def test_what_an_archive_lacks_is_an_error(archive, words, message):
    before = rows(archive)
    result = invoke(*words, "--db", archive)
    assert result.exit_code == 2
    assert message in result.output
    assert rows(archive) == before
    with Archive(archive, create=False) as open_archive:
        assert [run.id for run in open_archive.runs()] == [1]


def test_a_kept_creature_is_shown_by_its_name(tmp_path):
    result = invoke("replay", "crawler", "--out", tmp_path)
    assert result.exit_code == 0
    assert "crawler: a newt that crawls, a third of its weight on its belly" in result.output
    assert {path.suffix for path in tmp_path.iterdir()} >= {".toml", ".html"}
    assert "<title>The crawler, a newt that crawls" in (tmp_path / "crawler.html").read_text()


@pytest.mark.parametrize("command", ["lineage", "replay"])
def test_the_last_run_with_creatures_is_the_default(command, archive, tmp_path):
    with Archive(archive) as open_archive:
        empty = open_archive.begin(Settings().plain(), 0, {})
    out = ["--out", tmp_path / ("lineage.html" if command == "lineage" else "again")]
    assert invoke(command, "--db", archive, *out).exit_code == 0
    result = invoke(command, empty, "--db", archive, *out)
    assert result.exit_code == 2
    assert f"run {empty} has not completed a generation yet; runs that have: 1" in result.output


def test_breed_names_its_body():
    assert "[default: (quadruped, or that of the run)]" in " ".join(
        invoke("breed", "-h").output.replace("│", " ").split()
    )
