"""The same figure in MuJoCo and in Pinocchio, and its states in their conventions.

Both get the figure's mass properties, joint placements and rotors, but no contacts and no passive forces, so that the
physics is the same and they are as fast as possible. Tests compare results with them, benchmarks compare speed.
"""

from functools import cached_property
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from mujoco import rollout
from numpy.typing import NDArray

from benchmarks.mjcf import direction, mjcf, quaternion
from gambol.dynamics import STANDARD_GRAVITY, kinematics
from gambol.figure import Figure, Joint, PlacedLink
from gambol.spatial import Transform

Array = NDArray[np.float64]
NATIVE_ROLLOUT: Any = rollout.rollout

MIN_INERTIA = 1e-9
"""Minimum moment of inertia given to MuJoCo, which requires 1e-15 [kg m2]; masses are scaled up to it."""

V_ORDER = {"planar": [1, 2, 0], "free": [3, 4, 5, 0, 1, 2]}
"""Index in gambol's joint velocities of each of the peers', which are linear first; other joints have equal order."""

Q_ORDER = {"spherical": [1, 2, 3, 0], "free": [4, 5, 6, 1, 2, 3, 0]}
"""Index in gambol's joint coordinates of each of Pinocchio's: positions, then quaternions (x, y, z, w)."""


def peer_order(link: PlacedLink) -> list[int]:
    """Return the indices in the figure's velocities of a joint's velocities in the peers' order."""
    return [link.v.start + k for k in V_ORDER.get(link.joint.kind, range(link.v.stop - link.v.start))]


def depth_first(figure: Figure) -> list[PlacedLink]:
    """Return the links in depth-first order."""
    ordered: list[PlacedLink] = []
    waiting = [figure.root]
    while waiting:
        ordered.append(waiting.pop())
        waiting += [link for link in figure.inward() if link.parent_index == ordered[-1].index]
    return ordered


