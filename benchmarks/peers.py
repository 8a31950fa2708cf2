"""The same figure in MuJoCo and in Pinocchio, and its state in their conventions.

Both peers get the figure's own mass properties and joint placements, no contacts and no passive forces, so that the
physics is the same and they are at their best.
"""

import xml.etree.ElementTree as xml
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from mujoco import rollout
from numpy.typing import NDArray

from gambol.dynamics import STANDARD_GRAVITY, kinematics
from gambol.figure import Figure, PlacedLink

Array = NDArray[np.float64]
NATIVE_ROLLOUT: Any = rollout.rollout

LIGHTEST = 1e-9
"""MuJoCo holds moments of inertia at 1e-15 or more [kg m2]; making a figure heavier changes no acceleration."""

UNUSED = ("constraint", "equality", "frictionloss", "limit", "contact", "spring", "damper", "actuation", "sensor")
"""What an airborne figure has none of."""


def numbers(values: Iterable[float]) -> str:
    """Numbers as an attribute, to the last bit."""
    return " ".join(format(float(x), ".17g") for x in values)


def mjcf(figure: Figure, step: float, heavier: float = 1.0) -> str:
    """The figure as MuJoCo's XML; its root hangs on a free joint, all others on rotary, sliding or fixed ones.

    step [s]; heavier: what all masses are multiplied by.
    """
    root = xml.Element("mujoco")
    xml.SubElement(root, "compiler", angle="radian")
    gravity = numbers((0.0, 0.0, -STANDARD_GRAVITY))
    option = xml.SubElement(root, "option", timestep=repr(step), gravity=gravity, integrator="Euler")
    xml.SubElement(option, "flag", dict.fromkeys(UNUSED, "disable"))
    bodies = {0: xml.SubElement(root, "worldbody")}
    for link in figure.outward():
        bodies[link.index] = _body(bodies[link.parent_index], link, heavier)
    return xml.tostring(root, encoding="unicode")


def _body(parent: Any, link: PlacedLink, heavier: float) -> Any:
    joint, m = link.joint, link.mass_properties
    turn = np.zeros(4)
    mujoco.mju_mat2Quat(turn, np.array(joint.rotation).ravel())
    body = xml.SubElement(parent, "body", name=link.name, pos=numbers(joint.position), quat=numbers(turn))
    I = np.array(m.inertia) * heavier
    full = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    xml.SubElement(body, "inertial", pos=numbers(m.com), mass=repr(m.mass * heavier), fullinertia=numbers(full))
    if joint.kind == "free":
        xml.SubElement(body, "freejoint", name=link.name)
    elif joint.kind != "fixed":
        kind = {"rotary": "hinge", "sliding": "slide"}[joint.kind]
        xml.SubElement(body, "joint", name=link.name, type=kind, axis=numbers(joint.axis))
    return body


class InMujoco:
    """A figure in MuJoCo. Its free joint holds position first, and linear velocity in world axes first."""

    def __init__(self, figure: Figure, step: float) -> None:
        lightest = min(link.mass_properties.principal_moments()[0] for link in figure.links)
        self.figure, self.heavier = figure, max(1.0, LIGHTEST / lightest)
        self.model: Any = mujoco.MjModel.from_xml_string(mjcf(figure, step, self.heavier))
        self.data: Any = mujoco.MjData(self.model)
        joints = [(self.model.joint(link.name), link) for link in figure.links[1:] if link.joint.kind != "fixed"]
        self.q_places = [(int(joint.qposadr[0]), link.q.start) for joint, link in joints]
        self.v_places = [(int(joint.dofadr[0]), link.v.start) for joint, link in joints]

    def position(self, q: Array) -> Array:
        """qpos of a figure's coordinates."""
        pose = kinematics(self.figure, q.tolist(), [0.0] * self.figure.nv).poses[1]
        turn = np.zeros(4)
        mujoco.mju_mat2Quat(turn, np.array(pose.rotation.rows, float).ravel())
        return self._placed(np.zeros(self.model.nq), [*pose.position, *turn], self.q_places, q)

    def velocity(self, q: Array, v: Array) -> Array:
        """qvel of a figure's coordinates and velocities."""
        return self._placed(np.zeros(self.model.nv), [*(self._turn(q) @ v[3:6]), *v[:3]], self.v_places, v)

    def acceleration(self, q: Array, v: Array, a: Array) -> Array:
        """qacc of a figure's rates of velocity: those of its root are rates of components along moving axes."""
        linear = self._turn(q) @ (a[3:6] + np.cross(v[:3], v[3:6]))
        return self._placed(np.zeros(self.model.nv), [*linear, *a[:3]], self.v_places, a)

    def force(self, q: Array, tau: Array) -> Array:
        """qfrc_applied of a figure's joint forces."""
        root = [*(self._turn(q) @ tau[3:6]), *tau[:3]]
        return self._placed(np.zeros(self.model.nv), root, self.v_places, tau) * self.heavier

    def forward(self, q: Array, v: Array, tau: Array) -> Array:
        """qacc that MuJoCo finds in a figure's state."""
        self.data.qpos[:], self.data.qvel[:] = self.position(q), self.velocity(q, v)
        self.data.qfrc_applied[:] = self.force(q, tau)
        mujoco.mj_forward(self.model, self.data)
        found = self.data.qacc.copy()
        self.data.qfrc_applied[:] = 0.0
        return found

    def roll(self, q: Array, v: Array, steps: int, step: float) -> Array:
        """qpos and qvel after steps of a length [s] without joint forces, by the native rollout in this thread."""
        self.model.opt.timestep = step
        start = np.concatenate([[0.0], self.position(q), self.velocity(q, v)])[None]
        states, _ = NATIVE_ROLLOUT(self.model, self.data, start, nstep=steps)
        return states[0, -1, 1:]

    def _turn(self, q: Array) -> Array:
        return np.array(kinematics(self.figure, q.tolist(), [0.0] * self.figure.nv).poses[1].rotation.rows, float)

    def _placed(self, made: Array, root: list[Any], places: list[tuple[int, int]], values: Array) -> Array:
        made[: len(root)] = root
        for there, here in places:
            made[there] = values[here]
        return made


