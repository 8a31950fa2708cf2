"""Simulation of many worlds in gambol and MuJoCo, and errors against solutions with much shorter steps."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import mujoco
import numpy as np
from mujoco import rollout
from numpy.typing import NDArray

from benchmarks.contact.mujoco_model import mujoco_states
from benchmarks.contact.scenes import scene_of
from gambol.lanes import Precision
from gambol.world import Engine, State, start
from gambol.world.action_sequence import set_actions, with_command_sequence

Array = NDArray[np.float64]
NATIVE_ROLLOUT: Any = rollout.rollout

COMPARED = 256  # worlds whose positions are compared
TIMES = (0.5, 1.0, 2.0)  # s, of comparison
LONGEST_SEQUENCE = 20  # torques of a call: those of the second that is timed, as in a call of MuJoCo's rollout
REFERENCE_ITERATIONS = 20  # iterations of the solver, for the reference
REFERENCE = 1e-4  # s: an eighth of gambol's shortest step that is compared, or less, a fifth of MuJoCo's
REFERENCES = {"humanoid 0.1 %": (5e-5, 2.5e-5)}  # s: gambol's and MuJoCo's, of scenes with smaller errors
REFERENCE_TOLERANCE = 1e-3  # permitted violation of the contact laws, for the reference


@dataclass
class GambolWorlds:
    """Initial states of a scene in gambol.

    lanes: see Program. iterations, tolerance: of the contact solver, None for those of the scene. In scenes whose
    control steps last as long as a torque, which are those with divided steps, a call takes LONGEST_SEQUENCE torques.
    With shorter control steps, in which all worlds take equal steps, it takes one.
    """

    scene: str
    step: float
    precision: Precision
    worlds: int
    lanes: int | None = None
    iterations: int | None = None
    tolerance: float | None = None

    def __post_init__(self) -> None:
        world = scene_of(self.scene).world(self.step)
        self.world = (
            world
            if self.iterations is None
            else replace(world, contact=replace(world.method, iterations=self.iterations))
        )
        self.sequence = LONGEST_SEQUENCE if world.timing.control_step == scene_of(self.scene).hold else 1
        if world.actuators:
            self.world = with_command_sequence(self.world, self.sequence)
        self.engine = Engine(self.world, self.precision, self.lanes)
        self.numbers = self.engine.numbers(**({} if self.tolerance is None else {"tolerance": self.tolerance}))
        self.start = start(self.world, self.worlds, precision=self.precision)
        q, v = scene_of(self.scene).starts(self.worlds)
        self.start.q[:], self.start.v[:] = q.T, v.T
        self.actions = scene_of(self.scene).actions(self.worlds).transpose(0, 2, 1)

    def run(self) -> State:
        """Return the state after 1 s."""
        state = self.start.copied()
        self.advance(state, 1.0)
        return state

    def advance(self, state: State, until: float) -> None:
        """Advance a state to a time [s], with the random torques."""
        hold, length = scene_of(self.scene).hold, self.world.timing.control_step
        if not self.actions.shape[1]:
            self.engine.advance(state, round(until / length), self.numbers)
            return
        numbers, end = np.repeat(self.numbers, self.worlds, axis=1), round(until / hold)
        begun = round(float(state.step_state.clock.control_steps[0]) * length / hold)
        for k in range(begun, end, self.sequence):
            last = min(k + self.sequence, end)
            set_actions(self.engine, numbers, self.actions[k:last], first=round(k * hold / length))
            self.engine.advance(state, round(last * hold / length), numbers)

    def positions(self) -> Array:
        """Return the root positions at TIMES (times, worlds, 3) [m]."""
        state, result = self.start.copied(), list[Array]()
        for time in TIMES:
            self.advance(state, time)
            result.append(np.array(state.q[:, scene_of(self.scene).root], float))
        assert not np.any(state.step_state.clock.status), f"{self.scene}: a world stopped"
        return np.array(result)


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
        range_of = self.model.actuator_ctrlrange.T
        self.controls = 0.5 * (
            range_of[0] + range_of[1] + scene_of(self.scene).actions(self.worlds) * np.ptp(range_of, 0)
        )
        hold = scene_of(self.scene).hold
        steps = np.repeat(self.controls[: round(1.0 / hold)], round(hold / self.step), axis=0)
        self.rollout_controls = np.ascontiguousarray(steps.transpose(1, 0, 2)) if self.model.nu else None

    def run(self) -> Array:
        """Return MuJoCo's states (worlds, steps, ...) over 1 s, from its native rollout in this thread."""
        count = round(1.0 / self.step)
        return NATIVE_ROLLOUT(self.model, self.data, self.start, self.rollout_controls, nstep=count)[0]

    def positions(self) -> Array:
        """Return the root positions at TIMES (times, worlds, 3) [m]."""
        place = scene_of(self.scene).peer_root
        result = np.empty((len(TIMES), self.worlds, place.stop - place.start))
        hold = scene_of(self.scene).hold
        ends, per_hold = [round(time / hold) for time in TIMES], round(hold / self.step)
        native: Any = mujoco
        for world, initial in enumerate(self.start):
            native.mj_resetData(self.model, self.data)
            native.mj_setState(self.model, self.data, initial, native.mjtState.mjSTATE_FULLPHYSICS)
            for row, holds in zip(result, np.split(self.controls[:, world], ends[:-1])[: len(TIMES)], strict=True):
                for controls in holds:
                    self.data.ctrl[:] = controls
                    native.mj_step(self.model, self.data, per_hold)
                row[world] = self.data.qpos[place]
        return result


def reference_steps(scene: str) -> tuple[float, float]:
    """Return the steps of the references of a scene, in gambol and in MuJoCo [s]."""
    return REFERENCES.get(scene, (REFERENCE, REFERENCE))


@cache
def our_reference(scene: str) -> Array:
    """Return the root positions of gambol in steps of reference_steps() (times, worlds, 3) [m]."""
    exact = {"iterations": REFERENCE_ITERATIONS, "tolerance": REFERENCE_TOLERANCE}
    return GambolWorlds(scene, reference_steps(scene)[0], "float64", COMPARED, **exact).positions()


@cache
def their_reference(scene: str) -> Array:
    """Return the root positions of MuJoCo in steps of reference_steps() (times, worlds, 3) [m]."""
    return MujocoWorlds(scene, reference_steps(scene)[1], COMPARED).positions()


def our_error(scene: str, step: float, precision: Precision) -> Array:
    """Return the median errors of gambol's root positions at TIMES (times), against much shorter steps [m]."""
    return _medians(GambolWorlds(scene, step, precision, COMPARED).positions(), our_reference(scene))


def their_error(scene: str, step: float) -> Array:
    """Return the median errors of MuJoCo's root positions at TIMES (times), against its own much shorter steps [m]."""
    return _medians(MujocoWorlds(scene, step, COMPARED).positions(), their_reference(scene))


def _medians(positions: Array, reference: Array) -> Array:
    return np.median(np.linalg.norm(positions - reference, axis=2), axis=1)
