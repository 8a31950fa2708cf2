"""Twins: the same figure in MuJoCo and in Pinocchio, and its states in their conventions.

Both peers get the figure's own mass properties, joint placements and rotors, no contacts and no passive forces, so that
the physics is the same and they are at their best. Tests hold gambol's dynamics against them, benchmarks its speed.
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

LIGHTEST = 1e-9
"""MuJoCo holds moments of inertia at 1e-15 or more [kg m2]; making a figure heavier changes no acceleration."""

V_ORDER = {"planar": [1, 2, 0], "free": [3, 4, 5, 0, 1, 2]}
"""Where the velocities of both peers, linear ones first, lie among ours; elsewhere the order is the same."""

Q_ORDER = {"spherical": [1, 2, 3, 0], "free": [4, 5, 6, 1, 2, 3, 0]}
"""Where Pinocchio's coordinates, places before quaternions (x, y, z, w), lie among ours."""


def in_order(link: PlacedLink) -> list[int]:
    """Where the velocities that peers have for a link's joint lie in the figure's, in their order."""
    return [link.v.start + k for k in V_ORDER.get(link.joint.kind, range(link.v.stop - link.v.start))]


def depth_first(figure: Figure) -> list[PlacedLink]:
    """The links in an order in which each is followed by all that it carries."""
    ordered: list[PlacedLink] = []
    waiting = [figure.root]
    while waiting:
        ordered.append(waiting.pop())
        waiting += [link for link in figure.inward() if link.parent_index == ordered[-1].index]
    return ordered


class InMujoco:
    """A figure in MuJoCo, and one state at a time in its conventions.

    Its velocities are u = G(q) v with G orthogonal, for those of free and planar joints lie along axes that do not turn
    with the link. So forces are G tau, accelerations G v' + G' v.
    """

    def __init__(self, figure: Figure, step: float = 1e-3) -> None:
        masses = [link.mass_properties for link in figure.links if link.mass_properties.mass > 0.0]
        lightest = min(mass.principal_moments()[0] for mass in masses)
        self.figure, self.heavier = figure, max(1.0, LIGHTEST / lightest)
        self.model: Any = mujoco.MjModel.from_xml_string(mjcf(figure, step, self.heavier))
        self.data: Any = mujoco.MjData(self.model)
        joints = [(link, self.model.joint(f"{link.name}/0")) for link in figure.links if link.joint.kind != "fixed"]
        self.places = [(link, int(joint.qposadr[0]), int(joint.dofadr[0])) for link, joint in joints]

    def position(self, q: Array) -> Array:
        """qpos of a figure's coordinates."""
        made = np.zeros(self.model.nq)
        for link, at, _ in self.places:
            own = q[link.q]
            if link.joint.kind == "free":
                pose = self._pose(q, link)
                own = np.array([*pose.position, *quaternion(pose.rotation.rows)])
            elif link.joint.kind == "planar":
                own = own[[1, 2, 0]]
            made[at : at + len(own)] = own
        return made

    def velocity(self, q: Array, v: Array) -> Array:
        """qvel of a figure's coordinates and velocities."""
        return self._directions(q) @ v

    def acceleration(self, q: Array, v: Array, a: Array) -> Array:
        """qacc of a figure's rates of velocity: those along moving axes turn with these."""
        turning = np.zeros_like(v)
        for link, _, _ in self.places:
            own = v[link.v]
            if link.joint.kind == "free":
                turning[link.v] = [0.0, 0.0, 0.0, *np.cross(own[:3], own[3:])]
            elif link.joint.kind == "planar":
                turning[link.v] = [0.0, -own[0] * own[2], own[0] * own[1]]
        return self._directions(q) @ (a + turning)

    def force(self, q: Array, tau: Array) -> Array:
        """qfrc_applied of a figure's joint forces."""
        return self._directions(q) @ tau * self.heavier

    def forward(self, q: Array, v: Array, tau: Array) -> Array:
        """qacc that MuJoCo finds in a figure's state."""
        self._put(q, v)
        self.data.qfrc_applied[:] = self.force(q, tau)
        mujoco.mj_forward(self.model, self.data)
        found = self.data.qacc.copy()
        self.data.qfrc_applied[:] = 0.0
        return found

    def inverse(self, q: Array, v: Array, a: Array) -> Array:
        """Joint forces, in the figure's order, that MuJoCo finds for rates of velocity a."""
        self._put(q, v)
        self.data.qacc[:] = self.acceleration(q, v, a)
        mujoco.mj_inverse(self.model, self.data)
        return self._directions(q).T @ self.data.qfrc_inverse / self.heavier

    def mass_matrix(self, q: Array) -> Array:
        """The joint-space mass matrix in the figure's order."""
        self._put(q, np.zeros(self.figure.nv))
        mujoco.mj_forward(self.model, self.data)
        full = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, full)
        G = self._directions(q)
        return G.T @ full @ G / self.heavier

    def roll(self, q: Array, v: Array, steps: int, step: float) -> Array:
        """qpos and qvel after steps of a length [s] without joint forces, by the native rollout in this thread."""
        self.model.opt.timestep = step
        start = np.concatenate([[0.0], self.position(q), self.velocity(q, v)])[None]
        states, _ = NATIVE_ROLLOUT(self.model, self.data, start, nstep=steps)
        return states[0, -1, 1:]

    def _put(self, q: Array, v: Array) -> None:
        self.data.qpos[:], self.data.qvel[:] = self.position(q), self.velocity(q, v)

    def _pose(self, q: Array, link: PlacedLink) -> Transform:
        return kinematics(self.figure, q.tolist(), [0.0] * self.figure.nv).poses[link.index]

    def _directions(self, q: Array) -> Array:
        """G: what each of the figure's velocities is in MuJoCo's."""
        G = np.zeros((self.model.nv, self.figure.nv))
        for link, _, at in self.places:
            ours = in_order(link)
            block = np.eye(len(ours))
            if link.joint.kind == "free":
                block[:3, :3] = np.array(self._pose(q, link).rotation.rows, float)
            elif link.joint.kind == "planar":
                c, s = np.cos(q[link.q.start]), np.sin(q[link.q.start])
                block[:2, :2] = [[c, -s], [s, c]]
            G[at : at + len(ours), ours] = block
        return G


