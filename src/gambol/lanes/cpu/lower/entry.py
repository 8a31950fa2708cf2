"""The entry point of a program: blocks of lanes are loaded from arrays, computed and stored."""

import re
from collections.abc import Iterable, Sequence

from gambol.lanes.cpu.lower.lane_types import CONTEXT, RARITY, TABLES, LaneTypes

MAX_RARITY = 2**31
"""A rarity above that of every branch: in the context of a program, it means that no branch is postponed."""

AREA = re.compile(r"= alloca \[(\d+) x")


def stack_bound(functions: Iterable[str], types: LaneTypes) -> str:
    """Return the text of the constant `stack_bytes`: the most stack memory that functions need together [bytes].

    functions: their texts. types: types of their lanes. Each line computes at most one value, LLVM keeps a value in at
    most one stack slot, and no function calls itself. So all areas plus one vector for each line are an upper bound.
    """
    values = sum(text.count("\n") + sum(map(int, AREA.findall(text))) for text in functions)
    return f"@stack_bytes = constant i64 {values * types.bytes * types.lanes}"


def entry_point(types: LaneTypes, body: str, inputs: Sequence[int], outputs: Sequence[int]) -> str:
    """Return the text of the entry point of a program.

    types: types of the lanes; body: the name of the program's function; inputs, outputs: the number of rows of each
    array. The entry point `run(arrays, tables, first, last)` computes blocks first to last - 1. arrays is a list of
    (address, bytes per row, bytes per block), inputs before outputs; tables is a list of (address, length).
    """
    return ENTRY.format(
        real=types.real,
        all_lanes=f"{types.mask} {types.mask_constant(True)}",
        context=CONTEXT,
        rarity=RARITY,
        highest=MAX_RARITY,
        tables=TABLES,
        inputs=max(1, sum(inputs)),
        outputs=max(1, sum(outputs)),
        loads=load_calls(types, inputs, "%block"),
        stores=store_calls(types, inputs, outputs, "%block"),
        body=body,
    )


def copy_functions(types: LaneTypes) -> list[str]:
    """Return the text of the functions that copy values, and blocks from and to arrays."""
    copies = [COPY_ROWS.format(**_copy_fields(types, name)) for name in ("load_rows", "store_rows")]
    return [PREFETCH, COPY_VALUES.format(real=types.real), *copies]


def load_calls(types: LaneTypes, inputs: Sequence[int], block: str) -> str:
    """Return the calls that load a block to %in. inputs: number of rows of each input; block: index of the block."""
    return _copy_calls(types, "load_rows", inputs, 0, ("%in", block))


def store_calls(types: LaneTypes, inputs: Sequence[int], outputs: Sequence[int], block: str) -> str:
    """Return the calls that store a block from %out. inputs, outputs: number of rows of each array."""
    return _copy_calls(types, "store_rows", outputs, len(inputs), ("%out", block))


def _copy_calls(types: LaneTypes, name: str, rows: Sequence[int], first: int, places: tuple[str, str]) -> str:
    """Return the calls that copy a block between arrays and a local buffer.

    name: name of the function to call; rows: the number of rows of each array; first: the index of the first array;
    places: the buffer, and the index of the block.
    """
    lines: list[str] = []
    buffer, block = places
    for k, count in enumerate(rows):
        address = f"{buffer}.{k}"
        lines.append(f"  {address} = getelementptr {types.real}, ptr {buffer}, i64 {sum(rows[:k])}")
        lines.append(f"  call void @{name}(ptr %arrays, i64 {first + k}, i64 {count}, i64 {block}, ptr {address})")
    return "\n".join(lines)


ENTRY = """define void @run(ptr %arrays, ptr %tables, i64 %first, i64 %last) #0 {{
entry:
  %in = alloca [{inputs} x {real}]
  %out = alloca [{outputs} x {real}]
  %context = alloca {context}
  %rarity = getelementptr {context}, ptr %context, i64 0, i32 {rarity}
  store i64 {highest}, ptr %rarity
  %tables.field = getelementptr {context}, ptr %context, i64 0, i32 {tables}
  store ptr %tables, ptr %tables.field
  br label %head
head:
  %block = phi i64 [ %first, %entry ], [ %next, %work ]
  %more = icmp slt i64 %block, %last
  br i1 %more, label %work, label %end
work:
{loads}
  call void {body}(ptr %in, ptr %out, ptr %context, {all_lanes})
{stores}
  %next = add i64 %block, 1
  br label %head
end:
  ret void
}}
"""

# Loads the next block into the cache while this one is computed: a program of a roach then takes 146 ns per world
# instead of 235 (65,520 worlds, float32).
PREFETCH = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"

# Instead of llvm.memcpy, which becomes a call of the C library: an object file without external symbols can be loaded
# next to large arrays, see machine.py.
COPY_VALUES = """define internal void @copy_values(ptr noalias %target, ptr noalias %source, i64 %count) #0 {{
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %work ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %work, label %end
work:
  %from = getelementptr {real}, ptr %source, i64 %k
  %to = getelementptr {real}, ptr %target, i64 %k
  %value = load {real}, ptr %from
  store {real} %value, ptr %to
  %next = add i64 %k, 1
  br label %head
end:
  ret void
}}
"""

COPY_ROWS = """define internal void @{name}(ptr %arrays, i64 %array.index, i64 %rows, i64 %block, ptr %buffer) #0 {{
entry:
  %array = getelementptr {{ptr, i64, i64}}, ptr %arrays, i64 %array.index
  %base = load ptr, ptr %array
  %stride.address = getelementptr {{ptr, i64, i64}}, ptr %array, i64 0, i32 1
  %stride = load i64, ptr %stride.address
  %step.address = getelementptr {{ptr, i64, i64}}, ptr %array, i64 0, i32 2
  %step = load i64, ptr %step.address
  %block.offset = mul i64 %block, %step
  %start = getelementptr i8, ptr %base, i64 %block.offset
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %copy ]
  %more = icmp slt i64 %i, %rows
  br i1 %more, label %copy, label %end
copy:
  %row.offset = mul i64 %i, %stride
  %array.row = getelementptr i8, ptr %start, i64 %row.offset
  %buffer.row = getelementptr {real}, ptr %buffer, i64 %i
  %x = load {real}, ptr {source}, align {load_align}
  store {real} %x, ptr {target}, align {store_align}
  %next.block.row = getelementptr i8, ptr %array.row, i64 %step
  call void @llvm.prefetch.p0(ptr %next.block.row, i32 0, i32 3, i32 1)
  %next = add i64 %i, 1
  br label %head
end:
  ret void
}}
"""


def _copy_fields(types: LaneTypes, name: str) -> dict[str, object]:
    """Return the fields of COPY_ROWS for load_rows, which loads rows from arrays, or for store_rows.

    In COPY_ROWS %buffer is the local copy of the rows, aligned to vectors; arrays are aligned to their numbers.
    """
    loading = name == "load_rows"
    vector_bytes, number_bytes = types.bytes * types.lanes, types.bytes
    return {
        "name": name,
        "real": types.real,
        "source": "%array.row" if loading else "%buffer.row",
        "target": "%buffer.row" if loading else "%array.row",
        "load_align": number_bytes if loading else vector_bytes,
        "store_align": vector_bytes if loading else number_bytes,
    }
