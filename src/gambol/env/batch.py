"""The interface of batches in environments: creatures of one body, with observations, actions, rewards and resets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from gymnasium.spaces import Space
from numpy.random import Generator
from numpy.typing import NDArray

from gambol.env.reward_terms import Bools, Floats
from gambol.errors import EvolveError
from gambol.world import Engine, State

Array = NDArray[np.floating[Any]]

NOT_FINITE = "an action is not finite; give numbers from -1 to 1"


@dataclass(frozen=True)
class Transition:
    """The results of an action (W,): reward; terminated: True if fallen or frozen; infos: other numbers by name."""

    reward: Floats
    terminated: Bools
    infos: Mapping[str, Floats] = field(default_factory=dict[str, Floats])


class TaskBatch(Protocol):
    """A batch of W creatures of one body, with a task. The motion of each depends on its state and actions only."""

    @property
    def worlds(self) -> int:
        """The number of creatures, W."""
        ...

    @property
    def engine(self) -> Engine:
        """The compiled programs of their world."""
        ...

    @property
    def state(self) -> State:
        """The state of all creatures."""
        ...

    @property
    def numbers(self) -> Array:
        """The inputs of their worlds, see Engine.numbers()."""
        ...

    @property
    def control_step(self) -> float:
        """The time between actions [s]."""
        ...

    @property
    def max_episode_steps(self) -> int:
        """The default number of actions after which an episode is truncated."""
        ...

    @property
    def observation_space(self) -> Space[Array]:
        """The observation space of one creature."""
        ...

    @property
    def action_space(self) -> Space[Array]:
        """The action space of one creature."""
        ...

    def reset(self, indices: Sequence[int], rngs: Sequence[Generator]) -> None:
        """Reset some creatures; indices: their indices, from 0 to W - 1. rngs: a random generator for each."""
        ...

    def reset_infos(self) -> Mapping[str, Floats]:
        """Return the infos after a reset, by name, each (W,)."""
        ...

    def step(self, actions: Array, moving: Bools | None = None) -> Transition:
        """Take an action; actions (W, n). moving: True for creatures that act (W,); None for all.

        Raises EvolveError for actions of a wrong shape or not finite.
        """
        ...

    def observe(self) -> Array:
        """Return the observations (W, numbers)."""
        ...


def check_actions(actions: Array, shape: tuple[int, ...]) -> None:
    """Raise EvolveError for actions of another shape, or not finite."""
    check_shape(actions, shape)
    if not np.isfinite(actions).all():
        raise EvolveError(NOT_FINITE)


def check_shape(actions: Any, shape: tuple[int, ...]) -> None:
    """Raise EvolveError for actions of another shape; they may be an array of any library."""
    if (given := tuple(np.shape(actions))) != shape:
        raise EvolveError(f"actions have the shape {given}; they must have {shape}")
