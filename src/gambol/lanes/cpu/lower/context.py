"""The context of a program's functions: its tables, and the lanes that wait for a rare branch.

A branch to a rare body (flow.Subprogram) runs at once, or is postponed: then its lanes are marked as waiting, and their
results are not used. See loop_entry.py for what happens to them.
"""

from gambol.lanes.cpu.lower.instructions import Writer
from gambol.lanes.cpu.lower.lane_types import CONTEXT, RARITY, WAITING


def context_field(f: Writer, field: int) -> str:
    """Return the address of a field of the context."""
    return f.new(f"getelementptr {CONTEXT}, ptr %context, i64 0, i32 {field}")


def write_postponement(f: Writer, rarity: int, mask: str, join: str) -> str:
    """Write the test that postpones a rare branch or runs it; the instructions of the branch follow.

    rarity: rarity of the branch; mask: its lanes; join: label of the block after the branch. Returns the label of the
    block that jumps to `join` if the branch is postponed.
    """
    postponed, computed = f.label("postponed"), f.label("computed")
    highest = f.new(f"load i64, ptr {context_field(f, RARITY)}")
    f.lines.append(f"  br i1 {f.new(f'icmp slt i64 {highest}, {rarity}')}, label %{postponed}, label %{computed}")
    f.start(postponed)
    address = context_field(f, WAITING)
    bits = f.new(f"zext i{f.types.lanes} {f.bits_of(mask)} to i64")
    waiting = f.new(f"or i64 {f.new(f'load i64, ptr {address}')}, {bits}")
    f.lines += [f"  store i64 {waiting}, ptr {address}", f"  br label %{join}"]
    f.start(computed)
    return postponed


def lanes_without_waiting(f: Writer, mask: str) -> str:
    """Return the lanes of a mask that do not wait for a rarer branch."""
    waiting = f.new(f"load i64, ptr {context_field(f, WAITING)}")
    others = f.new(f"xor i{f.types.lanes} {f.new(f'trunc i64 {waiting} to i{f.types.lanes}')}, -1")
    return f.both(mask, f.new(f"bitcast i{f.types.lanes} {others} to {f.types.mask}"))
