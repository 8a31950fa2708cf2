"""Real robots in MuJoCo and in Pinocchio, each from the robot's own file, and states in their conventions."""

import warnings
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from benchmarks.robots import Robot, robot_model
from gambol.errors import GambolError
from gambol.figure import Figure, PlacedLink
from gambol.formats import write_mjcf
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.tree import names_of
from gambol.formats.mjcf.worker import object_names
from gambol.formats.xml_file import Element, read_xml, xml_text
from gambol.spatial import Quaternion

Array = NDArray[np.float64]

UNUSED = ("CONSTRAINT", "SPRING", "DAMPER", "ACTUATION", "CONTACT", "FRICTIONLOSS", "LIMIT", "EQUALITY")
"""Disabled features: only rigid bodies and gravity are left."""


class MujocoRobot:
    """A robot in MuJoCo. Its free joints have position first, and linear velocity in world axes first."""

    def __init__(self, figure: Figure, spec: Any) -> None:
        self.figure = figure
        for flag in UNUSED:
            spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}"))
        spec.option.density = spec.option.viscosity = 0.0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about obsolete attributes in the robot's file
            self.model: Any = spec.compile()
        self.data: Any = mujoco.MjData(self.model)
        names = names_of(CompiledMjcf(self.model, figure.name, {}, object_names(mujoco, self.model))).joints
        self.joints = [(self.figure.link(name), joint) for joint, name in names.items()]

    def position(self, q: Array) -> Array:
        """Return qpos for the figure's coordinates."""
        qpos = np.zeros(self.model.nq)
        for link, joint in self.joints:
            order = [4, 5, 6, 0, 1, 2, 3] if link.joint.kind == "free" else list(range(link.q.stop - link.q.start))
            a = int(self.model.jnt_qposadr[joint])
            qpos[a : a + len(order)] = q[link.q][order]
        return qpos

    def velocity_map(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Return B and d with qvel = B v and qacc = B a + d; B is orthogonal."""
        B, d = np.zeros((self.model.nv, self.figure.nv)), np.zeros(self.model.nv)
        for link, joint in self.joints:
            b, n = int(self.model.jnt_dofadr[joint]), link.v.stop - link.v.start
            if link.joint.kind == "free":
                R = np.array(Quaternion(*q[link.q][:4].tolist()).rotation().rows, float)
                B[b : b + 3, link.v][:, 3:] = R
                B[b + 3 : b + 6, link.v][:, :3] = np.eye(3)
                d[b : b + 3] = R @ np.cross(v[link.v][:3], v[link.v][3:])
            else:
                B[b : b + n, link.v] = np.eye(n)
        return B, d

    def set_state(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Set the state of the robot; return B and d."""
        B, d = self.velocity_map(q, v)
        self.data.qpos[:], self.data.qvel[:], self.data.qfrc_applied[:] = self.position(q), B @ v, 0.0
        mujoco.mj_forward(self.model, self.data)
        return B, d

    def mass(self, q: Array, v: Array) -> Array:
        """Return the mass matrix (nv, nv)."""
        B, _ = self.set_state(q, v)
        return B.T @ self._full() @ B

    def bias(self, q: Array, v: Array) -> Array:
        """Return the bias forces (nv): joint forces at zero acceleration."""
        B, d = self.set_state(q, v)
        return B.T @ (self.data.qfrc_bias + self._full() @ d)

    def forward(self, q: Array, v: Array, tau: Array) -> Array:
        """Return accelerations under joint forces (nv)."""
        B, d = self.set_state(q, v)
        self.data.qfrc_applied[:] = B @ tau
        mujoco.mj_forward(self.model, self.data)
        return B.T @ (self.data.qacc - d)

    def inverse(self, q: Array, v: Array, a: Array) -> Array:
        """Return joint forces for accelerations (nv)."""
        B, d = self.set_state(q, v)
        self.data.qacc[:] = B @ a + d
        mujoco.mj_inverse(self.model, self.data)
        return B.T @ self.data.qfrc_inverse

    def simulate(self, q: Array, v: Array, steps: int, step: float) -> tuple[Array, Array]:
        """Return the figure's q and v after steps of size step [s] of the Runge-Kutta method of order 4."""
        self.model.opt.timestep, self.model.opt.integrator = step, int(mujoco.mjtIntegrator.mjINT_RK4)
        self.set_state(q, v)
        for _ in range(steps):
            mujoco.mj_step(self.model, self.data)
        return self.state()

    def state(self) -> tuple[Array, Array]:
        """Return the figure's q and v in MuJoCo's current state."""
        q, v = np.zeros(self.figure.nq), np.zeros(self.figure.nv)
        for link, joint in self.joints:
            a, n = int(self.model.jnt_qposadr[joint]), link.q.stop - link.q.start
            order = [3, 4, 5, 6, 0, 1, 2] if link.joint.kind == "free" else list(range(n))
            q[link.q] = self.data.qpos[a : a + n][order]
        return q, self.velocity_map(q, v)[0].T @ self.data.qvel

    def _full(self) -> Array:
        M = np.zeros((self.model.nv, self.model.nv))
        for row, unit in zip(M, np.eye(self.model.nv), strict=True):
            mujoco.mj_mulM(self.model, self.data, row, unit)
        return M


def load_in_mujoco(robot: Robot) -> tuple[MujocoRobot | None, str]:
    """Return a robot in MuJoCo, and the kind of file that it has read: "own", the robot's; "ours", the one that gambol
    writes, with merged masses of fixed links, if MuJoCo rejects the masses of single links; or "none".
    """
    model = robot_model(robot)
    try:
        return MujocoRobot(model.figure, mujoco_spec(robot)), "own"
    except ValueError:
        bare_model = replace(model, springs={}, motors=())
    with TemporaryDirectory() as folder:
        path = Path(folder) / "robot.xml"
        try:
            write_mjcf(bare_model, path)
        except GambolError:
            return None, "none"
        return MujocoRobot(model.figure, mujoco.MjSpec.from_file(str(path))), "ours"


def mujoco_spec(robot: Robot) -> Any:
    """Return MuJoCo's spec of a robot's file; shapes of a URDF are removed, since MuJoCo may not find their meshes."""
    if robot.path.suffix == ".xml":
        return mujoco.MjSpec.from_file(str(robot.path))
    spec = mujoco.MjSpec.from_string(xml_text(without_shapes(robot)))
    spec.compiler.fusestatic = False
    if robot.free:
        spec.worldbody.first_body().add_freejoint()
    return spec


def without_shapes(robot: Robot) -> Element:
    """Return only the links and joints of a URDF, without shapes and extensions."""
    root = read_xml(robot.path)
    root.children = [child for child in root.children if child.tag in ("link", "joint")]
    for child in root.children:
        if child.tag == "link":
            child.children = child.find_all("inertial")
    return root


class PinocchioRobot:
    """A robot in Pinocchio. Its free joint has position first, and linear velocity in link axes first."""

    def __init__(self, figure: Figure, path: Path, *, free: bool) -> None:
        self.figure = figure
        self.model: Any = pin.buildModelFromUrdf(str(path), *((pin.JointModelFreeFlyer(),) if free else ()))
        self.data: Any = self.model.createData()
        children = {j.name(): j.find_all("child")[0].name("link") for j in read_xml(path).find_all("joint")}
        children["root_joint"] = self.figure.root.name
        self.joints = [
            (self.figure.link(children[name]), joint)
            for name, joint in zip(list(self.model.names)[1:], list(self.model.joints)[1:], strict=True)  # 0: the world
        ]

    def position(self, q: Array) -> Array:
        """Return Pinocchio's q for the figure's coordinates; continuous joints have cosine and sine."""
        there = np.zeros(self.model.nq)
        for link, joint in self.joints:
            there[joint.idx_q : joint.idx_q + joint.nq] = _pinocchio_q(link, joint.nq, q)
        return there

    def order(self) -> NDArray[np.intp]:
        """The index in the figure's velocities of each of Pinocchio's."""
        order = np.zeros(self.model.nv, int)
        for link, joint in self.joints:
            places = [3, 4, 5, 0, 1, 2] if link.joint.kind == "free" else list(range(joint.nv))
            order[joint.idx_v : joint.idx_v + joint.nv] = np.array(places) + link.v.start
        return order

    def _back(self, there: Array) -> Array:
        here = np.empty_like(there)
        here[self.order()] = there
        return here

    def mass(self, q: Array, v: Array) -> Array:
        """Return the mass matrix of the figure (nv, nv)."""
        M = np.array(pin.crba(self.model, self.data, self.position(q)))
        M = np.triu(M) + np.triu(M, 1).T
        here = np.empty_like(M)
        here[np.ix_(self.order(), self.order())] = M
        return here

    def bias(self, q: Array, v: Array) -> Array:
        """Return the figure's bias forces (nv): joint forces at zero acceleration."""
        return self.inverse(q, v, np.zeros(self.figure.nv))

    def forward(self, q: Array, v: Array, tau: Array) -> Array:
        """Return the figure's accelerations under joint forces (nv)."""
        order = self.order()
        return self._back(np.array(pin.aba(self.model, self.data, self.position(q), v[order], tau[order])))

    def inverse(self, q: Array, v: Array, a: Array) -> Array:
        """Return the figure's joint forces for accelerations (nv)."""
        order = self.order()
        return self._back(np.array(pin.rnea(self.model, self.data, self.position(q), v[order], a[order])))


def load_in_pinocchio(robot: Robot) -> PinocchioRobot:
    """Return a robot in Pinocchio, from its own URDF."""
    return PinocchioRobot(robot_model(robot).figure, robot.path, free=robot.free)


def _pinocchio_q(link: PlacedLink, size: int, q: Array) -> Array:
    """Return the coordinates of a joint in Pinocchio's convention."""
    here = q[link.q]
    if link.joint.kind == "free":
        return here[[4, 5, 6, 1, 2, 3, 0]]
    return np.array([np.cos(here[0]), np.sin(here[0])]) if size > len(here) else here
