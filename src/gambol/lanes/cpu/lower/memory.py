"""Loads from tables, whose index may differ between lanes, and addresses of arrays among the arguments of a function.

An entry of one lane of float32 has 4 bytes, too few for an address. It holds the offset of the array from %context:
both are on the stack of one thread, so that the offset fits into 32 bits.
"""

from collections.abc import Callable
from typing import Protocol

from gambol.lanes.cpu.lower.lane_types import CONTEXT, TABLES, LaneTypes
from gambol.lanes.ops import Op

POINTER_BYTES = 8


class Code(Protocol):
    """The text of a function. types: types of its lanes; table: returns the name of a constant table."""

    types: LaneTypes
    table: Callable[[tuple[float, ...]], str]

    def new(self, text: str) -> str:
        """Append an instruction; return the name of its value."""
        ...


def stored_address(f: Code, array: str) -> str:
    """Return the type and the name of the value that stands for the address of an array in an entry."""
    if _holds_address(f.types):
        return f"ptr {array}"
    offset = f.new(f"sub i64 {f.new(f'ptrtoint ptr {array} to i64')}, {_context_address(f)}")
    return f"i32 {f.new(f'trunc i64 {offset} to i32')}"


def load_address(f: Code, entry: str) -> str:
    """Return the name of the address of an array, from the address of an entry with a stored_address()."""
    if _holds_address(f.types):
        return f.new(f"load ptr, ptr {entry}")
    offset = f.new(f"sext i32 {f.new(f'load i32, ptr {entry}')} to i64")
    return f.new(f"inttoptr i64 {f.new(f'add i64 {_context_address(f)}, {offset}')} to ptr")


def _holds_address(types: LaneTypes) -> bool:
    """Return True if an address fits into an entry."""
    return types.bytes * types.lanes >= POINTER_BYTES


def _context_address(f: Code) -> str:
    return f.new("ptrtoint ptr %context to i64")


def gather(f: Code, op: Op, a: list[str]) -> str:
    """Append the loads of each lane's entry of a table; an index beyond an end selects that end, NaN the first one."""
    types, single_lane = f.types, LaneTypes(f.types.precision, 1)
    base, last_index = _table(f, op.extra)
    positive = f.new(f"fcmp ogt {types.real} {a[0]}, {types.constant(0.0)}")
    index = f.new(f"select {types.mask} {positive}, {types.real} {a[0]}, {types.real} {types.constant(0.0)}")
    result = "undef"
    for lane in range(types.lanes):
        x = f.new(f"extractelement {types.real} {index}, i32 {lane}") if types.lanes > 1 else index
        inside = f.new(f"fcmp olt {single_lane.scalar} {x}, {last_index}")
        clamped = f.new(f"select i1 {inside}, {single_lane.scalar} {x}, {single_lane.scalar} {last_index}")
        position = f.new(f"fptosi {single_lane.scalar} {clamped} to i64")
        address = f.new(f"getelementptr {single_lane.scalar}, ptr {base}, i64 {position}")
        entry = f.new(f"load {single_lane.scalar}, ptr {address}")
        result = (
            f.new(f"insertelement {types.real} {result}, {single_lane.scalar} {entry}, i32 {lane}")
            if types.lanes > 1
            else entry
        )
    return result


def _table(f: Code, table: int | tuple[float, ...]) -> tuple[str, str]:
    """Return the address of a table and its last index as a real.

    table: the index of a table input, or the entries of a constant table.
    """
    single_lane = LaneTypes(f.types.precision, 1)
    if isinstance(table, tuple):
        return f.table(table), single_lane.constant(float(len(table) - 1))
    address = f.new(f"getelementptr {CONTEXT}, ptr %context, i64 0, i32 {TABLES}")
    entry = f.new(f"getelementptr {{ptr, i64}}, ptr {f.new(f'load ptr, ptr {address}')}, i64 {table}")
    base = f.new(f"load ptr, ptr {entry}")
    address = f.new(f"getelementptr {{ptr, i64}}, ptr {entry}, i64 0, i32 1")
    last = f.new(f"sub i64 {f.new(f'load i64, ptr {address}')}, 1")
    return base, f.new(f"sitofp i64 {last} to {single_lane.scalar}")
