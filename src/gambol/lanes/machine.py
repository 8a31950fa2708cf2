"""Loading of object code as functions that Python can call."""

import ctypes
import functools
from collections.abc import Callable
from typing import Any, cast

from gambol.lanes.compiler import LLVM, initialise_llvm, target_machine, this_processor
from gambol.lanes.object_file import is_complete, is_self_contained

Entry = Callable[[Any, Any, int, int], None]


class ObjectError(Exception):
    """Bytes that are not the object code of a program."""


def load(code: bytes) -> tuple[Entry, Any]:
    """Return the entry point `run` of an object file, and the LLVM engine that must stay alive with it.

    Raises ObjectError for bytes that are not an object file, and for a file without that entry point.
    """
    initialise_llvm()
    if not is_complete(code):
        raise ObjectError("this is not a complete object file")
    engine = _engine("", is_self_contained(code) or None)
    engine.add_object_file(LLVM.ObjectFileRef.from_data(code))
    engine.finalize_object()
    if not (address := engine.get_function_address("run")):
        raise ObjectError("this object file has no function named run")
    signature = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    return signature(address), engine


def _engine(assembly: str, use_lmm: bool | None = None) -> Any:
    """Return an LLVM execution engine, which owns machine code, with the module of an assembly text.

    use_lmm: True for llvmlite's memory manager, which puts the sections of an object next to each other. LLVM's
    manager takes any free memory, and ends the process where sections are more than 2 GB apart, as beside large arrays;
    llvmlite's ends it where code calls external functions, whose addresses it has no space for. None: the default.
    """
    machine = target_machine(this_processor())
    return LLVM.create_mcjit_compiler(LLVM.parse_assembly(assembly), machine, use_lmm=use_lmm)


def entry_address(entry: Entry) -> int:
    """Return the address of the machine code of an entry point."""
    return ctypes.cast(cast("Any", entry), ctypes.c_void_p).value or 0


@functools.cache
def interleave_loop() -> Callable[[Any, int, int], None]:
    """Return the native loop of interleaved execution, which runs entry points one after the other, round by round.

    It takes a list of (entry point, arrays, tables), the length of the list, and the number of rounds; in round t each
    entry point computes blocks t to t + 1.
    """
    engine = _engine(INTERLEAVE)
    engine.finalize_object()
    function: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(
        engine.get_function_address("interleave")
    )
    function.engine = engine  # it owns the code
    return function


INTERLEAVE = """define void @interleave(ptr %list, i64 %count, i64 %rounds) {
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
