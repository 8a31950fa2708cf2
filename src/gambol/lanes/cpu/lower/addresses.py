"""Addresses of arrays among the arguments of a function.

An entry of one lane of float32 has 4 bytes, too few for an address. It holds the offset of the array from %context:
both are on the stack of one thread, so that the offset fits into 32 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gambol.lanes.cpu.lower.instructions import Writer
    from gambol.lanes.cpu.lower.lane_types import LaneTypes

POINTER_BYTES = 8


def store_address(f: Writer, array: str, entry: str) -> None:
    """Store the address of an array in an entry. entry: its address."""
    if _is_wide(f.types):
        f.lines.append(f"  store ptr {array}, ptr {entry}")
        return
    offset = f.new(f"sub i64 {f.new(f'ptrtoint ptr {array} to i64')}, {_context_address(f)}")
    f.lines.append(f"  store i32 {f.new(f'trunc i64 {offset} to i32')}, ptr {entry}")


def load_address(f: Writer, entry: str) -> str:
    """Return the name of the address of an array that store_address() stored in an entry."""
    if _is_wide(f.types):
        return f.new(f"load ptr, ptr {entry}")
    offset = f.new(f"sext i32 {f.new(f'load i32, ptr {entry}')} to i64")
    return f.new(f"inttoptr i64 {f.new(f'add i64 {_context_address(f)}, {offset}')} to ptr")


def _is_wide(types: LaneTypes) -> bool:
    """Return True if an entry holds an address."""
    return types.bytes * types.lanes >= POINTER_BYTES


def _context_address(f: Writer) -> str:
    return f.new("ptrtoint ptr %context to i64")
