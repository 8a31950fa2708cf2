"""Runs on a cluster of Dask's, which here has two workers on this machine."""

import json
import signal
import socket
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from time import monotonic, sleep

import dask
import pytest
from distributed import Client, LocalCluster
from toy_runs import fewer, lethal, rows_of, run_to_end, settings, sphere, stored_generations, toy_setup

from gambol import evolve
from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.compare import compare, plan_of, search_runs
from gambol.evolve.runs import Settings, begin_run, make_worker_pool
from gambol.evolve.runs.run import seeds_of


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with two workers, which does not wait half a minute for one that is lost."""
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "5s"}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as made,
    ):
        yield f"dask:{made.scheduler_address}"


def run_of(where, pool, evaluate=sphere, **changes):
    with Archive(where) as archive, make_worker_pool(pool) as workers:
        begin_run(archive, settings(**changes), lambda given: replace(toy_setup(given), evaluate=evaluate)).execute(
            workers
        )


def test_a_cluster_gives_the_same_archive(cluster, tmp_path, where):
    run_to_end(tmp_path / "here.db")
    run_of(where, cluster)
    assert rows_of(where) == rows_of(tmp_path / "here.db")


def test_a_lost_worker_of_a_cluster_is_made_up_for(cluster, tmp_path):
    options = {"folder": str(tmp_path), "deaths": 1}
    run_of(tmp_path / "here.db", "here", generations=1, population=20, options=options)
    run_of(tmp_path / "there.db", cluster, lethal, generations=1, population=20, options=options)
    assert rows_of(tmp_path / "here.db") == rows_of(tmp_path / "there.db")
    assert set(Counter((tmp_path / "lived").read_text().split())) == {str(seed) for seed in seeds_of(0, 0, 20)[::5]}


def test_a_worker_that_is_lost_as_its_result_arrives_is_not_missed(cluster, tmp_path, monkeypatch):
    """The scheduler reports a lost key after its value was read and before anybody has seen it."""
    gather, lost = Client._gather, []

    async def losing(client, futures, **words):
        values = await gather(client, futures, **words)
        for future in futures:
            future._state.lose()
            lost.append(future.key)
        return values

    run_of(tmp_path / "here.db", "here", generations=2)
    monkeypatch.setattr(Client, "_gather", losing)
    run_of(tmp_path / "there.db", cluster, generations=2)
    assert rows_of(tmp_path / "here.db") == rows_of(tmp_path / "there.db")
    assert len([key for key in lost if key.startswith("evaluate_chunk")]) == 10


def test_what_a_task_raises_on_a_cluster_comes_through(cluster, tmp_path):
    with pytest.raises(EvolveError, match=r"gave \d outcomes for \d genotypes"):
        run_of(tmp_path / "evolve.db", cluster, fewer)
    assert stored_generations(tmp_path / "evolve.db") == 0


def test_a_cluster_must_be_able_to_find_the_task(cluster, tmp_path):
    with pytest.raises(EvolveError, match="give a function of a module"):
        run_of(tmp_path / "evolve.db", cluster, lambda settings, genotypes, seeds: [])


def test_a_cluster_without_answer_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr("gambol.evolve.runs.executors.ANSWER_TIMEOUT", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"dask:tcp://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(EvolveError, match=r"no scheduler answers at tcp://127\.0\.0\.1:.* see that it runs"):
        run_of(tmp_path / "evolve.db", address)
    assert stored_generations(tmp_path / "evolve.db") == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "tpc://127.0.0.1:8786", "tcp://127.0.0.1:post", "tcp://x.invalid:1"])
def test_an_invalid_address_is_an_immediate_error(tmp_path, address):
    with pytest.raises(EvolveError, match=f"no scheduler answers at {address} .*; see that it runs, and that the addr"):
        run_of(tmp_path / "evolve.db", f"dask:{address}")


@pytest.fixture(params=["", "HTTP/1.1 400 Bad Request\r\n\r\n"])
def stranger(request):
    """The address of a server that is no scheduler: it sends nothing at all, or something else."""
    held = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):  # until it is closed
                while True:
                    held.append(server.accept()[0])
                    held[-1].sendall(request.param.encode())

        Thread(target=answer, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    for one in held:
        one.close()


def test_a_comparison_that_was_interrupted_here_is_finished_by_a_cluster(cluster, tmp_path):
    """All runs have the results of a comparison in this process."""
    plan = plan_of([settings(search=name, seed=5) for name in ("es", "random")], 2)

    def interrupt(index, count, settings, progress):
        if index == 1 and progress.generation == 1:
            raise KeyboardInterrupt

    with Archive(tmp_path / "whole.db") as archive, make_worker_pool("here") as pool:
        whole = search_runs(archive, compare(archive, plan, pool, make_setup=toy_setup).runs)
    with Archive(tmp_path / "parts.db") as archive:
        with make_worker_pool("here") as pool:
            assert compare(archive, plan, pool, interrupt, make_setup=toy_setup).interrupted
        with make_worker_pool(cluster) as pool:
            parts = search_runs(archive, compare(archive, plan, pool, make_setup=toy_setup).runs)
    assert [(run.search, run.seed, run.best.tolist()) for run in parts] == [
        (run.search, run.seed, run.best.tolist()) for run in whole
    ]


@pytest.fixture
def lonely() -> Iterator[LocalCluster]:
    """A scheduler without workers."""
    with LocalCluster(n_workers=0, threads_per_worker=1, processes=True, dashboard_address=":0") as made:
        yield made


def test_a_cluster_without_workers_is_a_warning_and_awaited(lonely, tmp_path, monkeypatch):
    """They arrive after the message that there are none; the result of the run is the same."""
    monkeypatch.setattr("gambol.evolve.runs.worker_pool.WORKER_CHECK_INTERVAL", 0.5)
    address, message = lonely.scheduler_address, []

    def add_worker(why: str) -> None:
        message.append(why)
        lonely.scale(1)

    with Archive(tmp_path / "there.db") as archive, make_worker_pool(f"dask:{address}", on_waiting=add_worker) as pool:
        pool.connect()
        assert archive.runs() == []
        begin_run(archive, settings(), toy_setup).execute(pool)
    assert message == [
        f"dask: there are no workers at {address}; start some with `dask worker {address} --nthreads 1`. "
        "gambol waits for them; Ctrl-C ends it"
    ]
    run_to_end(tmp_path / "here.db")
    assert rows_of(tmp_path / "there.db") == rows_of(tmp_path / "here.db")


def test_workers_that_leave_in_the_middle_of_a_run_are_waited_for(lonely, tmp_path, monkeypatch):
    monkeypatch.setattr("gambol.evolve.runs.worker_pool.WORKER_CHECK_INTERVAL", 0.5)
    lonely.scale(1)
    message = []
    with (
        Archive(tmp_path / "there.db") as archive,
        make_worker_pool(f"dask:{lonely.scheduler_address}", on_waiting=message.append) as pool,
    ):
        run = begin_run(archive, settings(options={"pause": 0.3}), toy_setup)

        def watch(progress) -> None:
            if progress.generation == 0:
                lonely.scale(0)
                Thread(target=come_back, daemon=True).start()

        def come_back() -> None:
            while not message:
                sleep(0.1)
            lonely.scale(1)

        assert not run.execute(pool, watch).interrupted
    assert len(message) >= 1
    assert stored_generations(tmp_path / "there.db") == 8


def test_ctrl_c_ends_the_wait_for_workers_and_no_run_is_stored(tmp_path):
    """The whole command, with a scheduler of its own, during its real waiting time."""
    with LocalCluster(n_workers=0, processes=True, dashboard_address=":0") as made:
        address = made.scheduler_address
        words = ["evolve", "--executor", f"dask:{address}", "--out", str(tmp_path / "out")]
        command = [sys.executable, "-c", "from gambol.cli import main; main()", *words]
        started = monotonic()
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as child:
            message = child.stderr.readline()
            waited = monotonic() - started
            child.send_signal(signal.SIGINT)
            message += child.stderr.read()
    assert child.returncode == 130, message
    assert f"there are no workers at {address}; start some with `dask worker {address} --nthreads 1`" in message
    assert "Traceback" not in message
    assert 10.0 <= waited < 40.0
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("tcp://ann:s3cret@127.0.0.1:1", r"tcp://\*\*\*@127\.0\.0\.1:1"),
        ("tcp://127.0.0.1:1?token=s3cret", r"tcp://127\.0\.0\.1:1\?\*\*\*"),
    ],
)
def test_the_address_of_a_scheduler_is_shown_without_secrets(tmp_path, monkeypatch, address, shown):
    monkeypatch.setattr("gambol.evolve.runs.executors.ANSWER_TIMEOUT", 0.5)
    with pytest.raises(EvolveError, match=f"no scheduler answers at {shown} ") as refused:
        run_of(tmp_path / "evolve.db", f"dask:{address}")
    assert "s3cret" not in "".join(traceback.format_exception(refused.value, limit=0))


def test_an_address_without_scheduler_is_an_error(stranger, tmp_path, monkeypatch):
    monkeypatch.setattr("gambol.evolve.runs.executors.ANSWER_TIMEOUT", 0.5)
    with pytest.raises(EvolveError, match=f"no scheduler answers at {stranger} .*; see that it runs"):
        run_of(tmp_path / "evolve.db", f"dask:{stranger}")


@pytest.mark.parametrize("text", ["{}", "", "[]", None])
def test_a_file_without_scheduler_is_an_error(tmp_path, text):
    if text is not None:
        (tmp_path / "scheduler.json").write_text(text)
    with pytest.raises(EvolveError, match=r"scheduler\.json names no scheduler .*; let one write it with"):
        run_of(tmp_path / "evolve.db", f"dask:{tmp_path / 'scheduler.json'}")


def test_a_file_of_a_scheduler_leads_to_it(cluster, tmp_path):
    (tmp_path / "scheduler.json").write_text(json.dumps({"address": cluster.removeprefix("dask:")}))
    run_of(tmp_path / "evolve.db", f"dask:{tmp_path / 'scheduler.json'}")
    assert stored_generations(tmp_path / "evolve.db") == 8


def test_workers_of_a_cluster_import_a_task_by_reference(cluster, tmp_path, monkeypatch):
    """The folder of the module is added to the search path of the running workers, as PYTHONPATH would."""
    (tmp_path / "clustered.py").write_text("def score(trajectory):\n    return trajectory.up[-1, :, 2]\n")
    monkeypatch.syspath_prepend(tmp_path)
    given = Settings(task="clustered:score", population=4, generations=1, seconds=1.3, trials=1, share=2)
    with Client(cluster.removeprefix("dask:")) as client:
        client.run(lambda: sys.path.insert(0, str(tmp_path)))
    outcomes = []
    for executor in (cluster, "here"):
        result = evolve.run(given, tmp_path / f"{executor[:4]}.db", executor=executor)
        with Archive(tmp_path / f"{executor[:4]}.db") as archive:
            outcomes.append([repr(one.outcome) for one in archive.individuals(result.run, 0)])
    assert outcomes[0] == outcomes[1]
