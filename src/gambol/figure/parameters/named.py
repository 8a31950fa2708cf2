"""Parameters of a figure by name: reading them, and replacing their values.

    shank.position.z      shank.rotation.x.z      shank.axis.x      shank.rotor      shank.gear      shank.pitch
    shank.slides          shank.reach        and for a rolling joint shank.radius      shank.parent_radius
    shank.mass            shank.com.z            shank.inertia.xy
    shank.part 0.radius   shank.part 0.position.x      shank.part 0.friction        and so on
    shank.part 0.anisotropic_friction.forward

Entry x.z of a rotation is the component of the link's z axis along the parent's x. The vertices of a hull (its faces
depend on them), the numbers of a height field, and the positions of closures are not parameters.
"""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import fields, replace
from typing import Any, TypeAlias, cast

from gambol.errors import FigureError, did_you_mean
from gambol.figure.figure import Figure
from gambol.figure.joint import JOINTS, Joint, Matrix3, Triple
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
    """Return the parameters of a figure by name: its numbers that are not topology [SI units]."""
    values: Parameters = {}
    map_parameters(figure, values.setdefault)
    return values


def with_values(figure: Figure, values: Mapping[str, Scalar]) -> Figure:
    """Return the figure with other parameter values, unchecked; they may be traced or arrays.

    figure: the figure with the topology and the values that are not replaced; these remain plain numbers, so tracing
    still removes zeros and ones. values: new values by parameter name. The result has the name, given_links and
    equality of the figure; use it in formulas only. Raises FigureError for an unknown name.
    """
    known: list[str] = []

    def pick(name: str, value: Scalar) -> Scalar:
        known.append(name)
        return values.get(name, value)

    result = map_parameters(figure, pick)
    check_known(figure, values, known)
    return result


def check_known(figure: Figure, names: Mapping[str, Any] | tuple[str, ...], known: "list[str] | Parameters") -> None:
    """Raise FigureError for an unknown parameter name; names: names to check; known: names of all parameters."""
    known_names = set(known)
    for name in names:
        if name not in known_names:
            raise FigureError(f'figure "{figure.name}" has no parameter "{name}"; {did_you_mean(name, list(known))}')


def map_parameters(figure: Figure, pick: Pick) -> Figure:
    """Return the figure with every parameter replaced by the result of `pick`, in order, unchecked."""
    return with_links(figure, tuple(_link(link, pick) for link in figure.links))


def with_links(figure: Figure, links: tuple[PlacedLink, ...]) -> Figure:
    """Return the figure with other links of the same topology, unchecked."""
    result = copy(figure)
    object.__setattr__(result, "links", links)
    object.__setattr__(result, "has_given_values", False)
    return result


def with_scaled_masses(figure: Figure, factors: Mapping[int, Scalar]) -> Figure:
    """Return the figure with masses and inertias of some links, and the rotors of their joints, times factors.

    factors: by index of the link; may be traced. As for with_values(), use the result in formulas only.
    """

    def scaled(link: PlacedLink, factor: Scalar) -> PlacedLink:
        joint = replace(link.joint, rotor=cast("float", factor * link.joint.rotor))
        return replace(link, joint=joint, mass_properties=link.mass_properties.scaled(factor))

    links = (scaled(link, factors[link.index]) if link.index in factors else link for link in figure.links)
    result = with_links(figure, tuple(links))
    object.__setattr__(result, "unscaled", (figure, factors))
    return result


def _link(link: PlacedLink, pick: Pick) -> PlacedLink:
    def pick_of_link(name: str, value: Scalar) -> Scalar:
        return pick(f"{link.name}.{name}", value)

    joint, mass = _joint(link.joint, pick_of_link), _mass(link.mass_properties, pick_of_link)
    parts = (_part(part, _prefixed(f"part {k}", pick_of_link)) for k, part in enumerate(link.parts))
    return replace(link, joint=joint, mass_properties=mass, parts=tuple(parts))


def _joint(joint: Joint, pick: Pick) -> Joint:
    """Return a joint with replaced parameters, including those that its kind does not use."""
    numbers: dict[str, Any] = {"position": _triple("position", joint.position, pick)}
    numbers["rotation"] = _matrix("rotation", joint.rotation, pick)
    numbers["axis"] = _triple("axis", joint.axis, pick)
    if joint.across is not None:
        numbers["across"] = _triple("across", joint.across, pick)
    names = ["pitch", "rotor", "gear", "slides"] + (["reach"] if joint.reach is not None else [])
    names += [name for name in ("radius", "parent_radius") if name in JOINTS[joint.kind].numbers]
    return replace(joint, **numbers, **{name: pick(name, getattr(joint, name)) for name in names})


def _mass(mass: MassProperties, pick: Pick) -> MassProperties:
    """Return mass properties with replaced mass, centre of mass, and six entries of the inertia."""
    m, com = pick("mass", mass.mass), _triple("com", mass.com, pick)
    xx, xy, xz, yy, yz, zz = (
        pick(f"inertia.{AXES[i]}{AXES[j]}", mass.inertia[i][j]) for i in range(3) for j in range(i, 3)
    )
    return MassProperties(m, com, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))


def _part(part: Part, pick: Pick) -> Part:
    """Return a part with replaced sizes, pose, density (if inertial), and surface coefficients (if not None)."""
    shape, position = _shape(part.shape, pick), _triple("position", part.position, pick)
    names = ["density"] if part.inertial else []
    names += [name for name in ("friction", "restitution") if getattr(part, name) is not None]
    numbers: dict[str, Any] = {name: pick(name, getattr(part, name)) for name in names}
    if (surface := part.anisotropic_friction) is not None:
        of_surface = _prefixed("anisotropic_friction", pick)
        values = {name: of_surface(name, getattr(surface, name)) for name in ("forward", "backward", "sideways")}
        numbers["anisotropic_friction"] = replace(surface, **values)
    return replace(part, shape=shape, position=position, rotation=_matrix("rotation", part.rotation, pick), **numbers)


def _shape(shape: Shape, pick: Pick) -> Shape:
    """Return a shape with replaced sizes; hulls and height fields are unchanged."""
    if shape.kind in ("hull", "height_field"):
        return shape
    result = object.__new__(type(shape))
    for field in fields(shape):
        value: Triple | float = getattr(shape, field.name)
        size = _triple(field.name, value, pick) if isinstance(value, tuple) else pick(field.name, value)
        object.__setattr__(result, field.name, size)
    return result


def _prefixed(prefix: str, pick: Pick) -> Pick:
    return lambda name, value: pick(f"{prefix}.{name}", value)


def _triple(name: str, values: Triple, pick: Pick) -> Triple:
    x, y, z = (pick(f"{name}.{axis}", value) for axis, value in zip(AXES, values, strict=True))
    return cast("Triple", (x, y, z))


def _matrix(name: str, rows: Matrix3, pick: Pick) -> Matrix3:
    first, second, third = (_triple(f"{name}.{axis}", row, pick) for axis, row in zip(AXES, rows, strict=True))
    return (first, second, third)
