"""Paths of muscles and tendons over points of links, around spheres and cylinders, like MuJoCo's spatial tendons.

    L = sum of |straight parts| + |arcs|        dL/dt = sum of u . (v_end - v_start) over the straight parts

u: direction of a straight part. v at a tangent point is the velocity of the material point of the shape there: the path
is the shortest, so a shift of the tangent points along the shape changes its length only to second order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from gambol.actuation.actuator import ActuatorInput, Numbers
from gambol.actuation.muscle.path import Path
from gambol.actuation.muscle.wrap import TINY, wrap
from gambol.dynamics import Kinematics
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure, PlacedLink
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial import Vector
from gambol.spatial.vector import tangent_basis

Coordinates: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class PathPoint:
    """A point of a link that the path passes through.

    link: name of the link, None: the world. position: position in the link's frame [m].
    """

    link: str | None
    position: Coordinates = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class WrapSphere:
    """A sphere around which the path runs, between two points.

    link, position: link and position of the centre, as for a PathPoint. radius: its radius [m]. side: a point outside,
    on whose side the path passes; None: the path takes the shorter side, and only if the straight line would intersect
    the sphere.
    """

    link: str | None
    position: Coordinates
    radius: float
    side: PathPoint | None = None


@dataclass(frozen=True, slots=True)
class WrapCylinder:
    """A cylinder without ends around which the path runs, between two points.

    link, position: link and position of a point of the axis, as for a PathPoint. axis: direction of the axis in the
    link's frame. radius: its radius [m]. side: as for a WrapSphere.
    """

    link: str | None
    position: Coordinates
    axis: Coordinates
    radius: float
    side: PathPoint | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """The end of a branch of a path that a pulley divides: the next element begins another branch.

    divisor: number by which the length of the next branch is divided; 2 if the muscle pulls at the next branch with
    half its force.
    """

    divisor: float = 1.0


Element: TypeAlias = PathPoint | WrapSphere | WrapCylinder | Branch
Wrapping = (WrapSphere, WrapCylinder)


@dataclass(frozen=True)
class PointPath(Path):
    """A path through points of links, around spheres and cylinders between them.

    elements: elements from the origin to the insertion. Raises WorldError for fewer than two points, a shape that does
    not lie between two points, and impossible sizes.
    """

    elements: tuple[Element, ...]

    def __post_init__(self) -> None:
        for element in self.elements:
            _check_element(element)
        for branch in self.branches():
            points = [k for k, (_, e) in enumerate(branch) if isinstance(e, PathPoint)]
            if len(points) < 2 or points[0] != 0 or points[-1] != len(branch) - 1:
                raise WorldError(
                    "a path needs two or more points, at its beginning and its end, and shapes only between them; "
                    f"a branch of this one has {len(points)} points in {len(branch)} elements"
                )
            if any(isinstance(a, Wrapping) and isinstance(b, Wrapping) for (_, a), (_, b) in pairwise(branch)):
                raise WorldError("between two shapes, a path needs a point; give a PathPoint between them")

    def branches(self) -> list[list[tuple[int, Element]]]:
        """Return the elements of each branch, with their indices in `elements`."""
        branches: list[list[tuple[int, Element]]] = [[]]
        for k, element in enumerate(self.elements):
            if isinstance(element, Branch):
                branches.append([])
            else:
                branches[-1].append((k, element))
        return branches

    @property
    def links(self) -> tuple[str, ...]:
        """The names of the links that it touches, each once."""
        named = (getattr(element, "link", None) for element in self.elements)
        return tuple(dict.fromkeys(name for name in named if name is not None))

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of all elements: positions, radii, side points, divisors."""
        return {"elements": [_numbers_of(element) for element in self.elements]}

    def structure(self) -> tuple[Any, ...]:
        """Return kind, link, axis, and link of the side point of each element."""
        return ("points", *(_structure_of(element) for element in self.elements))

    def check(self, name: str, links: Sequence[PlacedLink]) -> None:
        """Do nothing: the check needs the figure, so motion() checks the joints."""

    def motion(self, numbers: Numbers, at: ActuatorInput) -> tuple[Scalar, Scalar]:
        """Return its length [m], and its rate [m/s]."""
        state, length, rate = at.kinematics, 0.0, 0.0
        self._check_joints(state.figure, at.links)
        divisor: Scalar = 1.0
        for branch in self.branches():
            own_length, own_rate = _along(branch, numbers["elements"], state)
            length, rate = length + own_length / divisor, rate + own_rate / divisor
            after = branch[-1][0] + 1
            divisor = numbers["elements"][after]["divisor"] if after < len(self.elements) else 1.0
        return length, rate

    def _check_joints(self, figure: Figure, links: Sequence[PlacedLink]) -> None:
        """Raise WorldError if the path spans a joint that does not belong to the muscle."""
        own_indices = {link.index for link in links}
        for branch in self.branches():
            for (_, a), (_, b) in pairwise(branch):
                for index in _path_to_root(figure, a) ^ _path_to_root(figure, b):
                    link = figure.links[index - 1]
                    if index not in own_indices and not link.is_fixed:
                        known = [other.name for other in links]
                        raise WorldError(
                            f'a path spans the joint of "{link.name}", which its muscle does not name among its '
                            f"joints {known}; add it"
                        )


def _along(branch: Sequence[tuple[int, Element]], numbers: Sequence[Any], state: Kinematics) -> tuple[Scalar, Scalar]:
    """Return length and rate of a branch. numbers: numbers of all elements of the path."""
    length: Scalar = 0.0
    rate: Scalar = 0.0
    for k, (number, element) in enumerate(branch):
        if k == 0 or isinstance(element, Wrapping):
            continue
        before_number, before = branch[k - 1]
        if isinstance(before, Wrapping):
            ends = [(e, numbers[n]) for n, e in (branch[k - 2], (number, element))]
            parts = _around((before, numbers[before_number]), ends, state)
        else:
            parts = _straight(*(_moving(state, e, numbers[n]["position"]) for n, e in (branch[k - 1], branch[k])))
        length, rate = length + parts[0], rate + parts[1]
    return length, rate


