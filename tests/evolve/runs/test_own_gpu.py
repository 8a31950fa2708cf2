"""Workers of a cluster on one machine, with a graphics processor each, by a stand-in for its driver."""

import subprocess
import sys
from dataclasses import replace

import dask
import pytest
from distributed import Client, LocalCluster
from worker_stand_in import used_processor

from gambol.errors import GambolError
from gambol.evolve import Settings, run, to_pandas
from gambol.evolve.runs import own_gpu

SETTINGS = Settings(task="walk", body="biped", population=4, generations=2, seconds=1.2, trials=1, share=1)
PRELOADS = ["worker_stand_in", "gambol.evolve.runs.own_gpu"]


@pytest.fixture
def locks(monkeypatch, tmp_path):
    """A folder of its own for locks, in this process and its children, and a file that says that processors fail."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("LOST_PROCESSOR", str(tmp_path / "lost"))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(own_gpu, "_kept", [])
    return tmp_path


def test_each_worker_of_a_cluster_uses_a_processor_of_its_own(locks):
    options = {"processes": True, "dashboard_address": ":0", "preload": PRELOADS, "threads_per_worker": 1}
    archive, expected = locks / "cluster.db", run(SETTINGS, locks / "here.db", executor="here")
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "5s"}),
        LocalCluster(n_workers=2, **options) as cluster,
        Client(cluster) as client,
    ):
        executor = f"dask:{cluster.scheduler_address}"
        result = run(SETTINGS, archive, executor=executor, device="cuda")
        used = sorted(client.run(used_processor).values())
        (locks / "lost").touch()
        with pytest.raises(GambolError, match="the graphics processor failed in cuCtxSynchronize: CUDA_ERROR_ILLEGAL"):
            run(replace(SETTINGS, generations=3), archive, resume=1, executor=executor, device="cuda")
    assert [name for name, _ in used] == ["Stand-In 0", "Stand-In 1"]
    assert all(calls > 0 for _, calls in used)
    tables = [to_pandas(each.archive, each.run) for each in (result, expected)]
    assert len(tables[0]) == 8
    assert tables[0].equals(tables[1])
    assert run(replace(SETTINGS, generations=3), archive, resume=1, executor="here").generations == 3


def test_processors_are_taken_once_and_are_free_when_a_process_ends(locks):
    """A child takes the first of two, this process the second; then none is left until the child ends."""
    take = "from gambol.evolve.runs.own_gpu import take_processor; print(take_processor('5,GPU-7'), flush=True)"
    command = [sys.executable, "-c", f"{take}; input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "5\n"
        assert own_gpu.take_processor("5, GPU-7") == "GPU-7"
        with pytest.raises(GambolError, match=r"all graphics processors of CUDA_VISIBLE_DEVICES=5,GPU-7 are taken"):
            own_gpu.take_processor("5,GPU-7")
        child.kill()
    assert own_gpu.take_processor("5,GPU-7") == "5"


def test_more_workers_than_processors_are_told(locks, monkeypatch):
    """A machine without any processor: the first worker is one too many."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr("gambol.evolve.runs.own_gpu.device_named", no_processor)
    with pytest.raises(GambolError, match=r"no graphics processor 0 for this worker \(no device\); start one worker"):
        own_gpu.dask_setup(None)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")


def no_processor(name):
    raise GambolError("no device")
