"""A long body as a loop over its pieces: each pattern is one function, and the data of each piece are in tables.

A pattern's function is `void (work, places, numbers, tables)`: work is the memory of the values between pieces; places
are the offsets in it [bytes] of the piece's inputs and outputs; numbers are the piece's own constants.
"""

from gambol.lanes.lower.lane_types import LaneTypes
from gambol.lanes.lower.split import Pattern, SplitBody
from gambol.lanes.trace import Body

HEAD = """define internal void {name}(ptr noalias %work, ptr noalias %places, ptr noalias %numbers, ptr %tables) #0 {{
entry:"""

DRIVER = """define internal void {name}(ptr noalias %in, ptr noalias %out, ptr %tables) #0 {{
entry:
  %memory = alloca [{size} x {real}]
  call void @llvm.memcpy.p0.p0.i64(ptr %memory, ptr %in, i64 {given}, i1 false)
  br label %head
head:
  %turn = phi i64 [ 0, %entry ], [ %next, %work ]
  %more = icmp slt i64 %turn, {pieces}
  br i1 %more, label %work, label %end
work:
  %piece = getelementptr {{ptr, i64, i64}}, ptr {name}.pieces, i64 %turn
  %function = load ptr, ptr %piece
  %first.at = getelementptr {{ptr, i64, i64}}, ptr %piece, i64 0, i32 1
  %first = load i64, ptr %first.at
  %places = getelementptr i32, ptr {name}.places, i64 %first
  %own.at = getelementptr {{ptr, i64, i64}}, ptr %piece, i64 0, i32 2
  %own = load i64, ptr %own.at
  %numbers = getelementptr {scalar}, ptr {name}.numbers, i64 %own
  call void %function(ptr %memory, ptr %places, ptr %numbers, ptr %tables)
  %next = add i64 %turn, 1
  br label %head
end:
{results}
  ret void
}}
"""


def driver(name: str, types: LaneTypes, body: Body, parts: SplitBody, functions: dict[Pattern, str]) -> list[str]:
    """Return the function of a body that runs its pieces one after the other, and the tables it needs.

    name: of the function; types: of its lanes; body, parts: the body and its pieces; functions: the name of each
    pattern's function.
    """
    width = types.bytes * types.lanes
    entries: list[str] = []
    places: list[int] = []
    numbers: list[float] = []
    for piece in parts.pieces:
        entries.append(f"{{ptr, i64, i64}} {{ptr {functions[piece.pattern]}, i64 {len(places)}, i64 {len(numbers)}}}")
        places += [width * parts.slots[n] for n in piece.inputs]
        places += [width * (parts.size if n is None else parts.slots[n]) for n in piece.outputs]
        numbers += piece.numbers
    one = LaneTypes(types.precision, 1)
    words = {
        "name": name,
        "size": parts.size + 1,
        "real": types.real,
        "scalar": types.scalar,
        "given": width * sum(op.name in ("input", "captured") for op in body.ops),
        "pieces": len(parts.pieces),
        "results": "\n".join(_result(types, body, parts, k) for k in range(len(body.outputs))),
    }
    return [
        _table(f"{name}.pieces", "{ptr, i64, i64}", entries),
        _table(f"{name}.places", "i32", [f"i32 {p}" for p in places]),
        _table(f"{name}.numbers", types.scalar, [f"{types.scalar} {one.constant(x).split()[-1]}" for x in numbers]),
        DRIVER.format(**words),
    ]


def _table(name: str, of: str, entries: list[str]) -> str:
    return f"{name} = private constant [{len(entries)} x {of}] [{', '.join(entries)}]"


def _result(types: LaneTypes, body: Body, parts: SplitBody, k: int) -> str:
    """Return the instructions that store output k: a constant, or a value from the memory."""
    number = body.outputs[k]
    op = body.ops[number]
    lines = [f"  %out.{k} = getelementptr {types.real}, ptr %out, i64 {k}"]
    value = f"%result.{k}"
    if op.name == "const":
        value = types.constant(op.extra)
    else:
        lines.append(f"  %from.{k} = getelementptr {types.real}, ptr %memory, i64 {parts.slots[number]}")
        lines.append(f"  {value} = load {types.real}, ptr %from.{k}")
    return "\n".join([*lines, f"  store {types.real} {value}, ptr %out.{k}"])
