"""Real robots in MuJoCo and in Pinocchio, each having read the robot's own file, and states in their conventions."""

import warnings
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from benchmarks.robots import Robot, specimen_of
from gambol.errors import GambolError
from gambol.figure import Figure, PlacedLink
from gambol.formats import write_mjcf
from gambol.formats.markup import Element, markup_text, read_markup
from gambol.formats.mjcf.compiled import Compiled
from gambol.formats.mjcf.tree import names_of
from gambol.formats.mjcf.worker import named
from gambol.spatial import Quaternion

Array = NDArray[np.float64]

UNUSED = ("CONSTRAINT", "SPRING", "DAMPER", "ACTUATION", "CONTACT", "FRICTIONLOSS", "LIMIT", "EQUALITY")
"""What is switched off, so that only rigid bodies and gravity are left."""


class InMujoco:
    """A robot that MuJoCo has read; its free joints have position first and linear velocity in world axes first."""

    def __init__(self, figure: Figure, spec: Any) -> None:
        self.figure = figure
        for flag in UNUSED:
            spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}"))
        spec.option.density = spec.option.viscosity = 0.0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about attributes of the robot's file that are out of use
            self.model: Any = spec.compile()
        self.data: Any = mujoco.MjData(self.model)
        names = names_of(Compiled(self.model, figure.name, {}, named(mujoco, self.model))).joints
        self.joints = [(self.figure.link(name), joint) for joint, name in names.items()]

    def position(self, q: Array) -> Array:
        """qpos of a figure's coordinates."""
        qpos = np.zeros(self.model.nq)
        for link, joint in self.joints:
            order = [4, 5, 6, 0, 1, 2, 3] if link.joint.kind == "free" else list(range(link.q.stop - link.q.start))
            a = int(self.model.jnt_qposadr[joint])
            qpos[a : a + len(order)] = q[link.q][order]
        return qpos

    def turn(self, q: Array, v: Array) -> tuple[Array, Array]:
        """B and d with qvel = B v and qacc = B a + d; B is orthogonal."""
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

    def set(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Put the robot into a state; returns B and d."""
        B, d = self.turn(q, v)
        self.data.qpos[:], self.data.qvel[:], self.data.qfrc_applied[:] = self.position(q), B @ v, 0.0
        mujoco.mj_forward(self.model, self.data)
        return B, d

    def mass(self, q: Array, v: Array) -> Array:
        """The mass matrix (nv, nv)."""
        B, _ = self.set(q, v)
        return B.T @ self._full() @ B

    def bias(self, q: Array, v: Array) -> Array:
        """The joint forces without acceleration (nv)."""
        B, d = self.set(q, v)
        return B.T @ (self.data.qfrc_bias + self._full() @ d)

    def forward(self, q: Array, v: Array, tau: Array) -> Array:
        """Accelerations under joint forces (nv)."""
        B, d = self.set(q, v)
        self.data.qfrc_applied[:] = B @ tau
        mujoco.mj_forward(self.model, self.data)
        return B.T @ (self.data.qacc - d)

    def inverse(self, q: Array, v: Array, a: Array) -> Array:
        """Joint forces for accelerations (nv)."""
        B, d = self.set(q, v)
        self.data.qacc[:] = B @ a + d
        mujoco.mj_inverse(self.model, self.data)
        return B.T @ self.data.qfrc_inverse

    def roll(self, q: Array, v: Array, steps: int, step: float) -> tuple[Array, Array]:
        """The figure's q and v after steps of a length [s] by Runge and Kutta's method of order 4."""
        self.model.opt.timestep, self.model.opt.integrator = step, int(mujoco.mjtIntegrator.mjINT_RK4)
        self.set(q, v)
        for _ in range(steps):
            mujoco.mj_step(self.model, self.data)
        return self.state()

    def state(self) -> tuple[Array, Array]:
        """The figure's q and v where MuJoCo is."""
        q, v = np.zeros(self.figure.nq), np.zeros(self.figure.nv)
        for link, joint in self.joints:
            a, n = int(self.model.jnt_qposadr[joint]), link.q.stop - link.q.start
            order = [3, 4, 5, 6, 0, 1, 2] if link.joint.kind == "free" else list(range(n))
            q[link.q] = self.data.qpos[a : a + n][order]
        return q, self.turn(q, v)[0].T @ self.data.qvel

    def _full(self) -> Array:
        M = np.zeros((self.model.nv, self.model.nv))
        for row, unit in zip(M, np.eye(self.model.nv), strict=True):
            mujoco.mj_mulM(self.model, self.data, row, unit)
        return M


def in_mujoco(robot: Robot) -> tuple[InMujoco | None, str]:
    """A robot in MuJoCo, and which file it has read: "own", the robot's; "ours" where it refuses the masses of single
    links, the one that gambol writes, in which links that are fixed to each other have one mass; or "none".
    """
    specimen = specimen_of(robot)
    try:
        return InMujoco(specimen.figure, own_spec(robot)), "own"
    except ValueError:
        bare_specimen = replace(specimen, springs={}, motors=())
    with TemporaryDirectory() as folder:
        path = Path(folder) / "robot.xml"
        try:
            write_mjcf(bare_specimen, path)
        except GambolError:
            return None, "none"
        return InMujoco(specimen.figure, mujoco.MjSpec.from_file(str(path))), "ours"


def own_spec(robot: Robot) -> Any:
    """MuJoCo's own reading of a robot's file: of a URDF without its shapes, whose meshes it may not find or know."""
    if robot.path.suffix == ".xml":
        return mujoco.MjSpec.from_file(str(robot.path))
    spec = mujoco.MjSpec.from_string(markup_text(bare(robot)))
    spec.compiler.fusestatic = False
    if robot.free:
        spec.worldbody.first_body().add_freejoint()
    return spec


def bare(robot: Robot) -> Element:
    """A URDF's links and joints alone, without shapes and what other programs add."""
    root = read_markup(robot.path)
    root.children = [child for child in root.children if child.tag in ("link", "joint")]
    for child in root.children:
        if child.tag == "link":
            child.children = child.all("inertial")
    return root


class InPinocchio:
    """A robot that Pinocchio has read; its free joint has position and linear velocity first, along the link's axes."""

    def __init__(self, figure: Figure, path: Path, *, free: bool) -> None:
        self.figure = figure
        self.model: Any = pin.buildModelFromUrdf(str(path), *((pin.JointModelFreeFlyer(),) if free else ()))
        self.data: Any = self.model.createData()
        children = {j.name(): j.all("child")[0].name("link") for j in read_markup(path).all("joint")}
        children["root_joint"] = self.figure.root.name
        self.joints = [
            (self.figure.link(children[name]), joint)
            for name, joint in zip(list(self.model.names)[1:], list(self.model.joints)[1:], strict=True)  # 0: the world
        ]

    def position(self, q: Array) -> Array:
        """Pinocchio's q of a figure's coordinates; joints without end count by cosine and sine."""
        there = np.zeros(self.model.nq)
        for link, joint in self.joints:
            there[joint.idx_q : joint.idx_q + joint.nq] = _pinocchio_place(link, joint.nq, q)
        return there

    def order(self) -> NDArray[np.intp]:
        """Where each of Pinocchio's velocities lies in the figure's."""
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
        """The mass matrix of the figure (nv, nv)."""
        M = np.array(pin.crba(self.model, self.data, self.position(q)))
        M = np.triu(M) + np.triu(M, 1).T
        here = np.empty_like(M)
        here[np.ix_(self.order(), self.order())] = M
        return here

    def bias(self, q: Array, v: Array) -> Array:
        """The figure's joint forces without acceleration (nv)."""
        return self.inverse(q, v, np.zeros(self.figure.nv))

    def forward(self, q: Array, v: Array, tau: Array) -> Array:
        """The figure's accelerations under joint forces (nv)."""
        order = self.order()
        return self._back(np.array(pin.aba(self.model, self.data, self.position(q), v[order], tau[order])))

    def inverse(self, q: Array, v: Array, a: Array) -> Array:
        """The figure's joint forces for accelerations (nv)."""
        order = self.order()
        return self._back(np.array(pin.rnea(self.model, self.data, self.position(q), v[order], a[order])))


def in_pinocchio(robot: Robot) -> InPinocchio:
    """A robot in Pinocchio, which has read the robot's own URDF."""
    return InPinocchio(specimen_of(robot).figure, robot.path, free=robot.free)


def _pinocchio_place(link: PlacedLink, size: int, q: Array) -> Array:
    """The coordinates of one joint in Pinocchio's numbers."""
    here = q[link.q]
    if link.joint.kind == "free":
        return here[[4, 5, 6, 1, 2, 3, 0]]
    return np.array([np.cos(here[0]), np.sin(here[0])]) if size > len(here) else here
