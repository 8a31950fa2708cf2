"""Evolution on a graphics processor, by a stand-in for its driver: archives are those of the processor."""

import json

import pytest
from driver_stand_in import HostProgram, use_stand_in
from typer.testing import CliRunner

from gambol.cli.app import app
from gambol.errors import GambolError, WorldError
from gambol.evolve import Settings, run, to_pandas
from gambol.evolve.evaluate import rollout
from gambol.lanes.gpu import DeviceError

SETTINGS = Settings(task="walk", body="biped", population=4, generations=2, seconds=1.2, trials=2, share=4)


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    driver = use_stand_in(monkeypatch, 50_000_000, HostProgram)
    rollout._batches.cache_clear()  # each test has a processor of its own
    yield driver
    rollout._batches.cache_clear()


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


def test_the_archive_stays_whole_when_the_processor_is_lost(tmp_path, stand_in, monkeypatch):
    class LostProgram(HostProgram):
        def __call__(self, *arrays, **options):
            if stand_in.lost:
                raise DeviceError("the graphics processor failed in cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS", 700)
            return super().__call__(*arrays, **options)

    def lose(progress):
        stand_in.lost = True

    monkeypatch.setattr("gambol.lanes.gpu.GpuProgram", LostProgram)
    with pytest.raises(GambolError, match="the graphics processor failed"):
        run(SETTINGS, tmp_path / "a.db", executor="here", device="cuda", on_progress=lose)
    stand_in.lost = False
    result = run(archive=tmp_path / "a.db", resume=1, executor="here")
    assert result.generations == 2


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
