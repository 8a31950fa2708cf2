"""The programs of the benchmarks as kernels of a graphics processor, without one: `python -m benchmarks.gpu_programs`.

It prints a row of a Markdown table for each program: how many registers a thread needs, and how much of its numbers
goes through memory instead. NVIDIA's assembler takes minutes for the largest of them.
"""

import argparse
import sys
from collections.abc import Callable
from fnmatch import fnmatch
from time import perf_counter

from benchmarks.contact.scenes import STEPS, scene_of
from benchmarks.models import figure_of
from benchmarks.programs import airborne_program, forward_program
from benchmarks.rows import LANDING, MODELS, PRECISIONS
from benchmarks.walking import engine_of
from gambol.lanes import Precision, ProgramSpec
from gambol.lanes.gpu import Kernel, kernel_of
from gambol.lanes.gpu.ptx import WARP
from gambol.world import Engine

ARCHITECTURE = "sm_90"

HEAD = (
    "| program | precision | operations | PTX lines | registers | shared memory of a thread [bytes] | stack [bytes] "
    "| stored [bytes] | loaded [bytes] | code [kB] | PTX and code made in [s] |"
)


def _landing(name: str, precision: Precision) -> ProgramSpec:
    return Engine(scene_of(name).world(STEPS[name][0]), precision, lanes=1).advance_spec


PROGRAMS: dict[str, Callable[[Precision], ProgramSpec]] = {
    **{f"forward {m}": lambda p, m=m: forward_program(figure_of(m), p).spec for m in MODELS},
    **{f"airborne {m}": lambda p, m=m: airborne_program(figure_of(m), p).spec for m in MODELS},
    **{f"landing {m}": lambda p, m=m: _landing(m, p) for m in LANDING},
    "walk roach": lambda p: engine_of(p, 1).advance_spec,
}
"""A function of the precision for each program."""


def row_of(name: str, precision: Precision, kernel: Kernel, seconds: float) -> str:
    """Return a row of the table. seconds: time of tracing, of LLVM and of the assembler."""
    stack, stored, loaded = (sum(getattr(f, what) for f in kernel.functions) for what in ("stack", "stored", "loaded"))
    lines = kernel.ptx.count("\n")
    cells = (
        name, precision, f"{kernel.source.operations:,}", f"{lines:,}", kernel.registers,
        f"{kernel.warp_bytes // WARP:,}", f"{stack:,}", f"{stored:,}", f"{loaded:,}",
        f"{len(kernel.code) / 1e3:,.0f}", f"{seconds:.0f}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pattern", nargs="?", default="*", help='programs to make, such as "landing *"')
    pattern = parser.parse_args().pattern
    sys.stdout.write(f"{HEAD}\n|{' --- |' * HEAD.count(' | ')} --- |\n")
    for name, spec_of in PROGRAMS.items():
        for precision in PRECISIONS if fnmatch(name, pattern) else ():
            started = perf_counter()
            kernel = kernel_of(spec_of(precision), precision, ARCHITECTURE)
            sys.stdout.write(f"{row_of(name, precision, kernel, perf_counter() - started)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
