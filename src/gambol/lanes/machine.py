"""From object code to functions that can be called."""

import ctypes
import functools
from collections.abc import Callable
from typing import Any, cast

from gambol.lanes.compiler import LLVM, prepared, target_machine, this_processor
from gambol.lanes.object_file import is_complete, is_whole

Entry = Callable[[Any, Any, int, int], None]


class ObjectError(Exception):
    """Bytes that should be the object code of a program and are not."""


def loaded(code: bytes) -> tuple[Entry, Any]:
    """The entry point `run` of an object file, ready to call, and the engine that must stay alive with it.

    Raises ObjectError for bytes that are no object file, and for one without that entry point.
    """
    prepared()
    if not is_whole(code):
        raise ObjectError("this is not a whole object file")
    engine = _engine("", is_complete(code) or None)
    engine.add_object_file(LLVM.ObjectFileRef.from_data(code))
    engine.finalize_object()
    if not (place := engine.get_function_address("run")):
        raise ObjectError("this object file has no function named run")
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    return kind(place), engine


def _engine(assembly: str, together: bool | None = None) -> Any:
    """LLVM's owner of machine code, with what an assembly text holds.

    together: whether llvmlite's memory manager puts the parts of an object next to each other. LLVM's own takes any
    free memory, and ends the process where they come to lie more than 2 GB apart, as beside large arrays; llvmlite's
    ends it where code calls functions of others, for whose addresses it keeps no room. None: what llvmlite chooses.
    """
    machine = target_machine(this_processor())
    return LLVM.create_mcjit_compiler(LLVM.parse_assembly(assembly), machine, use_lmm=together)


def address(entry: Entry) -> int:
    """Where the machine code of an entry point begins."""
    return ctypes.cast(cast("Any", entry), ctypes.c_void_p).value or 0


@functools.cache
def taking_turns() -> Callable[[Any, int, int], None]:
    """What runs entry points in turn, in every round t each with blocks t to t + 1.

    It takes a list of (entry point, its arrays, its tables), how many these are, and the number of rounds.
    """
    engine = _engine(TURNS)
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
