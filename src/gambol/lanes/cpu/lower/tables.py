"""Lowering of loads from tables, whose index may differ between lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gambol.lanes.cpu.lower.lane_types import CONTEXT, TABLES, LaneTypes

if TYPE_CHECKING:
    from gambol.lanes.cpu.lower.instructions import Writer
    from gambol.lanes.ops import Op


def gather(f: Writer, op: Op, a: list[str]) -> str:
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


def _table(f: Writer, table: int | tuple[float, ...]) -> tuple[str, str]:
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
