"""Lowering of a long body to a loop over its pieces: a function for each pattern, and tables with the pieces' data.

A pattern's function is `void (work, offsets, constants, context, active)`: work is the memory of the values between
pieces; offsets are those of the piece's inputs and outputs in it [bytes]; constants are the constants that differ
between pieces; for context and active see the package.
"""

from gambol.lanes.cpu.lower.lane_types import LaneTypes
from gambol.lanes.cpu.lower.split import Pattern, SplitBody
from gambol.lanes.trace import Body

PIECE_HEAD = (
    "define internal void {name}"
    "(ptr noalias %work, ptr noalias %offsets, ptr noalias %constants, ptr %context, {mask} %active) #0 {{\nentry:"
)

DRIVER = """define internal void {name}(ptr noalias %in, ptr noalias %out, ptr %context, {mask} %active) #0 {{
entry:
  %memory = alloca [{size} x {real}]
  call void @copy_values(ptr %memory, ptr %in, i64 {inputs})
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %work ]
  %more = icmp slt i64 %k, {pieces}
  br i1 %more, label %work, label %end
work:
  %piece = getelementptr {{ptr, i64, i64}}, ptr {name}.pieces, i64 %k
  %function = load ptr, ptr %piece
  %offset.address = getelementptr {{ptr, i64, i64}}, ptr %piece, i64 0, i32 1
  %first.offset = load i64, ptr %offset.address
  %offsets = getelementptr i32, ptr {name}.offsets, i64 %first.offset
  %constant.address = getelementptr {{ptr, i64, i64}}, ptr %piece, i64 0, i32 2
  %first.constant = load i64, ptr %constant.address
  %constants = getelementptr {scalar}, ptr {name}.constants, i64 %first.constant
  call void %function(ptr %memory, ptr %offsets, ptr %constants, ptr %context, {mask} %active)
  %next = add i64 %k, 1
  br label %head
end:
{results}
  ret void
}}
"""


def driver(name: str, types: LaneTypes, body: Body, split_body: SplitBody, functions: dict[Pattern, str]) -> list[str]:
    """Return the text of a function that runs the pieces of a body in order, and the text of its tables.

    name: name of the function; types: types of its lanes; body, split_body: the body, whole and in pieces; functions:
    the name of each pattern's function.
    """
    width = types.bytes * types.lanes
    entries: list[str] = []
    offsets: list[int] = []
    constants: list[float] = []
    for piece in split_body.pieces:
        entries.append(
            f"{{ptr, i64, i64}} {{ptr {functions[piece.pattern]}, i64 {len(offsets)}, i64 {len(constants)}}}"
        )
        offsets += [width * split_body.slots[n] for n in piece.inputs]
        # unused outputs share one slot, after all others
        offsets += [width * (split_body.size if n is None else split_body.slots[n]) for n in piece.outputs]
        constants += piece.constants
    single_lane = LaneTypes(types.precision, 1)
    fields = {
        "name": name,
        "size": split_body.size + 1,
        "real": types.real,
        "mask": types.mask,
        "scalar": types.scalar,
        "inputs": sum(op.name in ("input", "captured") for op in body.ops),
        "pieces": len(split_body.pieces),
        "results": "\n".join(_result(types, body, split_body, k) for k in range(len(body.outputs))),
    }
    return [
        _table(f"{name}.pieces", "{ptr, i64, i64}", entries),
        _table(f"{name}.offsets", "i32", [f"i32 {offset}" for offset in offsets]),
        _table(
            f"{name}.constants",
            types.scalar,
            [f"{types.scalar} {single_lane.constant(x).split()[-1]}" for x in constants],
        ),
        DRIVER.format(**fields),
    ]


def _table(name: str, entry_type: str, entries: list[str]) -> str:
    return f"{name} = private constant [{len(entries)} x {entry_type}] [{', '.join(entries)}]"


def _result(types: LaneTypes, body: Body, split_body: SplitBody, k: int) -> str:
    """Return the instructions that store output k of a body: a constant, or a value from the memory."""
    index = body.outputs[k]
    op = body.ops[index]
    lines = [f"  %out.{k} = getelementptr {types.real}, ptr %out, i64 {k}"]
    value = f"%result.{k}"
    if op.name == "const":
        value = types.constant(op.extra)
    else:
        lines.append(f"  %address.{k} = getelementptr {types.real}, ptr %memory, i64 {split_body.slots[index]}")
        lines.append(f"  {value} = load {types.real}, ptr %address.{k}")
    return "\n".join([*lines, f"  store {types.real} {value}, ptr %out.{k}"])
