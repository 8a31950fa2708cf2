"""A second of many worlds in gambol and in MuJoCo: where they end, and how far from where far shorter steps end."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import mujoco
import numpy as np
from mujoco import rollout
from numpy.typing import NDArray

from benchmarks.contact.scenes import FRAME, SECOND, scene_of
from benchmarks.contact.twin import full_states
from gambol.lanes import Precision
from gambol.world import Engine, State, start

Array = NDArray[np.float64]
NATIVE_ROLLOUT: Any = rollout.rollout

COMPARED = 32  # worlds whose ends are compared
SURE = 20  # rounds of the solver, for the reference
REFERENCE = 2e-5  # s: a hundredth of 2 ms, at which the engines are compared


@dataclass
class Ours:
    """Worlds of a scene in gambol, about to move. lanes: see Program; rounds: None for the usual number."""

    scene: str
    step: float
    precision: Precision
    worlds: int
    lanes: int | None = None
    rounds: int | None = None

    def __post_init__(self) -> None:
        world = scene_of(self.scene).world(self.step)
        self.world = world if self.rounds is None else replace(world, rounds=self.rounds)
        self.engine = Engine(self.world, self.precision, self.lanes)
        self.numbers = self.engine.numbers()
        self.start = start(self.world, self.worlds, precision=self.precision)
        q, v = scene_of(self.scene).starts(self.worlds)
        self.start.q[:], self.start.v[:] = q.T, v.T

    def run(self) -> State:
        """The state a second later."""
        state = self.start.copied()
        self.engine.move(state, SECOND, self.numbers)
        return state

    def ends(self) -> Array:
        """Where the roots are a second later (worlds, 3) [m]."""
        state = self.run()
        assert not np.any(state.living.clock.status), f"{self.scene}: a world stopped"
        return np.array(state.q[:, 4:7], float)


@dataclass
class Theirs:
    """The same worlds in MuJoCo."""

    scene: str
    step: float
    worlds: int

    def __post_init__(self) -> None:
        self.model = scene_of(self.scene).peer()
        self.model.opt.timestep = self.step
        self.data: Any = mujoco.MjData(self.model)
        figure = scene_of(self.scene).world(self.step).figure
        self.start = full_states(figure, *scene_of(self.scene).starts(self.worlds))

    def run(self) -> Array:
        """MuJoCo's states (worlds, steps, ...) through a second, by its native rollout in this thread."""
        return NATIVE_ROLLOUT(self.model, self.data, self.start, nstep=round(SECOND * FRAME / self.step))[0]

    def ends(self) -> Array:
        """Where the roots are a second later (worlds, 3) [m]."""
        return np.array(self.run()[:, -1, 1:4], float)


@cache
def our_reference(scene: str) -> Array:
    """Where the compared worlds end with steps of REFERENCE."""
    return Ours(scene, REFERENCE, "float64", COMPARED, rounds=SURE).ends()


@cache
def their_reference(scene: str) -> Array:
    """Where MuJoCo's end with steps of REFERENCE."""
    return Theirs(scene, REFERENCE, COMPARED).ends()


def our_error(scene: str, step: float, precision: Precision) -> float:
    """How far gambol's roots end from where far shorter steps take them: the median of the compared worlds [m]."""
    return _median(Ours(scene, step, precision, COMPARED).ends(), our_reference(scene))


def their_error(scene: str, step: float) -> float:
    """How far MuJoCo's roots end from where far shorter steps of its own take them: the median [m]."""
    return _median(Theirs(scene, step, COMPARED).ends(), their_reference(scene))


def _median(ends: Array, reference: Array) -> float:
    return float(np.median(np.linalg.norm(ends - reference, axis=1)))
