"""Lowering of arrays, which are stack memory, and of loops with a counter."""

from collections.abc import Sequence

from gambol.lanes.arrays import Affine
from gambol.lanes.cpu.lower.control import RESULTS, BodyWriter
from gambol.lanes.cpu.lower.loads import Loads
from gambol.lanes.cpu.lower.memory import load_address
from gambol.lanes.ops import Op


def write_array(f: BodyWriter, op: Op, args: list[str]) -> str:
    """Allocate an array; return its address."""
    address = f.area("array", op.extra[0], shared=False)
    f.arrays[address] = op.extra[0]
    f.array_masks[address] = f.active
    return address


def write_load(f: BodyWriter, op: Op, args: list[str]) -> str:
    """Append the load of an entry of an array."""

    def load() -> str:
        return f.new(f"load {f.types.real}, ptr {_address(f, op, args[0], args[1:])}")

    return f.reloads.add(load, f.block, f.reloads.version)


def write_store(f: BodyWriter, op: Op, args: list[str]) -> str:
    """Append the store of an entry in the lanes in which the operation runs."""
    array, value, *counters = args
    address = _address(f, op, array, counters)
    if f.array_masks[array] != f.active:
        old = f.new(f"load {f.types.real}, ptr {address}")
        value = f.new(f"select {f.types.mask} {f.active}, {f.types.real} {value}, {f.types.real} {old}")
    f.lines.append(f"  store {f.types.real} {value}, ptr {address}")
    f.reloads.version += 1
    return ""


def write_view(f: BodyWriter, op: Op, source: Op, loads: Loads) -> str:
    """Return the address of an array that is an argument, or of a copy of an array that is the result of a call.

    source: the input or the result that is its first entry.
    """
    if source.name == "input":
        known = loads.known.get(source.extra)
        if known in f.arrays:
            return known
        address = f.new(f"getelementptr {f.types.real}, ptr %in, i64 {source.extra}")
    else:
        address = f.area("array", op.extra, shared=False)
        results = loads.results[source.args[0]][RESULTS]
        f.copy(f.new(f"getelementptr {f.types.real}, ptr {results}, i64 {source.extra}"), address, op.extra)
        f.array_masks[address] = f.active
    f.arrays[address] = op.extra
    return address


def find_array(f: BodyWriter, loads: Loads, slot: int, size: int | tuple[int, int]) -> None:
    """Load the address of a captured array from its input, unless it is known.

    slot: index of the input. size: length of the array, or a tuple that begins with the length.
    """
    if slot not in loads.known:
        address = f.new(f"getelementptr {f.types.real}, ptr %in, i64 {slot}")
        loads.known[slot] = load_address(f, address)
        f.arrays[loads.known[slot]] = size if isinstance(size, int) else size[0]


def write_fori(f: BodyWriter, op: Op, args: list[str], parts: Sequence[int]) -> dict[int, str]:
    """Write a loop with a counter; its state is in registers. It runs in all lanes in which the operation runs."""
    lower, upper, body = op.extra
    count, lower_end, upper_end = len(body.outputs), len(lower[0]), len(lower[0]) + len(upper[0])
    first, last = _integer(f, lower, args[:lower_end]), _integer(f, upper, args[lower_end:upper_end])
    state, captures = args[upper_end : upper_end + count], args[upper_end + count :]
    head, work, done, before = f.label("head"), f.label("work"), f.label("done"), f.block
    counter, following = f.label("%counter"), f.label("%following")
    carried = [f.label("%carried") for _ in range(count)]
    f.lines.append(f"  br label %{head}")
    f.start_loop(head)
    place = len(f.lines)
    more = f.new(f"icmp slt i64 {counter}, {last}")
    f.lines.append(f"  br i1 {more}, label %{work}, label %{done}")
    f.start(work)
    new = f.run(body, [counter, *carried, *captures], range(count), f.active)
    end = f.block
    f.lines += [f"  {following} = add i64 {counter}, 1", f"  br label %{head}"]
    phis = [f"  {counter} = phi i64 [ {first}, %{before} ], [ {following}, %{end} ]"]
    for k, (name, value) in enumerate(zip(carried, state, strict=True)):
        phis.append(f"  {name} = phi {f.types.real} [ {value}, %{before} ], [ {new[k]}, %{end} ]")
    f.lines[place:place] = phis
    f.start(done)
    return {k: carried[k] for k in parts}


def _address(f: BodyWriter, op: Op, array: str, counters: Sequence[str]) -> str:
    factors, constant, _ = op.extra
    if factors:
        array = f.new(f"getelementptr {f.types.real}, ptr {array}, i64 {_integer(f, (factors, 0), counters)}")
    return f.new(f"getelementptr {f.types.real}, ptr {array}, i64 {constant}")


def _integer(f: BodyWriter, affine: Affine, counters: Sequence[str]) -> str:
    """Append the value of an index; return its name."""
    factors, constant = affine
    result = str(constant) if constant or not factors else ""
    for factor, counter in zip(factors, counters, strict=True):
        term = counter if factor == 1 else f.new(f"mul i64 {counter}, {factor}")
        result = f.new(f"add i64 {result}, {term}") if result else term
    return result


MEMORY_WRITERS = {"array": write_array, "load": write_load, "store": write_store}
