"""Random figures and states: any topology, any joint kinds, physically valid bodies.

A body is a cloud of eight point masses, so its inertia is always physically consistent.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FigureError, did_you_mean
from gambol.figure.figure import Figure
from gambol.figure.joint import JOINTS, OLD_KINDS, Joint, Matrix3
from gambol.figure.link import Link
from gambol.figure.mass import MassProperties, combine
from gambol.figure.rotation import compose, matrix, rotation_about, triple, unit

Random = np.random.Generator

JOINT_DISTANCE = 0.3  # m, typical distance from joint to joint of the first link
POINT_SPREAD = 0.1  # m, of the point masses of the first link about its origin
MAX_POINT_MASS = 0.3  # kg, of one of its eight points

KINDS = ("fixed", "revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical", "free")
"""Default joint kinds, without axial joints, which equal revolute, prismatic or helical ones, and without kinds that
were added later, since a seed must always give the same figure."""


def random_figure(
    seed: int,
    links: int = 6,
    *,
    kinds: Sequence[str] = KINDS,
    root: str | None = None,
    branching: float = 1.0,
    taper: float = 1.0,
    rotors: float = 0.0,
) -> Figure:
    """Return a random figure; the same arguments give the same figure.

    seed: seed of the random numbers. links: number of links. kinds: joint kinds to choose from. root: joint kind of the
    root; None: random, too. branching: fraction of links whose parent is a random earlier link instead of the previous
    link; 0 makes a chain. taper: length of a link, as a multiple of that of its parent. rotors: fraction of joints with
    a rotor; free joints have none. Raises FigureError for unknown kinds and fractions out of range.
    """
    for kind in (*kinds, *([root] if root else [])):
        if kind not in JOINTS:
            raise FigureError(
                f'a random figure cannot have "{kind}" joints; {did_you_mean(OLD_KINDS.get(kind, kind), JOINTS)}'
            )
    if links < 1 or not (0.0 <= branching <= 1.0 and 0.0 <= rotors <= 1.0 and taper > 0.0):
        raise FigureError(
            f"a random figure has at least one link, fractions from 0 to 1 and a positive taper, not links = {links}, "
            f"branching = {branching:g}, rotors = {rotors:g}, taper = {taper:g}"
        )
    random = np.random.default_rng(seed)
    tree: list[Link] = []
    sizes: list[float] = []
    for n in range(links):
        parent_index = None if n == 0 else int(random.integers(n)) if random.random() < branching else n - 1
        size = 1.0 if parent_index is None else sizes[parent_index] * taper
        kind = root if parent_index is None and root else str(random.choice(list(kinds)))
        joint = random_joint(random, kind, size, rotor=random.random() < rotors and not JOINTS[kind].is_free)
        parent = None if parent_index is None else tree[parent_index].name
        tree.append(Link(f"link{n}", parent, joint, (), random_mass(random, size)))
        sizes.append(size)
    return Figure(f"random{seed}", tuple(tree))


def random_mass(random: Random, size: float = 1.0) -> MassProperties:
    """Return physically valid mass properties; size: factor of default lengths."""
    points = random.normal(scale=POINT_SPREAD * size, size=(8, 3))
    masses = random.uniform(MAX_POINT_MASS / 6.0, MAX_POINT_MASS, size=8) * size**3
    return combine(MassProperties(float(m), triple(p)) for m, p in zip(masses, points, strict=True))


def random_joint(random: Random, kind: str, size: float = 1.0, *, rotor: bool = False) -> Joint:
    """Return a random joint; its axis, rotation and position are often special (along coordinate axes, or zero).

    kind: kind of the joint. size: factor of default lengths. rotor: True for a joint with a rotor.
    """
    general = random.normal(size=3)
    coordinate = np.eye(3)[random.integers(3)] * random.choice([-1.0, 1.0])
    axis = [coordinate, general, np.where(np.arange(3) == random.integers(3), 0.0, general)][random.integers(3)]
    axis = axis / np.linalg.norm(axis)
    next_axis = np.eye(3)[(int(np.argmax(np.abs(axis))) + 1) % 3]
    across = unit(np.cross(axis, next_axis).tolist(), "a random joint")
    right_angles = rotation_about("xyz"[random.integers(3)], float(np.pi / 2 * random.integers(4)))
    two_turns = compose(*(rotation_about("xyz"[random.integers(3)], float(random.normal())) for _ in range(2)))
    rotations = [compose(), right_angles, two_turns, random_rotation(random)]
    position = random.normal(scale=JOINT_DISTANCE * size, size=3) * random.choice([0.0, 1.0], size=3)
    draws = JOINTS[kind].numbers

    def number(name: str) -> float:
        return draws[name](random, size) if name in draws else 0.0

    return Joint(
        kind,
        triple(axis),
        rotations[random.integers(4)],
        triple(position),
        across,
        pitch=number("pitch"),
        slides=number("slides"),
        rotor=float(random.uniform(1e-5, 1e-4)) * size**5 if rotor else 0.0,
        gear=float(random.uniform(1.0, 10.0)) if rotor else 1.0,
        radius=number("radius"),
        parent_radius=number("parent_radius"),
    )


def random_rotation(random: Random) -> Matrix3:
    """Return a uniformly distributed rotation."""
    w, x, y, z = random_quaternion(random)
    return matrix(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def random_quaternion(random: Random) -> NDArray[np.float64]:
    """Return a uniformly distributed unit quaternion (w, x, y, z)."""
    q = random.normal(size=4)
    return q / np.linalg.norm(q)


def random_state(figure: Figure, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return random coordinates (nq) and velocities (nv) of a figure, of the order of 1 in SI units.

    seed: seed of the random numbers.
    """
    random = np.random.default_rng(seed)
    q = random.normal(size=figure.nq)
    for link in figure.outward():
        if JOINTS[link.joint.kind].has_quaternion:
            q[link.q.start : link.q.start + 4] = random_quaternion(random)
    return q, random.normal(size=figure.nv)
