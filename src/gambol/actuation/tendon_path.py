"""Paths of the tendons of a file, and the joints that they span."""

from itertools import pairwise

from gambol.actuation.muscle.path import Path, Pulley, PulleyPath
from gambol.actuation.muscle.point_path import Branch, Element, PathPoint, PointPath, WrapCylinder, WrapSphere
from gambol.dynamics import kinematics
from gambol.errors import WorldError
from gambol.figure import JOINTS, WORLD, Figure
from gambol.formats.tendon import Tendon, TendonElement, TendonPulley, TendonSite, TendonWrap
from gambol.spatial import Vector

Spanned = tuple[tuple[str, ...], Path]
"""Names of the links whose joints a path spans, and the path."""


def joint_path(joint: str) -> Spanned:
    """Return a path whose length is the coordinate of a joint. joint: name of its link."""
    return (joint,), PulleyPath((Pulley(-1.0),), 0.0)


def tendon_path(tendon: Tendon, figure: Figure) -> Spanned:
    """Return the path of a tendon. figure: figure of the model.

    A pulley of radius -c adds c q to the length. Raises WorldError for a tendon that runs inside a sphere or a
    cylinder, and for a tendon that spans no joint.
    """
    if tendon.joints:
        names = tuple(name for name, _ in tendon.joints)
        if len(set(names)) < len(names):
            raise WorldError(f'the tendon "{tendon.name}" names a joint twice: {", ".join(names)}')
        return names, PulleyPath(tuple(Pulley(-coefficient) for _, coefficient in tendon.joints), 0.0)
    joints = _spanned_joints(tendon, figure)
    if not joints:
        raise WorldError(f'the tendon "{tendon.name}" spans no joint, so no force can act along it')
    _check_sides(tendon, figure)
    try:
        return joints, PointPath(tuple(_element(element) for element in _without_first_pulley(tendon)))
    except WorldError as error:
        raise WorldError(f'the tendon "{tendon.name}": {error}') from error


def _without_first_pulley(tendon: Tendon) -> tuple[TendonElement, ...]:
    """Return the elements of a path without a pulley at its start.

    Raises WorldError if that pulley divides the first branch.
    """
    first, *others = tendon.path
    if not isinstance(first, TendonPulley):
        return tendon.path
    if first.divisor != 1.0:
        raise WorldError(f'the tendon "{tendon.name}" begins with a pulley; begin with a branch of divisor 1')
    return tuple(others)


def _element(element: TendonElement) -> Element:
    if isinstance(element, TendonPulley):
        return Branch(element.divisor)
    if isinstance(element, TendonSite):
        return PathPoint(element.link, element.position)
    side = None if element.side is None else PathPoint(element.side.link, element.side.position)
    if element.kind == "sphere":
        return WrapSphere(element.link, element.position, element.radius, side)
    x, y, z = (row[2] for row in element.rotation)
    return WrapCylinder(element.link, element.position, (x, y, z), element.radius, side)


def _check_sides(tendon: Tendon, figure: Figure) -> None:
    """Raise WorldError if a side point lies inside its sphere or cylinder in the rest position of the figure."""
    rest = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    state = kinematics(figure, rest, [0.0] * figure.nv)

    def place(site: TendonSite | TendonWrap) -> Vector:
        return state.point_position(figure.link(site.link).index if site.link else 0, Vector.of(site.position))

    for element in tendon.path:
        if isinstance(element, TendonWrap) and element.side is not None:
            offset = place(element.side) - place(element)
            if offset.dot(offset) < element.radius * element.radius:
                raise WorldError(
                    f'the tendon "{tendon.name}" runs inside of a {element.kind}, by its side point; gambol does not '
                    "simulate this; move the side point outside, or remove it"
                )


def _spanned_joints(tendon: Tendon, figure: Figure) -> tuple[str, ...]:
    """Return the links whose joints change the length of a path, in the order of the figure."""
    spanned: set[int] = set()
    branch: list[TendonSite | TendonWrap] = []
    for element in (*tendon.path, TendonPulley(1.0)):
        if not isinstance(element, TendonPulley):
            branch.append(element)
            continue
        for a, b in pairwise(branch):
            spanned |= _path_to_root(figure, a.link) ^ _path_to_root(figure, b.link)
        branch = []
    return tuple(link.name for link in figure.links if link.index in spanned and not link.is_fixed)


def _path_to_root(figure: Figure, name: str | None) -> set[int]:
    """Return the indices of a link and of all its ancestors; none for the world."""
    return {link.index for link in figure.path_to_root(figure.link(name).index if name else WORLD)}
