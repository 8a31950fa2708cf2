"""Compilation of LLVM assembly to object code, in this process or in a separate one.

LLVM cannot be interrupted. A long compilation therefore runs in a separate process: Ctrl-C ends it at once, and a crash
of LLVM does not end this process. This file is also the script of that process, so it imports nothing of gambol.
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
"""Lines of assembly in one function, beyond which a program is compiled without optimisation: the time of LLVM's
register allocation grows faster than the function. 108,000 lines took 16 s optimised and 2 s plain, which then ran 3 to
4 times slower; 1,030,000 lines took over 160 s and 12 s."""

MAX_LINES = 5_000_000  # of a whole program; for more the compiler takes over 4 GB of memory
SEPARATE_PROCESS_CHARACTERS = 1_000_000
"""Characters of assembly beyond which a separate process compiles. So many take 2 to 3 s to compile; a process takes
0.2 s to start."""
SECONDS_PER_LINE = {OPTIMISED: 170e-6, UNOPTIMISED: 27e-6}  # on one core of a 2-core AMD EPYC machine, parsing included
WARNING_SECONDS = 10.0  # s: a compilation that is expected to take longer is logged as a warning


@dataclass(frozen=True)
class Processor:
    """A target processor: LLVM's name for it and the list of its features."""

    name: str
    features: str

    @property
    def vector_bytes(self) -> int:
        """The width of the widest vector registers [bytes]."""
        return 64 if "+avx512f" in self.features else 32 if "+avx" in self.features else 16


class CompileError(Exception):
    """A program could not be compiled: it is too large, or the compiler ended without a result."""


@functools.cache
def initialise_llvm() -> None:
    """Initialise LLVM, once."""
    LLVM.initialize_native_target()
    LLVM.initialize_native_asmprinter()
    # Sinking values past the branch of each `when` keeps their operands in registers: 32 sines and cosines took 0.82 ns
    # each with it and 0.64 without (float64, 8 lanes). The option holds for the whole process.
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
    """Return LLVM's target machine of a processor. level: LLVM's level of optimisation."""
    target = LLVM.Target.from_default_triple()
    return target.create_target_machine(
        cpu=processor.name, features=processor.features, opt=level, jit=True, reloc="pic", codemodel="small"
    )


def object_code(assembly: str, processor: Processor, name: str = "a program", reason: str = "") -> bytes:
    """Compile LLVM assembly text to an object file, without any pass that would change a number.

    assembly: the text; processor: the target; name: of the program, for messages; reason: what makes it large, for
    messages. Returns the bytes of the file.
    Raises CompileError for a program of more than MAX_LINES, and where the compiler ends without a result.
    """
    level, lines = _level(assembly), assembly.count("\n")
    explanation = f"; what makes it large: {reason}" if reason else ""
    if lines > MAX_LINES:
        limit = f"more than the {MAX_LINES:,} that can be compiled"
        raise CompileError(f'"{name}" has {lines:,} instructions, {limit}{explanation}')
    seconds = lines * SECONDS_PER_LINE[level]
    message = f'"{name}" has {lines:,} instructions, which take about {seconds:.0f} s to compile{explanation}'
    LOG.log(logging.WARNING if seconds > WARNING_SECONDS else logging.DEBUG, message, extra={"seconds": seconds})
    if len(assembly) < SEPARATE_PROCESS_CHARACTERS or not _can_start_python():
        return generate(assembly, processor, level)
    return _generate_in_separate_process(assembly, processor, level, name + explanation)


def _level(assembly: str) -> int:
    """Return the optimisation level at which the compile time stays proportional to the program's size."""
    longest = max(function.count("\n") for function in assembly.split("\ndefine "))
    return OPTIMISED if longest <= MAX_OPTIMISED_LINES else UNOPTIMISED


def generate(assembly: str, processor: Processor, level: int) -> bytes:
    """Return the object code of an assembly text, compiled in this process."""
    initialise_llvm()
    machine = target_machine(processor, level)
    module = LLVM.parse_assembly(assembly)
    module.verify()
    return machine.emit_object(module)


def _can_start_python() -> bool:
    """True where sys.executable is a Python interpreter, and not an application that embeds Python."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _generate_in_separate_process(assembly: str, processor: Processor, level: int, name: str) -> bytes:
    """Return the object code of an assembly text, compiled in a process that ends when this one stops waiting."""
    request = json.dumps({"level": level, **asdict(processor)}).encode() + b"\n" + assembly.encode()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [
        sys.executable,
        "-P",
        __file__,
    ]  # -P: do not import modules of this folder in place of the standard library's
    # In a new session, Ctrl-C does not reach it: this process gets it, and ends the other.
    finished = subprocess.run(
        command, input=request, capture_output=True, check=False, env=environment, start_new_session=True
    )
    if finished.returncode or not finished.stdout:
        lines = finished.stderr.decode(errors="replace").split("\n")
        messages = (line for line in lines if line[:9] not in ("", "Traceback"))
        message = next((line for line in messages if not line.startswith(" ")), "no message")
        raise CompileError(f"LLVM ended with code {finished.returncode} while it compiled {name} ({message})")
    return finished.stdout


def _exit_with_parent(parent: int) -> None:
    """End this process when its parent has ended."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)


def main() -> None:
    """Compile standard input, a line of JSON with options and an assembly text, to standard output."""
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()
    request, _, assembly = sys.stdin.buffer.read().partition(b"\n")
    options = json.loads(request)
    code = generate(assembly.decode(), Processor(options["name"], options["features"]), options["level"])
    sys.stdout.buffer.write(code)


if __name__ == "__main__":
    main()
