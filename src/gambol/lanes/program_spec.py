"""The specification of a program, and its trace."""

import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gambol.lanes.bodies import bodies_of, trace_body
from gambol.lanes.functions import TableInput
from gambol.lanes.ops import Precision
from gambol.lanes.trace import ACTIVE, Body
from gambol.lanes.tree import leaves, unflatten


@dataclass(frozen=True)
class ProgramSpec:
    """The specification of a program: a function of scalars and the structure of its inputs.

    name: name of the program, for messages. function: takes a pytree of scalars for each input and a TableInput for
    each table; returns a tuple of pytrees, one for each output array. structures: a pytree for each input; only its
    structure matters. tables: the number of tables. key: all data that determine the function besides gambol's source;
    a program with an equal key is loaded from the cache without tracing. None: the function is always traced, and its
    assembly text is the key in the cache. reason: the reason for the size of the program, for messages about a long
    compilation. short: True for a program that is shorter and slower, with the same results: loops over alike pieces,
    see is_short() and declare_alike(). The roach's takes 1.36 times as long in one lane, 1.8 times in eight.
    """

    name: str
    function: Callable[..., tuple[Any, ...]]
    structures: tuple[Any, ...]
    tables: int = 0
    key: Any = None
    reason: str = ""
    short: bool = False

    @property
    def rows(self) -> tuple[int, ...]:
        """The number of rows of each input."""
        return tuple(len(leaves(tree)) for tree in self.structures)


def trace_program(spec: ProgramSpec, precision: Precision) -> tuple[Body, list[int]]:
    """Return the traced body of a program, and the number of rows of each output."""
    outputs: list[int] = []

    def flat_function(*inputs: Any) -> list[Any]:
        stream = iter(inputs)
        trees = [unflatten(tree, stream) for tree in spec.structures]
        results = spec.function(*trees, *(TableInput(k) for k in range(spec.tables)))
        outputs.extend(len(leaves(r)) for r in results)
        return [x for r in results for x in leaves(r)]

    with without_garbage_collection():
        with _short(spec.short):
            body = trace_body(spec.name, precision, None, sum(spec.rows), flat_function)
        if spec.short:
            from gambol.lanes.rolling import outlined, rolled

            body = outlined(rolled(body))
    return body, outputs


@contextmanager
def _short(short: bool) -> Generator[None]:
    """Trace programs that are short, or as fast as possible."""
    before, ACTIVE.is_short = ACTIVE.is_short, short
    try:
        yield
    finally:
        ACTIVE.is_short = before


@contextmanager
def without_garbage_collection() -> Generator[None]:
    """Pause Python's search for cyclic garbage, which visits all objects of a trace again and again and frees none.

    The roach is traced in 0.65 instead of 1.05 s, and its loops are found in 1.5 instead of 2.3 s.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def operation_count(body: Body) -> int:
    """Return the number of operations of a body and of all bodies that it runs; each body counts once."""
    counts: dict[int, int] = {}

    def count(b: Body) -> None:
        if id(b) in counts:
            return
        counts[id(b)] = sum(op.name not in ("input", "captured", "const", "undefined", "part", "view") for op in b.ops)
        for op in b.ops:
            for inner in bodies_of(op):
                count(inner)

    count(body)
    return sum(counts.values())
