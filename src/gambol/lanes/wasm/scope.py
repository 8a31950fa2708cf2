"""The values of one body while it is written into a function."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from gambol.lanes.bodies import CONTROL, MEMORY
from gambol.lanes.ops import Op
from gambol.lanes.trace import Body
from gambol.lanes.wasm.array_stores import ArrayStores, integer
from gambol.lanes.wasm.bodies import BodyCounts, Frame, Locals, Place, Uses
from gambol.lanes.wasm.encoding import (
    ADDRESS_ZERO,
    OPCODES,
    VECTOR_BYTES,
    access,
    copy,
    load,
    local,
    slot,
    store,
    unsigned,
)
from gambol.lanes.wasm.instructions import OPERAND_ORDER, Operations
from gambol.lanes.wasm.memory import Memory


class Module(Protocol):
    """The functions of the module that its scopes use."""

    memory: Memory
    counts: BodyCounts
    operations: Operations
    arrays: ArrayStores
    uniform: bool

    def frame(self, body: Body, arguments: Sequence[Place]) -> Frame:
        """Return the function of a body; write it at the first call. arguments: places of its inputs and captures."""
        ...

    def write_control(self, scope: "Scope", index: int, op: Op) -> None:
        """Write a call, a branch or a loop of a scope. index: index of the operation."""
        ...


class Scope:
    """The values of a body while it is written, and its instructions since taken_code().

    module: the module that it is part of. inputs: places of the body's inputs and captures. locals_: locals of the
    function. cuts: True to cut a long body into pieces. addresses: the address of each value that is also in memory;
    owned: the values that have a local.
    """

    def __init__(self, module: Module, body: Body, inputs: Sequence[Place], locals_: Locals, cuts: bool) -> None:
        self.module = module
        self.body = body
        self.inputs = inputs
        self.locals = locals_
        self.uses = Uses(body, module.counts, cuts)
        self.remaining = dict(self.uses.counts)
        self.places: dict[int, Place] = {}
        self.addresses: dict[int, int] = {}
        self.owned: set[int] = set()
        self.code: list[bytes] = []

    def write_piece(self, piece: int = 0) -> None:
        """Write the operations of a piece of the body. Pieces are written in order."""
        for index, op in enumerate(self.body.ops):
            if self.uses.pieces[index] == piece:
                self._write(index, op)

    def taken_code(self) -> bytes:
        """Return the instructions written so far, and clear them."""
        code, self.code = b"".join(self.code), []
        return code

    def begin_function(self, locals_: Locals) -> None:
        """Continue in another function; values that were in locals are in memory."""
        self.locals = locals_
        for index in self.owned:
            if index in self.addresses:
                self.places[index] = Place("memory", self.addresses[index])
        self.owned.clear()

    def _write(self, index: int, op: Op) -> None:
        if op.name in ("input", "captured"):
            self.places[index] = self.inputs[op.extra + (self.body.inputs if op.name == "captured" else 0)]
        elif op.name in ("const", "undefined"):
            self.places[index] = Place("number" if op.name == "const" else "undefined", op.extra or 0.0)
        elif op.name == "array":
            self.places[index] = self.module.arrays.new(op.extra[0])
        elif op.name == "view":
            source = self.places[op.args[0]]
            self.places[index] = source if source.kind == "array" else Place("array", source.at, op.extra)
        elif op.name in MEMORY:
            self._access(index, op)
        elif op.name == "always":
            self.places[index] = Place("mask", op.extra)
        elif op.name in CONTROL:
            self.module.write_control(self, index, op)
            for a in op.args:
                self._count_use(a)
        elif op.name != "part" and index not in self.uses.deferred:
            self.keep(index, self._operation(op))

    def _access(self, index: int, op: Op) -> None:
        """Write the load or the store of an entry of an array."""
        array, (factors, constant, _) = self.places[op.args[0]], op.extra
        counters = [self.counter(self.places[a]) for a in op.args[len(op.args) - len(factors) :]]
        falls = any(factor < 0 for factor in factors)  # an address plus its offset must not be negative in between
        first, offset = (slot(array.at, constant), 0) if falls else (0, slot(array.at, constant))
        address = integer(([VECTOR_BYTES * factor for factor in factors], first), counters)
        if op.name == "load":
            self.keep(index, address + access("v128.load", offset))
        else:
            value = self.push(op.args[1])
            if mask := self.module.arrays.mask(array):
                value += address + access("v128.load", offset) + mask + OPCODES["v128.bitselect"]
            self.code.append(address + value + access("v128.store", offset))

    def counter(self, place: Place) -> bytes:
        """Return the instructions that push the counter of a loop; its own function has it in a local, too."""
        if place.at in self.locals.counters:
            return local("local.get", self.locals.counters[place.at])
        return ADDRESS_ZERO + access("i32.load", place.at)

    def _operation(self, op: Op) -> bytes:
        """Return the instructions of an operation, which push its result."""
        operands = [self.push(op.args[k]) for k in OPERAND_ORDER.get(op.name, range(len(op.args)))]
        if op.name != "gather":
            return self.module.operations.write(op, operands)
        temporary = self.locals.take()
        self.locals.free(temporary)
        return self.module.operations.gather(op, operands[0], temporary)

    def push(self, index: int) -> bytes:
        """Return the instructions that push a value, and count this use. Write them in the order of the calls."""
        if index in self.uses.deferred:
            return self._operation(self.body.ops[index])
        code = self.at(self.places[index])
        if self.remaining[index] > 1 and self.places[index].kind in ("memory", "item"):
            code += local("local.tee", self._own(index))
        self._count_use(index)
        return code

    def at(self, place: Place) -> bytes:
        """Return the instructions that push the value at a place."""
        if place.kind in ("local", "memory"):
            return local("local.get", place.at) if place.kind == "local" else load(place.at)
        if place.kind == "item":
            instruction, base, distance = place.at
            return ADDRESS_ZERO + access("i32.load", base) + access(instruction, distance)
        operations = self.module.operations
        return operations.mask(place.at) if place.kind == "mask" else operations.number(place.at)

    def _own(self, index: int) -> int:
        """Return a local for a value; it belongs to the value until its last use."""
        before = self.places.get(index)
        if before is not None and before.kind == "memory":
            self.addresses[index] = before.at
        place = self.places[index] = Place("local", self.locals.take())
        self.owned.add(index)
        return place.at

    def _count_use(self, index: int) -> None:
        """Count a use of a value, and free its local after the last one."""
        self.remaining[index] -= 1
        if not self.remaining[index] and index in self.owned:
            self._release(index)

    def _release(self, index: int) -> None:
        self.owned.remove(index)
        self.locals.free(self.places[index].at)

    def assign(self, index: int, code: bytes) -> int:
        """Write the instructions `code`, which push a value, and put the value into a local; return the local."""
        n = self._own(index)
        self.code.append(code + local("local.set", n))
        return n

    def moved_to_local(self, place: Place) -> Place:
        """Copy a value to a new local, which take_over() gives to a value or frees; return the local."""
        moved = Place("local", self.locals.take())
        if place.kind != "undefined":
            self.code.append(self.at(place) + local("local.set", moved.at))
        return moved

    def take_over(self, index: int | None, place: Place) -> None:
        """Make a local that of a value, or free it if the index is None."""
        if index is None:
            self.locals.free(place.at)
            return
        self.places[index] = place
        self.owned.add(index)
        self.save(index)

    def keep(self, index: int, code: bytes) -> None:
        """Write the instructions `code`, which push a value, and store the value for its uses."""
        self.assign(index, code)
        self.save(index)

    def save(self, index: int) -> None:
        """If later pieces of the body use a value that is in a local, also store it in memory."""
        if self.uses.last[index] > self.uses.pieces[index]:
            self.addresses[index] = self.module.memory.area(1)
            self.code.append(store(self.addresses[index], self.at(self.places[index])))

    def store_all(self, address: int, values: Sequence[Place]) -> None:
        """Store values in an area, in order; for an undefined value, memory stays unchanged."""
        for k, place in enumerate(values):
            if place.kind == "array":
                self.code.append(copy(slot(address, k), place.at, place.size))
            elif place.kind not in ("undefined", "counter"):
                self.code.append(store(slot(address, k), self.at(place)))

    def pass_arguments(self, address: int, values: Sequence[Place], inputs: int) -> None:
        """Store the arguments of a function: its inputs, then its captures, of which arrays stay where they are."""
        known = Place("undefined", 0.0)
        self.store_all(address, [known if k >= inputs and x.kind == "array" else x for k, x in enumerate(values)])

    def store_outputs(self, address: int) -> None:
        """Store the outputs of the body in an area."""
        for k, index in enumerate(self.body.outputs):
            place = self.places.get(index)
            if place is not None and place.kind in ("array", "undefined"):
                self.store_all(slot(address, k), [place])
            else:
                self.code.append(store(slot(address, k), self.push(index)))

    def call(self, frame: Frame) -> None:
        """Write the call of a function."""
        self.code.append(OPCODES["call"] + unsigned(frame.index))

    def results(self, body: Body, arguments: Sequence[Place], requested: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Run a body, called or inlined; yield the index of each requested output, and the instructions that push it.

        arguments: the places of its inputs and captures. The instructions must be used before the next output is
        requested.
        """
        if self.module.counts.is_inlined(body):
            inner = self.inlined(body, arguments)
            for k in requested:
                yield k, inner.push(body.outputs[k])
            inner.free_locals()
            return
        frame = self.module.frame(body, arguments)
        self.pass_arguments(frame.inputs, arguments, body.inputs)
        self.call(frame)
        for k in requested:
            yield k, load(slot(frame.outputs, k))

    def inlined(self, body: Body, arguments: Sequence[Place]) -> "Scope":
        """Write a body into this one, and return its scope. Its outputs can be pushed until free_locals()."""
        inner = Scope(self.module, body, arguments, self.locals, cuts=False)
        inner.write_piece()
        self.code.append(inner.taken_code())
        return inner

    def fetch(self, index: int) -> None:
        """Load a value that is in memory into a local."""
        if self.places[index].kind in ("memory", "item"):
            self.assign(index, self.at(self.places[index]))

    def free_locals(self) -> None:
        """Free the locals of all values."""
        for index in list(self.owned):
            self._release(index)
