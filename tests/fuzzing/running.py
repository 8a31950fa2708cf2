"""Running cases in processes with limits of memory and time; one that dies or takes too long is a failure.

PYTHONPATH=tests:. python -m fuzzing.running 1234        runs one case here, with its traceback
"""

import multiprocessing
import multiprocessing.connection
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from fuzzing import bombs
from fuzzing.documents import NEIGHBOUR_FILES
from fuzzing.readers import READERS, file_of, reader_of, seeds

from gambol.errors import GambolError
from gambol.script import ScriptWarning

SECONDS = 10.0  # of processor time, for one case
MAX_WALL_SECONDS = 60.0  # s of wall time for one case, on a busy machine
MAX_MEMORY = 6_000_000_000  # bytes of address space for one process

Job = int | str
"""A case by its number, or a bomb by its name."""


@dataclass
class Tally:
    """The results of cases: counts by reader and outcome, and messages of failures by job."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    failures: dict[Job, str] = field(default_factory=dict[Job, str])


def outcome(job: Job, folder: Path) -> tuple[str, str, str]:
    """Run a case; return the name of its reader, "read", "refused" or "failed", and the message."""
    if isinstance(job, str):
        reader, path = bombs.create(job, folder)
    else:
        reader = reader_of(job)
        path = folder / f"damaged{reader.ending}"
        path.write_bytes(file_of(job))
    files_before = sorted(folder.rglob("*"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ScriptWarning)
            reader.read(path)
        result, message = "read", ""
    except GambolError as error:
        result, message = "refused", str(error)
        if not any(name in message for name in (path.stem, "passwd", *(file.name for file in files_before))):
            result, message = "failed", f"names no file: {message}"
    except BaseException:
        result, message = "failed", traceback.format_exc()[-2000:]
    files_after = sorted(folder.rglob("*"))
    if files_after != files_before and result != "failed":
        result, message = "failed", f"left files: {set(files_after) ^ set(files_before)}"
    path.unlink(missing_ok=True)
    return reader.name, result, message


def furnish(folder: Path) -> Path:
    """Fill a folder with what a damaged file may name: files, a folder, a pipe and a circular link; return it."""
    for name, data in NEIGHBOUR_FILES.items():
        (folder / name).write_bytes(data)
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("link")
    return folder


def _work(connection: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        furnish(Path(folder))
        for reader in READERS:
            seeds(reader.name)  # outside of the time limit of cases
        while (job := connection.recv()) is not None:
            signal.setitimer(signal.ITIMER_PROF, SECONDS)  # kills the process
            report = outcome(job, Path(folder))
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            connection.send(report)


class _Worker:
    """A process that runs one case after another."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other,), daemon=True)
        self.process.start()
        other.close()
        self.job: Job | None = None
        self.since = 0.0

    def give(self, job: Job) -> None:
        self.job, self.since = job, time.monotonic()
        self.connection.send(job)

    def is_late(self) -> bool:
        return time.monotonic() - self.since > MAX_WALL_SECONDS

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def run_cases(jobs: list[Job], processes: int) -> Tally:
    """Run cases in several processes; return their results."""
    tally, waiting = Tally(), list(reversed(jobs))
    workers = [_Worker() for _ in range(processes)]
    try:
        while waiting or any(worker.job is not None for worker in workers):
            for worker in workers:
                if worker.job is None and waiting:
                    worker.give(waiting.pop())
            ready = multiprocessing.connection.wait([w.connection for w in workers if w.job is not None], timeout=0.5)
            for index, worker in enumerate(workers):
                if worker.job is None:
                    continue
                if worker.connection in ready:
                    workers[index] = _collect(worker, tally)
                elif worker.is_late():
                    _failed(tally, worker.job, f"took more than {MAX_WALL_SECONDS} s")
                    worker.end()
                    workers[index] = _Worker()
    finally:
        for worker in workers:
            worker.end()
    return tally


def _collect(worker: _Worker, tally: Tally) -> _Worker:
    assert worker.job is not None
    try:
        reader, result, message = worker.connection.recv()
    except EOFError:
        worker.process.join()
        _failed(tally, worker.job, f"its process ended with {worker.process.exitcode} (-27: after {SECONDS} s)")
        worker.end()
        return _Worker()
    tally.counts[reader, result] += 1
    if result == "failed":
        tally.failures[worker.job] = message
    worker.job = None
    return worker


def _failed(tally: Tally, job: Job, message: str) -> None:
    tally.counts[job if isinstance(job, str) else reader_of(job).name, "failed"] += 1
    tally.failures[job] = message


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        argument = sys.argv[1]
        report = outcome(int(argument) if argument.isdigit() else argument, furnish(Path(folder)))
        sys.stdout.write("\n".join(report) + "\n")
