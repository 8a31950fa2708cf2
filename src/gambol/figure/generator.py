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

REACH = 0.3  # m, typical distance from joint to joint of the first link
SPREAD = 0.1  # m, of the point masses of the first link about its origin
HEAVIEST = 0.3  # kg, of one of its eight points

KINDS = tuple(kind for kind in JOINTS if kind not in ("axial", "rolling"))
"""Default joint kinds. Axial joints are left out, since they are revolute, prismatic or helical; rolling ones came
later, and the figure of a seed must stay the same.
"""


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
    """Return a random figure; the same arguments give the same one.

    seed: of the random numbers. links: their number. kinds: joint kinds to draw from. root: joint kind of the root;
    None draws it, too. branching: fraction of links that hang on any earlier link instead of the last, so 0 makes a
    chain. taper: length of a link over that of its parent. rotors: fraction of joints with a rotor, free ones excepted.
    Raises FigureError for unknown kinds and fractions out of range.
    """
    for kind in (*kinds, *([root] if root else [])):
        if kind not in JOINTS:
            raise FigureError(
                f'a random figure cannot have "{kind}" joints; {did_you_mean(OLD_KINDS.get(kind, kind), JOINTS)}'
            )
    if links < 1 or not (0.0 <= branching <= 1.0 and 0.0 <= rotors <= 1.0 and taper > 0.0):
        raise FigureError(
            f"a random figure has at least one link, shares within 0 and 1 and a positive taper, not links = {links}, "
            f"branching = {branching:g}, rotors = {rotors:g}, taper = {taper:g}"
        )
    random = np.random.default_rng(seed)
    chain: list[Link] = []
    sizes: list[float] = []
    for n in range(links):
        on = None if n == 0 else int(random.integers(n)) if random.random() < branching else n - 1
        size = 1.0 if on is None else sizes[on] * taper
        kind = root if on is None and root else str(random.choice(list(kinds)))
        joint = random_joint(random, kind, size, rotor=random.random() < rotors and kind != "free")
        parent = None if on is None else chain[on].name
        chain.append(Link(f"link{n}", parent, joint, (), random_mass(random, size)))
        sizes.append(size)
    return Figure(f"random{seed}", tuple(chain))


def random_mass(random: Random, size: float = 1.0) -> MassProperties:
    """Return physically valid mass properties; size: lengths over 0.1 m."""
    points = random.normal(scale=SPREAD * size, size=(8, 3))
    masses = random.uniform(HEAVIEST / 6.0, HEAVIEST, size=8) * size**3
    return combine(MassProperties(float(m), triple(p)) for m, p in zip(masses, points, strict=True))


def random_joint(random: Random, kind: str, size: float = 1.0, *, rotor: bool = False) -> Joint:
    """Return a joint whose axis, rotation and position are as often special (along axes, zero) as general."""
    general = random.normal(size=3)
    coordinate = np.eye(3)[random.integers(3)] * random.choice([-1.0, 1.0])
    axis = [coordinate, general, np.where(np.arange(3) == random.integers(3), 0.0, general)][random.integers(3)]
    axis = axis / np.linalg.norm(axis)
    follower = np.eye(3)[(int(np.argmax(np.abs(axis))) + 1) % 3]
    across = unit(np.cross(axis, follower).tolist(), "a random joint")
    quarter = rotation_about("xyz"[random.integers(3)], float(np.pi / 2 * random.integers(4)))
    two = compose(*(rotation_about("xyz"[random.integers(3)], float(random.normal())) for _ in range(2)))
    rotations = [compose(), quarter, two, random_rotation(random)]
    position = random.normal(scale=REACH * size, size=3) * random.choice([0.0, 1.0], size=3)
    return Joint(
        kind,
        triple(axis),
        rotations[random.integers(4)],
        triple(position),
        across,
        pitch=float(random.normal(scale=0.05 * size)) if kind == "helical" else 0.0,
        slides=float(random.random()) if kind == "axial" else 0.0,
        rotor=float(random.uniform(1e-5, 1e-4)) * size**5 if rotor else 0.0,
        gear=float(random.uniform(1.0, 10.0)) if rotor else 1.0,
        radius=float(random.uniform(0.02, 0.1)) * size if kind == "rolling" else 0.0,
        parent_radius=float(random.uniform(0.0, 0.1)) * size if kind == "rolling" else 0.0,
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
    """Return random coordinates (nq) and velocities (nv) of a figure, of the order of 1 in SI units."""
    random = np.random.default_rng(seed)
    q = random.normal(size=figure.nq)
    for link in figure.outward():
        if JOINTS[link.joint.kind].has_quaternion:
            q[link.q.start : link.q.start + 4] = random_quaternion(random)
    return q, random.normal(size=figure.nv)