class MujocoFigure:
    """A figure in MuJoCo, with conversion of single states.

    MuJoCo's velocities are u = G(q) v with G orthogonal, since axes of free and planar joints do not rotate with the
    link. So forces are G tau, and accelerations G v' + G' v.
    """

    def __init__(self, figure: Figure, step: float = 1e-3) -> None:
        masses = [link.mass_properties for link in figure.links if link.mass_properties.mass > 0.0]
        lightest = min(mass.principal_moments()[0] for mass in masses)
        self.figure, self.mass_scale = figure, max(1.0, MIN_INERTIA / lightest)
        self.model: Any = mujoco.MjModel.from_xml_string(mjcf(figure, step, self.mass_scale))
        self.data: Any = mujoco.MjData(self.model)
        joints = [(link, self.model.joint(f"{link.name}/0")) for link in figure.links if link.joint.kind != "fixed"]
        self.places = [(link, int(joint.qposadr[0]), int(joint.dofadr[0])) for link, joint in joints]

    def position(self, q: Array) -> Array:
        """Return qpos for the figure's coordinates."""
        made = np.zeros(self.model.nq)
        for link, at, _ in self.places:
            joint_q = q[link.q]
            if link.joint.kind == "free":
                pose = self._pose(q, link)
                joint_q = np.array([*pose.position, *quaternion(pose.rotation.rows)])
            elif link.joint.kind == "planar":
                joint_q = joint_q[[1, 2, 0]]
            made[at : at + len(joint_q)] = joint_q
        return made

    def velocity(self, q: Array, v: Array) -> Array:
        """Return qvel for the figure's coordinates and velocities."""
        return self._directions(q) @ v

    def acceleration(self, q: Array, v: Array, a: Array) -> Array:
        """Return qacc for the figure's accelerations; those along moving axes get the derivative of the axes."""
        turning = np.zeros_like(v)
        for link, _, _ in self.places:
            joint_v = v[link.v]
            if link.joint.kind == "free":
                turning[link.v] = [0.0, 0.0, 0.0, *np.cross(joint_v[:3], joint_v[3:])]
            elif link.joint.kind == "planar":
                turning[link.v] = [0.0, -joint_v[0] * joint_v[2], joint_v[0] * joint_v[1]]
        return self._directions(q) @ (a + turning)

    def force(self, q: Array, tau: Array) -> Array:
        """Return qfrc_applied for the figure's joint forces."""
        return self._directions(q) @ tau * self.mass_scale

    def forward(self, q: Array, v: Array, tau: Array) -> Array:
        """Return MuJoCo's forward dynamics, qacc, in a state of the figure."""
        self._set_state(q, v)
        self.data.qfrc_applied[:] = self.force(q, tau)
        mujoco.mj_forward(self.model, self.data)
        found = self.data.qacc.copy()
        self.data.qfrc_applied[:] = 0.0
        return found

    def inverse(self, q: Array, v: Array, a: Array) -> Array:
        """Return MuJoCo's inverse dynamics: joint forces, in the figure's order, for accelerations a."""
        self._set_state(q, v)
        self.data.qacc[:] = self.acceleration(q, v, a)
        mujoco.mj_inverse(self.model, self.data)
        return self._directions(q).T @ self.data.qfrc_inverse / self.mass_scale

    def mass_matrix(self, q: Array) -> Array:
        """Return the joint-space mass matrix in the figure's order."""
        self._set_state(q, np.zeros(self.figure.nv))
        mujoco.mj_forward(self.model, self.data)
        full = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, full)
        G = self._directions(q)
        return G.T @ full @ G / self.mass_scale

    def simulate(self, q: Array, v: Array, steps: int, step: float) -> Array:
        """Return qpos and qvel after steps of size step [s] without joint forces, from the native rollout."""
        self.model.opt.timestep = step
        start = np.concatenate([[0.0], self.position(q), self.velocity(q, v)])[None]
        states, _ = NATIVE_ROLLOUT(self.model, self.data, start, nstep=steps)
        return states[0, -1, 1:]

    def _set_state(self, q: Array, v: Array) -> None:
        self.data.qpos[:], self.data.qvel[:] = self.position(q), self.velocity(q, v)

    def _pose(self, q: Array, link: PlacedLink) -> Transform:
        return kinematics(self.figure, q.tolist(), [0.0] * self.figure.nv).poses[link.index]

    def _directions(self, q: Array) -> Array:
        """Return G, the map from the figure's velocities to MuJoCo's."""
        G = np.zeros((self.model.nv, self.figure.nv))
        for link, _, at in self.places:
            ours = peer_order(link)
            block = np.eye(len(ours))
            if link.joint.kind == "free":
                block[:3, :3] = np.array(self._pose(q, link).rotation.rows, float)
            elif link.joint.kind == "planar":
                c, s = np.cos(q[link.q.start]), np.sin(q[link.q.start])
                block[:2, :2] = [[c, -s], [s, c]]
            G[at : at + len(ours), ours] = block
        return G


