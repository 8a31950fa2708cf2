"""A stored controller from several initial states, in gambol and in MuJoCo."""

from dataclasses import dataclass

import numpy as np

from validation.bars.peer import run_in_gambol, run_in_mujoco
from validation.bars.stored import StoredController

STEPS = (0.01, 0.005, 0.002)
"""Steps of MuJoCo [s]: that of the files, and smaller ones."""

STARTS, SPREAD = 6, 0.05  # rad
SECONDS, MEASURED_FROM = 10.0, 1.0  # s
MIN_SPEED_RATIO = 0.7


@dataclass(frozen=True)
class SpeedComparison:
    """Speeds along x from each initial state [m/s]; those of MuJoCo by its step [s]."""

    gambol: list[float]
    mujoco: dict[float, list[float]]

    def speed_ratio(self, step: float) -> list[float]:
        """Return the share of its speed that a body keeps in MuJoCo, from each initial state."""
        return [there / here for there, here in zip(self.mujoco[step], self.gambol, strict=True)]


def compare_speeds(
    controller: StoredController, starts: int = STARTS, steps: tuple[float, ...] = STEPS, seconds: float = SECONDS
) -> SpeedComparison:
    """Compare speeds of a controller: the first from rest, the others from random initial states."""
    body, pattern, rng = controller.gymnasium_body, controller.pattern, np.random.default_rng(0)
    places = [body.q, *(body.random_start(SPREAD, rng) for _ in range(starts - 1))]
    here = [run_in_gambol(body, pattern, q, seconds).speed(MEASURED_FROM) for q in places]
    return SpeedComparison(
        here,
        {step: [run_in_mujoco(body, pattern, q, seconds, step).speed(MEASURED_FROM) for q in places] for step in steps},
    )
