"""Masses of a URDF's links, among which real files have many that no single body can have.

Links that are fixed to each other move as one body, so it is that body which must be possible: where one of its links
is not, the first of them takes the mass of all, which changes no motion.
"""

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np

from gambol.errors import FigureError, GambolError
from gambol.figure import IDENTITY, MassProperties, Matrix3, Triple, check_mass, combine, compose, turned
from gambol.figure.rotation import matrix
from gambol.formats.markup import Element
from gambol.formats.urdf.joints import joint_of, joint_type
from gambol.formats.urdf.shapes import origin

POINT = 1e-8  # m: a body whose mass is nearer than this to its centre is a point, and its inertia rounding


def masses(robot: Element, joints: Mapping[str, Element], mend: bool, notes: set[str]) -> dict[str, MassProperties]:
    """The mass properties of the links that have mass, in their frames.

    joints: that carry each link. mend: whether to make an impossible inertia possible instead of raising FigureError
    later. notes: grows by what was done.
    """
    own = {link.name(): given for link in robot.all("link") if (given := _given(link)) is not None}
    groups: dict[str, list[str]] = {}
    firsts: dict[str, str] = {}
    for link in robot.all("link"):
        groups.setdefault(_first_of(link.name(), joints, firsts), []).append(link.name())
    for first, names in groups.items():
        if all(_possible(own[name]) for name in names if name in own):
            continue
        if len(names) > 1:
            poses = _poses(first, names, joints)
            whole = _together(own[name].placed(*poses[name]) for name in names if name in own)
            notes.add(f'Link "{first}" takes the mass of those fixed to it, one of which no body can have by itself.')
            for name in names:
                own.pop(name, None)
            own[first] = whole
        if mend and not _possible(own[first]):
            own[first] = mended(own[first])
            notes.add(f'The inertia of link "{first}" was made one that a body can have.')
    return own


def mended(body: MassProperties) -> MassProperties:
    """The body with the nearest principal moments that are possible: none negative, and none above the others' sum."""
    moments, axes = np.linalg.eigh(np.array(body.inertia))
    small, middle, large = np.maximum(moments, 0.0)
    lack = max(0.0, large - middle - small) / 3.0  # shared equally, it changes the matrix least
    I = axes @ np.diag([small + lack, middle + lack, large - lack]) @ axes.T
    return MassProperties(body.mass, body.com, matrix((I + I.T) / 2.0))


def _given(link: Element) -> MassProperties | None:
    """The mass properties of a link in its frame; None for one without mass."""
    inertial = link.one("inertial")
    if inertial is None:
        return None
    given, inertia = inertial.one("mass"), inertial.one("inertia")
    if given is None or inertia is None:
        raise GambolError(f'{inertial.where}: link "{link.name()}" needs both <mass> and <inertia> in its <inertial>')
    mass = given.number("value")
    xx, yy, zz, xy, xz, yz = (inertia.number(name) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    if mass < 0.0:
        raise GambolError(f'{inertial.where}: link "{link.name()}" has a mass of {mass:g} kg; none is negative')
    if max(map(abs, (xx, yy, zz, xy, xz, yz))) <= mass * POINT**2:
        xx = yy = zz = xy = xz = yz = 0.0
    if not (mass or xx or yy or zz):
        return None
    position, rotation = origin(inertial)
    return MassProperties(mass, inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))).placed(rotation, position)


def _first_of(name: str, joints: Mapping[str, Element], known: dict[str, str]) -> str:
    """The link at the top of those that are fixed to each other; known: those that were found before; grows."""
    seen: dict[str, None] = {}
    while name not in known and name not in seen and name in joints and joint_type(joints[name]) == "fixed":
        seen[name] = None
        name = _parent(joints[name])  # of a loop, which the figure will refuse, any link will do
    first = known.get(name, name)
    known.update(dict.fromkeys(seen, first))
    return first


def _parent(joint: Element) -> str:
    end = joint.one("parent")
    assert end is not None  # looked up before
    return end.name("link")


def _poses(first: str, names: Iterable[str], joints: Mapping[str, Element]) -> dict[str, tuple[Matrix3, Triple]]:
    """The pose of each link as it is seen from the first one, to which all are fixed."""
    found: dict[str, tuple[Matrix3, Triple]] = {first: (IDENTITY, (0.0, 0.0, 0.0))}
    for name in names:
        way = [name]
        while way[-1] not in found:
            way.append(_parent(joints[way[-1]]))
        for above, below in pairwise(reversed(way)):
            (R, p), joint = found[above], joint_of(joints[below])
            x, y, z = (a + b for a, b in zip(p, turned(R, joint.position), strict=True))
            found[below] = (compose(R, joint.rotation), (x, y, z))
    return found


def _together(bodies: Iterable[MassProperties]) -> MassProperties:
    """Bodies fixed to each other as one, with inertias that have no mass."""
    given = tuple(bodies)
    whole = combine(given)
    bare = sum((np.array(body.inertia) for body in given if body.mass == 0.0), np.zeros((3, 3)))
    return MassProperties(whole.mass, whole.com, matrix(np.array(whole.inertia) + bare))


def _possible(body: MassProperties) -> bool:
    try:
        check_mass(body, "")
    except FigureError:
        return False
    return math.isfinite(body.mass)
