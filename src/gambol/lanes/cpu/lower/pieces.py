"""Lowering of a long body to a loop over its pieces: a function for each pattern, and tables with the pieces' data.

A pattern's function is `void (work, offsets, constants, context, active)`: work is the memory of the values between
pieces; offsets are those of the piece's inputs and outputs in it [bytes]; constants are the constants that differ
between pieces; for context and active see the package.
"""

from gambol.lanes.cpu.lower.instructions import Writer
from gambol.lanes.cpu.lower.lane_types import LaneTypes
from gambol.lanes.cpu.lower.split import Pattern, SplitBody

PIECE_HEAD = (
    "define internal void {name}"
    "(ptr noalias %work, ptr noalias %offsets, ptr noalias %constants, ptr %context, {mask} %active) #0 {{\nentry:"
)

RUN = """  br label %{head}
{head}:
  %{k} = phi i64 [ {first}, %{before} ], [ %{next}, %{work} ]
  %{k}.more = icmp slt i64 %{k}, {last}
  br i1 %{k}.more, label %{work}, label %{done}
{work}:
  %{k}.piece = getelementptr {{ptr, i64, i64}}, ptr {name}.pieces, i64 %{k}
  %{k}.function = load ptr, ptr %{k}.piece
  %{k}.offset.address = getelementptr {{ptr, i64, i64}}, ptr %{k}.piece, i64 0, i32 1
  %{k}.first.offset = load i64, ptr %{k}.offset.address
  %{k}.offsets = getelementptr i32, ptr {name}.offsets, i64 %{k}.first.offset
  %{k}.constant.address = getelementptr {{ptr, i64, i64}}, ptr %{k}.piece, i64 0, i32 2
  %{k}.first.constant = load i64, ptr %{k}.constant.address
  %{k}.constants = getelementptr {scalar}, ptr {name}.constants, i64 %{k}.first.constant
  call void %{k}.function(ptr %memory, ptr %{k}.offsets, ptr %{k}.constants, ptr %context, {mask} %active)
  %{next} = add i64 %{k}, 1
  br label %{head}"""


def run_pieces(f: Writer, name: str, pieces: tuple[int, int]) -> None:
    """Append a loop that runs some pieces. name: name of the driver; pieces: the first one, and the one after them."""
    labels = {part: f.label(part) for part in ("head", "work", "done", "k", "next")}
    first, last = pieces
    f.lines += RUN.format(
        name=name, first=first, last=last, before=f.block, scalar=f.types.scalar, mask=f.types.mask, **labels
    ).split("\n")
    f.start(labels["done"])


def tables(name: str, types: LaneTypes, split_body: SplitBody, functions: dict[Pattern, str]) -> list[str]:
    """Return the text of the tables of the pieces of a body.

    name: name of its driver; types: types of its lanes; functions: the name of each pattern's function.
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
    numbers = [f"{types.scalar} {single_lane.constant(x).split()[-1]}" for x in constants]
    return [
        _table(f"{name}.pieces", "{ptr, i64, i64}", entries),
        _table(f"{name}.offsets", "i32", [f"i32 {offset}" for offset in offsets]),
        _table(f"{name}.constants", types.scalar, numbers),
    ]


def _table(name: str, entry_type: str, entries: list[str]) -> str:
    return f"{name} = private constant [{len(entries)} x {entry_type}] [{', '.join(entries)}]"
