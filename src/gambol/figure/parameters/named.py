"""Parameters of a figure by name: reading them, and replacing their values.

    shank.position.z      shank.rotation.x.z      shank.axis.x      shank.rotor      shank.gear      shank.pitch
    shank.slides          shank.reach        and of a rolling joint shank.radius      shank.parent_radius
    shank.mass            shank.com.z            shank.inertia.xy
    shank.part 0.radius   shank.part 0.position.x      shank.part 0.friction        and so on

Entry x.z of a rotation is the component of the link's z axis along the parent's x. A hull's vertices are no parameters,
for its faces follow from them; nor are the numbers of a height field and the positions of closures.
"""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import fields, replace
from typing import Any, TypeAlias, cast

from gambol.errors import FigureError, did_you_mean
from gambol.figure.figure import Figure
from gambol.figure.joint import Joint, Matrix3, Triple
from gambol.figure.link import Part, PlacedLink
from gambol.figure.mass import MassProperties
from gambol.figure.shapes import Shape
from gambol.lanes import Scalar

Parameters: TypeAlias = dict[str, Scalar]
"""Parameters of a figure by name, in the order of its links."""

Pick: TypeAlias = Callable[[str, Scalar], Scalar]
"""Returns the replacement of a number, given its name and its value."""

AXES = "xyz"


def parameters(figure: Figure) -> Parameters:
    """Return all numbers of a figure that may differ between figures of its topology, by name [SI units]."""
    values: Parameters = {}
    picked(figure, values.setdefault)
    return values


def with_values(figure: Figure, values: Mapping[str, Scalar]) -> Figure:
    """Return the figure with other parameter values, unchecked; they may be traced or arrays.

    figure: gives the topology and the other values, which stay plain numbers, so zeros and ones still vanish from
    formulas. values: by the names of parameters. The result's given_links, name and equality are those of the figure;
    use it in formulas only. Raises FigureError for an unknown name.
    """
    known: list[str] = []

    def pick(name: str, value: Scalar) -> Scalar:
        known.append(name)
        return values.get(name, value)

    result = picked(figure, pick)
    check_known(figure, values, known)
    return result


def check_known(figure: Figure, names: Mapping[str, Any] | tuple[str, ...], known: "list[str] | Parameters") -> None:
    """Raise FigureError for a name that is none of the known names of a figure's parameters."""
    known_names = set(known)
    for name in names:
        if name not in known_names:
            raise FigureError(f'figure "{figure.name}" has no parameter "{name}"; {did_you_mean(name, list(known))}')


def picked(figure: Figure, pick: Pick) -> Figure:
    """Return the figure with every parameter replaced by what `pick` returns for it, in order and unchecked."""
    return numbered(figure, tuple(_link(link, pick) for link in figure.links))


def numbered(figure: Figure, links: tuple[PlacedLink, ...]) -> Figure:
    """Return the figure with links of the same topology but with other numbers, unchecked."""
    result = copy(figure)
    object.__setattr__(result, "links", links)
    object.__setattr__(result, "as_given", False)
    return result


def _link(link: PlacedLink, pick: Pick) -> PlacedLink:
    def own(name: str, value: Scalar) -> Scalar:
        return pick(f"{link.name}.{name}", value)

    joint, mass = _joint(link.joint, own), _mass(link.mass_properties, own)
    parts = (_part(part, _within(f"part {k}", own)) for k, part in enumerate(link.parts))
    return replace(link, joint=joint, mass_properties=mass, parts=tuple(parts))


def _joint(joint: Joint, pick: Pick) -> Joint:
    """Return a joint with picked numbers, also of those that its kind does not read."""
    numbers: dict[str, Any] = {"position": _triple("position", joint.position, pick)}
    numbers["rotation"] = _matrix("rotation", joint.rotation, pick)
    numbers["axis"] = _triple("axis", joint.axis, pick)
    if joint.across is not None:
        numbers["across"] = _triple("across", joint.across, pick)
    single = ["pitch", "rotor", "gear", "slides"] + (["reach"] if joint.reach is not None else [])
    single += ["radius", "parent_radius"] if joint.kind == "rolling" else []
    return replace(joint, **numbers, **{name: pick(name, getattr(joint, name)) for name in single})


def _mass(mass: MassProperties, pick: Pick) -> MassProperties:
    """Return mass properties with picked mass, centre of mass, and six entries of the inertia."""
    m, com = pick("mass", mass.mass), _triple("com", mass.com, pick)
    xx, xy, xz, yy, yz, zz = (
        pick(f"inertia.{AXES[i]}{AXES[j]}", mass.inertia[i][j]) for i in range(3) for j in range(i, 3)
    )
    return MassProperties(m, com, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))


def _part(part: Part, pick: Pick) -> Part:
    """Return a part with picked sizes, pose, density (if inertial), and surface coefficients (if it has its own)."""
    shape, position = _shape(part.shape, pick), _triple("position", part.position, pick)
    names = ["density"] if part.inertial else []
    names += [name for name in ("friction", "restitution") if getattr(part, name) is not None]
    numbers = {name: pick(name, getattr(part, name)) for name in names}
    return replace(part, shape=shape, position=position, rotation=_matrix("rotation", part.rotation, pick), **numbers)


def _shape(shape: Shape, pick: Pick) -> Shape:
    """Return a shape with picked sizes; a hull and a height field stay as they are."""
    if shape.kind in ("hull", "height_field"):
        return shape
    result = object.__new__(type(shape))
    for field in fields(shape):
        value: Triple | float = getattr(shape, field.name)
        size = _triple(field.name, value, pick) if isinstance(value, tuple) else pick(field.name, value)
        object.__setattr__(result, field.name, size)
    return result


def _within(place: str, pick: Pick) -> Pick:
    return lambda name, value: pick(f"{place}.{name}", value)


def _triple(name: str, values: Triple, pick: Pick) -> Triple:
    x, y, z = (pick(f"{name}.{axis}", value) for axis, value in zip(AXES, values, strict=True))
    return cast("Triple", (x, y, z))


def _matrix(name: str, rows: Matrix3, pick: Pick) -> Matrix3:
    first, second, third = (_triple(f"{name}.{axis}", row, pick) for axis, row in zip(AXES, rows, strict=True))
    return (first, second, third)