def _around(shape: tuple[Any, Any], ends: Sequence[tuple[Any, Any]], state: Kinematics) -> tuple[Scalar, Scalar]:
    """Return length and rate of the path between two points around a shape.

    shape, ends: each an element with its numbers.
    """
    element, shape_numbers = shape
    index = _index(state.figure, element)
    (first, first_v), (last, last_v) = (_moving(state, e, n["position"]) for e, n in ends)
    centre, basis, side = frame_of(state, element, shape_numbers)
    path = wrap(first - centre, last - centre, shape_numbers["radius"], side, basis)
    to_link = state.poses[index].rotation.transpose
    velocities = [
        state.point_velocity(index, Vector.of(shape_numbers["position"]) + to_link @ p)
        for p in (path.meets, path.leaves)
    ]
    meets, leaves = ((centre + p, v) for p, v in zip((path.meets, path.leaves), velocities, strict=True))
    parts = [_straight((first, first_v), meets), _straight(leaves, (last, last_v))]
    direct = _straight((first, first_v), (last, last_v))
    length = parts[0][0] + path.length + parts[1][0]
    return where(path.wraps, length, direct[0]), where(path.wraps, parts[0][1] + parts[1][1], direct[1])


def frame_of(
    state: Kinematics, element: Any, shape_numbers: Any
) -> tuple[Vector, tuple[Vector, Vector, Vector] | None, Vector | None]:
    """Return the centre of a shape in the world, the basis of a cylinder, and the side point relative to the centre.

    shape_numbers: numbers of the shape.
    """
    index = _index(state.figure, element)
    centre, rotation = state.point_position(index, Vector.of(shape_numbers["position"])), state.poses[index].rotation
    basis = None
    if isinstance(element, WrapCylinder):
        x, y, z = (rotation @ e for e in _basis(element.axis))
        basis = x, y, z
    side = None if element.side is None else position_of(state, element.side, shape_numbers["side"]) - centre
    return centre, basis, side


def position_of(state: Kinematics, element: PathPoint, position: Any) -> Vector:
    """Return the position of a point of a path in the world [m]; position: position in the frame of its link."""
    return state.point_position(_index(state.figure, element), Vector.of(position))


def _straight(start: tuple[Vector, Vector], end: tuple[Vector, Vector]) -> tuple[Scalar, Scalar]:
    """Return length and rate of a straight part between two points, each with its velocity."""
    d, v = end[0] - start[0], end[1] - start[1]
    length = sqrt(d.dot(d) + TINY)
    return length, d.dot(v) / length


def _moving(state: Kinematics, element: Any, position: Any) -> tuple[Vector, Vector]:
    """Return position and velocity of a point of a link in the world."""
    index, point = _index(state.figure, element), Vector.of(position)
    return state.point_position(index, point), state.point_velocity(index, point)


def _index(figure: Figure, element: Any) -> int:
    """Return the index of an element's link; 0 is the world."""
    return 0 if element.link is None else figure.link(element.link).index


def _path_to_root(figure: Figure, element: Any) -> set[int]:
    """Return the indices of an element's link and of all its ancestors; none for the world."""
    return {link.index for link in figure.path_to_root(_index(figure, element))}


def _basis(axis: Coordinates) -> Iterator[Vector]:
    """Yield two unit vectors across an axis, and the unit vector along it."""
    size = sum(x * x for x in axis) ** 0.5
    z = Vector.of([x / size for x in axis])
    yield from tangent_basis(z)
    yield z


def _check_element(element: Any) -> None:
    """Raise WorldError for an element of an unknown type, and for impossible sizes."""
    if not isinstance(element, (PathPoint, WrapSphere, WrapCylinder, Branch)):
        advice = did_you_mean(type(element).__name__, ["PathPoint", "WrapSphere", "WrapCylinder", "Branch"])
        raise WorldError(f"a path has no element {element!r}; {advice}")
    if isinstance(element, Wrapping) and not element.radius > 0.0:
        raise WorldError(f"the radius of a shape that a path runs around is {element.radius}; it must be more than 0")
    if isinstance(element, WrapCylinder) and not any(element.axis):
        raise WorldError("the axis of a cylinder that a path runs around is 0; give its direction")
    if isinstance(element, Branch) and not element.divisor > 0.0:
        raise WorldError(f"the divisor of a path's branch is {element.divisor}; it must be more than 0")
    if isinstance(element, Wrapping) and element.side is not None and element.side.link == element.link:
        offset = [a - b for a, b in zip(element.side.position, element.position, strict=True)]
        if sum(x * x for x in offset) ** 0.5 < element.radius:
            raise WorldError("the side point of a shape lies inside it; give a point outside, on the path's side")


def _numbers_of(element: Any) -> dict[str, Any]:
    if isinstance(element, Branch):
        return {"divisor": element.divisor}
    numbers: dict[str, Any] = {"position": list(element.position)}
    if isinstance(element, Wrapping):
        numbers["radius"] = element.radius
        numbers |= {"side": list(element.side.position)} if element.side is not None else {}
    return numbers


def _structure_of(element: Any) -> tuple[Any, ...]:
    name = type(element).__name__
    if isinstance(element, Branch):
        return (name,)
    side = element.side.link if isinstance(element, Wrapping) and element.side is not None else ""
    return name, element.link, side, getattr(element, "axis", ()), getattr(element, "side", None) is None
