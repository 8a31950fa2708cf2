"""Masses of a URDF's links; many real files have inertias that no rigid body can have.

Links that are fixed to each other move as one body, so only the inertia of that body must be possible. If the inertia
of one of these links is impossible, the mass of all of them is moved to the first link; this does not change the
motion.
"""

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np

from gambol.errors import FigureError, GambolError
from gambol.figure import IDENTITY, MassProperties, Matrix3, Triple, check_mass, combine, compose, rotated
from gambol.figure.rotation import matrix
from gambol.formats.urdf.joints import joint_of, joint_type
from gambol.formats.urdf.shapes import origin_of
from gambol.formats.xml_file import Element

MIN_RADIUS_OF_GYRATION = 1e-8  # m: a smaller radius of gyration is a rounding error; the body is then a point mass


def link_masses(
    robot: Element, joints: Mapping[str, Element], fix_inertia: bool, notes: set[str]
) -> dict[str, MassProperties]:
    """Return the mass properties of the links with mass, by name, in their frames.

    robot: the root element. joints: the joint element of each child link. fix_inertia: True to replace an impossible
    inertia by the nearest possible one; else Figure raises FigureError. notes: receives sentences on changes.
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
            poses = _poses_in_first(first, names, joints)
            combined = _combined(masses[name].placed(*poses[name]) for name in names if name in masses)
            notes.add(f'Link "{first}" takes the mass of links fixed to it: the inertia of one of them is impossible.')
            for name in names:
                masses.pop(name, None)
            masses[first] = combined
        if fix_inertia and not _is_possible(masses[first]):
            masses[first] = nearest_possible(masses[first])
            notes.add(f'The inertia of link "{first}" was impossible; the nearest possible one replaces it.')
    return masses


def nearest_possible(body: MassProperties) -> MassProperties:
    """Return a body with the nearest possible principal moments: not negative, each at most the sum of the others."""
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
        raise GambolError(f'{inertial.where}: link "{link.name()}" has a mass of {mass:g} kg; give 0 or more')
    if max(map(abs, (xx, yy, zz, xy, xz, yz))) <= mass * MIN_RADIUS_OF_GYRATION**2:
        xx = yy = zz = xy = xz = yz = 0.0
    if not (mass or xx or yy or zz):
        return None
    position, rotation = origin_of(inertial)
    return MassProperties(mass, inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))).placed(rotation, position)


def _first_link(name: str, joints: Mapping[str, Element], cache: dict[str, str]) -> str:
    """Return the topmost link of those that are fixed to a link. cache: earlier results, by link."""
    visited: dict[str, None] = {}
    while name not in cache and name not in visited and name in joints and joint_type(joints[name]) == "fixed":
        visited[name] = None
        name = _parent_link(joints[name])  # in a loop, which Figure rejects later, any link of the loop
    first = cache.get(name, name)
    cache.update(dict.fromkeys(visited, first))
    return first


def _parent_link(joint: Element) -> str:
    parent = joint.find("parent")
    assert parent is not None  # checked before
    return parent.name("link")


def _poses_in_first(
    first: str, names: Iterable[str], joints: Mapping[str, Element]
) -> dict[str, tuple[Matrix3, Triple]]:
    """Return the pose of each link in the frame of the first one, to which all are fixed."""
    poses: dict[str, tuple[Matrix3, Triple]] = {first: (IDENTITY, (0.0, 0.0, 0.0))}
    for name in names:
        path = [name]
        while path[-1] not in poses:
            path.append(_parent_link(joints[path[-1]]))
        for parent, child in pairwise(reversed(path)):
            (R, p), joint = poses[parent], joint_of(joints[child])
            x, y, z = (a + b for a, b in zip(p, rotated(R, joint.position), strict=True))
            poses[child] = (compose(R, joint.rotation), (x, y, z))
    return poses


def _combined(bodies: Iterable[MassProperties]) -> MassProperties:
    """Return several bodies as one, including inertias of bodies without mass."""
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