class InPinocchio:
    """A figure in Pinocchio, whose free joint has position and linear velocity first, both along the link's axes."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.model: Any = pin.Model()
        self.model.gravity.linear = np.array([0.0, 0.0, -STANDARD_GRAVITY])
        made: dict[int, tuple[int, Any]] = {0: (0, pin.SE3.Identity())}
        for link in figure.outward():
            parent, offset = made[link.parent_index]
            made[link.index] = self._add(link, parent, offset)
        self.q_order, self.v_order = np.zeros(figure.nq, int), np.zeros(figure.nv, int)
        for link in figure.outward():
            if link.joint.kind == "fixed":
                continue
            joint = self.model.joints[self.model.getJointId(link.name)]
            free = link.joint.kind == "free"
            q, v = ([4, 5, 6, 1, 2, 3, 0], [3, 4, 5, 0, 1, 2]) if free else ([0], [0])
            self.q_order[joint.idx_q : joint.idx_q + joint.nq] = np.array(q) + link.q.start
            self.v_order[joint.idx_v : joint.idx_v + joint.nv] = np.array(v) + link.v.start

    def _add(self, link: PlacedLink, parent: int, offset: Any) -> tuple[int, Any]:
        """Add a link; returns the joint it moves with, and its place there."""
        joint, m = link.joint, link.mass_properties
        placement = offset * pin.SE3(np.array(joint.rotation), np.array(joint.position))
        body = pin.Inertia(m.mass, np.array(m.com), np.array(m.inertia))
        if joint.kind == "fixed":
            self.model.appendBodyToJoint(parent, body, placement)
            return parent, placement
        number = self.model.addJoint(parent, _pinocchio_joint(link), placement, link.name)
        self.model.appendBodyToJoint(number, body, pin.SE3.Identity())
        return number, pin.SE3.Identity()

    @cached_property
    def pool(self) -> Any:
        """What the evaluation of many states in one call needs, for one thread."""
        return pin.ModelPool(self.model, 1)

    def forward(self, q: Array, v: Array, tau: Array) -> Array:
        """Rates of velocity in many states (rows, worlds), in the figure's order, by `aba` in a native loop."""
        given = self.arguments(q, v, tau)
        found = np.zeros_like(v, order="F")
        self.evaluate(given, found)
        back = np.empty_like(v)
        back[self.v_order] = found
        return back

    def arguments(self, q: Array, v: Array, tau: Array) -> tuple[Array, Array, Array]:
        """What `evaluate` takes, from rows in the figure's order."""
        rows = (q[self.q_order], v[self.v_order], tau[self.v_order])
        return np.asfortranarray(rows[0]), np.asfortranarray(rows[1]), np.asfortranarray(rows[2])

    def evaluate(self, given: tuple[Array, Array, Array], found: Array) -> None:
        """Fill found (rows, worlds) with the rates of velocity, in Pinocchio's order."""
        pin.abaInParallel(1, self.pool, *given, found)


def _pinocchio_joint(link: PlacedLink) -> Any:
    """The joint of a link, in the form specialised to a coordinate axis where it turns about or slides along one."""
    axis, kind = np.array(link.joint.axis), link.joint.kind
    if kind == "free":
        return pin.JointModelFreeFlyer()
    name, general = {
        "rotary": ("JointModelR", pin.JointModelRevoluteUnaligned),
        "sliding": ("JointModelP", pin.JointModelPrismaticUnaligned),
    }[kind]
    for letter, unit in zip("XYZ", np.eye(3), strict=True):
        if np.array_equal(axis, unit):
            return getattr(pin, name + letter)()
    return general(axis)
