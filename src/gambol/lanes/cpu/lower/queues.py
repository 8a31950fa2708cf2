"""LLVM functions for waiting lanes: they queue lanes, copy them to one block, take the step there, and copy them back.

The number of a lane in a group is the index of its block times the lanes of a block, plus the index of the lane in the
block. The queues, one for each rarity, are consecutive arrays of these numbers; lengths holds the number of lanes in
each queue.
"""

from collections.abc import Mapping

from gambol.lanes.cpu.lower.lane_types import LaneTypes

INTRINSICS = "declare i64 @llvm.cttz.i64(i64, i1)", "declare i64 @llvm.ctpop.i64(i64)"


def queue_functions(types: LaneTypes, values: int, states: int, fields: Mapping[str, object]) -> list[str]:
    """Return the text of the functions below.

    values, states: number of values of a lane, and of those that are copied back; fields: fields of the texts.
    """
    gather = {"name": "gather_lanes", "count": values, "copies": _lane_copies(types, "%lane", "%block.row")}
    scatter = {"name": "scatter_lanes", "count": states, "copies": _lane_copies(types, "%block.row", "%lane")}
    copies = [COPY_LANES.format(**fields, **own) for own in (gather, scatter)]
    texts = (CLEAR, MOVE_NUMBERS, ENQUEUE, NUMBER_LANES, FIND_BASES, CATCH_UP)
    return [*INTRINSICS, *copies, *(text.format(**fields) for text in texts)]


def _lane_copies(types: LaneTypes, source: str, target: str) -> str:
    """Return the instructions that copy one row of all lanes between their blocks (%lane) and a block (%block.row)."""
    lines: list[str] = []
    for k in range(types.lanes):
        lines += [
            f"  %base.address.{k} = getelementptr ptr, ptr %bases, i64 {k}",
            f"  %base.{k} = load ptr, ptr %base.address.{k}",
            f"  %lane.{k} = getelementptr {types.scalar}, ptr %base.{k}, i64 %offset",
            f"  %block.row.{k} = getelementptr {types.scalar}, ptr %row, i64 {k}",
            f"  %x.{k} = load {types.scalar}, ptr {source}.{k}",
            f"  store {types.scalar} %x.{k}, ptr {target}.{k}",
        ]
    return "\n".join(lines)


# Sets numbers to 0.
CLEAR = """define internal void @clear(ptr %array, i64 %count) #0 {{
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %work ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %work, label %end
work:
  %address = getelementptr i64, ptr %array, i64 %k
  store i64 0, ptr %address
  %k.next = add i64 %k, 1
  br label %head
end:
  ret void
}}
"""

# Copies numbers in ascending order, so that the source may overlap a target before it.
MOVE_NUMBERS = """define internal void @move_numbers(ptr %target, ptr %source, i64 %count) #0 {{
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %work ]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %work, label %end
work:
  %from = getelementptr i64, ptr %source, i64 %k
  %to = getelementptr i64, ptr %target, i64 %k
  %number = load i64, ptr %from
  store i64 %number, ptr %to
  %k.next = add i64 %k, 1
  br label %head
end:
  ret void
}}
"""

# Appends the lanes of a block whose bits are set to the queue of a rarity. numbers: the number of each lane.
ENQUEUE = """define internal void @enqueue(ptr %queues, ptr %lengths, i64 %rarity, i64 %bits, ptr %numbers) #0 {{
entry:
  %first.entry = mul i64 %rarity, {queue}
  %queue = getelementptr i64, ptr %queues, i64 %first.entry
  %length.address = getelementptr i64, ptr %lengths, i64 %rarity
  %length = load i64, ptr %length.address
  br label %head
head:
  %k = phi i64 [ %length, %entry ], [ %k.next, %work ]
  %rest = phi i64 [ %bits, %entry ], [ %rest.next, %work ]
  %more = icmp ne i64 %rest, 0
  br i1 %more, label %work, label %end
work:
  %lane = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %number.address = getelementptr i64, ptr %numbers, i64 %lane
  %number = load i64, ptr %number.address
  %entry.address = getelementptr i64, ptr %queue, i64 %k
  store i64 %number, ptr %entry.address
  %k.next = add i64 %k, 1
  %lowered = sub i64 %rest, 1
  %rest.next = and i64 %rest, %lowered
  br label %head
end:
  store i64 %k, ptr %length.address
  ret void
}}
"""

# Stores the numbers of all lanes of a block.
NUMBER_LANES = """define internal void @number_lanes(ptr %numbers, i64 %block) #0 {{
entry:
  %first = shl i64 %block, {lane_bits}
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %work ]
  %more = icmp slt i64 %k, {lanes}
  br i1 %more, label %work, label %end
work:
  %number = add i64 %first, %k
  %address = getelementptr i64, ptr %numbers, i64 %k
  store i64 %number, ptr %address
  %k.next = add i64 %k, 1
  br label %head
end:
  ret void
}}
"""

