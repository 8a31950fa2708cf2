"""A creature of the zoo in MuJoCo: the file that gambol writes, driven by the controller's own targets.

MuJoCo computes motion, joints, position actuators and contacts; from gambol come the file and, 120 times a second,
the targets of the controller, which reads the trunk's orientation and velocity in MuJoCo. The force of an actuator has
the limits of muscles, which depend on the velocity of its joint and are set before each step:

    driving   min(F V(-x), P / |v|),  V = (1 - x) / (1 + 4 x)                          [Hill 1938]
    braking   F (1.5 + 0.5 (x - 1) / (30.24 x + 1))          x = |v| / v_max           [Geyer and others 2003]

Beyond x = 1 the braking force rises along the tangent.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from gambol.collide import HeightGrid
from gambol.control.controller import Senses
from gambol.evolve.genotype.model import model_of
from gambol.evolve.zoo import zoo_creature
from gambol.formats import write_mjcf
from gambol.world import World

Array = NDArray[np.float64]

SUBSTEPS = 12
"""Steps of MuJoCo in a control step of 1/120 s."""

SOLREF, SOLIMP = (0.004, 1.0), (0.99, 0.999)
"""Time constant [s], damping ratio and impedances of contacts: stiff, since the ground of gambol is hard."""

NO_ELEVATION = 1e-9
"""MuJoCo's grounds of heights need a positive thickness [m]."""


class MujocoWalk:
    """A creature that walks in MuJoCo.

    name: of a creature of the zoo. world: its world in gambol, whose controller commands it. friction: of all contacts.
    """

    def __init__(self, name: str, world: World, friction: float) -> None:
        self.world, self.controller = world, world.controller
        self.model: Any = _model(name, world, friction)
        self.data: Any = mujoco.MjData(self.model)
        self.model.opt.timestep = world.timing.control_step / SUBSTEPS
        joints = {link.name: self.model.joint(link.name) for link in world.figure.links}
        self.trunk = joints.pop(world.figure.root.name)
        self.places = {name: int(joint.qposadr[0]) for name, joint in joints.items()}
        self.motors = [self.model.actuator(name).id for name in self.controller.actuators]
        self.speeds = [int(joints[name].dofadr[0]) for name in self.controller.actuators]
        numbers = self.controller.actuator_numbers().values()
        self.strength, self.power, self.top = (
            np.array([float(x[key]) for x in numbers]) for key in ("strength", "power", "max_speed")
        )

    def walk(self, q: Array, seconds: float) -> Iterator[tuple[float, Array]]:
        """Yield the time [s] and the centre of mass [m] after each control step of a walk.

        q: initial coordinates of the figure, at rest (nq). seconds: duration of the walk.
        """
        self._place(q)
        dt, numbers, memory = self.world.timing.control_step, self.controller.numbers(), self.controller.memory()
        for step in range(round(seconds / dt)):
            memory = self.controller.decide(numbers, memory, self._senses(step * dt), dt)
            targets, rates = np.array(memory.targets, float), np.array(memory.rates, float)
            for substep in range(1, SUBSTEPS + 1):
                self.data.ctrl[self.motors] = targets + rates * dt * substep / SUBSTEPS
                self.model.actuator_forcerange[self.motors] = self.limits(self.data.qvel[self.speeds])
                mujoco.mj_step(self.model, self.data)
            memory = self.controller.advanced(memory, dt)
            mujoco.mj_comPos(self.model, self.data)
            yield (step + 1) * dt, np.array(self.data.subtree_com[1])

    def _place(self, q: Array) -> None:
        figure = self.world.figure
        mujoco.mj_resetData(self.model, self.data)
        root, start = figure.root, int(self.trunk.qposadr[0])
        orientation, position = q[root.q][:4], q[root.q][4:]
        self.data.qpos[start : start + 7] = [*position, *orientation]
        for name, place in self.places.items():
            self.data.qpos[place] = q[figure.link(name).q][0]
        mujoco.mj_forward(self.model, self.data)

    def _senses(self, time: float) -> Senses:
        R = self.data.xmat[self.trunk.bodyid[0]].reshape(3, 3)
        start = int(self.trunk.dofadr[0])
        velocity = R.T @ self.data.qvel[start : start + 3]
        return Senses(time, up=R[2].tolist(), velocity=velocity.tolist())

    def limits(self, v: Array) -> Array:
        """Return the least and the largest force of each actuator at the velocities of their joints."""
        x = np.abs(v) / self.top
        driving = self.strength * np.maximum(1.0 - x, 0.0) / (1.0 + 4.0 * x)
        driving = np.minimum(driving, self.power / np.maximum(np.abs(v), 1e-12))
        slow, beyond = np.minimum(x, 1.0), np.maximum(x - 1.0, 0.0)
        braking = self.strength * (1.5 + 0.5 * (slow - 1.0) / (30.24 * slow + 1.0) + 0.5 * beyond / 31.24)
        forward, backward = np.where(v >= 0.0, (driving, braking), (braking, driving))
        return np.stack([-backward, forward], axis=1)


def _model(name: str, world: World, friction: float) -> Any:
    """Return the compiled model of a creature on the ground of its world."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.xml"
        write_mjcf(model_of(zoo_creature(name).genotype, name), path)
        spec = mujoco.MjSpec.from_file(str(path))
    ground = next(geom for geom in spec.geoms if geom.name == "ground")
    if isinstance(world.ground, HeightGrid):
        _raise_ground(spec, ground, world.ground)
    for geom in spec.geoms:
        geom.friction[0], geom.condim = friction, 3
        geom.solref[:], geom.solimp[:2] = SOLREF, SOLIMP
    spec.option.cone, spec.option.impratio = int(mujoco.mjtCone.mjCONE_ELLIPTIC), 10.0
    spec.option.integrator = int(mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
    return spec.compile()


def _raise_ground(spec: Any, ground: Any, grid: HeightGrid) -> None:
    """Replace the plane by the heights of a grid, whose rows are along x; MuJoCo's are along y."""
    rows, columns = grid.heights.shape
    half = 0.5 * grid.spacing * (rows - 1), 0.5 * grid.spacing * (columns - 1)
    low, high = float(grid.heights.min()), float(grid.heights.max())
    field = spec.add_hfield(name="ground", nrow=columns, ncol=rows)
    field.size[:] = (*half, max(high - low, NO_ELEVATION), 0.1 * max(half))
    field.userdata = ((grid.heights.T - low) / max(high - low, NO_ELEVATION)).ravel().tolist()
    ground.type, ground.hfieldname = mujoco.mjtGeom.mjGEOM_HFIELD, "ground"
    ground.pos[:] = grid.x0 + half[0], grid.y0 + half[1], low
