"""Random figures and states, and the same figures in Pinocchio."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import PinocchioFigure
from gambol.dynamics import Kinematics, kinematics
from gambol.figure import Figure, Joint, Link, MassProperties, random_figure, random_state
from gambol.figure.joint import Matrix3, Triple

Array = NDArray[np.float64]

TREES = ("revolute", "prismatic", "free", "fixed")
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


def in_pinocchio(figure: Figure) -> Any:
    """Return the figure as a Pinocchio model; see benchmarks/peers.py."""
    return PinocchioFigure(figure).model


def pinocchio_order(figure: Figure, model: Any) -> tuple[Array, Array]:
    """Return the indices of Pinocchio's q and v in those of the figure, which has no planar joints."""
    twin = PinocchioFigure(figure)
    order = twin.position(np.arange(figure.nq))
    assert order.shape == (model.nq,)
    assert order.dtype == int
    return order, twin.v_order


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
                Link("hip" + name, "trunk", Joint("revolute", (1.0, 0.0, 0.0), position=hip), (), top),
                Link("thigh" + name, "hip" + name, Joint("revolute", (0.0, 1.0, 0.0), position=thigh), (), low),
                Link(
                    "shank" + name,
                    "thigh" + name,
                    Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -0.25)),
                    (),
                    low,
                ),
            ]
    return Figure("quadruped", tuple(links))
