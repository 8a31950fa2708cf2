"""The locomotion tasks of gymnasium as a table: files, steps, reward weights, limits of healthy states, reset noise.

    reward = w_x v_x + healthy - w_u |u|^2 - clip(w_c |f|^2)

v_x is the mean speed along x, u the action, f the contact forces. [gymnasium 1.x, envs/mujoco/*_v5.py]
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf
from pathlib import Path
from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gambol.contact import Softness
from gambol.errors import EvolveError, did_you_mean
from gambol.world import Factors

Range: TypeAlias = tuple[float, float]

EVERYTHING: Range = (-inf, inf)
"""A range without limits."""

NOISES: Mapping[str, Callable[[Generator, float, int], NDArray[np.float64]]] = {
    "uniform": lambda rng, scale, count: rng.uniform(-scale, scale, count),
    "normal": lambda rng, scale, count: scale * rng.standard_normal(count),
}
"""Functions of a generator, a scale and a number that return random velocities of a reset, by kind."""


@dataclass(frozen=True)
class LocomotionTask:
    """A locomotion task of gymnasium; parameters have gymnasium's names.

    file: file of the body, in gymnasium's folder of assets. dt: time between actions [s]; contact_steps: number of time
    steps in dt. forward_reward_weight [s/m], ctrl_cost_weight, contact_cost_weight: weights of the reward.
    healthy_reward: added while the state is healthy. healthy_z_range: range of the height of the root [m];
    healthy_angle_range: range of the angle of the root in a plane [rad]; healthy_state_range: range of all other
    coordinates and velocities. terminate_when_unhealthy: True if an unhealthy state ends the episode.
    contact_force_range: range to which observed and penalised forces are clipped [N, N m]; contact_cost_range: range to
    which their cost is clipped. reset_noise_scale: scale of the noise of initial coordinates and velocities;
    velocity_noise: kind of the noise of velocities. velocity_limit: limit to which observed velocities are clipped.
    observes_bodies: True if inertias, velocities and motor forces are observed, too. speed_of: the point whose speed
    counts. softness: softness of contacts and limits, such as MuJoCo's; None: they are rigid. randomise: ranges of
    random factors of inputs, drawn at each reset, see make_env(); gymnasium has none.
    """

    file: str
    dt: float
    contact_steps: int
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-3
    contact_cost_weight: float = 0.0
    healthy_reward: float = 0.0
    healthy_z_range: Range = EVERYTHING
    healthy_angle_range: Range = EVERYTHING
    healthy_state_range: Range = EVERYTHING
    terminate_when_unhealthy: bool = True
    contact_force_range: Range = EVERYTHING
    contact_cost_range: Range = EVERYTHING
    reset_noise_scale: float = 5e-3
    velocity_noise: Literal["uniform", "normal"] = "uniform"
    velocity_limit: float = inf
    observes_contact_forces: bool = False
    observes_bodies: bool = False
    speed_of: Literal["root", "centre of mass"] = "root"
    softness: Softness | None = None
    randomise: Factors = field(default_factory=dict[str, Range], hash=False)

    @property
    def path(self) -> Path:
        """The path of the file of the body (MJCF)."""
        return Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / self.file


LOCOMOTION: Mapping[str, LocomotionTask] = {
    "HalfCheetah-v5": LocomotionTask(
        "half_cheetah.xml", 0.05, 16, ctrl_cost_weight=0.1, reset_noise_scale=0.1, velocity_noise="normal",
    ),
    "Hopper-v5": LocomotionTask(
        "hopper.xml", 0.008, 4, healthy_reward=1.0, healthy_z_range=(0.7, inf), healthy_angle_range=(-0.2, 0.2),
        healthy_state_range=(-100.0, 100.0), velocity_limit=10.0,
    ),
    "Walker2d-v5": LocomotionTask(
        "walker2d_v5.xml", 0.008, 4, healthy_reward=1.0, healthy_z_range=(0.8, 2.0), healthy_angle_range=(-1.0, 1.0),
        velocity_limit=10.0,
    ),
    "Ant-v5": LocomotionTask(
        "ant.xml", 0.05, 20, ctrl_cost_weight=0.5, contact_cost_weight=5e-4, healthy_reward=1.0,
        healthy_z_range=(0.2, 1.0), contact_force_range=(-1.0, 1.0), reset_noise_scale=0.1, velocity_noise="normal",
        observes_contact_forces=True,
    ),
    "Humanoid-v5": LocomotionTask(
        "humanoid.xml", 0.015, 6, forward_reward_weight=1.25, ctrl_cost_weight=0.1, contact_cost_weight=5e-7,
        healthy_reward=5.0, healthy_z_range=(1.0, 2.0), contact_cost_range=(-inf, 10.0), reset_noise_scale=1e-2,
        observes_contact_forces=True, observes_bodies=True, speed_of="centre of mass",
    ),
}  # fmt: skip
"""The locomotion tasks by gymnasium's names."""


def locomotion_task(name: str, **changes: Any) -> LocomotionTask:
    """Return a task of LOCOMOTION; changes: changes of its parameters. Raises EvolveError for unknown names."""
    if name not in LOCOMOTION:
        raise EvolveError(f'there is no locomotion task "{name}"; {did_you_mean(name, LOCOMOTION)}')
    known = [each.name for each in fields(LocomotionTask)]
    for parameter in changes:
        if parameter not in known:
            raise EvolveError(f'"{name}" has no parameter "{parameter}"; {did_you_mean(parameter, known)}')
    return replace(LOCOMOTION[name], **changes)
