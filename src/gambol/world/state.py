"""States of many worlds as one array, and the compiled programs that advance and observe them."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.contact.generation.sources import describe_size
from gambol.errors import WorldError, did_you_mean
from gambol.figure.parameters import difference
from gambol.lanes import Precision, Program, ProgramSpec, leaf_indices, leaves, leaves_like, unflatten
from gambol.lanes.interleave import Stage, interleave
from gambol.lanes.program import to_blocks
from gambol.lanes.target import Target
from gambol.world.code_origin import is_from_gambol
from gambol.world.contact_points import contact_points
from gambol.world.external import check_push
from gambol.world.more_contacts import with_more_contacts
from gambol.world.observe import Snapshot, observe, observe_joint_forces, observe_sensors, snapshot_rows
from gambol.world.rest_state import rest_state
from gambol.world.step import StepState, advance, partial_step
from gambol.world.timing import check_tolerance
from gambol.world.world import World

Array = NDArray[Any]
LOG = logging.getLogger("gambol.world")


@dataclass(frozen=True)
class State:
    """The state of W worlds of the same structure: all that a step changes.

    rows: array (rows, W), of which q and v are views. A run from a stored copy gives the same result.
    """

    world: World
    rows: Array

    def __repr__(self) -> str:
        return f'<State of "{self.world.figure.name}": worlds: {self.rows.shape[1]}, {self.rows.dtype}>'

    @cached_property
    def step_state(self) -> StepState:
        """The state as a pytree of arrays (W,), which are views of the rows."""
        return unflatten(rest_state(self.world), iter(list(self.rows)))

    @property
    def precision(self) -> Precision:
        """Precision of its numbers."""
        return "float32" if self.rows.dtype == np.float32 else "float64"

    @property
    def q(self) -> Array:
        """Positions (W, nq): angles [rad], lengths [m], quaternions (w, x, y, z)."""
        return self.rows[: self.world.figure.nq].T

    @property
    def v(self) -> Array:
        """Velocities (W, nv)."""
        return self.rows[self.world.figure.nq : self.world.figure.nq + self.world.figure.nv].T

    @property
    def actuators(self) -> Mapping[str, Mapping[str, Array]]:
        """States of the actuators that have one, by name: views (W,) of each number, by name."""
        return cast("Any", self.step_state.memory.actuators)

    @property
    def time(self) -> Array:
        """Time of each world (W,) [s]."""
        clock, h = self.step_state.clock, self.world.timing.control_step
        return np.asarray(clock.control_steps, float) * h + np.asarray(clock.elapsed, float)

    def copied(self) -> "State":
        """Return a copy of the state that shares no memory with it."""
        return State(self.world, self.rows.copy())


class Engine:
    """The compiled programs of a world, which advance and observe states.

    precision, lanes, target: see Program. short: see ProgramSpec. Raises WorldError, see check_tolerance().
    """

    def __init__(
        self,
        world: World,
        precision: Precision = "float64",
        lanes: int | None = None,
        *,
        short: bool = False,
        target: Target | None = None,
    ) -> None:
        check_tolerance(world.timing, precision)
        self.world, self.lanes, self.short, self.target = world, lanes, short, target
        self.on_devices: dict[Any, Any] = {}  # DeviceEngines of this world by their graphics processor
        self.precision: Precision = precision
        self.numbers_template = world.numbers()
        check_push(self.numbers_template["push"], world.timing, precision)
        self.tables = [] if (table := world.ground.table()) is None else [table]

    @cached_property
    def with_more_contacts(self) -> "Engine":
        """The engine of the same world with twice the contact capacity, which repeats steps; a message is logged."""
        world, after = self.world, with_more_contacts(self.world)
        text = "more contacts are near than max_contacts=%d; these control steps are repeated with max_contacts=%d"
        LOG.info(text, world.contact_capacity, after.contact_capacity)
        return Engine(after, self.precision, self.lanes, short=self.short, target=self.target)

    @cached_property
    def state_rows(self) -> StepState:
        """The rows of a state, as a pytree of integers."""
        return leaf_indices(rest_state(self.world))

    @cached_property
    def number_rows(self) -> dict[str, Any]:
        """The rows of numbers(), as a pytree of integers."""
        return leaf_indices(self.numbers_template)

    @cached_property
    def default_numbers(self) -> Array:
        """The numbers() of the world without changes, (rows, 1); read-only."""
        numbers = self.numbers()
        numbers.flags.writeable = False
        return numbers

    @cached_property
    def advance_program(self) -> Program:
        """The program that advances a state to a control step."""
        return Program(self.advance_spec, self.precision, self.lanes, self.target)

    @property
    def advance_spec(self) -> ProgramSpec:
        """The specification of advance_program."""

        def advance_state(step_state: StepState, numbers: Any, until: Any, *tables: Any) -> tuple[StepState]:
            return (advance(self.world, step_state, numbers, until, tables[0] if tables else None),)

        return self._spec("advance", advance_state, (rest_state(self.world), self.numbers_template, 0.0))

    @cached_property
    def partial_step_program(self) -> Program:
        """The program that advances a state by a fraction of a step."""

        def advance_state(step_state: StepState, numbers: Any, until: Any, part: Any, *tables: Any) -> tuple[StepState]:
            return (partial_step(self.world, step_state, numbers, until, part, tables[0] if tables else None),)

        templates = (rest_state(self.world), self.numbers_template, 0.0, 0.0)
        return Program(self._spec("partial_step", advance_state, templates), self.precision, self.lanes, self.target)

    @cached_property
    def observe_program(self) -> Program:
        """The program that takes a snapshot of a state."""
        return Program(self.observe_spec, self.precision, self.lanes, self.target)

    @property
    def observe_spec(self) -> ProgramSpec:
        """The specification of observe_program."""
        return self.observer_spec("observe", observe, ())

    @cached_property
    def contact_program(self) -> Program:
        """The program of all possible contacts of a state, see contact_points()."""
        return self.observer("contacts", contact_points)

    @cached_property
    def sensor_program(self) -> Program:
        """The program of the readings of all sensors in a state, see observe.observe_sensors()."""
        return self.observer("sensors", observe_sensors)

    @cached_property
    def joint_force_program(self) -> Program:
        """The program of the joint forces in a state, see observe.observe_joint_forces()."""
        return self.observer("joint forces", observe_joint_forces)

    def observer(self, name: str, function: Callable[..., Any], *templates: Any) -> Program:
        """Return a program that computes function(world, step_state, numbers, *more, table) from a state.

        name: unique for each function. templates: pytrees with the structures of the additional inputs `more`.
        """
        return Program(self.observer_spec(name, function, templates), self.precision, self.lanes, self.target)

    def observer_spec(self, name: str, function: Callable[..., Any], templates: tuple[Any, ...]) -> ProgramSpec:
        """Return the specification of an observer(); arguments as in that function."""

        def outputs(step_state: StepState, numbers: Any, *inputs: Any) -> tuple[Any]:
            more, table = inputs[: len(templates)], inputs[len(templates) :]
            return (function(self.world, step_state, numbers, *more, table[0] if table else None),)

        return self._spec(name, outputs, (rest_state(self.world), self.numbers_template, *templates))

    def _spec(self, name: str, function: Any, templates: tuple[Any, ...]) -> ProgramSpec:
        world = self.world
        is_known = is_from_gambol((world.ground, world.controller, world.method))
        is_known = is_known and world.external.base_acceleration is None
        key = world.structure() if is_known else None  # user code is only visible in the trace
        size = describe_size(world.scene)
        return ProgramSpec(name, function, templates, len(self.tables), key, size, self.short)

    def numbers(self, **changes: Any) -> Array:
        """Return the inputs of the world with changes, (rows, 1), or (rows, W) if a change contains arrays (W,).

        changes: entries of world.numbers(), or some of its parameters. Raises WorldError for changes that do not fit.
        """
        default, changed = self.numbers_template["parameters"], changes.get("parameters", {})
        for name in changed:
            if name not in default:
                raise WorldError(f'"{name}" is not an input of this program; {did_you_mean(name, default)}')
        for name in changes:
            if name not in self.numbers_template:
                raise WorldError(f'a world has no numbers "{name}"; {did_you_mean(name, self.numbers_template)}')
        tree = self.numbers_template | changes | {"parameters": default | changed}
        if (inputs := leaves_like(self.numbers_template, tree)) is None:
            raise WorldError(f"the structure of the numbers {sorted(changes)} is not that of world.numbers()")
        worlds = max(np.size(x) for x in inputs)
        if other_shapes := {np.shape(x) for x in inputs} - {(), (1,), (worlds,)}:
            raise WorldError(f"numbers of shapes {sorted(other_shapes)} and ({worlds},) cannot be combined")
        if "push" in changes:
            check_push(changes["push"], self.world.timing, self.precision)
        rows = np.empty((len(inputs), worlds), self.precision)
        for row, x in zip(rows, inputs, strict=True):
            row[:] = x
        return rows

    def numbers_of(self, worlds: Sequence[World]) -> Array:
        """Return the inputs of worlds, (rows, W). Raises WorldError for worlds of another structure."""
        structure, columns = self.world.structure(), list[Any]()
        for number, world in enumerate(worlds):
            names = self.world.parameters
            comparable = world if world.parameters == names else world.parametrised_by(names)
            if differs := difference(structure, comparable.structure()):
                raise WorldError(
                    f'world {number} ("{world.figure.name}") cannot use the program of "{self.world.figure.name}": '
                    f"{differs}; name every parameter that differs in World.parameters, and sort worlds by topology"
                )
            numbers = comparable.numbers()
            check_push(numbers["push"], self.world.timing, self.precision)
            columns.append(leaves(numbers))
        return np.array(columns, self.precision).T.copy()

    def advance(self, state: State, until: int, numbers: Array | None = None, threads: int = 1) -> None:
        """Advance a state in place until control step `until` begins in every running world.

        numbers: inputs (rows, 1) or (rows, W); None: the default of the world. threads: the number of threads.
        """
        inputs, target = self.default_numbers if numbers is None else numbers, np.array([[until]], self.precision)
        self.advance_program(state.rows, inputs, target, out=[state.rows], tables=self.tables, threads=threads)

    def partial_step(
        self, state: State, until: int, part: float | Array, numbers: Array | None = None, threads: int = 1
    ) -> None:
        """Advance a state in place by a fraction of the next step, in worlds before control step `until`.

        part: the fraction, () or (W,). numbers, threads: see advance(). A rejected step has no effect.
        """
        inputs = self.default_numbers if numbers is None else numbers
        end, part = np.array([[until]], self.precision), np.atleast_2d(np.asarray(part, self.precision))
        self.partial_step_program(state.rows, inputs, end, part, out=[state.rows], tables=self.tables, threads=threads)

    def sample(
        self, state: State, frames: Sequence[int], observer: Program, inputs: Sequence[Array], threads: int = 1
    ) -> Array:
        """Advance a state in place; return outputs of a program (rows, W, T) at the beginnings of T control steps.

        frames: indices of the control steps. observer: see observer(). inputs: numbers, then the other inputs of the
        observer.
        """
        worlds, times, lanes = state.rows.shape[1], len(frames), observer.lanes
        rows, *numbers = (to_blocks(a, lanes) for a in (state.rows, *inputs))
        until = np.repeat(np.array(frames, self.precision), lanes).reshape(1, times, 1, lanes)
        out = np.empty((len(rows), times, sum(observer.outputs), lanes), self.precision)
        advancing = Stage(self.advance_program, (rows, numbers[0], until), (rows,), self.tables)
        observing = Stage(observer, (rows, *numbers), (out,), self.tables)
        interleave([advancing, observing], len(rows), times, threads)
        state.rows[:] = rows.transpose(1, 0, 2).reshape(len(state.rows), -1)[:, :worlds]
        return np.ascontiguousarray(out.transpose(2, 0, 3, 1), float).reshape(out.shape[2], -1, times)[:, :worlds]

    def observe(self, state: State, numbers: Array | None = None, threads: int = 1) -> Snapshot:
        """Return a snapshot of a state: a pytree of arrays (W,). numbers, threads: see advance()."""
        inputs = self.default_numbers if numbers is None else numbers
        (rows,) = self.observe_program(state.rows, inputs, tables=self.tables, threads=threads)
        columns = self._snapshot_rows.items()
        return Snapshot(**{k: list(rows[i]) if isinstance(i, slice) else rows[i] for k, i in columns})

    def joint_forces(self, state: State, numbers: Array | None = None) -> list[Array]:
        """Return the forces of springs, motors and actuators at all freedoms (nv arrays (W,)); numbers: see advance."""
        if not self.world.figure.nv:
            return []
        inputs = self.default_numbers if numbers is None else numbers
        (rows,) = self.joint_force_program(state.rows, inputs, tables=self.tables)
        return list(rows)

    @cached_property
    def _snapshot_rows(self) -> dict[str, slice | int]:
        """Rows of each field of a snapshot. They are stored, since unflatten() would take ten times as long."""
        return snapshot_rows(self.world)
