"""Worlds side by side whose actuators follow commands: their state, and a program that advances it."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gambol.evolve.evaluate.batch import initial_state
from gambol.lanes import leaves, tree_map
from gambol.world import Engine, Factors, RandomFactors, State, World
from gambol.world.step import RUNNING


def command_rows(world: World) -> NDArray[np.intp]:
    """Return the indices of the commands among the numbers of a world (actuators,), in the order of its actuators."""
    is_command = tree_map(lambda _: 0.0, world.numbers())
    is_command["control"]["pattern"]["command"] = [1.0] * len(world.actuators)
    return np.flatnonzero(leaves(is_command))


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
    worlds: W. threads: number of threads. Raises WorldError for unknown inputs and invalid ranges.
    """

    def __init__(self, engine: Engine, body: CommandedBody, worlds: int, threads: int = 1) -> None:
        self.engine, self.threads = engine, threads
        self.state: State = initial_state(engine.world, np.tile(body.q, (worlds, 1)), engine.precision)
        self.numbers = np.repeat(engine.numbers(), worlds, axis=1)
        self._factors = RandomFactors.of(engine, body.randomise)
        self._commands = command_rows(engine.world)
        self._initial_rows = self.state.rows[:, :1].copy()

    @property
    def worlds(self) -> int:
        """The number of worlds, W."""
        return self.state.rows.shape[1]

    def randomise(self, indices: Sequence[int], rngs: Sequence[Generator]) -> None:
        """Give some worlds new random inputs.

        indices: their indices, from 0 to W - 1. rngs: a random generator for each.
        """
        if self._factors.rows:
            drawn = np.concatenate([self._factors.draw(rng, 1) for rng in rngs], axis=1)
            self.numbers[:, list(indices)] = self._factors.scaled(self.engine.numbers(), drawn)

    def reset(self, indices: list[int]) -> None:
        """Reset some worlds to the initial state; indices: their indices, from 0 to W - 1."""
        self.state.rows[:, indices] = self._initial_rows

    def advance(self, commands: NDArray[np.floating[Any]], moving: NDArray[np.bool_] | None = None) -> None:
        """Advance worlds by a control step.

        commands (W, actuators), in [-1, 1]. moving: True for worlds that are advanced (W,); None for all.
        """
        self.numbers[self._commands] = commands.T
        until = self.state.step_state.clock.control_steps + (1.0 if moving is None else moving)
        engine, rows = self.engine, self.state.rows
        arguments = (rows, self.numbers, np.asarray(until, rows.dtype)[None])
        engine.advance_program(*arguments, out=[rows], tables=engine.tables, threads=self.threads)

    @property
    def frozen(self) -> NDArray[np.bool_]:
        """True for worlds whose motion is no longer finite (W,)."""
        return np.asarray(self.state.step_state.clock.status != RUNNING)
