"""The process in which MuJoCo compiles, seen from here: started once, asked for many files, replaced if it dies.

MuJoCo ends its process on some files and takes all time or memory for others; nobody else may have to go with it.
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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats.opening import read_arrays

START = 60.0  # s: for the mujoco package to be imported
SOURCE = Path(__file__).with_name("worker.py")


class _Ended(Exception):
    """The process has ended before it answered; says how."""


class _Process:
    """One process; used by one thread of one process of ours at a time."""

    def __init__(self) -> None:
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),  # it finds what we would find
            "OPENBLAS_NUM_THREADS": "1",  # each would reserve address space
        }
        self.owner = os.getpid()
        self.folder = tempfile.mkdtemp(prefix="gambol-")  # MuJoCo logs into the current folder
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(SOURCE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env=environment,
            start_new_session=True,  # Ctrl-C is for us
        )
        try:
            self._answer(START)
        except BaseException:
            self.close()
            raise

    def ask(self, request: Mapping[str, Any], seconds: float) -> bytes:
        """The answer to a request; _Ended where none has come after some seconds."""
        assert self.process.stdin is not None  # it is a pipe
        try:
            self.process.stdin.write(json.dumps({**request, "seconds": round(seconds) + 5}).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise _Ended("before it could be asked") from error
        return self._answer(seconds)

    def _answer(self, seconds: float) -> bytes:
        assert self.process.stdout is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            self.process.kill()

        timer = threading.Timer(seconds, end)
        timer.start()
        try:
            head = self.process.stdout.read(8)
            size = int.from_bytes(head, "little")
            data = self.process.stdout.read(size) if len(head) == 8 else b""
        finally:
            timer.cancel()
        if len(head) < 8 or len(data) < size:
            code = self.process.wait()
            raise _Ended(f"after {seconds:g} s without an end" if late.is_set() else f"({_reason(code)})")
        return data

    def close(self) -> None:
        """End the process and leave nothing of it behind."""
        if self.owner == os.getpid():
            self.process.kill()
            self.process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass  # a request that was never read


_lock = threading.Lock()
_running: list[_Process] = []


def ask(path: Path, included: Sequence[str], seconds: float) -> dict[str, NDArray[Any]]:
    """What the process answers when it is asked to compile a file; see worker.py. GambolError where it ends instead.

    included: names of the files that it includes. seconds: how long it may take.
    """
    request = {"path": str(path.absolute()), "included": list(included)}
    with _lock:
        process = _ready(path)
        try:
            data = process.ask(request, seconds)
        except _Ended as error:
            _close()
            raise GambolError(f"{path.name}: MuJoCo ended {error} while it compiled the file") from error
        except BaseException:  # Ctrl-C: its answer would be taken for that to the next request
            _close()
            raise
    try:
        return read_arrays(io.BytesIO(data))
    except ValueError as error:
        raise GambolError(f"{path.name}: what MuJoCo made of it cannot be read: {error}") from error


def _ready(path: Path) -> _Process:
    """The process that runs, or a new one. One that was started before a fork belongs to the other process."""
    if _running and (_running[0].owner != os.getpid() or _running[0].process.poll() is not None):
        _close()
    if not _running:
        try:
            _running.append(_Process())
        except (_Ended, OSError) as error:
            raise GambolError(
                f"{path.name}: the process that compiles MJCF ended {error}; \"{sys.executable} -c 'import mujoco'\" "
                "says why"
            ) from error
    return _running[0]


def _close() -> None:
    while _running:
        _running.pop().close()


def _reason(code: int) -> str:
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"exit code {code}"


atexit.register(_close)