class PinocchioFigure:
    """A figure in Pinocchio, whose velocities are gambol's in another order.

    Pinocchio requires the subtree of a joint to have the next indices; so links are added in depth-first order.
    """

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.model: Any = pin.Model()
        self.model.gravity.linear = np.array([0.0, 0.0, -STANDARD_GRAVITY])
        made: dict[int, tuple[int, Any]] = {0: (0, pin.SE3.Identity())}
        self.links = depth_first(figure)
        for link in self.links:
            parent, offset = made[link.parent_index]
            made[link.index] = self._add(link, parent, offset)
        self.v_order = np.array([k for link in self.links for k in peer_order(link)], int)
        self.model.armature = np.array([link.joint.armature for link in self.links for _ in peer_order(link)])
        self.data: Any = self.model.createData()

    def _add(self, link: PlacedLink, parent: int, offset: Any) -> tuple[int, Any]:
        """Add a link; return the index of its joint, and its placement in the joint frame."""
        joint, m = link.joint, link.mass_properties
        placement = offset * pin.SE3(np.array(joint.rotation), np.array(joint.position))
        body = pin.Inertia(m.mass, np.array(m.com), np.array(m.inertia))
        if joint.kind == "fixed":
            self.model.appendBodyToJoint(parent, body, placement)
            return parent, placement
        turned = pin.SE3.Identity()
        if joint.kind == "planar":  # Pinocchio's planar joint moves in its x-y plane
            axes = [direction(joint, name) for name in ("across", "beside", "axis")]
            turned = pin.SE3(np.array(axes).T, np.zeros(3))
        number = self.model.addJoint(parent, _pinocchio_joint(joint), placement * turned, link.name)
        self.model.appendBodyToJoint(number, body, turned.inverse())
        return number, turned.inverse()

    @cached_property
    def pool(self) -> Any:
        """The model pool for the evaluation of many states in one call, with one thread."""
        return pin.ModelPool(self.model, 1)

    def position(self, q: Array) -> Array:
        """Return Pinocchio's coordinates, of one state, or of many in columns."""
        rows: list[Array] = [q[:0]]
        for link in self.links:
            joint_q = q[link.q]
            if link.joint.kind == "planar":
                joint_q = np.array([joint_q[1], joint_q[2], np.cos(joint_q[0]), np.sin(joint_q[0])])
            rows.append(joint_q[Q_ORDER[link.joint.kind]] if link.joint.kind in Q_ORDER else joint_q)
        return np.concatenate(rows)

    def velocity(self, v: Array) -> Array:
        """Return velocities, accelerations or forces in Pinocchio's order, of one state, or of many in columns."""
        return v[self.v_order]

    def to_figure_order(self, u: Array) -> Array:
        """Return velocities, accelerations or forces in the figure's order."""
        found = np.empty_like(u)
        found[self.v_order] = u
        return found

    def inverse(self, q: Array, v: Array, a: Array) -> Array:
        """Return joint forces, in the figure's order, for accelerations a."""
        given = (self.position(q), self.velocity(v), self.velocity(a))
        return self.to_figure_order(pin.rnea(self.model, self.data, *given))

    def mass_matrix(self, q: Array) -> Array:
        """Return the joint-space mass matrix in the figure's order."""
        M = np.triu(pin.crba(self.model, self.data, self.position(q)))
        return self.to_figure_order(self.to_figure_order(M + np.triu(M, 1).T).T)

    def forward(self, q: Array, v: Array, tau: Array) -> Array:
        """Return accelerations of many states (rows, worlds), in the figure's order, from `aba` in a native loop."""
        found = np.zeros_like(v, order="F")
        self.evaluate(self.arguments(q, v, tau), found)
        return self.to_figure_order(found)

    def arguments(self, q: Array, v: Array, tau: Array) -> tuple[Array, Array, Array]:
        """Return the arguments of `evaluate`, from rows in the figure's order."""
        rows = (self.position(q), self.velocity(v), self.velocity(tau))
        return np.asfortranarray(rows[0]), np.asfortranarray(rows[1]), np.asfortranarray(rows[2])

    def evaluate(self, given: tuple[Array, Array, Array], found: Array) -> None:
        """Fill found (rows, worlds) with accelerations, in Pinocchio's order."""
        pin.abaInParallel(1, self.pool, *given, found)


def _pinocchio_joint(joint: Joint) -> Any:
    """Return a joint as Pinocchio's, in the form specialised to a coordinate axis if possible."""
    axis = np.array(joint.axis)
    aligned = next((l for l, unit in zip("XYZ", np.eye(3), strict=True) if np.array_equal(axis, unit)), None)
    match joint.kind:
        case "revolute":
            return getattr(pin, f"JointModelR{aligned}")() if aligned else pin.JointModelRevoluteUnaligned(axis)
        case "prismatic":
            return getattr(pin, f"JointModelP{aligned}")() if aligned else pin.JointModelPrismaticUnaligned(axis)
        case "helical":
            return pin.JointModelHelicalUnaligned(axis, joint.pitch)
        case "universal":
            return pin.JointModelUniversal(axis, np.array(joint.across))
        case "cylindrical":
            both = pin.JointModelComposite(pin.JointModelRevoluteUnaligned(axis))
            both.addJoint(pin.JointModelPrismaticUnaligned(axis))
            return both
        case "planar":
            return pin.JointModelPlanar()
        case "spherical":
            return pin.JointModelSpherical()
        case _:
            return pin.JointModelFreeFlyer()
