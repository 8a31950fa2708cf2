"""Lowering of scans: a loop in which all lanes process the same item.

All values of a scan are in the arena of the function: the carry, the distinct values of items, and the results. A value
that is there already, such as a result of another scan, is not copied. Two tables have a row for each item: the arena
indices of the values that it reads, and its constants.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from gambol.lanes.cpu.lower.control import BodyWriter
from gambol.lanes.cpu.lower.in_place import branches_in_place, values_in_place
from gambol.lanes.cpu.lower.instructions import in_all_lanes
from gambol.lanes.cpu.lower.loads import Deferred, InMemory, loaded
from gambol.lanes.ops import Op
from gambol.lanes.scan import Scan, grouped_columns
from gambol.lanes.trace import Body


def write_scan(f: BodyWriter, op: Op, args: list[str], parts: Sequence[int]) -> dict[int, str]:
    """Write a scan. args: its operands, not loaded; parts: indices of the results to return."""
    scan: Scan = op.extra
    carry, results = f.arena(scan.carried), f.arena(scan.count * scan.results)
    indices = [_arena_index(f, value) for value in args[scan.carried :][: scan.distinct]]
    for k, value in enumerate(args[: scan.carried]):
        f.store(loaded(value, f.fetch), "%arena", carry + k)
    constants = f.table(tuple(x for row in scan.constants for x in row)) if scan.constants[0] else "null"
    k, next_k = f.label("%item"), f.label("%item.next")
    head, work, last, done = (f.label(name) for name in ("head", "work", "last", "done"))
    f.lines += [f"  br label %{head}", f"{head}:", f"  {k} = phi i64 [ 0, %{f.block} ], [ {next_k}, %{last} ]"]
    f.lines.append(f"  br i1 {f.new(f'icmp slt i64 {k}, {scan.count}')}, label %{work}, label %{done}")
    f.start_loop(work)
    known = {n: _in_arena(f, carry + n) for n in range(scan.carried)}
    known |= _items(f, scan, k, indices, constants)
    known |= {scan.body.inputs + n: x for n, x in enumerate(args[scan.carried + scan.distinct :])}
    branches = branches_in_place(scan.body, scan.carried)
    in_place = {index: {n: carry + c for n, c in places.items()} for index, places in branches.items()}
    values = f.emit(scan.body, known, in_place)
    _store_outputs(f, scan, values, (carry, results), k)
    f.lines.append(f"  br label %{last}")
    f.start(last)
    f.lines += [f"  {next_k} = add i64 {k}, 1", f"  br label %{head}"]
    f.start(done)
    return {n: _in_arena(f, carry + n if n < scan.carried else results + n - scan.carried) for n in parts}


def _arena_index(f: BodyWriter, value: str) -> int:
    """Return the index of a value in the arena; store the value there if it is not in the arena yet."""
    if isinstance(value, Deferred) and value.arena_index is not None:
        return value.arena_index
    if isinstance(value, InMemory) and (index := f.arena_index_of_input(value.slot)) is not None:
        return index
    index = f.arena(1)
    f.store(loaded(value, f.fetch), "%arena", index)
    return index


def _in_arena(f: BodyWriter, index: int) -> Deferred:
    """Return the placeholder of the value at an index of the arena."""
    return Deferred(f"arena {index}", lambda: f.load("%arena", index), index)


def _items(f: BodyWriter, scan: Scan, k: str, indices: list[int], constants: str) -> dict[int, str]:
    """Return the placeholders of the numbers of item k, by input.

    indices: indices of the distinct values in the arena; constants: name of the table of constants. Numbers are loaded
    where the body uses them, so an item whose branch is not taken costs little.
    """
    real, scalar = f.types.real, f.types.scalar
    constant_count = len(scan.constants[0])
    bases, groups = grouped_columns([[indices[place] for place in row] for row in scan.places])
    table = f.index_table(tuple(index for row in zip(*bases, strict=True) for index in row))
    row = f.new(f"getelementptr i32, ptr {table}, i64 {f.new(f'mul i64 {k}, {len(bases)}')}") if bases else ""
    starts: list[str] = []
    for n in range(len(bases)):
        entry = f.new(f"getelementptr i32, ptr {row}, i64 {n}")
        index = f.new(f"zext i32 {f.new(f'load i32, ptr {entry}, !invariant.load !1')} to i64")
        starts.append(f.new(f"getelementptr {real}, ptr %arena, i64 {index}"))
    constant_row = f.new(f"getelementptr {scalar}, ptr {constants}, i64 {f.new(f'mul i64 {k}, {constant_count}')}")

    def load_constant(n: int) -> str:
        entry = f.new(f"getelementptr {scalar}, ptr {constant_row}, i64 {n}")
        return in_all_lanes(f, f.new(f"load {scalar}, ptr {entry}, !invariant.load !1"))

    loads = [partial(f.load, starts[base], distance) for base, distance in groups]
    loads += [partial(load_constant, n) for n in range(constant_count)]
    return {scan.carried + j: Deferred(f"{k} number {j}", load) for j, load in enumerate(loads)}


def _store_outputs(f: BodyWriter, scan: Scan, values: list[str], areas: tuple[int, int], k: str) -> None:
    """Store the outputs of the body: the carry, except what is in place already, and the results of item k."""
    (carry, results), body = areas, scan.body
    outputs = [values[index] for index in body.outputs]
    in_place = values_in_place(body, scan.carried)
    for n in range(scan.carried):
        if n not in in_place:
            f.store(outputs[n], "%arena", carry + n)
    first = f.new(f"add i64 {f.new(f'mul i64 {k}, {scan.results}')}, {results}") if scan.results else ""
    for n, value in enumerate(outputs[scan.carried :]):
        address = f.new(f"getelementptr {f.types.real}, ptr %arena, i64 {f.new(f'add i64 {first}, {n}')}")
        f.lines.append(f"  store {f.types.real} {value}, ptr {address}")


def write_branch_in_place(f: BodyWriter, op: Op, args: list[str], places: Mapping[int, int]) -> dict[int, str]:
    """Write a branch that changes values of a scan's carry in place.

    args: its operands, not loaded; places: arena index of each result.
    """
    body: Body = op.extra
    mask = f.both(f.active, args[0])
    taken, join = f.label("taken"), f.label("join")
    f.lines.append(f"  br i1 {f.any(mask)}, label %{taken}, label %{join}, !prof !0")
    f.start(taken)
    results = f.run(body, args[1 + len(body.outputs) :], list(places), mask)
    for k, x in results.items():
        old = f.load("%arena", places[k])
        f.store(f.new(f"select {f.types.mask} {mask}, {f.types.real} {x}, {f.types.real} {old}"), "%arena", places[k])
    f.lines.append(f"  br label %{join}")
    f.start(join)
    return dict.fromkeys(places, "")
