"""Landing figures on a graphics processor, first their bits, then their speed: `python -m benchmarks.gpu_speed`.

For each figure and precision it compares every row of the state with that of the processor after many steps, and prints
the steps per second of more and more worlds.
"""

import argparse
import sys
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.contact.motion import GambolWorlds
from benchmarks.contact.scenes import STEPS
from benchmarks.rows import LANDING, PRECISIONS
from gambol.lanes import Precision
from gambol.lanes.gpu import Device, GpuProgram, find_device

HEAD = "| figure | precision | worlds | steps per second |"
CHECKED_WORLDS, CHECKED_STEPS = 64, 10_000
WORLDS = (1, 1_000, 30_000, 300_000, 1_000_000)
TIMED_SECONDS = 1.0  # simulated
CALL_STEPS = 10  # of a call: a kernel of many seconds stops some displays


def states_after(worlds: GambolWorlds, steps: int, on: Device) -> tuple[NDArray[Any], float]:
    """Return the rows of the states after some steps on a graphics processor, and the wall time [s]."""
    program = GpuProgram(worlds.engine.advance_spec, worlds.precision, on)
    state, numbers = on.copied(worlds.start.rows), on.copied(worlds.numbers.astype(worlds.start.rows.dtype))
    tables = worlds.engine.tables
    started = perf_counter()
    for first in range(0, steps, CALL_STEPS):
        until = np.full((1, 1), float(min(first + CALL_STEPS, steps)))
        program(state, numbers, until, out=[state], tables=tables)
    return state.to_numpy(), perf_counter() - started


def check_bits(name: str, precision: Precision, count: int, steps: int, on: Device) -> None:
    """Compare the states of worlds after some steps with those of the processor. Raises AssertionError."""
    worlds = GambolWorlds(name, STEPS[name][0], precision, count)
    expected = worlds.start.copied()
    worlds.engine.advance(expected, steps, worlds.numbers)
    found, _ = states_after(worlds, steps, on)
    differing = int((found.view(np.uint8) != expected.rows.view(np.uint8)).sum())
    assert not differing, f"{name}, {precision}: {differing} bytes of {found.nbytes} differ after {steps} steps"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", nargs="*", default=list(LANDING), help="figures, such as quadruped")
    on = find_device()
    sys.stdout.write(
        f"{on.name}, {on.architecture}\n| figure | precision | worlds | steps per second |\n|{' --- |' * 4}\n"
    )
    for name in parser.parse_args().figures:
        for precision in PRECISIONS:
            check_bits(name, precision, CHECKED_WORLDS, CHECKED_STEPS, on)
            for count in WORLDS:
                steps = round(TIMED_SECONDS / STEPS[name][0])
                _, seconds = states_after(GambolWorlds(name, STEPS[name][0], precision, count), steps, on)
                sys.stdout.write(f"| {name} | {precision} | {count:,} | {count * steps / seconds:,.0f} |\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
