"""Calls, branches and loops.

Branches and loops run if their condition is true in any lane; the values of other lanes do not change.
"""

from gambol.lanes.ops import Op
from gambol.lanes.wasm.array_stores import integer
from gambol.lanes.wasm.bodies import Place
from gambol.lanes.wasm.encoding import (
    ADDRESS_ZERO,
    NO_RESULT,
    OPCODES,
    access,
    constant_i32,
    copy,
    load,
    local,
    slot,
    store,
)
from gambol.lanes.wasm.scope import Scope

IF = OPCODES["if"] + NO_RESULT
LOOP = OPCODES["loop"] + NO_RESULT
END = OPCODES["end"]
REPEAT = OPCODES["br"] + b"\1"
"""Instruction that jumps from within an `if` to the head of the loop around it."""

ANY_TRUE = OPCODES["v128.any_true"]
SELECT = OPCODES["v128.bitselect"]


def write_call(scope: Scope, index: int, op: Op) -> None:
    """Write a call of a body. index: index of the operation."""
    body, parts = op.extra, scope.uses.parts.get(index, {})
    arguments, counts = [scope.places[a] for a in op.args], scope.module.counts
    sizes = {k: scope.uses.views[part] for k, part in parts.items() if part in scope.uses.views}
    if sizes or (not counts.is_inlined(body) and counts.uses[id(body)] == 1):
        frame = scope.module.frame(body, arguments)
        scope.pass_arguments(frame.inputs, arguments, body.inputs)
        scope.call(frame)
        for k, part in parts.items():
            if k in sizes:
                scope.places[part] = scope.module.arrays.new(sizes[k])
                scope.code.append(copy(scope.places[part].at, slot(frame.outputs, k), sizes[k]))
            elif counts.uses[id(body)] == 1:  # no other call overwrites its outputs
                scope.places[part] = Place("memory", slot(frame.outputs, k))
            else:
                scope.keep(part, load(slot(frame.outputs, k)))
        return
    for k, value in scope.results(body, arguments, sorted(parts)):
        scope.keep(parts[k], value)


def write_when(scope: Scope, index: int, op: Op) -> None:
    """Write a branch: its results are the alternative, and where the condition is true, those of the body."""
    body, parts = op.extra, scope.uses.parts.get(index, {})
    count = len(body.outputs)
    alternative, arguments = op.args[1 : 1 + count], [scope.places[a] for a in op.args[1 + count :]]
    condition = scope.at(scope.places[op.args[0]])
    masked = {k: not scope.module.uniform and scope.body.ops[alternative[k]].name != "undefined" for k in parts}
    locals_ = {k: scope.assign(parts[k], scope.at(scope.places[alternative[k]])) for k in sorted(parts)}
    scope.code.append(condition + ANY_TRUE + IF)
    with scope.module.arrays.within(scope.code, condition, body.stores):
        for k, value in scope.results(body, arguments, sorted(parts)):
            selected = value + local("local.get", locals_[k]) + condition + SELECT if masked[k] else value
            scope.code.append(selected + local("local.set", locals_[k]))
    scope.code.append(END)
    for k in sorted(parts):
        scope.save(parts[k])


