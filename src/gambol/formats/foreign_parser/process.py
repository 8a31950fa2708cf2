"""The worker process of a foreign parser: started once, used for many files, and replaced if it exits.

A library in C++ aborts its process on some files, and takes unbounded time or memory for others; the caller must
survive that.
"""

import atexit
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats.safe_files import read_arrays

START_SECONDS = 60.0  # s: for the library to be imported
SERVE_SCRIPT = Path(__file__).with_name("serve.py")


@dataclass(frozen=True)
class Parser:
    """A library that reads files in a separate process.

    name: name of the library, for messages. script: a Python file with a function load() that returns the library, and
    a function answer(library, request) that returns arrays by name. test_import: Python code that fails if the library
    does not work.
    """

    name: str
    script: Path
    test_import: str


class _WorkerDied(Exception):
    """The worker died or was killed before it answered; the message says when or why."""


class _Worker:
    """One worker process; used by one thread of its parent process at a time."""

    def __init__(self, parser: Parser) -> None:
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),  # the same modules as here
            "OPENBLAS_NUM_THREADS": "1",  # each thread would reserve address space
        }
        self.parent_pid = os.getpid()
        self.folder = tempfile.mkdtemp(prefix="gambol-")  # MuJoCo writes its log into the current folder
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(SERVE_SCRIPT), str(parser.script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the parent
        )
        try:
            self._read_answer(START_SECONDS)
        except BaseException:
            self.close()
            raise

    def ask(self, request: Mapping[str, Any], seconds: float) -> bytes:
        """Return the answer to a request, plain data; raises _WorkerDied if there is none. seconds: time limit [s]."""
        assert self.process.stdin is not None  # a pipe
        try:  # the alarm in the worker is 5 s later than the timer here
            self.process.stdin.write(json.dumps({**request, "seconds": round(seconds) + 5}).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise _WorkerDied("before it got the request") from error
        return self._read_answer(seconds)

    def _read_answer(self, seconds: float) -> bytes:
        """Return the next answer. Kills the worker and raises _WorkerDied after this time [s]."""
        assert self.process.stdout is not None
        timed_out = threading.Event()

        def kill() -> None:
            timed_out.set()
            self.process.kill()

        timer = threading.Timer(seconds, kill)
        timer.start()
        try:
            header = self.process.stdout.read(8)
            size = int.from_bytes(header, "little")
            data = self.process.stdout.read(size) if len(header) == 8 else b""
        finally:
            timer.cancel()
        if len(header) < 8 or len(data) < size:
            code = self.process.wait()
            raise _WorkerDied(f"after {seconds:g} s (time limit)" if timed_out.is_set() else f"({_exit_reason(code)})")
        return data

    def close(self) -> None:
        """Kill the process and remove its folder; in a fork of the parent process, only close the pipes."""
        if self.parent_pid == os.getpid():
            self.process.kill()
            self.process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass  # a request that was not read


_lock = threading.Lock()
_running: dict[Path, _Worker] = {}  # by script: the worker that takes the next request


def ask_parser(parser: Parser, request: Mapping[str, Any], path: Path, seconds: float) -> dict[str, NDArray[Any]]:
    """Return the answer of a parser's worker to a request.

    request: plain data, sent as JSON. path: path of the file, for messages. seconds: time limit [s]. Raises GambolError
    if the worker exits or its answer cannot be read.
    """
    with _lock:
        worker = _worker(parser, path)
        try:
            data = worker.ask(request, seconds)
        except _WorkerDied as error:
            _close_worker(parser.script)
            raise GambolError(f"{path.name}: {parser.name} ended {error} while it read the file") from error
        except BaseException:  # Ctrl-C: the next request would read the late answer to this one
            _close_worker(parser.script)
            raise
    try:
        return read_arrays(io.BytesIO(data))
    except ValueError as error:
        raise GambolError(f"{path.name}: the answer of {parser.name} cannot be read: {error}") from error


def _worker(parser: Parser, path: Path) -> _Worker:
    """Return the running worker, or a new one.

    After a fork, the new process starts another worker. path: for the message.
    """
    running = _running.get(parser.script)
    if running is not None and (running.parent_pid != os.getpid() or running.process.poll() is not None):
        _close_worker(parser.script)
    if parser.script not in _running:
        try:
            _running[parser.script] = _Worker(parser)
        except (_WorkerDied, OSError) as error:
            raise GambolError(
                f"{path.name}: the process of {parser.name} ended {error}; "
                f"run \"{sys.executable} -c '{parser.test_import}'\" to see why"
            ) from error
    return _running[parser.script]


def _close_worker(script: Path) -> None:
    if script in _running:
        _running.pop(script).close()


def _close_workers() -> None:
    for script in list(_running):
        _close_worker(script)


def _exit_reason(code: int) -> str:
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"exit code {code}"


atexit.register(_close_workers)