# Stores the addresses of the first values of lanes, by their numbers in a group.
FIND_BASES = """define internal void @find_bases(ptr %group, ptr %numbers, ptr %bases) #0 {{
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %work ]
  %more = icmp slt i64 %k, {lanes}
  br i1 %more, label %work, label %end
work:
  %number.address = getelementptr i64, ptr %numbers, i64 %k
  %number = load i64, ptr %number.address
  %block = lshr i64 %number, {lane_bits}
  %first = mul i64 %block, {values}
  %block.address = getelementptr {real}, ptr %group, i64 %first
  %lane = and i64 %number, {last_lane}
  %base = getelementptr {scalar}, ptr %block.address, i64 %lane
  %base.address = getelementptr ptr, ptr %bases, i64 %k
  store ptr %base, ptr %base.address
  %k.next = add i64 %k, 1
  br label %head
end:
  ret void
}}
"""

# Copies rows between a block and lanes of other blocks.
COPY_LANES = """define internal void @{name}(ptr %bases, ptr %block) #0 {{
entry:
  br label %head
head:
  %r = phi i64 [ 0, %entry ], [ %r.next, %work ]
  %more = icmp slt i64 %r, {count}
  br i1 %more, label %work, label %end
work:
  %offset = shl i64 %r, {lane_bits}
  %row = getelementptr {real}, ptr %block, i64 %r
{copies}
  %r.next = add i64 %r, 1
  br label %head
end:
  ret void
}}
"""

# Takes the step of the first lanes in the queue of a rarity, at most one block. A block that is not full is filled
# with copies of its first lane, which give the same results.
CATCH_UP = """define internal void @catch_up({group_arguments}, i64 %rarity, ptr %context) #0 {{
entry:
  %numbers = alloca [{lanes} x i64]
  %bases = alloca [{lanes} x ptr]
  %gathered = alloca [{values} x {real}]
  %first.entry = mul i64 %rarity, {queue}
  %queue = getelementptr i64, ptr %queues, i64 %first.entry
  %length.address = getelementptr i64, ptr %lengths, i64 %rarity
  %length = load i64, ptr %length.address
  %is.full = icmp sge i64 %length, {lanes}
  %count = select i1 %is.full, i64 {lanes}, i64 %length
  %left = sub i64 %length, %count
  store i64 %left, ptr %length.address
  br label %number.head
number.head:
  %k = phi i64 [ 0, %entry ], [ %k.next, %number ]
  %k.more = icmp slt i64 %k, {lanes}
  br i1 %k.more, label %number, label %step
number:
  %inside = icmp slt i64 %k, %count
  %place = select i1 %inside, i64 %k, i64 0
  %entry.address = getelementptr i64, ptr %queue, i64 %place
  %n = load i64, ptr %entry.address
  %n.address = getelementptr i64, ptr %numbers, i64 %k
  store i64 %n, ptr %n.address
  %k.next = add i64 %k, 1
  br label %number.head
step:
  %rest = getelementptr i64, ptr %queue, i64 %count
  call void @move_numbers(ptr %queue, ptr %rest, i64 %left)
  call void @find_bases(ptr %group, ptr %numbers, ptr %bases)
  call void @gather_lanes(ptr %bases, ptr %gathered)
  %rarity.address = getelementptr {context}, ptr %context, i64 0, i32 {rarity_field}
  %waiting.address = getelementptr {context}, ptr %context, i64 0, i32 {waiting_field}
  store i64 %rarity, ptr %rarity.address
  store i64 0, ptr %waiting.address
  call void {step}(ptr %gathered, ptr %context, {all_lanes})
  %waiting = load i64, ptr %waiting.address
  call void @scatter_lanes(ptr %bases, ptr %gathered)
  %bound = shl i64 1, %count
  %own.bits = sub i64 %bound, 1
  %own.waiting = and i64 %waiting, %own.bits
  %next.rarity = add i64 %rarity, 1
  call void @enqueue(ptr %queues, ptr %lengths, i64 %next.rarity, i64 %own.waiting, ptr %numbers)
  br label %release.head
release.head:
  %j = phi i64 [ 0, %step ], [ %j.next, %release ]
  %j.more = icmp slt i64 %j, %count
  br i1 %j.more, label %release, label %end
release:
  %j.address = getelementptr i64, ptr %numbers, i64 %j
  %j.number = load i64, ptr %j.address
  %j.block = lshr i64 %j.number, {lane_bits}
  %j.lane = and i64 %j.number, {last_lane}
  %shifted = lshr i64 %own.waiting, %j
  %still = and i64 %shifted, 1
  %released = xor i64 %still, 1
  %bit = shl i64 %released, %j.lane
  %others = xor i64 %bit, -1
  %waits.address = getelementptr i64, ptr %waits, i64 %j.block
  %old = load i64, ptr %waits.address
  %new = and i64 %old, %others
  store i64 %new, ptr %waits.address
  %j.next = add i64 %j, 1
  br label %release.head
end:
  ret void
}}
"""
