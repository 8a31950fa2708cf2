"""From LLVM assembly to object code: which processor, at which level, in this process or in one of its own.

LLVM cannot be interrupted. A program that takes it long is therefore compiled in a process of its own, which Ctrl-C
ends at once, and which cannot take this one along when it dies. This file is that process's script too, so it imports
nothing of gambol.
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

OPTIMISED, PLAIN = 2, 0  # LLVM's levels of code generation; both give the same bits

MOST_OPTIMISED = 220_000
"""Lines of assembly in one function, beyond which a program is compiled plainly: to allocate registers takes LLVM a
time that grows faster than the function. 108,000 lines took 16 s optimised and 2 s plain, which then ran 3 to 4 times
slower; 1,030,000 lines took over 160 s and 12 s."""

MOST_LINES = 5_000_000  # of a whole program: beyond, the compiler takes over 4 GB of memory
APART = 1_000_000  # characters of assembly, which take 2 to 3 s; a process of its own takes 0.2 s to start
SECONDS_PER_LINE = {OPTIMISED: 170e-6, PLAIN: 27e-6}  # on one core of a 2-core AMD EPYC machine, parsing included
LONG = 10.0  # s: a compilation that takes longer is told as a warning


@dataclass(frozen=True)
class Processor:
    """What code is made for: LLVM's name of the processor and its list of features."""

    name: str
    features: str

    @property
    def vector_bytes(self) -> int:
        """The width of the widest registers [bytes]."""
        return 64 if "+avx512f" in self.features else 32 if "+avx" in self.features else 16


class CompileError(Exception):
    """A program that cannot be compiled: it is too large, or the compiler ended without a result."""


@functools.cache
def prepared() -> None:
    """Initialise LLVM, once."""
    LLVM.initialize_native_target()
    LLVM.initialize_native_asmprinter()
    # Sinking values past the branch of each `when` keeps what they are made from in registers: 32 sines and cosines
    # took 0.82 ns each with it and 0.64 without (float64, 8 lanes). The option holds for the whole process.
    LLVM.set_option("gambol", "-disable-machine-sink")


@functools.cache
def this_processor() -> Processor:
    """The processor we run on."""
    prepared()
    features = LLVM.get_host_cpu_features().flatten()
    return Processor(LLVM.get_host_cpu_name(), f"{features},-prefer-256-bit" if features else "")


def target_machine(processor: Processor, level: int = OPTIMISED) -> Any:
    """LLVM's description of a processor to generate code for."""
    target = LLVM.Target.from_default_triple()
    return target.create_target_machine(
        cpu=processor.name, features=processor.features, opt=level, jit=True, reloc="pic", codemodel="small"
    )


def object_code(assembly: str, processor: Processor, name: str = "a program", reason: str = "") -> bytes:
    """Compile LLVM assembly text to an object file, without any pass that would change a number.

    name, reason: what is compiled, and what makes it large, for messages. Raises CompileError for a program of more
    than MOST_LINES, and where the compiler ends without a result.
    """
    level, lines = _level(assembly), assembly.count("\n")
    because = f"; what makes it large: {reason}" if reason else ""
    if lines > MOST_LINES:
        limit = f"more than the {MOST_LINES:,} that can be compiled"
        raise CompileError(f'"{name}" has {lines:,} instructions, {limit}{because}')
    seconds = lines * SECONDS_PER_LINE[level]
    told = f'"{name}" has {lines:,} instructions, which take about {seconds:.0f} s to compile{because}'
    LOG.log(logging.WARNING if seconds > LONG else logging.DEBUG, told, extra={"seconds": seconds})
    if len(assembly) < APART or not _can_start_python():
        return generated(assembly, processor, level)
    return _generated_apart(assembly, processor, level, name + because)


def _level(assembly: str) -> int:
    """The level at which a program compiles in a time that grows with its size."""
    longest = max(function.count("\n") for function in assembly.split("\ndefine "))
    return OPTIMISED if longest <= MOST_OPTIMISED else PLAIN


def generated(assembly: str, processor: Processor, level: int) -> bytes:
    """The object code of an assembly text, made in this process."""
    prepared()
    machine = target_machine(processor, level)
    module = LLVM.parse_assembly(assembly)
    module.verify()
    return machine.emit_object(module)


def _can_start_python() -> bool:
    """Whether this program is a Python that can be started again: not one that is part of another program."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _generated_apart(assembly: str, processor: Processor, level: int, name: str) -> bytes:
    """The object code of an assembly text, made in a process that ends with this one's wait for it."""
    order = json.dumps({"level": level, **asdict(processor)}).encode() + b"\n" + assembly.encode()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-P", __file__]  # -P: the modules beside this one are not the standard library's
    # In a session of its own, Ctrl-C does not reach it: this process gets it, and ends the other.
    done = subprocess.run(
        command, input=order, capture_output=True, check=False, env=environment, start_new_session=True
    )
    if done.returncode or not done.stdout:
        said = (line for line in done.stderr.decode(errors="replace").split("\n") if line[:9] not in ("", "Traceback"))
        why = next((line for line in said if not line.startswith(" ")), "no message")
        raise CompileError(f"LLVM ended with code {done.returncode} while it compiled {name} ({why})")
    return done.stdout


def _end_with(parent: int) -> None:
    """End this process when its parent has ended."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)


def main() -> None:
    """Compile what standard input orders, a line of JSON and an assembly text, to standard output."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    order, _, assembly = sys.stdin.buffer.read().partition(b"\n")
    asked = json.loads(order)
    code = generated(assembly.decode(), Processor(asked["name"], asked["features"]), asked["level"])
    sys.stdout.buffer.write(code)


if __name__ == "__main__":
    main()
