"""The same controller and servos in MuJoCo: torques applied by the file's motors at every step of MuJoCo."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from gambol.actuation.servo import servo
from gambol.control import Drive, Senses
from gambol.control.patterns import Spectral
from gambol.world import run, start
from validation.bars.body import CONTROL_STEP, Array, Body


@dataclass(frozen=True)
class CentrePath:
    """The centre of mass (T, 3) [m] at times after the start [s]."""

    time: Array
    centre: Array

    def speed(self, since: float) -> float:
        """Return the mean speed along x after a time [s] [m/s]."""
        k = self._sample(since)
        return float((self.centre[-1, 0] - self.centre[k, 0]) / (self.time[-1] - self.time[k]))

    def pace(self, since: float) -> float:
        """Return the mean horizontal distance travelled in each second after a time [s], in any direction [m/s]."""
        second = self._sample(1.0)
        path_of_centre = self.centre[self._sample(since) :: second, :2]
        return float(np.linalg.norm(np.diff(path_of_centre, axis=0), axis=1).mean())

    def _sample(self, time: float) -> int:
        return int(np.searchsorted(self.time, time - 1e-9))


def model_of(path: Path) -> Any:
    """Return MuJoCo's model of a file, without the log file of its warnings."""
    mujoco.set_mju_user_warning(lambda text: None)
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    finally:
        mujoco.set_mju_user_warning(None)


def run_in_gambol(body: Body, pattern: Spectral, q: Array, seconds: float) -> CentrePath:
    """Simulate a body in gambol from coordinates q (nq), in double precision."""
    world = body.world(pattern)
    state = start(world)
    state.q[:] = q
    film = run(world, state, seconds, rate=1.0 / CONTROL_STEP)
    return CentrePath(film.time, film.signals["centre"][:, 0])


def run_in_mujoco(body: Body, pattern: Spectral, q: Array, seconds: float, step: float | None = None) -> CentrePath:
    """Simulate a body in MuJoCo from coordinates q (nq). step [s]: None for the file's."""
    model: Any = model_of(body.path)
    model.opt.timestep = step or model.opt.timestep
    data: Any = mujoco.MjData(model)
    data.qpos[:] = mujoco_qpos(body, q)
    drive = Drive(pattern, body.actuators)
    numbers, memory = drive.numbers(), drive.memory()
    times, centres = list[float](), list[Array]()
    steps = round(CONTROL_STEP / model.opt.timestep)
    for n in range(round(seconds / CONTROL_STEP) + 1):
        mujoco.mj_forward(model, data)
        times.append(n * CONTROL_STEP)
        centres.append(data.subtree_com[0].copy())
        memory = drive.decide(numbers, memory, Senses(n * CONTROL_STEP), CONTROL_STEP)
        for k in range(steps):
            _apply_torques(body, model, data, drive, memory, k * model.opt.timestep)
            mujoco.mj_step(model, data)
        memory = drive.advanced(memory, CONTROL_STEP)
    return CentrePath(np.array(times), np.array(centres))


def mujoco_qpos(body: Body, q: Array) -> Array:
    """Return MuJoCo's coordinates: of a free root, the position is before the rotation."""
    root = body.model.figure.root
    return np.concatenate([q[4:7], q[:4], q[7:]]) if root.joint.kind == "free" else q


def _apply_torques(body: Body, model: Any, data: Any, drive: Drive, memory: Any, elapsed: float) -> None:
    """Set the motors to the torques of the servos, at a time since the last control step [s]."""
    for motor, (joint, most) in enumerate(body.gears.items()):
        number = int(model.actuator_trnid[motor][0])
        q, v = data.qpos[model.jnt_qposadr[number]], data.qvel[model.jnt_dofadr[number]]
        (target,) = drive.commands(memory, joint, elapsed)
        data.ctrl[motor] = servo(body.actuators[joint].numbers(), target - q, v) / most
