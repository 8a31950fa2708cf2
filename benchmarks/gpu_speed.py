"""Figures on a graphics processor, first their bits, then their speed: `python -m benchmarks.gpu_speed DIR`.

DIR: files of `python -m benchmarks.gpu_cases DIR`, which may be made on another machine. Here only numpy, llvmlite and
cuda-bindings are needed. Each row is printed, and added to results.md in DIR, as soon as it is measured. Of each file
the bits and one speed come first, then all else; what does not fit into the time is left out, with a note.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Precision, ProgramSpec
from gambol.lanes.gpu import Device, DeviceArray, GpuProgram, find_device
from gambol.lanes.gpu.threads import KERNEL_NAME

Array = NDArray[Any]

CHECKED_STEPS = (100, 1_000, 10_000)
CHECK_SECONDS = 40.0
"""Longest time of one comparison of bits: a longer one is left out [s]."""

WORLDS = (1, 32, 1_000, 30_000, 1_000_000)
BLOCKS = (32, 64, 128, 256)
"""Threads of a block that are tried."""

TRIED_WORLDS = 300_000
FIRST_ROWS = 3
"""Rows of a file before those of the next one: bits, resources and a speed."""

SIMULATED, CALLS_SECONDS = 1.0, 3.0
"""Time that is simulated in a row, as in the rows of the processor, unless it takes longer than CALLS_SECONDS [s]."""

EVOLUTION = "lives"
LIVES = (1_000, 30_000, 300_000)
ORDER = ("quadruped", "ant", EVOLUTION, "roach", "humanoid")


class StoredProgram(GpuProgram):
    """A program of a file. described: its name, rows, outputs and so on. code: its machine code."""

    def __init__(self, described: dict[str, Any], code: bytes, precision: Precision, on: Device) -> None:
        self._stored = code, described
        structures = tuple([0.0] * count for count in described["rows"])
        super().__init__(ProgramSpec(described["name"], lambda: (), structures, described["tables"]), precision, on)

    def _code(self) -> tuple[bytes, dict[str, Any]]:
        return self._stored


@dataclass
class Stored:
    """A file with programs and worlds of a figure. precision: of its numbers."""

    name: str
    precision: Precision
    arrays: dict[str, Array]
    programs: list[dict[str, Any]]

    @staticmethod
    def of(path: Path) -> "Stored":
        """Return what a file contains."""
        name, precision = path.stem.rsplit(" ", 1)
        with np.load(path) as file:
            arrays = {key: file[key] for key in file.files}
        kind: Precision = "float32" if precision == "float32" else "float64"
        return Stored(name, kind, arrays, json.loads(str(arrays["programs"])))

    def program(self, number: int, on: Device, variant: str = "") -> StoredProgram:
        """Return a program. variant: such as ", 128 registers"."""
        code = self.arrays[f"code {number}{variant}"].tobytes()
        described = self.programs[number]
        described = described | {"warp_bytes": described["versions"][variant]}
        return StoredProgram(described, code, self.precision, on)

    @property
    def tables(self) -> list[Array]:
        """The table of the ground, if it has one."""
        return [self.arrays["table"]] if "table" in self.arrays else []

    def repeated(self, name: str, worlds: int) -> Array:
        """Return an array (rows, W) of repeated columns."""
        columns = self.arrays[name]
        return np.ascontiguousarray(np.tile(columns, -(-worlds // columns.shape[1]))[:, :worlds])


@dataclass
class Worlds:
    """Worlds on a graphics processor. done: number of steps so far."""

    stored: Stored
    program: StoredProgram
    count: int
    state: DeviceArray = field(init=False)
    numbers: DeviceArray = field(init=False)
    done: int = 0

    def __post_init__(self) -> None:
        on = self.program.device
        self.state, self.numbers = (on.copied(self.stored.repeated(name, self.count)) for name in ("start", "numbers"))
        torques = self.stored.arrays["actions"]
        self._torques = [np.tile(t, -(-self.count // t.shape[1]))[:, : self.count] for t in torques]

    def advance(self, steps: int) -> None:
        """Advance by some steps, with torques that change."""
        hold, commands, last = int(self.stored.arrays["hold"]), self.stored.arrays["commands"], self.done + steps
        while self.done < last:
            index, within = divmod(self.done, hold)
            if not within:
                for row, torque in zip(commands, self._torques[index % len(self._torques)], strict=False):
                    self.numbers.set_rows(int(row), torque[None])
            self.done = min(last, (index + 1) * hold)
            until = np.full((1, 1), float(self.done))
            self.program(self.state, self.numbers, until, out=[self.state], tables=self.stored.tables)


def seconds_of(call: Callable[[], object]) -> float:
    """Return the wall time of a call [s]."""
    started = perf_counter()
    call()
    return perf_counter() - started


def bits_rows(stored: Stored, on: Device) -> Iterator[str]:
    """Compare every row of the states with those of the processor after more and more steps. Raises AssertionError."""
    worlds = Worlds(stored, stored.program(0, on), stored.arrays["start"].shape[1])
    step_seconds = 1e-4  # a guess, until steps are timed
    for steps in CHECKED_STEPS:
        if (expected := step_seconds * (steps - worlds.done)) > CHECK_SECONDS:
            yield f"{stored.name}, {stored.precision}: {steps} steps would take {expected:.0f} s; not compared"
            return
        count = steps - worlds.done
        step_seconds = seconds_of(lambda count=count: worlds.advance(count)) / count
        found, target = worlds.state.to_numpy(), stored.arrays[f"after {steps}"]
        differing = int((found.view(np.uint8) != target.view(np.uint8)).sum())
        text = f"{stored.name}, {stored.precision}: {differing} bytes of {found.nbytes} differ after {steps} steps"
        yield text
        assert not differing, text


def speed_row(stored: Stored, program: StoredProgram, count: int, note: str = "") -> str:
    """Return the row of the speed of a number of worlds."""
    worlds, hold = Worlds(stored, program, count), int(stored.arrays["hold"])
    all_steps = round(SIMULATED / float(stored.arrays["step_s"]))
    first = seconds_of(lambda: worlds.advance(min(hold, all_steps)))
    left = max(hold, min(all_steps - hold, hold * int(CALLS_SECONDS / first)))
    seconds = seconds_of(lambda: worlds.advance(left))
    return f"| {stored.name} | {stored.precision} | {count:,} | {note} | {left} | {count * left / seconds:,.0f} |"


def resources(stored: Stored, program: StoredProgram) -> str:
    """Return what a thread of a kernel needs, and how many of them share a multiprocessor."""
    blocks, threads = program.resident_blocks(), program.block_threads
    numbers = stored.programs[0]
    return (
        f"{stored.name}, {stored.precision}: {program.registers()} registers, {program.stack_bytes():,} bytes of "
        f"stack, {program.warp_bytes:,} bytes of shared memory of a warp; spills stored and loaded "
        f"{numbers['stored']:,} and {numbers['loaded']:,} bytes; {blocks} blocks of {threads} threads share a "
        "multiprocessor"
    )


def lives_row(stored: Stored, count: int, on: Device) -> str:
    """Return the row of lives of default walkers: all steps of all trials, and what the fitness is computed from."""
    advance, sample = stored.program(0, on), stored.program(1, on)
    state, numbers = (on.copied(stored.repeated(name, count)) for name in ("start", "numbers"))
    limbs = on.copied(stored.repeated("limbs", count))
    frames = stored.arrays["frames"]

    def live() -> None:
        for frame in frames:
            advance(state, numbers, np.full((1, 1), float(frame)), out=[state])
            (seen,) = sample(state, numbers, limbs)
            seen.to_numpy()

    seconds = seconds_of(live)
    lives = count / float(stored.arrays["trials"])
    return (
        f"| {stored.name} | {stored.precision} | {count:,} | {lives / seconds:,.0f} lives/s; a million take "
        f"{1e6 * seconds / lives:,.0f} s | {frames[-1]} | {count * int(frames[-1]) / seconds:,.0f} |"
    )


def rows_of(stored: Stored, on: Device) -> Iterator[Callable[[], str | Iterator[str]]]:
    """Yield functions that measure a row each."""
    if stored.name == EVOLUTION:
        for count in LIVES:
            yield lambda count=count: lives_row(stored, count, on)
        return
    program = cache(lambda: stored.program(0, on))  # loaded by a row, so that an error is one of that row
    yield lambda: bits_rows(stored, on)
    yield lambda: resources(stored, program())
    yield lambda: speed_row(stored, program(), TRIED_WORLDS)
    for count in WORLDS:
        yield lambda count=count: speed_row(stored, program(), count)
    for threads in BLOCKS:

        def tried(threads: int = threads) -> str:
            other = stored.program(0, on)
            other.block_threads = threads
            return speed_row(stored, other, TRIED_WORLDS, f"blocks of {threads} threads")

        yield tried
    for name in sorted(key for key in stored.arrays if key.startswith("code 0, ")):
        variant = name.removeprefix("code 0")
        yield lambda variant=variant: speed_row(stored, stored.program(0, on, variant), TRIED_WORLDS, variant[2:])


def measure(folder: Path, limit: float, on: Device, patterns: Sequence[str] = ORDER) -> int:
    """Measure everything that fits into a time [s]; return the number of rows that failed."""
    started, failures = perf_counter(), 0
    with (folder / "results.md").open("a", encoding="utf-8") as results:

        def tell(text: str) -> None:
            for out in (sys.stdout, results):
                out.write(f"{text}\n")
                out.flush()

        tell(f"{on.name}, {on.architecture}, kernel {KERNEL_NAME}\n")
        tell("| figure | precision | worlds | note | steps | steps per second |\n|" + " --- |" * 6)
        paths = [path for name in patterns for path in sorted(folder.glob(f"{name} float*.npz"))]
        begun = [(path.stem, rows_of(Stored.of(path), on)) for path in paths]
        parts = ((name, islice(rows, count)) for count in (FIRST_ROWS, None) for name, rows in begun)
        for name, row in ((name, row) for name, rows in parts for row in rows):
            if perf_counter() - started > limit:
                tell(f"{name}: the time is over; left out from here")
                return failures
            try:
                made = row()
                for text in [made] if isinstance(made, str) else made:
                    tell(text)
            except Exception as error:  # the next rows are measured whatever happened
                failures += 1
                tell(f"{name}: {type(error).__name__}: {error}")
    return failures


def main() -> None:
    """Measure, and end with code 1 if a row failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of the files")
    parser.add_argument("--limit", type=float, default=500.0, help="wall time after which nothing more begins [s]")
    parser.add_argument("figures", nargs="*", default=list(ORDER), help="figures, such as quadruped")
    given = parser.parse_args()
    sys.exit(bool(measure(given.folder, given.limit, find_device(), given.figures)))


if __name__ == "__main__":
    main()
