"""Worlds side by side whose actuators follow commands: their state, and a program that advances it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gambol.env.batch import NOT_FINITE, check_actions, check_shape
from gambol.errors import EvolveError
from gambol.evolve.evaluate.batch import initial_state
from gambol.lanes import Program, leaf_indices, leaves, tree_map
from gambol.world import Engine, Factors, RandomFactors, State, World
from gambol.world.device_state import DeviceEngine, device_named, set_commands
from gambol.world.rest_state import rest_state
from gambol.world.step import RUNNING

if TYPE_CHECKING:
    from gambol.lanes.gpu import DeviceArray


def command_rows(world: World) -> NDArray[np.intp]:
    """Return the indices of the commands among the numbers of a world (actuators,), in the order of its actuators."""
    is_command = tree_map(lambda _: 0.0, world.numbers())
    is_command["control"]["pattern"]["command"] = [1.0] * len(world.actuators)
    return np.flatnonzero(leaves(is_command))


def rewarded_rows(world: World) -> set[int]:
    """Return the rows of a state that rewards need: coordinates of the first root, work of the motors, and clock."""
    indices: Any = leaf_indices(rest_state(world))
    return {*indices.q[world.figure.roots[0].q], indices.ledger.motors, *leaves(indices.clock)}


class CommandedBody(Protocol):
    """A body that follows commands.

    q (nq): initial coordinates. randomise: ranges of random factors of inputs, see varied_numbers().
    """

    @property
    def q(self) -> tuple[float, ...]:
        """The initial coordinates (nq)."""
        ...

    @property
    def randomise(self) -> Factors:
        """Ranges of random factors by the name of an input."""
        ...


class CommandedWorlds:
    """W worlds of one structure with actuators that follow commands.

    engine: engine of their world, whose controller is a Drive with the pattern Commanded. body: see CommandedBody.
    worlds: W. threads: number of threads. device: "cpu", or the name of a graphics processor, see device_named(); the
    worlds stay there, and `state` is a copy that is to be changed after a reset() only. Raises WorldError for unknown
    inputs, invalid ranges and an unknown device, and GambolError without the processor.
    """

    def __init__(self, engine: Engine, body: CommandedBody, worlds: int, threads: int = 1, device: str = "cpu") -> None:
        self.engine, self.threads = engine, threads
        self._state: State = initial_state(engine.world, np.tile(body.q, (worlds, 1)), engine.precision)
        self._is_copied = True  # False: only rewarded_rows() are those of the graphics processor
        self._rewarded_rows = rewarded_rows(engine.world)
        self.numbers = np.repeat(engine.numbers(), worlds, axis=1)
        self._factors = RandomFactors.of(engine, body.randomise)
        self._commands = command_rows(engine.world).tolist()
        self._initial_rows = self._state.rows[:, :1].copy()
        self._on_device = None if device == "cpu" else DeviceEngine(engine, device_named(device))
        self._device_rows: Any = None  # the rows of the state on the graphics processor; None: to be copied to it
        self._device_numbers: Any = None  # the numbers there, with the last commands; None: to be copied to it
        self._device_observers: dict[Program, Any] = {}
        self._device_commands: Any = None  # the last commands, if they were given there; they are not in `numbers`

    @property
    def state(self) -> State:
        """The state of all worlds, copied from the graphics processor if they are there."""
        if not self._is_copied:
            self._state.rows[:] = self._device_rows.to_numpy()
            self._is_copied = True
        return self._state

    @property
    def rewarded(self) -> State:
        """The state, of which only rewarded_rows() need to be those of the last step; for less copying."""
        return self._state

    @property
    def worlds(self) -> int:
        """The number of worlds, W."""
        return self._state.rows.shape[1]

    def randomise(self, indices: Sequence[int], rngs: Sequence[Generator]) -> None:
        """Give some worlds new random inputs.

        indices: their indices, from 0 to W - 1. rngs: a random generator for each.
        """
        if self._factors.rows:
            drawn = np.concatenate([self._factors.draw(rng, 1) for rng in rngs], axis=1)
            self.numbers[:, list(indices)] = self._factors.scaled(self.engine.numbers(), drawn)
            self._device_numbers = None

    def reset(self, indices: list[int]) -> None:
        """Reset some worlds to the initial state; indices: their indices, from 0 to W - 1."""
        self.state.rows[:, indices] = self._initial_rows
        self._device_rows = None

    def commands_of(self, actions: Any) -> "NDArray[np.floating[Any]] | DeviceArray":
        """Return actions (W, actuators) as commands for advance(): the same, or an array (actuators, W) on the device.

        actions: of NumPy, or of another library in the memory of the device, in the precision of the worlds. Raises
        EvolveError for actions of another shape or not finite, and GambolError for another precision or device.
        """
        shape = self.worlds, len(self._commands)
        if self._on_device is None or not self._is_there(actions):
            check_actions(actions, shape)
            return actions
        check_shape(actions, shape)
        commands, is_finite = self._on_device.commands(actions, len(self._commands))
        if not is_finite:
            raise EvolveError(NOT_FINITE)
        return commands

    def on_host(self, actions: Any) -> NDArray[np.floating[Any]]:
        """Return actions (W, actuators) in the memory of the host; actions: see commands_of()."""
        if self._on_device is None or not self._is_there(actions):
            return actions
        return self._on_device.device.view_of_worlds(actions).to_numpy().T

    @staticmethod
    def _is_there(actions: Any) -> bool:
        """Return True for actions in the memory of a graphics processor."""
        from gambol.lanes.gpu import is_on_device

        return is_on_device(actions)

    def advance(
        self, commands: "NDArray[np.floating[Any]] | DeviceArray", moving: NDArray[np.bool_] | None = None
    ) -> None:
        """Advance worlds by a control step.

        commands: those of commands_of(), in [-1, 1]. moving: True for worlds that are advanced (W,); None for all.
        """
        if isinstance(commands, np.ndarray):
            self._device_commands, self.numbers[self._commands] = None, commands.T
        else:
            self._device_commands = commands
        until = self._state.step_state.clock.control_steps + (1.0 if moving is None else moving)
        engine, rows = self.engine, self._state.rows
        target = np.asarray(until, rows.dtype)[None]
        if self._on_device is not None:
            self._advance_on_device(self._on_device, target)
            return
        engine.advance_program(rows, self.numbers, target, out=[rows], tables=engine.tables, threads=self.threads)

    def observe(self, observer: Program) -> NDArray[Any]:
        """Return the outputs (rows, W) of a program in the present state, on the graphics processor if there is one.

        observer: see Engine.observer().
        """
        tables = self.engine.tables
        if self._on_device is None:
            (rows,) = observer(self.state.rows, self.numbers, tables=tables, threads=self.threads)
            return rows
        if observer not in self._device_observers:
            self._device_observers[observer] = self._on_device.program(observer.spec)
        (seen,) = self._device_observers[observer](*self._on_device_arrays(self._on_device), tables=tables)
        return seen.to_numpy()

    def _on_device_arrays(self, on_device: DeviceEngine) -> tuple[Any, Any]:
        """Return the rows of the state and the numbers on the graphics processor, copied to it if they have changed."""
        if self._device_rows is None:
            self._device_rows = on_device.device.copied(self._state.rows)
        if self._device_numbers is None:
            self._device_numbers = on_device.device.copied(self.numbers.astype(self._state.rows.dtype, copy=False))
            if self._device_commands is not None:
                set_commands(self._device_numbers, self._commands, self._device_commands)
        return self._device_rows, self._device_numbers

    def _advance_on_device(self, on_device: DeviceEngine, until: NDArray[Any]) -> None:
        """Advance the worlds on the graphics processor with the present commands, and copy some rows from it."""
        rows, numbers = self._on_device_arrays(on_device)
        given = self._device_commands
        set_commands(numbers, self._commands, self.numbers[self._commands] if given is None else given)
        on_device.advance_program(rows, numbers, until, out=[rows], tables=self.engine.tables)
        self._is_copied = False
        for row in self._rewarded_rows:
            self._state.rows[row] = rows.rows(row, 1)[0]

    @property
    def frozen(self) -> NDArray[np.bool_]:
        """True for worlds whose motion is no longer finite (W,)."""
        return np.asarray(self._state.step_state.clock.status != RUNNING)
