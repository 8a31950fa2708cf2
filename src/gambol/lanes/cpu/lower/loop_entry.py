"""The entry point of a program that is one loop with rare branches, such as the steps of worlds until a time.

A branch that one lane in fifty takes is taken in a quarter of all blocks of 16 lanes, and all 16 wait for it. So blocks
run in groups, and rare branches are postponed: a lane that needs one keeps its state, and waits in a queue while the
others go on. When the queue fills a block, or when no other lane can run, its lanes are gathered from their blocks,
take the step again with this branch, and are put back. There is one queue for each rarity (flow.Subprogram): in a step
of rarity r, branches of a higher rarity are postponed in turn. Queue 0 is for blocks with few lanes left to run.

    group of blocks   | 0 1 w 3 | 4 5 6 7 | w 9 a b |      w: waits
    block of waiting  | 2 8 . . |

Lanes do not depend on each other, so the results are those of the plain loop, to the last bit.
"""

from dataclasses import dataclass

from gambol.lanes.cpu.lower.lane_types import CONTEXT, RARITY, TABLES, WAITING, LaneTypes
from gambol.lanes.cpu.lower.loop_program import MIN_GROUP, LoopProgram
from gambol.lanes.cpu.lower.queues import queue_functions


@dataclass(frozen=True)
class LoopFunctions:
    """The names of the functions of a loop program.

    prepare: see LoopProgram. unfinished: returns the mask of the lanes in which the condition is True. step: changes a
    state in the lanes of a mask, except in those that wait.
    """

    prepare: str
    unfinished: str
    step: str


def loop_entry(
    types: LaneTypes, program: LoopProgram, functions: LoopFunctions, inputs: int, copies: tuple[str, str]
) -> list[str]:
    """Return the text of the entry point of a loop program, and of the functions that run waiting lanes.

    functions: names of its functions; inputs: number of input values; copies: calls that load a block to %in, and calls
    that store a block from %out.
    """
    group, (loads, stores) = program.group(types), copies
    fields: dict[str, object] = {
        "real": types.real,
        "scalar": types.scalar,
        "mask": types.mask,
        "lanes": types.lanes,
        "lane_bits": types.lanes.bit_length() - 1,
        "few": types.lanes // 4,
        "last_lane": types.lanes - 1,
        "all_lanes": f"{types.mask} {types.mask_constant(True)}",
        "context": CONTEXT,
        "rarity_field": RARITY,
        "waiting_field": WAITING,
        "tables_field": TABLES,
        "rarity": program.rarity,
        "inputs": max(1, inputs),
        "values": program.values,
        "states": program.states,
        "group": group,
        "group_less_one": group - 1,
        "least": MIN_GROUP,
        "group_values": group * program.values,
        "queue": 2 * types.lanes,
        "queues": 2 * types.lanes * (program.rarity + 2),
        "loads": loads,
        "stores": stores,
        "prepare": functions.prepare,
        "unfinished": functions.unfinished,
        "step": functions.step,
        "lengths": program.rarity + 2,
        "group_arguments": "ptr %group, ptr %queues, ptr %lengths, ptr %waits",
    }
    functions_text = queue_functions(types, program.values, program.states, fields)
    return [*functions_text, *(text.format(**fields) for text in (SERVE, LOOP_ENTRY))]


# Runs full blocks of waiting lanes, from the lowest rarity to the highest; if no other lane can run (idle), also one
# block that is not full, of the lowest rarity with lanes. Returns true if any ran.
SERVE = """define internal i1 @serve({group_arguments}, i1 %idle, ptr %context) #0 {{
entry:
  br label %head
head:
  %rarity = phi i64 [ 0, %entry ], [ %rarity, %run ], [ %rarity.next, %next ]
  %may.be.partial = phi i1 [ %idle, %entry ], [ false, %run ], [ %may.be.partial, %next ]
  %ran = phi i1 [ false, %entry ], [ true, %run ], [ %ran, %next ]
  %more = icmp sle i64 %rarity, {rarity}
  br i1 %more, label %test, label %end
test:
  %length.address = getelementptr i64, ptr %lengths, i64 %rarity
  %length = load i64, ptr %length.address
  %least = select i1 %may.be.partial, i64 1, i64 {lanes}
  %due = icmp sge i64 %length, %least
  br i1 %due, label %run, label %next
run:
  call void @catch_up({group_arguments}, i64 %rarity, ptr %context)
  br label %head
next:
  %rarity.next = add i64 %rarity, 1
  br label %head
end:
  ret i1 %ran
}}
"""

