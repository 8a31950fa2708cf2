"""Random figures and states, and the same figures in MuJoCo and Pinocchio."""

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from gambol.dynamics import Kinematics, kinematics
from gambol.figure import Figure, Joint, Link, MassProperties, random_figure, random_state
from gambol.figure.joint import JOINTS, Matrix3, Triple

Array = NDArray[np.float64]

TREES = ("rotary", "sliding", "free", "fixed")
"""Kinds of which both peers make trees, a free joint at the root or inside."""


def triple(values: Any) -> Triple:
    x, y, z = (float(v) for v in values)
    return (x, y, z)


def matrix3(rows: Any) -> Matrix3:
    a, b, c = (triple(row) for row in rows)
    return (a, b, c)


def turn(axis: int, angle: float) -> Array:
    """Rotation about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = np.cos(angle)
    R[i, j], R[j, i] = -np.sin(angle), np.sin(angle)
    return R


def random_tree(seed: int, links: int = 6, root: str | None = None, kinds: tuple[str, ...] = TREES) -> Figure:
    """A random figure of joints that both peers know."""
    return random_figure(seed, links, kinds=kinds, root=root)


@dataclass(frozen=True)
class Sample:
    """A state of a figure with joint accelerations, joint forces, and external forces on its links."""

    q: list[float]
    v: list[float]
    rates: list[float]
    tau: list[float]
    f_ext: Array


def random_sample(figure: Figure, seed: int) -> Sample:
    rng = np.random.default_rng(seed)
    (q, v), (rates, tau) = random_state(figure, seed), rng.normal(size=(2, figure.nv))
    return Sample(q.tolist(), v.tolist(), rates.tolist(), tau.tolist(), rng.normal(size=(len(figure.links) + 1, 6)))


def state_of(figure: Figure, sample: Sample) -> Kinematics:
    return kinematics(figure, sample.q, sample.v)


def homogeneous(joint: Joint) -> Any:
    return pin.SE3(np.array(joint.rotation), np.array(joint.position))


def in_pinocchio(figure: Figure) -> Any:
    """The figure as a Pinocchio model, its joints numbered as the figure's links that have degrees of freedom."""
    model = pin.Model()
    made: dict[int, tuple[int, Any]] = {0: (0, pin.SE3.Identity())}
    for link in figure.outward():
        parent, offset = made[link.parent_index]
        placement = offset * homogeneous(link.joint)
        axis, m = np.array(link.joint.axis), link.mass_properties
        body = pin.Inertia(m.mass, np.array(m.com), np.array(m.inertia))
        if JOINTS[link.joint.kind].nv == 0:
            model.appendBodyToJoint(parent, body, placement)
            made[link.index] = (parent, placement)
            continue
        joints = {"rotary": pin.JointModelRevoluteUnaligned, "sliding": pin.JointModelPrismaticUnaligned}
        joint = pin.JointModelFreeFlyer() if link.joint.kind == "free" else joints[link.joint.kind](axis)
        number = model.addJoint(parent, joint, placement, link.name)
        model.appendBodyToJoint(number, body, pin.SE3.Identity())
        made[link.index] = (number, pin.SE3.Identity())
    return model


def pinocchio_order(figure: Figure, model: Any) -> tuple[Array, Array]:
    """Where Pinocchio's q and v lie in the figure's; its free joint has position first and linear velocity first."""
    nq, nv = np.zeros(figure.nq, dtype=int), np.zeros(figure.nv, dtype=int)
    for link in figure.outward():
        if JOINTS[link.joint.kind].nv == 0:
            continue
        joint = model.joints[model.getJointId(link.name)]
        free = link.joint.kind == "free"
        nq[joint.idx_q : joint.idx_q + joint.nq] = link.q.start + np.array([4, 5, 6, 1, 2, 3, 0] if free else [0])
        nv[joint.idx_v : joint.idx_v + joint.nv] = link.v.start + np.array([3, 4, 5, 0, 1, 2] if free else [0])
    return nq, nv


def in_mujoco(figure: Figure) -> Any:
    """The figure as a compiled MuJoCo model; its free joint must be the root's."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, 0.0, -9.81]
    bodies = {0: spec.worldbody}
    for link in figure.outward():
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, np.array(link.joint.rotation).ravel())
        body = bodies[link.parent_index].add_body(name=link.name, pos=link.joint.position, quat=quat)
        m = link.mass_properties
        body.mass, body.ipos, body.explicitinertial = m.mass, m.com, True
        I = np.array(m.inertia)
        body.fullinertia = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
        types = {"rotary": mujoco.mjtJoint.mjJNT_HINGE, "sliding": mujoco.mjtJoint.mjJNT_SLIDE}
        if link.joint.kind == "free":
            body.add_freejoint()
        elif link.joint.kind in types:
            body.add_joint(name=link.name, type=types[link.joint.kind], axis=link.joint.axis)
        bodies[link.index] = body
    return spec.compile()


def mujoco_order(figure: Figure, model: Any) -> list[int]:
    """Where MuJoCo's velocities beyond those of the free joint lie in the figure's: it numbers links depth first."""
    order = np.zeros(model.nv, dtype=int)
    for link in figure.outward():
        if link.joint.kind in ("rotary", "sliding"):
            order[model.joint(link.name).dofadr[0]] = link.v.start
    return order[6:].tolist()


def quadruped() -> Figure:
    """A trunk on four legs of three links, 18 degrees of freedom, all numbers simple."""
    trunk = MassProperties(5.0, (0.0, 0.0, 0.0), ((0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.25)))
    limb = ((0.003, 0.0, 0.0), (0.0, 0.003, 0.0), (0.0, 0.0, 0.0002))
    links = [Link("trunk", None, Joint("free"), (), trunk)]
    for x in (-0.3, 0.3):
        for side in (1.0, -1.0):
            name, hip, thigh = f"{x:+}{side:+}", (x, 0.15 * side, 0.0), (0.0, 0.08 * side, 0.0)
            low = MassProperties(0.5, (0.0, 0.0, -0.125), limb)
            top = MassProperties(0.5, (0.0, 0.04 * side, 0.0), limb)
            links += [
                Link("hip" + name, "trunk", Joint("rotary", (1.0, 0.0, 0.0), position=hip), (), top),
                Link("thigh" + name, "hip" + name, Joint("rotary", (0.0, 1.0, 0.0), position=thigh), (), low),
                Link(
                    "shank" + name,
                    "thigh" + name,
                    Joint("rotary", (0.0, 1.0, 0.0), position=(0.0, 0.0, -0.25)),
                    (),
                    low,
                ),
            ]
    return Figure("quadruped", tuple(links))
