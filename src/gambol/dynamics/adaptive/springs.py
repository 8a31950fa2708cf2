"""Springs, dampers, friction and soft limits of the joints of a figure, with one program for each kind of joint."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.joint_forces import joint_forces
from gambol.figure import JOINTS, Figure, JointSpring, spring_slices
from gambol.lanes import Program, ProgramSpec, Scalar

Array = NDArray[np.float64]

NAMES = {"stiction_speed": "creep"}
NUMBERS = (
    *("stiffness", "alpha", "beta", "damping", "rest", "lower", "upper", "limit_stiffness", "limit_damping"),
    *("bias", "friction", "stiction_speed"),
)
MAX_LIMIT = 1e30
"""Replaces an infinite limit, whose product with a stiffness of 0 would not be 0 [rad or m]."""


def spring_numbers(figure: Figure, springs: Mapping[str, tuple[JointSpring, ...]]) -> Array:
    """Return the numbers of the springs of all links (rows, L); springs: as resolve_springs() returns them."""
    rows = len(NUMBERS) * max(len(spring_slices(link.joint.kind)) for link in figure.links)
    table = np.zeros((rows, len(figure.links)))
    for k, link in enumerate(figure.links):
        given = springs.get(link.name, (JointSpring(),) * len(spring_slices(link.joint.kind)))
        numbers = [getattr(spring, name) for spring in given for name in NUMBERS]
        table[: len(numbers), k] = np.clip(numbers, -MAX_LIMIT, MAX_LIMIT)
    return table


@cache
def springing(kind: str) -> Program:
    """Return the program of the passive forces of joints of a kind, from q, v and numbers of springs."""
    slices = spring_slices(kind)

    def forces(q: Sequence[Scalar], v: Sequence[Scalar], numbers: Sequence[Sequence[Scalar]]) -> tuple[list[Scalar]]:
        named = [dict(zip(NUMBERS, of_one, strict=True)) for of_one in numbers]
        rest = [of_one.pop("rest") for of_one in named]
        return (joint_forces(kind, [{NAMES.get(n, n): x for n, x in s.items()} for s in named], q, v, rest).tau,)

    structure = ([0.0] * JOINTS[kind].nq, [0.0] * JOINTS[kind].nv, [[0.0] * len(NUMBERS) for _ in slices])
    return Program(ProgramSpec(f"{kind} springs", forces, structure, key="springs"))


def numbers_of(kind: str, table: Array) -> Array:
    """Return the rows of a table of spring numbers that joints of a kind have."""
    return table[: len(NUMBERS) * len(spring_slices(kind))]
