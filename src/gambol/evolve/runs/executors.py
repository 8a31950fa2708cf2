"""Executors by name: this process, threads, processes, or a Dask cluster."""

import asyncio
import concurrent.futures
import json
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.runs.worker_pool import WaitingCallback, WorkerPool, warn_about_waiting

P = ParamSpec("P")
T = TypeVar("T")

MASK = "***"
"""Text in place of the secret parts of a printed address."""

ANSWER_TIMEOUT = 20.0
"""Timeout of requests to a cluster [s]: a busy worker takes some seconds to answer."""


class CallingThreadExecutor(Executor):
    """An executor without workers: `submit` runs the work at once, in the calling thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the result as a finished future. Ctrl-C is not caught."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class SpawnedProcesses(ProcessPoolExecutor):
    """New processes of this machine. Ctrl-C reaches only the process that submits work."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit work with SIGINT blocked, which new processes inherit; Windows cannot block signals."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(fn, *args, **kwargs)
        old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def calling_thread_pool(workers: int, address: str, on_waiting: WaitingCallback) -> WorkerPool:
    """Return a worker pool that consists of the calling thread."""
    return WorkerPool(CallingThreadExecutor)


def thread_pool(workers: int, address: str, on_waiting: WaitingCallback) -> WorkerPool:
    """Return a worker pool of threads of this process, which share its compiled programs."""
    return WorkerPool(partial(ThreadPoolExecutor, workers))


def process_pool(workers: int, address: str, on_waiting: WaitingCallback) -> WorkerPool:
    """Return a worker pool of processes of this machine, which exit with this process, even if it is killed."""
    spawn = multiprocessing.get_context("spawn")
    return WorkerPool(
        partial(SpawnedProcesses, workers, mp_context=spawn, initializer=end_with_parent), check=check_importable
    )


def dask_pool(workers: int, address: str, on_waiting: WaitingCallback) -> WorkerPool:
    """Return a worker pool of a Dask cluster.

    workers: not used. address: address of its scheduler, or the path of a scheduler file. on_waiting: see
    make_worker_pool. Raises EvolveError without an address, and if the package distributed is missing.
    """
    if not address:
        raise EvolveError(
            "dask: the address of its scheduler is missing; start one with `dask scheduler`, workers with `dask worker "
            "tcp://HOST:8786`, and give dask:tcp://HOST:8786"
        )
    try:
        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError
    except ModuleNotFoundError as error:
        raise EvolveError("dask: the package distributed is missing; pip install distributed") from error
    lost_errors = (KilledWorker, CommClosedError)
    return WorkerPool(
        partial(_cluster, address),
        lost_errors=lost_errors,
        check=check_importable,
        waiting_reason=waiting_reason,
        on_waiting=on_waiting,
    )


EXECUTORS: dict[str, Callable[[int, str, WaitingCallback], WorkerPool]] = {
    "here": calling_thread_pool,
    "threads": thread_pool,
    "processes": process_pool,
    "dask": dask_pool,
}
"""Functions that return worker pools, by name; each takes a number of workers, an address and a callback."""


def make_worker_pool(
    name: str, workers: int | None = None, on_waiting: WaitingCallback = warn_about_waiting
) -> WorkerPool:
    """Return a worker pool by its name in EXECUTORS.

    name: a name in EXECUTORS; for a cluster it includes the address, as in dask:tcp://HOST:8786. workers: number of
    workers; None: one for each processor; not used for a cluster. on_waiting: called when a cluster has no workers; the
    pool then waits for them, until Ctrl-C; by default it issues a WaitingWarning. Raises EvolveError for an unknown
    name and for an invalid number; a cluster that cannot be reached raises it at the first work.
    """
    kind, _, address = name.partition(":")
    if kind not in EXECUTORS:
        raise EvolveError(f'there is no executor "{kind}"; {did_you_mean(kind, EXECUTORS)}')
    if workers is not None and workers < 1:
        raise EvolveError(f"{workers} workers are not possible; give 1 or more")
    return EXECUTORS[kind](workers or os.cpu_count() or 1, address, on_waiting)


