"""Random figures and states, and the same figures in MuJoCo and Pinocchio."""

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from gambol.dynamics import Kinematics, kinematics
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.figure.joint import JOINTS, Matrix3, Triple

Array = NDArray[np.float64]

KINDS = ("rotary", "sliding", "free", "fixed")


def triple(values: Any) -> Triple:
    x, y, z = (float(v) for v in values)
    return (x, y, z)


def matrix3(rows: Any) -> Matrix3:
    a, b, c = (triple(row) for row in rows)
    return (a, b, c)


def random_rotation(rng: np.random.Generator) -> Array:
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q @ np.diag(np.sign(np.diag(R)))
    return Q if np.linalg.det(Q) > 0 else -Q


def turn(axis: int, angle: float) -> Array:
    """Rotation about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = np.cos(angle)
    R[i, j], R[j, i] = -np.sin(angle), np.sin(angle)
    return R


def random_mass(rng: np.random.Generator) -> MassProperties:
    """A body that can exist: a cloud of eight points."""
    points, masses = rng.normal(scale=0.1, size=(8, 3)), rng.uniform(0.05, 0.3, size=8)
    com = masses @ points / masses.sum()
    arms = points - com
    inertia = sum(m * (a @ a * np.eye(3) - np.outer(a, a)) for m, a in zip(masses, arms, strict=True))
    return MassProperties(float(masses.sum()), triple(com), matrix3(inertia))


def random_joint(rng: np.random.Generator, kind: str) -> Joint:
    """A joint whose axis and rotation are as often simple as they are general."""
    axes = [np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0]), rng.normal(size=3)]
    axes.append(np.where(np.arange(3) == rng.integers(3), 0.0, axes[1]))
    axis = axes[rng.integers(3)]
    rotations = [np.eye(3), turn(rng.integers(3), np.pi / 2 * rng.integers(4)), random_rotation(rng)]
    rotations += [turn(rng.integers(3), rng.normal()) @ turn(rng.integers(3), rng.normal())]
    position = rng.normal(scale=0.3, size=3) * rng.choice([0.0, 1.0], size=3)
    return Joint(
        kind,
        triple(axis / np.linalg.norm(axis)),
        matrix3(rotations[rng.integers(4)]),
        triple(position),
    )


def random_figure(seed: int, links: int = 6, kinds: tuple[str, ...] = KINDS, root: str | None = None) -> Figure:
    """A random tree; kinds: what its joints are drawn from, with the root's given on its own if it is."""
    rng = np.random.default_rng(seed)
    given: list[Link] = []
    for n in range(links):
        kind = root if n == 0 and root else str(rng.choice(kinds))
        parent = None if n == 0 else given[rng.integers(n)].name
        given.append(Link(f"link{n}", parent, random_joint(rng, kind), (), random_mass(rng)))
    return Figure(f"random{seed}", tuple(given))


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
    q = rng.normal(size=figure.nq)
    for link in figure.outward():
        if link.joint.kind == "free":
            q[link.q.start : link.q.start + 4] /= np.linalg.norm(q[link.q.start : link.q.start + 4])
    v, rates, tau = rng.normal(size=(3, figure.nv))
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
