"""Evolution on a graphics processor, by a stand-in for its driver: archives are those of the processor."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from driver_stand_in import HostProgram, use_stand_in
from rich.console import Console
from typer.testing import CliRunner

from gambol.cli.app import app
from gambol.cli.evolve import breed_command
from gambol.cli.evolve.breed_command import HumanChoice
from gambol.errors import GambolError, WorldError
from gambol.evolve import Settings, run, to_pandas
from gambol.evolve.evaluate import rollout, search_setup
from gambol.evolve.genotype import to_json

SETTINGS = Settings(task="walk", body="biped", population=4, generations=2, seconds=1.2, trials=2, share=4)


class LosableProgram(HostProgram):
    """Its processor fails after a number of calls."""

    calls_left = 10**9

    def __call__(self, *arrays, **options):
        LosableProgram.calls_left -= 1
        self.device.driver.api.lost = LosableProgram.calls_left < 0
        self.device.call("cuCtxSynchronize")
        return super().__call__(*arrays, **options)


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    driver = use_stand_in(monkeypatch, 50_000_000, LosableProgram)
    monkeypatch.setattr(LosableProgram, "calls_left", 10**9)
    rollout._batches.cache_clear()  # each test has a processor of its own
    yield driver
    rollout._batches.cache_clear()


OPTIONS = ["--body", "biped", "--population", "4", "--seconds", "1.2", "--device", "cuda"]


def told(*words):
    """Return the exit code of a command, and what it printed, in one line."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.parametrize("executor", ["here", "threads"])
def test_the_archive_is_the_one_of_the_processor(tmp_path, executor):
    tables = []
    for device in ("cpu", "cuda"):
        result = run(SETTINGS, tmp_path / f"{executor}-{device}.db", executor=executor, workers=2, device=device)
        tables.append(to_pandas(result.archive, result.run).drop(columns="run", errors="ignore"))
    assert len(tables[0]) == 8
    assert tables[0].equals(tables[1])


def test_unknown_devices_are_refused_before_the_archive_is_made(tmp_path):
    with pytest.raises(WorldError, match='there is no device "gpu"; give "cuda"'):
        run(SETTINGS, tmp_path / "a.db", device="gpu")
    assert not list(tmp_path.iterdir())


def test_the_archive_stays_whole_when_the_processor_is_lost(tmp_path):
    def lose(progress):
        LosableProgram.calls_left = 3

    with pytest.raises(GambolError, match="cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS; this process has lost it"):
        run(SETTINGS, tmp_path / "a.db", executor="here", device="cuda", on_progress=lose)
    result = run(archive=tmp_path / "a.db", resume=1, executor="here")
    assert result.generations == 2


def test_the_command_says_how_to_continue_when_the_processor_is_lost(tmp_path):
    LosableProgram.calls_left = 3
    where = ["--out", tmp_path, "--executor", "here", "--generations", "1", "--trials", "1"]
    code, output = told("evolve", "walk", *OPTIONS, *where)
    assert code == 2
    assert "CUDA_ERROR_ILLEGAL_ADDRESS; this process has lost it, so begin a new one" in output
    assert f"continue with gambol evolve --resume 1 --db {tmp_path / 'evolve.db'} --device cuda" in output
    code, output = told("evolve", "--resume", "1", "--out", tmp_path, "--executor", "here")
    assert (code, "best of 4" in output) == (0, True), output


def test_too_little_memory_says_how_many_worlds_fit(tmp_path, stand_in):
    """Four creatures in two trials."""
    stand_in.memory.size = 3_000
    code, output = told("evolve", "walk", *OPTIONS, "--out", tmp_path, "--executor", "here", "--generations", "1")
    assert code == 2
    assert re.search(r'8 worlds of "creature" need \S+ GB, and Stand-In 9 has 3e-06 GB free; at most \d fit', output)


def test_breeding_simulates_on_the_processor_that_is_given(monkeypatch):
    """The outcomes that a person sees are those of this machine's processor."""
    chosen = SimpleNamespace(chosen=lambda generation, candidates, programs: [1])
    shown = []
    monkeypatch.setattr(breed_command, "candidate", lambda *words: shown.append(words[3]))
    settings = replace(SETTINGS, search="choice", generations=1, trials=1)
    genotypes = [to_json(p.genotype) for p in search_setup(replace(SETTINGS, trials=1)).search.ask()]
    for device in ("cpu", "cuda"):
        LosableProgram.calls_left = 10**9
        outcomes = HumanChoice(chosen, Console(), device).evaluate(settings, genotypes, [0] * 4)
        assert [outcome.fitness for outcome in outcomes] == [0.0, 1.0, 0.0, 0.0]
        assert (LosableProgram.calls_left < 10**9) == (device == "cuda")
    assert shown[:4] == shown[4:]


def test_a_comparison_is_the_one_of_the_processor(tmp_path):
    curves = []
    for device in ("cpu", "cuda"):
        numbers = ["--seeds", "1", "--population", "4", "--generations", "2", "--seconds", "1.2", "--trials", "1"]
        options = ["--body", "biped", "--executor", "here", "--device", device, "--out", str(tmp_path / device)]
        result = CliRunner().invoke(app, ["compare", "es", "random", *numbers, *options])
        assert result.exit_code == 0, result.output
        runs = json.loads((tmp_path / device / "compare-walk.json").read_text())["runs"]
        curves.append([(run["search"], run["evaluations"], run["best"]) for run in runs])
    assert len(curves[0]) == 2
    assert curves[0] == curves[1]
