"""Scans: loops over items. Two tables have a row for each item: the addresses of its values, and its constants."""

from gambol.lanes.ops import Op
from gambol.lanes.scan import Scan
from gambol.lanes.wasm.bodies import Place
from gambol.lanes.wasm.encoding import (
    ADDRESS_ZERO,
    INTEGER_BYTES,
    NO_RESULT,
    OPCODES,
    VECTOR_BYTES,
    access,
    constant_i32,
    copy,
    slot,
    store,
)
from gambol.lanes.wasm.scope import Scope


def write_scan(scope: Scope, index: int, op: Op) -> None:
    """Write a scan. The index of the item, the item, the carry and the results are in memory."""
    scan: Scan = op.extra
    memory, arguments = scope.module.memory, [scope.places[a] for a in op.args]
    carry, next_carry, item = (memory.area(n) for n in (scan.carried, scan.carried, scan.body.inputs - scan.carried))
    results, index_address = memory.area(scan.count * scan.results), memory.area(1)
    scope.store_all(carry, arguments[: scan.carried])
    addresses = [_address(scope, place) for place in arguments[scan.carried :][: scan.distinct]]
    scope.code.append(ADDRESS_ZERO + constant_i32(0) + access("i32.store", index_address) + OPCODES["loop"] + NO_RESULT)
    _write_item(scope, scan, (item, index_address), addresses)
    inputs = [slot(carry, k) for k in range(scan.carried)]
    inputs += [slot(item, k) for k in range(scan.body.inputs - scan.carried)]
    places = [*(Place("memory", address) for address in inputs), *arguments[scan.carried + scan.distinct :]]
    result_offset = _offset(index_address, VECTOR_BYTES * scan.results)
    for k, value in scope.results(scan.body, places, range(len(scan.body.outputs))):
        if k < scan.carried:
            scope.code.append(store(slot(next_carry, k), value))
        else:
            scope.code.append(result_offset + value + access("v128.store", slot(results, k - scan.carried)))
    scope.code.append(copy(carry, next_carry, scan.carried))
    next_index = ADDRESS_ZERO + access("i32.load", index_address) + constant_i32(1) + OPCODES["i32.add"]
    scope.code.append(ADDRESS_ZERO + next_index + access("i32.store", index_address))
    has_more = ADDRESS_ZERO + access("i32.load", index_address) + constant_i32(scan.count) + OPCODES["i32.lt_u"]
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


def _offset(index_address: int, width: int) -> bytes:
    """Return the instructions that push the offset of an item of `width` bytes. index_address: address of its index."""
    return ADDRESS_ZERO + access("i32.load", index_address) + constant_i32(width) + OPCODES["i32.mul"]


def _write_item(scope: Scope, scan: Scan, areas: tuple[int, int], addresses: list[int]) -> None:
    """Write the instructions that copy an item to its area. areas: addresses of the item and of its index."""
    (item, index_address), operations, memory = areas, scope.module.operations, scope.module.memory
    traced, constant = len(scan.places[0]), len(scan.constants[0])
    if traced:
        table = memory.integers(addresses[place] for row in scan.places for place in row)
        row_offset = _offset(index_address, INTEGER_BYTES * traced)
        for k in range(traced):
            address = row_offset + access("i32.load", table + INTEGER_BYTES * k)
            scope.code.append(store(slot(item, k), address + access("v128.load", 0)))
    if constant:
        table = memory.table(tuple(x for row in scan.constants for x in row))
        row_offset = _offset(index_address, operations.shape.size * constant)
        for k in range(constant):
            value = row_offset + access(operations.splat, table + operations.shape.size * k)
            scope.code.append(store(slot(item, traced + k), value))