def write_loop(scope: Scope, index: int, op: Op) -> None:
    """Write a loop with its state in memory. A lane stops when its condition is False."""
    test, body = op.extra
    count, counts = len(body.outputs), scope.module.counts
    arguments = [scope.places[a] for a in op.args]
    captures, body_captures = arguments[count:][: len(test.captured)], arguments[count + len(test.captured) :]
    is_inlined = counts.is_inlined(body) or body.stores
    frame = None if is_inlined else scope.module.frame(body, [*arguments[:count], *body_captures])
    own_frame = frame is not None and counts.uses[id(body)] == 1
    state = frame.inputs if frame and own_frame else scope.module.memory.area(count)
    scope.store_all(state, arguments[:count])
    if frame:
        scope.pass_arguments(slot(frame.inputs, count), body_captures, 0)
    active = scope.locals.take()
    mask = None if scope.module.uniform else active
    scope.code.append(scope.module.operations.mask(True) + local("local.set", active) + LOOP)
    carried = [Place("memory", slot(state, k)) for k in range(count)]
    condition = scope.inlined(test, [*carried, *captures])
    holds = condition.push(test.outputs[0]) + local("local.get", active) + OPCODES["v128.and"]
    condition.free_locals()
    scope.code.append(holds + local("local.tee", active) + ANY_TRUE + IF)
    if frame:
        scope.code.append(b"" if own_frame else copy(frame.inputs, state, count))
        scope.call(frame)
        _update(scope, carried, [load(slot(frame.outputs, k)) for k in range(count)], mask)
    else:
        with scope.module.arrays.within(scope.code, local("local.get", active), body.stores):
            inner = scope.inlined(body, [*carried, *body_captures])
        _update_inlined(scope, inner, carried, mask)
    scope.code.append(REPEAT + END + END)
    scope.locals.free(active)
    scope.places |= {part: carried[k] for k, part in scope.uses.parts.get(index, {}).items()}


def write_fori(scope: Scope, index: int, op: Op) -> None:
    """Write a loop with a counter, with its state in locals."""
    lower, upper, body = op.extra
    lower_end, upper_end = len(lower[0]), len(lower[0]) + len(upper[0])
    arguments = [scope.places[a] for a in op.args]
    bounds = [scope.counter(place) for place in arguments[:upper_end]]
    carried = [scope.moved_to_local(place) for place in arguments[upper_end:][: len(body.outputs)]]
    address = scope.module.memory.area(1)
    counter = scope.locals.take_counter(address)
    value, set_counter = local("local.get", counter), local("local.set", counter)
    scope.code.append(integer(lower, bounds[:lower_end]) + set_counter + LOOP)
    scope.code.append(value + integer(upper, bounds[lower_end:]) + OPCODES["i32.lt_s"] + IF)
    scope.code.append(ADDRESS_ZERO + value + access("i32.store", address))
    inner = scope.inlined(body, [Place("counter", address), *carried, *arguments[upper_end + len(body.outputs) :]])
    changed = [k for k, i in enumerate(body.outputs) if inner.places[i] != carried[k]]
    values = b"".join([inner.push(body.outputs[k]) for k in changed])
    scope.code.append(inner.taken_code() + values)
    scope.code.append(b"".join(local("local.set", carried[k].at) for k in reversed(changed)))
    inner.free_locals()
    scope.code.append(value + constant_i32(1) + OPCODES["i32.add"] + set_counter + REPEAT + END + END)
    del scope.locals.counters[address]
    parts = scope.uses.parts.get(index, {})
    for k, place in enumerate(carried):
        scope.take_over(parts.get(k), place)


def _update(scope: Scope, carried: list[Place], values: list[bytes], active: int | None) -> None:
    """Replace the state of a loop in the active lanes.

    values: instructions that push each new number. active: local of the mask of these lanes; None: all lanes.
    """
    for place, value in zip(carried, values, strict=True):
        selected = b"" if active is None else load(place.at) + local("local.get", active) + SELECT
        scope.code.append(store(place.at, value + selected))


def _update_inlined(scope: Scope, inner: Scope, carried: list[Place], active: int | None) -> None:
    """Replace a loop's state in the active lanes by the outputs of an inlined body, which may be its inputs."""
    outputs = inner.body.outputs
    changed = [k for k, i in enumerate(outputs) if inner.places[i] != carried[k]]
    for k in changed:
        inner.fetch(outputs[k])
    scope.code.append(inner.taken_code())
    _update(scope, [carried[k] for k in changed], [inner.push(outputs[k]) for k in changed], active)
    inner.free_locals()


WRITERS = {"call": write_call, "when": write_when, "loop": write_loop, "fori": write_fori}
