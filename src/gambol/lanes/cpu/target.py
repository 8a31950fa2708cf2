"""The target "cpu": lowering to LLVM assembly, its compilation, and loading of the machine code."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gambol.errors import GambolError
from gambol.lanes.cpu import compiler, machine
from gambol.lanes.cpu.compiler import Processor, this_processor
from gambol.lanes.cpu.lower import assembly
from gambol.lanes.ops import Precision
from gambol.lanes.target import Entry
from gambol.lanes.trace import Body


@dataclass(frozen=True)
class CpuTarget:
    """A processor that computes one world in each SIMD lane; by default the processor of this machine.

    optimised: False for programs that are compiled faster and run slower, with the same results: a humanoid's step
    takes 3 instead of 9 s of LLVM, and 1.13 times as long. The default is True, unless the environment variable
    GAMBOL_OPTIMISE is 0.
    """

    processor: Processor = field(default_factory=this_processor)
    optimised: bool = field(default_factory=lambda: os.environ.get("GAMBOL_OPTIMISE") != "0")

    @property
    def vector_bytes(self) -> int:
        """The size of the largest vector registers [bytes]."""
        return self.processor.vector_bytes

    @property
    def key(self) -> tuple[Any, ...]:
        """The processor, the version of LLVM, and whether programs are not optimised."""
        return self.processor, compiler.LLVM.llvm_version_info, *(() if self.optimised else ("not optimised",))

    def text(self, body: Body, precision: Precision, lanes: int, rows: tuple[Sequence[int], Sequence[int]]) -> str:
        """Return the assembly text of a program; arguments: see Target.text()."""
        return assembly(body, precision, lanes, rows)

    def object_code(self, text: str, name: str, reason: str) -> bytes:
        """Compile assembly text to an object file; arguments: see Target.object_code(). Raises GambolError."""
        try:
            return compiler.object_code(text, self.processor, name, reason, optimised=self.optimised)
        except compiler.CompileError as error:
            raise GambolError(str(error)) from error

    def load(self, code: bytes) -> tuple[Entry, Any]:
        """Return the entry point of an object file, and the engine that holds its machine code. Raises ObjectError."""
        return machine.load(code)

    def run_with_stack(self, entries: Sequence[Entry], work: Callable[[Sequence[Entry]], None]) -> None:
        """Run a function that calls entry points many times; arguments: see Target.run_with_stack()."""
        machine.run_with_stack(entries, work)