def end_with_parent() -> None:
    """Make this worker process exit when its parent process exits, even if the parent is killed by kill -9."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)  # no process is left that could take a result


def check_importable(function: Callable[..., Any]) -> None:
    """Raise EvolveError for a function that a worker in another process cannot import by its name."""
    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise EvolveError(
            f"workers cannot find {function!r}: {error}; give a function of a module, or evaluate here or in threads"
        ) from error


def _cluster(location: str) -> Executor:
    """Return the executor of a Dask cluster. location: an address, or the file in which a scheduler wrote it."""
    from distributed import Client

    address = _read_address(Path(location)) if Path(location).suffix == ".json" else location
    try:
        _check_scheduler(address)  # a client without a scheduler takes a minute to give up
        client = Client(address, timeout=ANSWER_TIMEOUT, set_as_default=False)
    except Exception as error:  # the answer of another kind of server may raise any error
        reason = str(error) or f"no answer within {ANSWER_TIMEOUT:g} s"
        printable = printable_address(address)
        if printable != address:  # the error's text may contain the secret parts
            reason = type(error).__name__
        raise EvolveError(
            f"dask: no scheduler answers at {printable} ({reason}); see that it runs, and that the address is right"
        ) from (error if printable == address else None)
    return Cluster(client, address)


def printable_address(address: str) -> str:
    """Return the address of a scheduler for printing, with *** in place of user, password and parameters."""
    protocol, separator, rest = address.rpartition("://")
    host, question_mark, _ = rest.rpartition("@")[2].partition("?")
    user = f"{MASK}@" if "@" in rest else ""
    return f"{protocol}{separator}{user}{host}{f'?{MASK}' if question_mark else ''}"


def waiting_reason(cluster: Executor) -> str:
    """Return the reason why a cluster returns no results, or "" if it has workers."""
    assert isinstance(cluster, Cluster)
    if cluster.workers():
        return ""
    address = printable_address(cluster.address)
    return (
        f"dask: there are no workers at {address}; start some with `dask worker {address} --nthreads 1`. "
        "gambol waits for them; Ctrl-C ends it"
    )


def _check_scheduler(address: str) -> None:
    """Raise an error if no scheduler answers in time at this address."""
    from distributed.comm.addressing import resolve_address
    from distributed.core import rpc
    from distributed.utils import LoopRunner, sync

    async def identity() -> Any:
        scheduler: Any = rpc(address)
        async with scheduler:
            return await asyncio.wait_for(scheduler.identity(), ANSWER_TIMEOUT)

    resolve_address(address)
    runner: Any = LoopRunner()  # in another thread, since the caller may be within a loop
    runner.start()
    try:
        identity_reply: Any = sync(runner.loop, identity)
    finally:
        runner.stop()
    if identity_reply["type"] != "Scheduler":
        raise ValueError(f"it is a {identity_reply['type']}")


def _read_address(path: Path) -> str:
    """Return the address that a scheduler wrote into a file."""
    try:
        return str(json.loads(path.read_text())["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EvolveError(
            f"dask: {path} names no scheduler ({error!r}); let one write it with `dask scheduler --scheduler-file`"
        ) from error


class Cluster(Executor):
    """The executor of a Dask client; its shutdown closes the client.

    It replaces the executor of the package distributed, which reads the status of a future after the value has arrived,
    and fails if the worker is lost between the two.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self.address = address
        self._futures: dict[Future[Any], Any] = {}

    def workers(self) -> int:
        """Return the number of workers of the scheduler; -1 if it does not answer."""
        try:
            return len(self._client.sync(self._client.scheduler.ncores, callback_timeout=ANSWER_TIMEOUT))
        except OSError:  # lost or slow: work submitted to it is then reported as lost
            return -1

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit work to the cluster."""
        future: Future[T] = Future()
        dask_future = self._futures[future] = self._client.submit(fn, *args, pure=False, **kwargs)
        dask_future.add_done_callback(partial(self._copy_result, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel submitted work, or wait for it first; then disconnect from the cluster, which keeps running."""
        if wait:
            concurrent.futures.wait(list(self._futures))
        self._client.cancel(list(self._futures.values()))
        self._client.close()

    def _copy_result(self, future: Future[Any], dask_future: Any) -> None:
        """Copy the result or error of a Dask future to the future that submit returned."""
        try:
            future.set_result(dask_future.result())
        except BaseException as error:  # CancelledError and KilledWorker too: the waiting thread handles them
            future.set_exception(error)
        self._futures.pop(future)
