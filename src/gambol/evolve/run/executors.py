"""Executors by name: this process, threads, processes, or a cluster that Dask runs."""

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
from gambol.evolve.run.crew import Crew, Teller, warn_of_waiting

P = ParamSpec("P")
T = TypeVar("T")

MASK = "***"

REACH = 20.0
"""How long a cluster is given to answer [s]: workers of a busy one take some seconds."""


class Here(Executor):
    """An executor without workers: what is submitted is done at once, by whoever submits it."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The result, already there. Ctrl-C is not caught."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Processes(ProcessPoolExecutor):
    """Processes of this machine, each begun afresh, that Ctrl-C does not reach: it is for who gave them work."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Give work to a process. Those that this begins inherit which signals are blocked; Windows blocks none."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(fn, *args, **kwargs)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def here(workers: int, address: str, tell: Teller) -> Crew:
    """A crew of the calling thread alone."""
    return Crew(Here)


def threads(workers: int, address: str, tell: Teller) -> Crew:
    """A crew of threads of this process, which share its compiled programs."""
    return Crew(partial(ThreadPoolExecutor, workers))


def processes(workers: int, address: str, tell: Teller) -> Crew:
    """A crew of processes of this machine; they end when this process does, however it ends."""
    spawn = multiprocessing.get_context("spawn")
    return Crew(partial(Processes, workers, mp_context=spawn, initializer=follow), check=check_found)


def dask(workers: int, address: str, tell: Teller) -> Crew:
    """A crew of a cluster that Dask's scheduler at an address, or one that a file of its making names, runs."""
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
    gone = (KilledWorker, CommClosedError)
    return Crew(partial(_cluster, address), gone=gone, check=check_found, waiting=waiting_for, tell=tell)


EXECUTORS: dict[str, Callable[[int, str, Teller], Crew]] = {
    "here": here,
    "threads": threads,
    "processes": processes,
    "dask": dask,
}
"""Crews by name: each takes a number of workers, an address and who is told of waiting; it heeds what concerns it."""


def crew_named(name: str, workers: int | None = None, tell: Teller = warn_of_waiting) -> Crew:
    """A crew by its name in EXECUTORS; a cluster's is followed by its address, as in dask:tcp://HOST:8786.

    workers: how many; None: one for each processor. A cluster has its own. tell: is told that a cluster has no workers,
    which are waited for until they come or Ctrl-C; a WaitingWarning where nobody is named. Raises EvolveError
    for an unknown name, an impossible number, and a cluster that cannot be reached (when it is first given work).
    """
    kind, _, address = name.partition(":")
    if kind not in EXECUTORS:
        raise EvolveError(f'there is no executor "{kind}"; {did_you_mean(kind, EXECUTORS)}')
    if workers is not None and workers < 1:
        raise EvolveError(f"{workers} workers cannot do anything; give 1 or more")
    return EXECUTORS[kind](workers or os.cpu_count() or 1, address, tell)


def follow() -> None:
    """Let this process, a worker, end when its parent has ended, even by kill -9."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)  # nobody is left who could take a result


def check_found(function: Callable[..., Any]) -> None:
    """Raises EvolveError for a function that a worker in another process could not find by its name."""
    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise EvolveError(
            f"workers cannot find {function!r}: {error}; give a function of a module, or evaluate here or in threads"
        ) from error


def _cluster(place: str) -> Executor:
    """The executor of a Dask cluster that answers. place: an address, or the file in which a scheduler wrote it."""
    from distributed import Client

    address = _written(Path(place)) if Path(place).suffix == ".json" else place
    try:
        _meet(address)  # a client that nobody answers takes a minute to go
        client = Client(address, timeout=REACH, set_as_default=False)
    except Exception as error:  # what is no scheduler may answer anything
        why = str(error) or f"nothing came in {REACH:g} s"
        named = shown(address)
        if named != address:  # the error's text repeats parts of what is not to be shown
            why = type(error).__name__
        raise EvolveError(
            f"dask: no scheduler answers at {named} ({why}); see that it runs, and that the address is right"
        ) from (error if named == address else None)
    return Cluster(client, address)


def shown(address: str) -> str:
    """An address of a scheduler as it may be printed: without user, password and parameters, which are shown as ***."""
    kind, slashes, rest = address.rpartition("://")
    host, asked, _ = rest.rpartition("@")[2].partition("?")
    user = f"{MASK}@" if "@" in rest else ""
    return f"{kind}{slashes}{user}{host}{f'?{MASK}' if asked else ''}"


def waiting_for(cluster: Executor) -> str:
    """Why a cluster gives nothing back, or "" where it has workers."""
    assert isinstance(cluster, Cluster)
    if cluster.workers():
        return ""
    named = shown(cluster.address)
    return (
        f"dask: there are no workers at {named}; start some with `dask worker {named} --nthreads 1`. "
        "This waits until there are; Ctrl-C ends it"
    )


def _meet(address: str) -> None:
    """Raises some error or other where no scheduler says within a time that it is one."""
    from distributed.comm.addressing import resolve_address
    from distributed.core import rpc
    from distributed.utils import LoopRunner, sync

    async def identity() -> Any:
        there: Any = rpc(address)
        async with there:
            return await asyncio.wait_for(there.identity(), REACH)

    resolve_address(address)
    runner: Any = LoopRunner()  # a thread of its own, for who calls may be within a loop
    runner.start()
    try:
        told: Any = sync(runner.loop, identity)
    finally:
        runner.stop()
    if told["type"] != "Scheduler":
        raise ValueError(f"it is a {told['type']}")


def _written(path: Path) -> str:
    """The address that a scheduler wrote into a file."""
    try:
        return str(json.loads(path.read_text())["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EvolveError(
            f"dask: {path} names no scheduler ({error!r}); let one write it with `dask scheduler --scheduler-file`"
        ) from error


class Cluster(Executor):
    """The executor of a Dask client, which is closed with it.

    Not distributed's own: that one asks for a future's status after its value has come, and breaks where the worker
    was lost in between.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self.address = address
        self._given: dict[Future[Any], Any] = {}

    def workers(self) -> int:
        """How many workers the scheduler knows; -1 where it does not say."""
        try:
            return len(self._client.sync(self._client.scheduler.ncores, callback_timeout=REACH))
        except OSError:  # lost or slow: what was given to it comes back as lost
            return -1

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Give work to the cluster."""
        ours: Future[T] = Future()
        theirs = self._given[ours] = self._client.submit(fn, *args, pure=False, **kwargs)
        theirs.add_done_callback(partial(self._pass_on, ours))
        return ours

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Drop the work that was given, or wait for it, and leave the cluster, which lives on."""
        if wait:
            concurrent.futures.wait(list(self._given))
        self._client.cancel(list(self._given.values()))
        self._client.close()

    def _pass_on(self, ours: Future[Any], theirs: Any) -> None:
        """Let a future have what one of Dask's has, or comes to have where it went with its worker."""
        try:
            ours.set_result(theirs.result())
        except BaseException as error:  # for whoever waits: CancelledError and KilledWorker are among them
            ours.set_exception(error)
        self._given.pop(ours)