# All groups have the same size, except the last, which may be smaller. In a group of fewer than MIN_GROUP blocks, no
# branch is postponed.
LOOP_ENTRY = """define void @run(ptr %arrays, ptr %tables, i64 %first, i64 %last) #0 {{
entry:
  %in = alloca [{inputs} x {real}]
  %group = alloca [{group_values} x {real}]
  %queues = alloca [{queues} x i64]
  %lengths = alloca [{lengths} x i64]
  %waits = alloca [{group} x i64]
  %numbers = alloca [{lanes} x i64]
  %context = alloca {context}
  %rarity = getelementptr {context}, ptr %context, i64 0, i32 {rarity_field}
  %waiting = getelementptr {context}, ptr %context, i64 0, i32 {waiting_field}
  %tables.address = getelementptr {context}, ptr %context, i64 0, i32 {tables_field}
  store ptr %tables, ptr %tables.address
  call void @clear(ptr %lengths, i64 {lengths})
  %all = sub i64 %last, %first
  %all.raised = add i64 %all, {group_less_one}
  %groups = udiv i64 %all.raised, {group}
  %has.groups = icmp sgt i64 %groups, 0
  br i1 %has.groups, label %sizes, label %end
sizes:
  %groups.less = sub i64 %groups, 1
  %all.to.share = add i64 %all, %groups.less
  %size = udiv i64 %all.to.share, %groups
  br label %group.head
group.head:
  %g = phi i64 [ %first, %sizes ], [ %g.next, %group.end ]
  %g.more = icmp slt i64 %g, %last
  br i1 %g.more, label %group.start, label %end
group.start:
  %g.full = add i64 %g, %size
  %g.inside = icmp slt i64 %g.full, %last
  %g.next = select i1 %g.inside, i64 %g.full, i64 %last
  %blocks = sub i64 %g.next, %g
  %several = icmp sge i64 %blocks, {least}
  %lowest = select i1 %several, i64 0, i64 {rarity}
  call void @clear(ptr %waits, i64 {group})
  br label %load.head
load.head:
  %l = phi i64 [ 0, %group.start ], [ %l.next, %load ]
  %l.more = icmp slt i64 %l, %blocks
  br i1 %l.more, label %load, label %round
load:
  %load.block = add i64 %g, %l
{loads}
  %l.first = mul i64 %l, {values}
  %l.state = getelementptr {real}, ptr %group, i64 %l.first
  store i64 {rarity}, ptr %rarity
  call void {prepare}(ptr %in, ptr %l.state, ptr %context, {all_lanes})
  %l.next = add i64 %l, 1
  br label %load.head
round:
  br label %block.head
block.head:
  %b = phi i64 [ 0, %round ], [ %b.next, %block.end ]
  %ran = phi i1 [ false, %round ], [ %ran.next, %block.end ]
  %b.more = icmp slt i64 %b, %blocks
  br i1 %b.more, label %block.test, label %round.end
block.test:
  %b.next = add i64 %b, 1
  %b.first = mul i64 %b, {values}
  %b.state = getelementptr {real}, ptr %group, i64 %b.first
  %unfinished = call {mask} {unfinished}(ptr %b.state, ptr %context, {all_lanes})
  %unfinished.bits = bitcast {mask} %unfinished to i{lanes}
  %waits.address = getelementptr i64, ptr %waits, i64 %b
  %old.waits = load i64, ptr %waits.address
  %old.bits = trunc i64 %old.waits to i{lanes}
  %free.bits = xor i{lanes} %old.bits, -1
  %active.bits = and i{lanes} %unfinished.bits, %free.bits
  %active.lanes = zext i{lanes} %active.bits to i64
  %count = call i64 @llvm.ctpop.i64(i64 %active.lanes)
  %is.idle = icmp eq i64 %count, 0
  br i1 %is.idle, label %block.end, label %block.count
block.count:
  %is.few = icmp sle i64 %count, {few}
  %is.queued = and i1 %is.few, %several
  br i1 %is.queued, label %block.wait, label %block.step
block.step:
  %active = bitcast i{lanes} %active.bits to {mask}
  store i64 %lowest, ptr %rarity
  store i64 0, ptr %waiting
  call void {step}(ptr %b.state, ptr %context, {mask} %active)
  %bits = load i64, ptr %waiting
  %has.waiting = icmp ne i64 %bits, 0
  br i1 %has.waiting, label %block.wait, label %block.end
block.wait:
  %queue = phi i64 [ 0, %block.count ], [ 1, %block.step ]
  %new.bits = phi i64 [ %active.lanes, %block.count ], [ %bits, %block.step ]
  %new.waits = or i64 %old.waits, %new.bits
  store i64 %new.waits, ptr %waits.address
  call void @number_lanes(ptr %numbers, i64 %b)
  call void @enqueue(ptr %queues, ptr %lengths, i64 %queue, i64 %new.bits, ptr %numbers)
  %served = call i1 @serve({group_arguments}, i1 false, ptr %context)
  br label %block.end
block.end:
  %ran.next = phi i1 [ %ran, %block.test ], [ true, %block.step ], [ true, %block.wait ]
  br label %block.head
round.end:
  br i1 %ran, label %round, label %idle
idle:
  %some = call i1 @serve({group_arguments}, i1 true, ptr %context)
  br i1 %some, label %round, label %store.head
store.head:
  %s = phi i64 [ 0, %idle ], [ %s.next, %store ]
  %s.more = icmp slt i64 %s, %blocks
  br i1 %s.more, label %store, label %group.end
store:
  %store.block = add i64 %g, %s
  %s.first = mul i64 %s, {values}
  %out = getelementptr {real}, ptr %group, i64 %s.first
{stores}
  %s.next = add i64 %s, 1
  br label %store.head
group.end:
  br label %group.head
end:
  ret void
}}
"""
