"""From LLVM assembly to machine code: which processor, how it is compiled, how object code becomes a function."""

import ctypes
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import llvmlite.binding as llvm  # pyright: ignore[reportMissingTypeStubs]

Entry = Callable[[Any, Any, int, int], None]
LLVM: Any = llvm


@dataclass(frozen=True)
class Processor:
    """What code is made for: LLVM's name of the processor and its list of features."""

    name: str
    features: str

    @property
    def vector_bytes(self) -> int:
        """The width of the widest registers [bytes]."""
        return 64 if "+avx512f" in self.features else 32 if "+avx" in self.features else 16


@functools.cache
def _prepared() -> None:
    LLVM.initialize_native_target()
    LLVM.initialize_native_asmprinter()
    # Sinking values past the branch of each `when` keeps what they are made from in registers: 32 sines and cosines
    # took 0.82 ns each with it and 0.64 without (float64, 8 lanes). The option holds for the whole process.
    LLVM.set_option("gambol", "-disable-machine-sink")


@functools.cache
def this_processor() -> Processor:
    """The processor we run on."""
    _prepared()
    features = LLVM.get_host_cpu_features().flatten()
    return Processor(LLVM.get_host_cpu_name(), f"{features},-prefer-256-bit" if features else "")


def object_code(assembly: str, processor: Processor) -> bytes:
    """Compile LLVM assembly text to an object file for a processor, without any pass that would change a number."""
    _prepared()
    machine = _target_machine(processor)
    module = LLVM.parse_assembly(assembly)
    module.verify()
    return machine.emit_object(module)


def _target_machine(processor: Processor) -> Any:
    target = LLVM.Target.from_default_triple()
    return target.create_target_machine(
        cpu=processor.name, features=processor.features, opt=2, jit=True, reloc="pic", codemodel="small"
    )


def loaded(code: bytes) -> tuple[Entry, Any]:
    """The entry point `run` of an object file, ready to call, and the engine that must stay alive with it."""
    _prepared()
    engine = LLVM.create_mcjit_compiler(LLVM.parse_assembly(""), _target_machine(this_processor()))
    engine.add_object_file(LLVM.ObjectFileRef.from_data(code))
    engine.finalize_object()
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    return kind(engine.get_function_address("run")), engine


def address(entry: Entry) -> int:
    """Where the machine code of an entry point begins."""
    return ctypes.cast(cast("Any", entry), ctypes.c_void_p).value or 0


@functools.cache
def taking_turns() -> Callable[[Any, int, int], None]:
    """What runs entry points in turn, in every round t each with blocks t to t + 1.

    It takes a list of (entry point, its arrays, its tables), how many these are, and the number of rounds.
    """
    engine = LLVM.create_mcjit_compiler(LLVM.parse_assembly(TURNS), _target_machine(this_processor()))
    engine.finalize_object()
    made: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(
        engine.get_function_address("turns")
    )
    made.engine = engine  # which owns the code
    return made


TURNS = """define void @turns(ptr %list, i64 %count, i64 %rounds) {
entry:
  br label %head
head:
  %t = phi i64 [ 0, %entry ], [ %later, %over ]
  %more = icmp slt i64 %t, %rounds
  br i1 %more, label %round, label %end
round:
  %later = add i64 %t, 1
  br label %next
next:
  %k = phi i64 [ 0, %round ], [ %after, %turn ]
  %left = icmp slt i64 %k, %count
  br i1 %left, label %turn, label %over
turn:
  %at = getelementptr {ptr, ptr, ptr}, ptr %list, i64 %k
  %run = load ptr, ptr %at
  %arrays.at = getelementptr {ptr, ptr, ptr}, ptr %at, i64 0, i32 1
  %arrays = load ptr, ptr %arrays.at
  %tables.at = getelementptr {ptr, ptr, ptr}, ptr %at, i64 0, i32 2
  %tables = load ptr, ptr %tables.at
  call void %run(ptr %arrays, ptr %tables, i64 %t, i64 %later)
  %after = add i64 %k, 1
  br label %next
over:
  br label %head
end:
  ret void
}
"""
