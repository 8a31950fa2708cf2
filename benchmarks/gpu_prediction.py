"""A prediction of speeds on an H200, from the instructions of steps: `python -m benchmarks.gpu_prediction`.

The machine of the tests executes the PTX of some steps, and counts. Each row has bounds of the speed: by the rate at
which instructions can begin, by the memory that the threads of a block share, and by the memory of the processor,
through which the stacks of all threads go, since they are larger than the caches. Nothing here was measured on a
graphics processor.
"""

import argparse
import struct
import sys
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.contact.scenes import STEPS
from benchmarks.gpu_cases import ARCHITECTURE, Case, landing_case, roach_case
from benchmarks.rows import PRECISIONS
from gambol.lanes import Precision
from gambol.lanes.gpu.assembler import assembled
from gambol.lanes.gpu.ptx import kernel_text, ptx_of
from gambol.lanes.gpu.spills import SpilledText
from gambol.lanes.gpu.threads import KERNEL_NAME, kernel_source
from tests.ptx_machine import PtxMachine

MULTIPROCESSORS, CLOCK, WARPS_PER_CYCLE, WARP = 132, 1.98e9, 4, 32
"""NVIDIA's data of the H200 SXM; each of four schedulers begins an instruction of 32 threads in a cycle."""

MEMORY_RATE = 4.8e12  # bytes/s
SHARED_RATE = MULTIPROCESSORS * CLOCK * 128  # bytes/s: a word of each thread of a warp in a cycle

DIVISION = 10
"""Machine instructions of a division or root that is rounded correctly, about, in float32 and float64."""

FLOAT64_CYCLES = 2
"""Cycles of an instruction of float64: there are half as many units."""

SETTLED, COUNTED = 0.5, 1.0
"""Times between which a step is counted: figures are on the ground [s]."""

FREE = "neg"
"""An instruction of PTX that is none of the machine: a sign is changed by the instruction that uses the number."""

TIMES = 4
"""Times at which steps are counted."""

MORE_STEPS = 2
"""Steps that are counted, after one that also loads the state and stores it at the end."""


def counted(case: Case, precision: Precision, first: int, last: int, text: SpilledText) -> dict[str, float]:
    """Return the number of instructions and bytes of one step of one world, a mean over steps in which it is counted.

    Every world is a thread; steps from `first` on, at TIMES until `last`. text: the kernel.
    """
    totals = dict[str, float]()
    state, numbers, at = case.start.copied(), case.numbers.astype(precision), 0
    chosen = np.linspace(first, last, TIMES).astype(int)
    for step in chosen:
        while at < step:
            if len(case.commands):
                numbers[case.commands] = case.actions[at // case.hold % len(case.actions)]
            at = min(step, (at // case.hold + 1) * case.hold)
            case.engine.advance(state, at, numbers)
        for steps, sign in ((1, -1), (1 + MORE_STEPS, 1)):
            for name, count in executed(text, precision, state.rows, numbers, at + steps).items():
                share = sign * count / (MORE_STEPS * state.rows.shape[1] * TIMES)
                totals[name] = totals.get(name, 0.0) + share
    return totals


def executed(
    text: SpilledText, precision: Precision, rows: NDArray[Any], numbers: NDArray[Any], until: float
) -> Counter[str]:
    """Return the instructions and bytes of a kernel that advances worlds (rows, W), see PtxMachine.executed."""
    machine, worlds, size = PtxMachine(text.ptx), rows.shape[1], np.dtype(precision).itemsize
    arrays = [rows, numbers, np.full((1, worlds), until, precision), rows]
    addresses = [machine.memory.put(np.ascontiguousarray(a).tobytes()) for a in arrays]
    fields = [n for address in addresses for n in (address, worlds * size, size)]
    lists = [machine.memory.put(struct.pack(f"<{len(n)}q", *n)) for n in (fields, [0, 0])]
    machine.launch(KERNEL_NAME, [*lists, worlds], 1, worlds, -(-worlds // WARP) * text.warp_bytes)
    return machine.executed


def row_of(name: str, precision: Precision, totals: dict[str, float], spills: int) -> str:
    """Return the row of a step. spills: bytes that NVIDIA's assembler stores and loads besides, each once."""
    moved = {kind: totals.get(f"{kind} bytes", 0.0) for kind in ("stack", "shared")}
    totals = {key: n for key, n in totals.items() if not key.endswith(" bytes") and key.split(".")[0] != FREE}
    slow = sum(n for key, n in totals.items() if key.split(".")[0] in ("div", "sqrt", "rcp"))
    double = sum(n for key, n in totals.items() if key.endswith(".f64"))
    instructions = sum(totals.values())
    cycles = (
        instructions + (DIVISION - 1) * slow + (FLOAT64_CYCLES - 1) * (double + (DIVISION - 1) * slow * bool(double))
    )
    begun = MULTIPROCESSORS * CLOCK * WARPS_PER_CYCLE * WARP / cycles
    bounds = [begun, _bound(SHARED_RATE, moved["shared"]), _bound(MEMORY_RATE, moved["stack"] + spills)]
    cells = [
        name, precision, f"{instructions:,.0f}", f"{slow:,.0f}", *(f"{n / 1e3:,.1f}" for n in moved.values()),
        f"{spills / 1e3:,.1f}", *("none" if bound is None else f"{bound / 1e6:,.0f}" for bound in bounds),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _bound(rate: float, amount: float) -> float | None:
    """Return the speed that a rate [bytes/s] allows for an amount of each step [bytes]; None without a bound."""
    return rate / amount if amount else None


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assembler", action="store_true", help="only NVIDIA's assembler chooses what is in registers")
    parser.add_argument("figures", nargs="*", default=["quadruped", "ant"], help="figures, such as roach or humanoid")
    given = parser.parse_args()
    columns = ("figure", "precision", "instructions", "divisions and roots", "stack [kB]", "shared memory [kB]",
               "spills of the assembler [kB]", "bound by instructions [M/s]", "bound by shared memory [M/s]",
               "bound by memory [M/s]")  # fmt: skip
    sys.stdout.write(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}\n")
    for name in given.figures:
        for precision in PRECISIONS:
            case = roach_case(precision, 2) if name == "roach" else landing_case(name, precision, 2)
            step = case.step_s if name == "roach" else STEPS[name][0]
            source = kernel_source(case.engine.advance_spec, precision).text
            text = (
                SpilledText(ptx_of(source, ARCHITECTURE), 0) if given.assembler else kernel_text(source, ARCHITECTURE)
            )
            totals = counted(case, precision, round(SETTLED / step), round(COUNTED / step), text)
            _, _, functions = assembled(text.ptx, ARCHITECTURE)
            spills = sum(f.stored + f.loaded for f in functions)
            sys.stdout.write(f"{row_of(name, precision, totals, spills)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
