"""One creature as an environment: for learners that know no vectors, and for looking at."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gambol.evolve.learners.goal import Goal, goal_of
from gambol.evolve.learners.paid import action_space, check_render_mode, felt_space, paid
from gambol.evolve.learners.troop import Array, Troop


class One(gymnasium.Env[Array, Array]):
    """A creature of a body plan, told thirty times a second where its joints shall go.

    goal: None: what is usual for the plan. An observation is what it feels, see Troop.felt(); an action is where each
    joint goes in its range, from -1 to 1. It ends when the creature has fallen; how long it may live is for a wrapper
    to say. render_mode: None alone, for nothing is drawn. Raises EvolveError for a plan that is not there, another
    render_mode, and for actions that cannot be.
    """

    def __init__(self, plan: str = "quadruped", goal: Goal | None = None, render_mode: str | None = None) -> None:
        check_render_mode(render_mode)
        self.render_mode = None
        self.metadata = {"render_modes": [], "render_fps": 30}
        self.troop, self.goal = Troop(plan, 1, lanes=1), goal or goal_of(plan)
        self.observation_space, self.action_space = felt_space(self.troop), action_space(self.troop)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin anew. seed: of this start and all that follow; options: none."""
        super().reset(seed=seed)
        self.troop.begin([0], [self.np_random])
        return self.troop.felt()[0], {}

    def step(self, action: NDArray[np.floating[Any]]) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """What it feels after an action, what that paid, whether it has fallen, False, and its speed and effort."""
        came = paid(self.troop, self.goal, np.asarray(action)[None])
        told = {"speed": float(came.speed[0]), "effort": float(came.effort[0])}
        return self.troop.felt()[0], float(came.rewards[0]), bool(came.fallen[0]), False, told
