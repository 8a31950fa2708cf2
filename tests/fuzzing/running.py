"""Running cases: processes with bounds of memory and time, of which one that dies or takes too long is a failure.

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
from fuzzing.documents import BESIDE
from fuzzing.readers import READERS, file_of, reader_of, seeds

from gambol.errors import GambolError
from gambol.script import ScriptWarning

SECONDS = 10.0  # of computing, for one case
HANGS = 60.0  # s: for one case by the clock, on a machine that has more to do
ROOM = 6_000_000_000  # bytes of address space for one process

Job = int | str
"""A case by its number, or a bomb by its name."""


@dataclass
class Tally:
    """How cases ended: counts by reader and outcome, and what failed, by job."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    failures: dict[Job, str] = field(default_factory=dict[Job, str])


def outcome(job: Job, folder: Path) -> tuple[str, str, str]:
    """The reader of a case, "read", "refused" or "failed", and what was said."""
    if isinstance(job, str):
        reader, path = bombs.made(job, folder)
    else:
        reader = reader_of(job)
        path = folder / f"damaged{reader.ending}"
        path.write_bytes(file_of(job))
    there = sorted(folder.rglob("*"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ScriptWarning)
            reader.read(path)
        ended, said = "read", ""
    except GambolError as error:
        ended, said = "refused", str(error)
        if not any(name in said for name in (path.stem, "passwd", *(file.name for file in there))):
            ended, said = "failed", f"names no file: {said}"
    except BaseException:
        ended, said = "failed", traceback.format_exc()[-2000:]
    left = sorted(folder.rglob("*"))
    if left != there and ended != "failed":
        ended, said = "failed", f"left files: {set(left) ^ set(there)}"
    path.unlink(missing_ok=True)
    return reader.name, ended, said


def furnished(folder: Path) -> Path:
    """A folder with all that a damaged file may name: files, a folder, a pipe and a link in a circle."""
    for name, data in BESIDE.items():
        (folder / name).write_bytes(data)
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("link")
    return folder


def _work(connection: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    with tempfile.TemporaryDirectory() as folder:
        furnished(Path(folder))
        for reader in READERS:
            seeds(reader.name)  # their time is no case's
        while (job := connection.recv()) is not None:
            signal.setitimer(signal.ITIMER_PROF, SECONDS)  # ends the process
            told = outcome(job, Path(folder))
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            connection.send(told)


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

    def late(self) -> bool:
        return time.monotonic() - self.since > HANGS

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def tried(jobs: list[Job], processes: int) -> Tally:
    """Run cases and tell how they ended."""
    tally, waiting = Tally(), list(reversed(jobs))
    workers = [_Worker() for _ in range(processes)]
    try:
        while waiting or any(worker.job is not None for worker in workers):
            for worker in workers:
                if worker.job is None and waiting:
                    worker.give(waiting.pop())
            ready = multiprocessing.connection.wait([w.connection for w in workers if w.job is not None], timeout=0.5)
            for place, worker in enumerate(workers):
                if worker.job is None:
                    continue
                if worker.connection in ready:
                    workers[place] = _answered(worker, tally)
                elif worker.late():
                    _failed(tally, worker.job, f"took more than {HANGS} s")
                    worker.end()
                    workers[place] = _Worker()
    finally:
        for worker in workers:
            worker.end()
    return tally


def _answered(worker: _Worker, tally: Tally) -> _Worker:
    assert worker.job is not None
    try:
        reader, ended, said = worker.connection.recv()
    except EOFError:
        worker.process.join()
        _failed(tally, worker.job, f"its process ended with {worker.process.exitcode} (-27: after {SECONDS} s)")
        worker.end()
        return _Worker()
    tally.counts[reader, ended] += 1
    if ended == "failed":
        tally.failures[worker.job] = said
    worker.job = None
    return worker


def _failed(tally: Tally, job: Job, said: str) -> None:
    tally.counts[job if isinstance(job, str) else reader_of(job).name, "failed"] += 1
    tally.failures[job] = said


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        given = sys.argv[1]
        told = outcome(int(given) if given.isdigit() else given, furnished(Path(folder)))
        sys.stdout.write("\n".join(told) + "\n")
