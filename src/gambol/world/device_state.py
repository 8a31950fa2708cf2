"""States of many worlds in the memory of a graphics processor, and the programs that advance them there.

States stay there between calls; a program has the bits of the one that runs on the processor of this machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.lanes import Precision, Program, ProgramSpec, total, where
from gambol.world.capacity import GrowingCapacity
from gambol.world.state import Engine, State
from gambol.world.world import World

if TYPE_CHECKING:
    from gambol.lanes.gpu import Device, DeviceArray, GpuProgram

Array = NDArray[Any]

FIRST_DEVICE = "cuda"
"""The name of the first graphics processor; others are cuda:1, cuda:2 and so on."""

LARGEST = float(np.finfo(np.float32).max)
"""The largest command that counts as finite, in either precision."""


def device_index(name: str) -> int:
    """Return the number of a graphics processor of this name, such as "cuda" or "cuda:1". Raises WorldError."""
    kind, colon, index = name.partition(":")
    if kind != FIRST_DEVICE or (colon and not index.isdecimal()):
        raise WorldError(f'there is no device "{name}"; give "cuda", or "cuda:1" for a second graphics processor')
    return int(index or 0)


def device_named(name: str) -> "Device":
    """Return a graphics processor by its name.

    Raises WorldError for another name, and GambolError without the processor, its driver or cuda-bindings.
    """
    index = device_index(name)
    from gambol.lanes.gpu import find_device

    return find_device(index)


@dataclass(frozen=True, eq=False)
class DeviceState:
    """The state of W worlds in the memory of a graphics processor, see State.

    rows: array (rows, W) there; torch.from_dlpack(state.rows) and others use it without a copy.
    """

    world: World
    rows: "DeviceArray"

    def __repr__(self) -> str:
        name, (_, worlds) = self.rows.device.name, self.rows.shape
        return f'<DeviceState of "{self.world.figure.name}" on {name}: worlds: {worlds}, {self.rows.dtype}>'

    @property
    def precision(self) -> Precision:
        """Precision of its numbers."""
        return "float32" if self.rows.dtype == np.float32 else "float64"

    @property
    def q(self) -> Array:
        """A copy of the positions (W, nq), see State.q."""
        return self.rows.rows(0, self.world.figure.nq).T

    @property
    def v(self) -> Array:
        """A copy of the velocities (W, nv)."""
        return self.rows.rows(self.world.figure.nq, self.world.figure.nv).T

    def copied(self) -> "DeviceState":
        """Return a copy in the same memory."""
        return DeviceState(self.world, self.rows.copy())

    def to_cpu(self) -> State:
        """Return a copy in the memory of the host."""
        return State(self.world, self.rows.to_numpy())


def to_device(state: State, name: str = FIRST_DEVICE) -> DeviceState:
    """Return a copy of a state in the memory of a graphics processor; name: see device_named().

    Raises GambolError without enough memory.
    """
    device, (rows, worlds) = device_named(name), state.rows.shape
    device.check_memory(f'"{state.world.figure.name}"', rows * state.rows.itemsize, worlds)
    return DeviceState(state.world, device.copied(state.rows))


class DeviceEngine:
    """The compiled programs of a world on a graphics processor.

    engine: programs of the world on the processor of this machine; device: the graphics processor.
    """

    def __init__(self, engine: Engine, device: "Device") -> None:
        self.engine, self.device = engine, device
        self._numbers: tuple[int, DeviceArray] | None = None
        self._command_programs: dict[int, GpuProgram] = {}

    @cached_property
    def advance_program(self) -> "GpuProgram":
        """The program that advances a state to a control step."""
        return self.program(self.engine.advance_spec)

    def advance(self, state: DeviceState, until: int, numbers: "Array | DeviceArray | None" = None) -> None:
        """Advance a state in place to control step `until`.

        numbers: inputs (rows, 1 or W); None: those of the world. Worlds with more contacts than the capacity repeat
        their steps with more capacity, see GrowingCapacity, on the processor of this machine.
        """
        row = GrowingCapacity(self.engine, self.engine.default_numbers).counter_row
        inputs = self.engine.default_numbers if numbers is None else numbers
        before = state.rows.copy() if row is not None else None
        target = np.array([[until]], state.rows.dtype)
        self.advance_program(state.rows, inputs, target, out=[state.rows], tables=self.engine.tables)
        if row is None or before is None:
            return
        crowded = np.flatnonzero(state.rows.rows(row, 1)[0] > before.rows(row, 1)[0])
        if len(crowded):
            self._repeat(state, before, until, inputs, crowded)

    def _repeat(
        self, state: DeviceState, before: "DeviceArray", until: int, numbers: "Array | DeviceArray", worlds: Array
    ) -> None:
        """Repeat the steps of some worlds with more contact capacity, on the processor of this machine."""
        inputs = numbers if isinstance(numbers, np.ndarray) else numbers.to_numpy()
        columns = inputs if inputs.shape[1] == 1 else np.ascontiguousarray(inputs[:, worlds])
        subset = State(state.world, np.ascontiguousarray(before.to_numpy()[:, worlds]))
        GrowingCapacity(self.engine, columns).advance(subset, until)
        rows = state.rows.to_numpy()
        rows[:, worlds] = subset.rows
        state.rows.set_rows(0, rows)

    def sample(
        self, state: State, frames: Sequence[int], observer: ProgramSpec, inputs: Sequence[Array], threads: int = 1
    ) -> Array:
        """Advance a state of the host in place, on the graphics processor; see Engine.sample().

        observer: see Engine.observer_spec(). frames, inputs, result: as there. threads: not used.
        """
        observing, tables, worlds = self.program(observer), self.engine.tables, state.rows.shape[1]
        each = len(state.rows) + sum(len(a) for a in inputs if a.shape[1] > 1) + sum(observing.outputs)
        self.device.check_memory(f'"{self.engine.world.figure.name}"', each * state.rows.itemsize, worlds)
        rows, *placed = (self.device.copied(np.asarray(a, state.rows.dtype)) for a in (state.rows, *inputs))
        samples = np.empty((sum(observing.outputs), state.rows.shape[1], len(frames)))
        for number, frame in enumerate(frames):
            until = np.array([[frame]], rows.dtype)
            self.advance_program(rows, placed[0], until, out=[rows], tables=tables)
            (seen,) = observing(rows, *placed, tables=tables)
            samples[:, :, number] = seen.to_numpy()
        state.rows[:] = rows.to_numpy()
        return samples

    def program(self, spec: ProgramSpec) -> "GpuProgram":
        """Return a program on the graphics processor."""
        from gambol.lanes.gpu import GpuProgram

        return GpuProgram(spec, self.engine.precision, self.device)

    def with_commands(self, rows: Sequence[int], commands: "Array | DeviceArray") -> "DeviceArray":
        """Return the numbers of the world for W worlds, in which some rows are commands (n, W)."""
        worlds = commands.shape[1]
        if self._numbers is None or self._numbers[0] != worlds:
            default = self.engine.default_numbers.astype(self.engine.precision)
            self._numbers = worlds, self.device.copied(np.repeat(default, worlds, axis=1))
        set_commands(self._numbers[1], rows, commands)
        return self._numbers[1]

    def commands(self, action: Any, count: int) -> "tuple[DeviceArray, bool]":
        """Return an action of another library on the graphics processor as commands (n, W), and whether it is finite.

        action (W, n): an array that has `__dlpack__`; count: n. Raises WorldError for another shape, and GambolError
        for numbers of another precision, with gaps between them, or in other memory.
        """
        given = self.device.view_of_worlds(action)
        if given.shape[0] != count:
            raise WorldError(f"an action on a graphics processor has shape (W, {count}), not {given.shape[::-1]}")
        if count not in self._command_programs:
            self._command_programs[count] = self.program(_commands_spec(count))
        commands, not_finite = self._command_programs[count](given)
        return commands, not not_finite.to_numpy().any()


def _commands_spec(count: int) -> ProgramSpec:
    """Return the program of the commands of an action (n, W), and of the number of those that are not finite (1, W)."""

    def commands_of(action: Any) -> tuple[Any, ...]:
        return action, [total(where(abs(x) <= LARGEST, 0.0, 1.0) for x in action)]

    return ProgramSpec("commands", commands_of, ([0.0] * count,))


def set_commands(numbers: "DeviceArray", rows: Sequence[int], commands: "Array | DeviceArray") -> None:
    """Set rows of inputs on a graphics processor to commands (n, W), of the host or there."""
    for k, row in enumerate(rows):
        if isinstance(commands, np.ndarray):
            numbers.set_rows(row, commands[k : k + 1])
        else:
            numbers.copy_row(row, commands, k)


Sampling = Callable[..., Array]
"""A function sample(state, frames, inputs=..., threads=1), see Engine.sample()."""


def sampling(engine: Engine, observer: ProgramSpec, device: str = "cpu") -> Sampling:
    """Return the function that advances and samples states of the host, with its programs compiled.

    observer: see Engine.observer_spec(). device: "cpu", or the name of a graphics processor, see device_named(), with
    the same results.
    """
    if device != "cpu":
        on_device = DeviceEngine(engine, device_named(device))
        _ = on_device.advance_program
        return partial(on_device.sample, observer=observer)
    program, _ = Program(observer, engine.precision, engine.lanes), engine.advance_program
    return partial(engine.sample, observer=program)


@dataclass
class DeviceAdvancer:
    """Advances a state on a graphics processor and copies it to the host; for runs that record every frame.

    state: the state there. numbers: inputs (rows, 1 or W).
    """

    engine: DeviceEngine
    state: DeviceState
    numbers: Array

    @staticmethod
    def of(
        engine: Engine, on_device: DeviceState, state: State, numbers: Array, *, has_events: bool
    ) -> "DeviceAdvancer":
        """Return the advancer of a state, which gets the rows of `state` first.

        Raises WorldError for a run with events.
        """
        if has_events:
            raise WorldError("events are found on the processor of this machine only; give run() state.to_cpu()")
        on_device.rows.set_rows(0, state.rows)
        return DeviceAdvancer(DeviceEngine(engine, on_device.rows.device), on_device, numbers)

    def advance(self, state: State, until: int) -> None:
        """Advance the state on the graphics processor to control step `until`, and copy it to a state on the host."""
        self.engine.advance(self.state, until, self.numbers)
        state.rows[:] = self.state.rows.to_numpy()


def last_step(state: DeviceState, engine: Engine) -> int:
    """Return the largest number of a control step that begins in a world of a state."""
    row = cast("int", engine.state_rows.clock.control_steps)
    return int(state.rows.rows(row, 1).max())
