"""Loading of object code, and its entry points as Python functions.

A thread of Linux has 8 MB of stack unless more is requested. A program that needs more, such as that of a humanoid
(110,000 operations) in 16 lanes, would end the process with a segmentation fault, so it runs on a separate thread.
"""

import ctypes
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from gambol.lanes.cpu.compiler import LLVM, initialise_llvm, target_machine, this_processor
from gambol.lanes.cpu.object_file import is_complete, is_self_contained
from gambol.lanes.target import Entry, ObjectError

SAFE_BYTES = 4 * 2**20
"""Stack memory that a program may use on any thread [bytes]: half of that of Linux; the rest is for Python and
libraries.
"""

MARGIN = 2**20  # additional stack memory for the functions that call the program [bytes]
_STACK_SIZE_LOCK = threading.Lock()  # the size of new stacks is one setting for the whole process


@dataclass(frozen=True)
class LargeFrameEntry:
    """An entry point that is called on a thread with enough stack memory.

    entry: the entry point; stack_bytes: the stack memory that it needs [bytes].
    """

    entry: Entry
    stack_bytes: int

    def __call__(self, arrays: Any, tables: Any, first: int, last: int) -> None:
        """Call the entry point, and return when it is done."""
        run_on_large_stack(lambda: self.entry(arrays, tables, first, last), self.stack_bytes)


class _LargeStack(threading.local):
    """The thread that runs the large programs of a thread: its pool, its stack memory [bytes], and its process.

    It is kept, since starting it takes some 0.1 ms, and the system provides each page of its stack when it is first
    written. It ends with the thread that it belongs to, and does not exist in a forked process.
    """

    pool: ThreadPoolExecutor
    stack_bytes, process = 0, 0

    def is_large(self, stack_bytes: int) -> bool:
        """Return True if there is a thread with this much stack memory [bytes]."""
        return self.stack_bytes >= stack_bytes and self.process == os.getpid()


_large_stack = _LargeStack()


def run_on_large_stack(work: Callable[[], None], stack_bytes: int) -> None:
    """Run a function on a thread with this much stack memory [bytes] or more, and return when it is done."""
    kept = _large_stack
    if kept.is_large(stack_bytes):
        done = kept.pool.submit(work)
    else:
        kept.pool, kept.stack_bytes, kept.process = ThreadPoolExecutor(1), stack_bytes, os.getpid()
        with _STACK_SIZE_LOCK:
            before = threading.stack_size((stack_bytes // MARGIN + 2) * MARGIN)
            try:
                done = kept.pool.submit(work)
            finally:
                threading.stack_size(before)
    try:
        done.result()
    finally:
        wait([done])  # also if Ctrl-C ends result(): the program writes to arrays that must exist


def load(code: bytes) -> tuple[Entry, Any]:
    """Return the entry point `run` of an object file, and the LLVM engine that must stay alive with it.

    The constant `stack_bytes` of the file, if it has one, is the stack memory that `run` needs.
    Raises ObjectError for bytes that are not an object file, and for a file without that entry point.
    """
    initialise_llvm()
    if not is_complete(code):
        raise ObjectError("the object file is incomplete")
    engine = _engine("", is_self_contained(code) or None)
    engine.add_object_file(LLVM.ObjectFileRef.from_data(code))
    engine.finalize_object()
    if not (address := engine.get_function_address("run")):
        raise ObjectError("the object file has no function named run")
    signature = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    bound = engine.get_global_value_address("stack_bytes")
    stack_bytes = ctypes.c_int64.from_address(bound).value if bound else 0
    entry = signature(address)
    return LargeFrameEntry(entry, stack_bytes) if stack_bytes > SAFE_BYTES else entry, engine


def _engine(assembly: str, use_lmm: bool | None = None) -> Any:
    """Return an LLVM execution engine with the module of an assembly text.

    The machine code exists as long as the engine. use_lmm: True for llvmlite's memory manager, None for LLVM's default.
    LLVM's manager places the sections of an object anywhere, and aborts the process if they are more than 2 GB apart,
    as may happen next to large arrays. llvmlite's manager places them next to each other, but aborts the process if the
    code calls external functions.
    """
    machine = target_machine(this_processor())
    return LLVM.create_mcjit_compiler(LLVM.parse_assembly(assembly), machine, use_lmm=use_lmm)


def run_with_stack(entries: Sequence[Entry], work: Callable[[Sequence[Entry]], None]) -> None:
    """Run a function that calls entry points many times; see Target.run_with_stack()."""
    large = [entry.stack_bytes for entry in entries if isinstance(entry, LargeFrameEntry)]
    if large:
        inner = [entry.entry if isinstance(entry, LargeFrameEntry) else entry for entry in entries]
        run_on_large_stack(lambda: work(inner), max(large))
    else:
        work(entries)
