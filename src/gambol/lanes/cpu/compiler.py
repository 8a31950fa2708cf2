"""Compilation of LLVM assembly to object code, in this process or in a separate one.

LLVM cannot be interrupted. A long compilation therefore runs in a separate process, which Ctrl-C ends immediately. A
crash of LLVM ends only that process. This file is also the script of that process, so it imports nothing from gambol.
"""

import functools
import json
import logging
import os
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from typing import Any

import llvmlite.binding as llvm  # pyright: ignore[reportMissingTypeStubs]

LLVM: Any = llvm
LOG = logging.getLogger("gambol.lanes")

OPTIMISED, UNOPTIMISED = 2, 0  # LLVM's levels of code generation; both give the same bits

MAX_OPTIMISED_LINES = 220_000
"""Number of lines of assembly in one function above which a program is compiled without optimisation: the time of
LLVM's register allocation grows faster than the size of the function. 108,000 lines took 16 s with optimisation and 2 s
without, but then ran 3 to 4 times slower; 1,030,000 lines took over 160 s with and 12 s without."""

MAX_LINES = 5_000_000  # of a whole program; a larger one takes more than 4 GB of memory to compile
MIN_SEPARATE_CHARACTERS = 1_000_000
"""Minimum number of characters of assembly for compilation in a separate process. This size takes 2 to 3 s to compile;
a process takes 0.2 s to start.
"""
SECONDS_PER_LINE = {OPTIMISED: 100e-6, UNOPTIMISED: 27e-6}  # on one core of a 2-core AMD EPYC machine, parsing included
WARNING_SECONDS = 10.0  # expected time [s] from which a compilation is logged as a warning


@dataclass(frozen=True)
class Processor:
    """A target processor. name, features: texts in the form of LLVM."""

    name: str
    features: str

    @property
    def vector_bytes(self) -> int:
        """The size of the largest vector registers [bytes]."""
        return 64 if "+avx512f" in self.features else 32 if "+avx" in self.features else 16


class CompileError(Exception):
    """A program could not be compiled: it is too large, or the compiler failed."""


@functools.cache
def initialise_llvm() -> None:
    """Initialise LLVM, once."""
    LLVM.initialize_native_target()
    LLVM.initialize_native_asmprinter()
    # Machine sinking moves instructions past the branch of each `when`, so their operands occupy registers for longer:
    # 32 sines and cosines took 0.82 ns each with it and 0.64 without (float64, 8 lanes). The option holds for the whole
    # process.
    LLVM.set_option("gambol", "-disable-machine-sink")
    # Scheduling after register allocation takes 16 of the 38 s of LLVM for 205,000 lines (two boxes, "constraint"), and
    # changes no speed that could be measured: processors reorder instructions themselves.
    LLVM.set_option("gambol", "-disable-post-ra")


@functools.cache
def this_processor() -> Processor:
    """Return the processor that this process runs on."""
    initialise_llvm()
    features = LLVM.get_host_cpu_features().flatten()
    return Processor(LLVM.get_host_cpu_name(), f"{features},-prefer-256-bit" if features else "")


def target_machine(processor: Processor, level: int = OPTIMISED) -> Any:
    """Return LLVM's target machine for a processor. level: level of optimisation, see OPTIMISED.

    Code for an x86-64 processor without fma calls the fma function of the C library, and LLVM may load its sections
    more than 2 GB apart, see machine.py. The large code model addresses any distance.
    """
    target = LLVM.Target.from_default_triple()
    calls_fma = target.triple.startswith("x86_64") and "+fma" not in processor.features
    return target.create_target_machine(
        cpu=processor.name,
        features=processor.features,
        opt=level,
        jit=True,
        reloc="pic",
        codemodel="large" if calls_fma else "small",
    )


def object_code(
    assembly: str, processor: Processor, name: str = "a program", reason: str = "", *, optimised: bool = True
) -> bytes:
    """Compile LLVM assembly text to an object file, without any pass that would change a result.

    assembly: the text; processor: the target; name: name of the program, for messages; reason: the reason for its size,
    for messages. optimised: see CpuTarget. Returns the bytes of the file. Raises CompileError for a
    program of more than MAX_LINES, and if the compiler fails.
    """
    level = _optimisation_level(assembly) if optimised else UNOPTIMISED
    lines = assembly.count("\n")
    explanation = f"; what makes it large: {reason}" if reason else ""
    if lines > MAX_LINES:
        limit = f"more than the {MAX_LINES:,} that can be compiled"
        raise CompileError(f'"{name}" has {lines:,} instructions, {limit}{explanation}')
    seconds = lines * SECONDS_PER_LINE[level]
    message = f'"{name}" has {lines:,} instructions, which take about {seconds:.0f} s to compile{explanation}'
    LOG.log(logging.WARNING if seconds > WARNING_SECONDS else logging.DEBUG, message, extra={"seconds": seconds})
    if len(assembly) < MIN_SEPARATE_CHARACTERS or not _can_start_python():
        return generate(assembly, processor, level)
    return _generate_in_separate_process(assembly, processor, level, name + explanation)


def _optimisation_level(assembly: str) -> int:
    """Return the optimisation level at which the compile time stays proportional to the program's size."""
    max_lines = max(function.count("\n") for function in assembly.split("\ndefine "))
    return OPTIMISED if max_lines <= MAX_OPTIMISED_LINES else UNOPTIMISED


def generate(assembly: str, processor: Processor, level: int) -> bytes:
    """Compile an assembly text in this process. Return its object code; processor, level: see target_machine()."""
    initialise_llvm()
    machine = target_machine(processor, level)
    module = LLVM.parse_assembly(assembly)
    module.verify()
    return machine.emit_object(module)


def _can_start_python() -> bool:
    """Return True if sys.executable is a Python interpreter, and not an application that embeds Python."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _generate_in_separate_process(assembly: str, processor: Processor, level: int, name: str) -> bytes:
    """Compile an assembly text in a child process, which exits with this process. Return its object code."""
    request = json.dumps({"level": level, **asdict(processor)}).encode() + b"\n" + assembly.encode()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    # -P: modules of this folder must not replace those of the standard library
    command = [sys.executable, "-P", __file__]
    # In its own session the child gets no Ctrl-C; this process does, and ends the child.
    process = subprocess.run(
        command, input=request, capture_output=True, check=False, env=environment, start_new_session=True
    )
    if process.returncode or not process.stdout:
        lines = process.stderr.decode(errors="replace").split("\n")
        messages = (line for line in lines if line[:9] not in ("", "Traceback"))
        message = next((line for line in messages if not line.startswith(" ")), "no message")
        raise CompileError(f"LLVM ended with code {process.returncode} while it compiled {name} ({message})")
    return process.stdout


def _exit_with_parent(parent: int) -> None:
    """Exit this process when its parent has exited."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)


def main() -> None:
    """Compile standard input to standard output. The input is a line of JSON with options, then an assembly text."""
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()
    request, _, assembly = sys.stdin.buffer.read().partition(b"\n")
    options = json.loads(request)
    code = generate(assembly.decode(), Processor(options["name"], options["features"]), options["level"])
    sys.stdout.buffer.write(code)


if __name__ == "__main__":
    main()
