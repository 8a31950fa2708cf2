"""A prediction of speeds on an H200, from the instructions of steps: `python -m benchmarks.gpu_prediction`.

The machine of the tests executes the PTX of some steps, and counts. Each row has bounds of the speed: by the rate at
which instructions can begin, and by the memory, through which the stacks of all threads go, since they are larger than
the caches. Nothing here was measured on a graphics processor.
"""

import argparse
import struct
import sys

import numpy as np

from benchmarks.contact.scenes import STEPS
from benchmarks.gpu_cases import Case, landing_case, roach_case
from benchmarks.rows import PRECISIONS
from gambol.lanes import Precision
from gambol.lanes.gpu.ptx import ptx_of
from gambol.lanes.gpu.threads import KERNEL_NAME, kernel_source
from tests.ptx_machine import PtxMachine

MULTIPROCESSORS, CLOCK, WARPS_PER_CYCLE, WARP = 132, 1.98e9, 4, 32
"""NVIDIA's data of the H200 SXM; each of four schedulers begins an instruction of 32 threads in a cycle."""

MEMORY_RATE = 4.8e12  # bytes/s

DIVISION = 10
"""Machine instructions of a division or root that is rounded correctly, about, in float32 and float64."""

FLOAT64_CYCLES = 2
"""Cycles of an instruction of float64: there are half as many units."""

SETTLED, COUNTED = 0.5, 1.0
"""Times between which a step is counted: figures are on the ground [s]."""


def counted(case: Case, precision: Precision, first: int, last: int) -> dict[str, float]:
    """Return the number of instructions and bytes of one step of one world, a mean over steps in which it is counted.

    Every world is a thread; steps from `first` on, at four times until `last`.
    """
    source = kernel_source(case.engine.advance_spec, precision)
    text, size, totals = ptx_of(source.text, "sm_90"), np.dtype(precision).itemsize, dict[str, float]()
    state, numbers, at = case.start.copied(), case.numbers.astype(precision), 0
    chosen = np.linspace(first, last, 4).astype(int)
    for step in chosen:
        while at < step:
            if len(case.commands):
                numbers[case.commands] = case.actions[at // case.hold % len(case.actions)]
            at = min(step, (at // case.hold + 1) * case.hold)
            case.engine.advance(state, at, numbers)
        machine = PtxMachine(text)
        worlds = state.rows.shape[1]
        arrays = [state.rows, numbers, np.full((1, worlds), at + 1.0, precision), state.rows]
        addresses = [machine.memory.put(np.ascontiguousarray(a).tobytes()) for a in arrays]
        fields = [n for address in addresses for n in (address, worlds * size, size)]
        lists = [machine.memory.put(struct.pack(f"<{len(n)}q", *n)) for n in (fields, [0, 0])]
        machine.launch(KERNEL_NAME, [*lists, worlds], 1, worlds)
        for name, count in machine.executed.items():
            totals[name] = totals.get(name, 0.0) + count / (worlds * len(chosen))
    return totals


def row_of(name: str, precision: Precision, totals: dict[str, float]) -> str:
    """Return the row of a step."""
    stack = totals.pop("stack bytes", 0.0)
    slow = sum(n for key, n in totals.items() if key.split(".")[0] in ("div", "sqrt", "rcp"))
    double = sum(n for key, n in totals.items() if key.endswith(".f64"))
    instructions = sum(totals.values())
    cycles = (
        instructions + (DIVISION - 1) * slow + (FLOAT64_CYCLES - 1) * (double + (DIVISION - 1) * slow * bool(double))
    )
    begun = MULTIPROCESSORS * CLOCK * WARPS_PER_CYCLE * WARP / cycles
    return (
        f"| {name} | {precision} | {instructions:,.0f} | {slow:,.0f} | {stack / 1e3:,.1f} | {begun / 1e6:,.0f} | "
        f"{MEMORY_RATE / stack / 1e6:,.0f} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", nargs="*", default=["quadruped", "ant", "roach", "humanoid"], help="figures")
    columns = ("figure", "precision", "instructions", "divisions and roots", "stack traffic [kB]",
               "bound by instructions [M/s]", "bound by memory [M/s]")  # fmt: skip
    sys.stdout.write(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}\n")
    for name in parser.parse_args().figures:
        for precision in PRECISIONS:
            case = roach_case(precision, 2) if name == "roach" else landing_case(name, precision, 2)
            step = case.step_s if name == "roach" else STEPS[name][0]
            totals = counted(case, precision, round(SETTLED / step), round(COUNTED / step))
            sys.stdout.write(f"{row_of(name, precision, totals)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
