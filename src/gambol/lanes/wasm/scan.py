"""Scans: loops over items. A table has a row for each item: the addresses from which its numbers are read.

Numbers at equal distances from each other in all items, such as the twelve of a pose, are read from one address.
"""

from collections.abc import Sequence

from gambol.lanes.ops import Op
from gambol.lanes.scan import Scan, grouped_columns
from gambol.lanes.wasm.bodies import Place
from gambol.lanes.wasm.encoding import (
    ADDRESS_ZERO,
    INTEGER_BYTES,
    NO_RESULT,
    OPCODES,
    access,
    constant_i32,
    copy,
    slot,
    store,
)
from gambol.lanes.wasm.scope import Scope


def write_scan(scope: Scope, index: int, op: Op) -> None:
    """Write a scan. The address of the item's row of the table, the carry and the results are in memory."""
    scan: Scan = op.extra
    memory, arguments = scope.module.memory, [scope.places[a] for a in op.args]
    carry, next_carry = (memory.area(scan.carried) for _ in range(2))
    results, row_address = memory.area(scan.count * scan.results), memory.area(1)
    scope.store_all(carry, arguments[: scan.carried])
    addresses = [_address(scope, place) for place in arguments[scan.carried :][: scan.distinct]]
    items, rows = _items(scope, scan, addresses)
    if scan.results:
        rows.append([slot(results, k * scan.results) for k in range(scan.count)])
    table = memory.integers(address for row in zip(*rows, strict=True) for address in row)
    bases = [memory.area(1) for _ in rows]
    width = INTEGER_BYTES * len(rows)
    scope.code.append(
        ADDRESS_ZERO + constant_i32(table) + access("i32.store", row_address) + OPCODES["loop"] + NO_RESULT
    )
    row = ADDRESS_ZERO + access("i32.load", row_address)
    for n, base in enumerate(bases):
        scope.code.append(ADDRESS_ZERO + row + access("i32.load", INTEGER_BYTES * n) + access("i32.store", base))
    inputs = [Place("memory", slot(carry, k)) for k in range(scan.carried)]
    inputs += [Place("item", (instruction, bases[base], distance)) for instruction, base, distance in items]
    places = [*inputs, *arguments[scan.carried + scan.distinct :]]
    for k, value in scope.results(scan.body, places, range(len(scan.body.outputs))):
        if k < scan.carried:
            scope.code.append(store(slot(next_carry, k), value))
        else:
            first = ADDRESS_ZERO + access("i32.load", bases[-1])
            scope.code.append(first + value + access("v128.store", slot(0, k - scan.carried)))
    if scan.carried:
        scope.code.append(copy(carry, next_carry, scan.carried))
    scope.code.append(ADDRESS_ZERO + row + constant_i32(width) + OPCODES["i32.add"] + access("i32.store", row_address))
    has_more = row + constant_i32(table + width * scan.count) + OPCODES["i32.lt_u"]
    scope.code.append(has_more + OPCODES["br_if"] + b"\0" + OPCODES["end"])
    for k, part in scope.uses.parts.get(index, {}).items():
        scope.places[part] = Place("memory", slot(carry, k) if k < scan.carried else slot(results, k - scan.carried))


def _address(scope: Scope, place: Place) -> int:
    """Return the address of a value; store it in memory if it is not there."""
    if place.kind == "memory":
        return place.at
    address = scope.module.memory.area(1)
    scope.code.append(store(address, scope.at(place)))
    return address


def _items(scope: Scope, scan: Scan, addresses: Sequence[int]) -> tuple[list[tuple[str, int, int]], list[list[int]]]:
    """Return how the numbers of an item are read, and the columns of the table.

    addresses: those of the distinct values. A number is read by an instruction, from the address in a column of the
    table plus a distance [bytes].
    """
    operations, memory = scope.module.operations, scope.module.memory
    bases, groups = grouped_columns([[addresses[place] for place in row] for row in scan.places])
    items = [("v128.load", base, distance) for base, distance in groups]
    if scan.constants[0]:
        size = operations.shape.size
        first, width = memory.table(tuple(x for row in scan.constants for x in row)), size * len(scan.constants[0])
        items += [(operations.splat, len(bases), size * k) for k in range(len(scan.constants[0]))]
        bases.append([first + width * k for k in range(scan.count)])
    return items, bases
