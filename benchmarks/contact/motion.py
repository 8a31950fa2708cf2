"""Simulation of many worlds for 1 s in gambol and MuJoCo, and errors against solutions with much shorter steps."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import mujoco
import numpy as np
from mujoco import rollout
from numpy.typing import NDArray

from benchmarks.contact.mujoco_model import mujoco_states
from benchmarks.contact.scenes import CONTROL_STEP, STEPS_PER_SECOND, scene_of
from gambol.lanes import Precision
from gambol.world import Engine, State, start

Array = NDArray[np.float64]
NATIVE_ROLLOUT: Any = rollout.rollout

COMPARED = 32  # worlds whose final positions are compared
REFERENCE_ITERATIONS = 20  # iterations of the solver, for the reference
REFERENCE = 2e-5  # s: a hundredth of 2 ms, at which the engines are compared


@dataclass
class GambolWorlds:
    """Initial states of a scene in gambol. lanes: see Program; iterations: of the solver, None for the default."""

    scene: str
    step: float
    precision: Precision
    worlds: int
    lanes: int | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        world = scene_of(self.scene).world(self.step)
        self.world = (
            world
            if self.iterations is None
            else replace(world, contact=replace(world.method, iterations=self.iterations))
        )
        self.engine = Engine(self.world, self.precision, self.lanes)
        self.numbers = self.engine.numbers()
        self.start = start(self.world, self.worlds, precision=self.precision)
        q, v = scene_of(self.scene).starts(self.worlds)
        self.start.q[:], self.start.v[:] = q.T, v.T

    def run(self) -> State:
        """Return the state after 1 s."""
        state = self.start.copied()
        self.engine.advance(state, STEPS_PER_SECOND, self.numbers)
        return state

    def ends(self) -> Array:
        """Return the root positions after 1 s (worlds, 3) [m]."""
        state = self.run()
        assert not np.any(state.step_state.clock.status), f"{self.scene}: a world stopped"
        return np.array(state.q[:, 4:7], float)


@dataclass
class MujocoWorlds:
    """Initial states of the same scene in MuJoCo."""

    scene: str
    step: float
    worlds: int

    def __post_init__(self) -> None:
        self.model = scene_of(self.scene).peer()
        self.model.opt.timestep = self.step
        self.data: Any = mujoco.MjData(self.model)
        figure = scene_of(self.scene).world(self.step).figure
        self.start = mujoco_states(figure, *scene_of(self.scene).starts(self.worlds))

    def run(self) -> Array:
        """Return MuJoCo's states (worlds, steps, ...) over 1 s, from its native rollout in this thread."""
        return NATIVE_ROLLOUT(
            self.model, self.data, self.start, nstep=round(STEPS_PER_SECOND * CONTROL_STEP / self.step)
        )[0]

    def ends(self) -> Array:
        """Return the root positions after 1 s (worlds, 3) [m]."""
        return np.array(self.run()[:, -1, 1:4], float)


@cache
def our_reference(scene: str) -> Array:
    """Return the final root positions of gambol with steps of REFERENCE (worlds, 3) [m]."""
    return GambolWorlds(scene, REFERENCE, "float64", COMPARED, iterations=REFERENCE_ITERATIONS).ends()


@cache
def their_reference(scene: str) -> Array:
    """Return the final root positions of MuJoCo with steps of REFERENCE (worlds, 3) [m]."""
    return MujocoWorlds(scene, REFERENCE, COMPARED).ends()


def our_error(scene: str, step: float, precision: Precision) -> float:
    """Return the median error of gambol's final root positions, against much shorter steps [m]."""
    return _median(GambolWorlds(scene, step, precision, COMPARED).ends(), our_reference(scene))


def their_error(scene: str, step: float) -> float:
    """Return the median error of MuJoCo's final root positions, against its own much shorter steps [m]."""
    return _median(MujocoWorlds(scene, step, COMPARED).ends(), their_reference(scene))


def _median(ends: Array, reference: Array) -> float:
    return float(np.median(np.linalg.norm(ends - reference, axis=1)))
