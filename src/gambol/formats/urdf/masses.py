"""Masses of a URDF's links; many real files have inertias that no rigid body can have.

Links that are fixed to each other move as one body, so only the inertia of that body must be possible: where that of
one link is not, the first link takes the mass of all, which does not change the motion.
"""

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np

from gambol.errors import FigureError, GambolError
from gambol.figure import IDENTITY, MassProperties, Matrix3, Triple, check_mass, combine, compose, rotated
from gambol.figure.rotation import matrix
from gambol.formats.urdf.joints import joint_of, joint_type
from gambol.formats.urdf.shapes import origin
from gambol.formats.xml_file import Element

POINT_RADIUS = 1e-8  # m: below this radius of gyration an inertia is taken for rounding, and the body for a point mass


def link_masses(
    robot: Element, joints: Mapping[str, Element], fix_inertia: bool, notes: set[str]
) -> dict[str, MassProperties]:
    """Return the mass properties of the links with mass, by name, in their frames.

    robot: the root element. joints: the joint element above each link. fix_inertia: True to replace an impossible
    inertia by the nearest possible one; else it is a FigureError later. notes: receives what was changed.
    """
    masses = {link.name(): mass for link in robot.find_all("link") if (mass := _link_mass(link)) is not None}
    groups: dict[str, list[str]] = {}
    first_links: dict[str, str] = {}
    for link in robot.find_all("link"):
        groups.setdefault(_first_link(link.name(), joints, first_links), []).append(link.name())
    for first, names in groups.items():
        if all(_is_possible(masses[name]) for name in names if name in masses):
            continue
        if len(names) > 1:
            poses = _poses(first, names, joints)
            combined = _combined(masses[name].placed(*poses[name]) for name in names if name in masses)
            notes.add(f'Link "{first}" takes the mass of those fixed to it, one of which no body can have by itself.')
            for name in names:
                masses.pop(name, None)
            masses[first] = combined
        if fix_inertia and not _is_possible(masses[first]):
            masses[first] = nearest_possible(masses[first])
            notes.add(f'The inertia of link "{first}" was made one that a body can have.')
    return masses


def nearest_possible(body: MassProperties) -> MassProperties:
    """Return a body with the nearest possible principal moments: none negative, none above the sum of the others."""
    moments, axes = np.linalg.eigh(np.array(body.inertia))
    small, middle, large = np.maximum(moments, 0.0)
    excess = max(0.0, large - middle - small) / 3.0  # equal shares change the matrix least
    I = axes @ np.diag([small + excess, middle + excess, large - excess]) @ axes.T
    return MassProperties(body.mass, body.com, matrix((I + I.T) / 2.0))


def _link_mass(link: Element) -> MassProperties | None:
    """Return the mass properties of a link element in its frame; None for one without mass."""
    inertial = link.find("inertial")
    if inertial is None:
        return None
    mass_element, inertia_element = inertial.find("mass"), inertial.find("inertia")
    if mass_element is None or inertia_element is None:
        raise GambolError(f'{inertial.where}: link "{link.name()}" needs both <mass> and <inertia> in its <inertial>')
    mass = mass_element.number("value")
    xx, yy, zz, xy, xz, yz = (inertia_element.number(name) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    if mass < 0.0:
        raise GambolError(f'{inertial.where}: link "{link.name()}" has a mass of {mass:g} kg; none is negative')
    if max(map(abs, (xx, yy, zz, xy, xz, yz))) <= mass * POINT_RADIUS**2:
        xx = yy = zz = xy = xz = yz = 0.0
    if not (mass or xx or yy or zz):
        return None
    position, rotation = origin(inertial)
    return MassProperties(mass, inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))).placed(rotation, position)


def _first_link(name: str, joints: Mapping[str, Element], known: dict[str, str]) -> str:
    """Return the topmost of the links that are fixed to each other. known: results so far; grows."""
    visited: dict[str, None] = {}
    while name not in known and name not in visited and name in joints and joint_type(joints[name]) == "fixed":
        visited[name] = None
        name = _parent(joints[name])  # in a loop, which Figure refuses later, any link will do
    first = known.get(name, name)
    known.update(dict.fromkeys(visited, first))
    return first


def _parent(joint: Element) -> str:
    end = joint.find("parent")
    assert end is not None  # checked before
    return end.name("link")


def _poses(first: str, names: Iterable[str], joints: Mapping[str, Element]) -> dict[str, tuple[Matrix3, Triple]]:
    """Return the pose of each link in the frame of the first one, to which all are fixed."""
    poses: dict[str, tuple[Matrix3, Triple]] = {first: (IDENTITY, (0.0, 0.0, 0.0))}
    for name in names:
        path = [name]
        while path[-1] not in poses:
            path.append(_parent(joints[path[-1]]))
        for parent, child in pairwise(reversed(path)):
            (R, p), joint = poses[parent], joint_of(joints[child])
            x, y, z = (a + b for a, b in zip(p, rotated(R, joint.position), strict=True))
            poses[child] = (compose(R, joint.rotation), (x, y, z))
    return poses


def _combined(bodies: Iterable[MassProperties]) -> MassProperties:
    """Return several bodies as one; inertias without mass are added too."""
    bodies_tuple = tuple(bodies)
    combined = combine(bodies_tuple)
    massless_inertia = sum((np.array(body.inertia) for body in bodies_tuple if body.mass == 0.0), np.zeros((3, 3)))
    return MassProperties(combined.mass, combined.com, matrix(np.array(combined.inertia) + massless_inertia))


def _is_possible(body: MassProperties) -> bool:
    try:
        check_mass(body, "")
    except FigureError:
        return False
    return math.isfinite(body.mass)
