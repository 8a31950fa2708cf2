"""Many creatures as one vector environment: a step of all of them is a call of one compiled program."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.learners.goal import Floats, Goal, Truths, goal_of
from gambol.evolve.learners.paid import Paid, action_space, check_render_mode, felt_space, paid
from gambol.evolve.learners.troop import Array, Troop

LONGEST = 300
"""Actions that a life has where nobody says: ten seconds."""

Infos = dict[str, Any]
Seeds = int | Sequence[int | None] | None


class Many(VectorEnv[Array, Array, NDArray[Any]]):
    """Creatures of a body plan, each as One would have it to the last bit.

    max_episode_steps: actions after which a life is cut off. autoreset_mode: of gymnasium's, by value too; in the mode
    "Disabled" whoever is over must be reset by options={"reset_mask": truths (num_envs,)}. threads: that share the
    work. goal: None: what is usual for the plan. Raises EvolveError as One does, for numbers below 1, and for a step
    of one that is over.
    """

    def __init__(
        self,
        num_envs: int = 1,
        plan: str = "quadruped",
        goal: Goal | None = None,
        *,
        max_episode_steps: int = LONGEST,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = None
        for name, count in (("num_envs", num_envs), ("max_episode_steps", max_episode_steps), ("threads", threads)):
            if not isinstance(count, Integral) or count < 1:
                raise EvolveError(f"{name} is {count!r}; give a whole number, 1 or more")
        self.num_envs = num_envs
        self.troop, self.goal = Troop(plan, num_envs, threads=threads), goal or goal_of(plan)
        self.longest, self.mode = max_episode_steps, AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "render_fps": 30, "autoreset_mode": self.mode}
        felt, told = felt_space(self.troop), action_space(self.troop)
        self.single_observation_space, self.single_action_space = felt, told
        self.observation_space, self.action_space = batch_space(felt, num_envs), batch_space(told, num_envs)
        self._randoms = [seeding.np_random(None)[0] for _ in range(num_envs)]
        self._over = np.zeros(num_envs, np.bool_)
        self._age = np.zeros(num_envs, np.int64)

    def reset(self, *, seed: Seeds = None, options: Infos | None = None) -> tuple[Array, Infos]:
        """Begin anew. seed: that of the first, others count up from it; or one for each.

        options: "reset_mask": who begins, of those that are over in the mode "Disabled"; all if it is not there.
        """
        mask = self._mask(options)
        for k, own in enumerate(self._seeds(seed)):
            if own is not None and mask[k]:
                self._randoms[k] = seeding.np_random(own)[0]
        self._begin(mask)
        return self.troop.felt(), {}

    def step(self, actions: NDArray[np.floating[Any]]) -> tuple[Array, Floats, Truths, Truths, Infos]:
        """What all feel after their actions, what these paid, who has fallen, who was cut off, and infos.

        infos: "speed" and "effort" [m/s]; "final_obs" of those that begin anew at once. After the mode "NextStep" those
        that are over begin anew instead of acting, and are paid nothing.
        """
        begins = self._over if self.mode is AutoresetMode.NEXT_STEP else np.zeros_like(self._over)
        if self.mode is AutoresetMode.DISABLED and self._over.any():
            raise EvolveError(
                f"{int(self._over.sum())} creatures are over, the first of them number {int(self._over.argmax())}; "
                'reset them with options={"reset_mask": truths}'
            )
        came = paid(self.troop, self.goal, actions, ~begins)
        self._begin(begins)
        self._age += ~begins
        fallen, cut = came.fallen & ~begins, (self._age >= self.longest) & ~begins
        self._over = fallen | cut
        felt, infos = self.troop.felt(), _told(came, ~begins)
        if self.mode is AutoresetMode.SAME_STEP and self._over.any():
            infos = _told(came, ~self._over) | _last(felt, came, self._over)
            self._begin(self._over)
            felt = self.troop.felt()
        return felt, np.where(begins, 0.0, came.rewards), fallen, cut, infos

    def _begin(self, who: Truths) -> None:
        """Some begin a new life."""
        lanes = np.flatnonzero(who).tolist()
        if lanes:
            self.troop.begin(lanes, [self._randoms[k] for k in lanes])
            self._age[lanes] = 0
            self._over = self._over & ~who

    def _mask(self, options: Infos | None) -> Truths:
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise EvolveError(f"a reset_mask must be {self.num_envs} truths, at least one of them True, not {mask}")
        return mask

    def _seeds(self, seed: Seeds) -> Sequence[int | None]:
        """The seed of each."""
        if seed is None:
            return [None] * self.num_envs
        seeds = range(seed, seed + self.num_envs) if isinstance(seed, int) else seed
        if len(seeds) != self.num_envs:
            raise EvolveError(f"{len(seeds)} seeds are not for {self.num_envs} creatures; give one for each")
        return seeds


def _told(came: Paid, who: Truths) -> Infos:
    """Speeds and efforts in the form of gymnasium's infos: arrays, and of whom they are."""
    speed, effort = (np.where(who, x, 0.0) for x in (came.speed, came.effort))
    return {"speed": speed, "_speed": who, "effort": effort, "_effort": who}


def _last(felt: Array, came: Paid, over: Truths) -> Infos:
    """What those that are over felt last, None for the others, and their infos."""
    last = np.full(len(felt), None, object)
    for k in np.flatnonzero(over):
        last[k] = felt[k]
    return {"final_obs": last, "_final_obs": over, "final_info": _told(came, over), "_final_info": over}