class InPinocchio:
    """A figure in Pinocchio, whose velocities are ours in another order.

    Pinocchio takes what a joint carries to have the numbers that follow on its own; so links are put in depth first.
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
        self.v_order = np.array([k for link in self.links for k in in_order(link)], int)
        self.model.armature = np.array([link.joint.armature for link in self.links for _ in in_order(link)])
        self.data: Any = self.model.createData()

    def _add(self, link: PlacedLink, parent: int, offset: Any) -> tuple[int, Any]:
        """Add a link; returns the joint it moves with, and its place there."""
        joint, m = link.joint, link.mass_properties
        placement = offset * pin.SE3(np.array(joint.rotation), np.array(joint.position))
        body = pin.Inertia(m.mass, np.array(m.com), np.array(m.inertia))
        if joint.kind == "fixed":
            self.model.appendBodyToJoint(parent, body, placement)
            return parent, placement
        turned = pin.SE3.Identity()
        if joint.kind == "planar":  # Pinocchio's moves in its x-y plane
            axes = [direction(joint, name) for name in ("across", "beside", "axis")]
            turned = pin.SE3(np.array(axes).T, np.zeros(3))
        number = self.model.addJoint(parent, _pinocchio_joint(joint), placement * turned, link.name)
        self.model.appendBodyToJoint(number, body, turned.inverse())
        return number, turned.inverse()

    @cached_property
    def pool(self) -> Any:
        """What the evaluation of many states in one call needs, for one thread."""
        return pin.ModelPool(self.model, 1)

    def position(self, q: Array) -> Array:
        """Pinocchio's coordinates: of one state, or of many in columns."""
        rows: list[Array] = [q[:0]]
        for link in self.links:
            own = q[link.q]
            if link.joint.kind == "planar":
                own = np.array([own[1], own[2], np.cos(own[0]), np.sin(own[0])])
            rows.append(own[Q_ORDER[link.joint.kind]] if link.joint.kind in Q_ORDER else own)
        return np.concatenate(rows)

    def velocity(self, v: Array) -> Array:
        """Pinocchio's velocities, accelerations or forces of ours: of one state, or of many in columns."""
        return v[self.v_order]

    def back(self, u: Array) -> Array:
        """Our velocities, accelerations or forces of Pinocchio's."""
        found = np.empty_like(u)
        found[self.v_order] = u
        return found

    def inverse(self, q: Array, v: Array, a: Array) -> Array:
        """Joint forces, in the figure's order, for rates of velocity a."""
        given = (self.position(q), self.velocity(v), self.velocity(a))
        return self.back(pin.rnea(self.model, self.data, *given))

    def mass_matrix(self, q: Array) -> Array:
        """The joint-space mass matrix in the figure's order."""
        M = np.triu(pin.crba(self.model, self.data, self.position(q)))
        return self.back(self.back(M + np.triu(M, 1).T).T)

    def forward(self, q: Array, v: Array, tau: Array) -> Array:
        """Rates of velocity in many states (rows, worlds), in the figure's order, by `aba` in a native loop."""
        found = np.zeros_like(v, order="F")
        self.evaluate(self.arguments(q, v, tau), found)
        return self.back(found)

    def arguments(self, q: Array, v: Array, tau: Array) -> tuple[Array, Array, Array]:
        """What `evaluate` takes, from rows in the figure's order."""
        rows = (self.position(q), self.velocity(v), self.velocity(tau))
        return np.asfortranarray(rows[0]), np.asfortranarray(rows[1]), np.asfortranarray(rows[2])

    def evaluate(self, given: tuple[Array, Array, Array], found: Array) -> None:
        """Fill found (rows, worlds) with the rates of velocity, in Pinocchio's order."""
        pin.abaInParallel(1, self.pool, *given, found)


def _pinocchio_joint(joint: Joint) -> Any:
    """A joint as Pinocchio's, in the form specialised to a coordinate axis where it turns about or slides along one."""
    axis = np.array(joint.axis)
    aligned = next((l for l, unit in zip("XYZ", np.eye(3), strict=True) if np.array_equal(axis, unit)), None)
    match joint.kind:
        case "rotary":
            return getattr(pin, f"JointModelR{aligned}")() if aligned else pin.JointModelRevoluteUnaligned(axis)
        case "sliding":
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
