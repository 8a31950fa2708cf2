"""A long body as a loop over its pieces: each pattern is one function, and what is its own to a piece lies in tables.

A pattern's function is `void (work, places, numbers, tables)`: work holds the values that pass between pieces; places
tells where in it [bytes] those lie that the piece takes and gives; numbers are the piece's own constants.
"""

from gambol.lanes.lower.cut import Cutting, Pattern
from gambol.lanes.lower.kinds import Kind
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


def driver(name: str, kind: Kind, body: Body, cutting: Cutting, functions: dict[Pattern, str]) -> list[str]:
    """The function of a body that runs its pieces in turn, and the tables it needs.

    functions: the name of each pattern's function.
    """
    width = kind.bytes * kind.lanes
    entries: list[str] = []
    places: list[int] = []
    numbers: list[float] = []
    for piece in cutting.pieces:
        entries.append(f"{{ptr, i64, i64}} {{ptr {functions[piece.pattern]}, i64 {len(places)}, i64 {len(numbers)}}}")
        places += [width * cutting.places[n] for n in piece.takes]
        places += [width * (cutting.size if n is None else cutting.places[n]) for n in piece.gives]
        numbers += piece.numbers
    one = Kind(kind.precision, 1)
    words = {
        "name": name,
        "size": cutting.size + 1,
        "real": kind.real,
        "scalar": kind.scalar,
        "given": width * sum(op.name in ("input", "captured") for op in body.ops),
        "pieces": len(cutting.pieces),
        "results": "\n".join(_result(kind, body, cutting, k) for k in range(len(body.outputs))),
    }
    return [
        _table(f"{name}.pieces", "{ptr, i64, i64}", entries),
        _table(f"{name}.places", "i32", [f"i32 {p}" for p in places]),
        _table(f"{name}.numbers", kind.scalar, [f"{kind.scalar} {one.constant(x).split()[-1]}" for x in numbers]),
        DRIVER.format(**words),
    ]


def _table(name: str, of: str, entries: list[str]) -> str:
    return f"{name} = private constant [{len(entries)} x {of}] [{', '.join(entries)}]"


def _result(kind: Kind, body: Body, cutting: Cutting, k: int) -> str:
    """Put output k where it belongs: a constant, or what a piece left in the memory."""
    number = body.outputs[k]
    op = body.ops[number]
    lines = [f"  %out.{k} = getelementptr {kind.real}, ptr %out, i64 {k}"]
    value = f"%result.{k}"
    if op.name == "const":
        value = kind.constant(op.extra)
    else:
        lines.append(f"  %from.{k} = getelementptr {kind.real}, ptr %memory, i64 {cutting.places[number]}")
        lines.append(f"  {value} = load {kind.real}, ptr %from.{k}")
    return "\n".join([*lines, f"  store {kind.real} {value}, ptr %out.{k}"])
