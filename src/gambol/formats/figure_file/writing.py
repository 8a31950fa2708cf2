"""Writing a figure file: every number so that reading it gives the same bits, and nothing that goes without saying."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from gambol.figure import IDENTITY, JOINTS, Closure, Constraint, Joint, JointSpring, Link, MassProperties, Matrix3, Part
from gambol.formats.figure_file.schema import (
    DEFAULT_JOINT,
    DEFAULT_MOTOR,
    DEFAULT_SPRING,
    FORMAT,
    JOINT_NUMBERS,
    LAYER_KEYS,
    MOTOR_NUMBERS,
    SPRING_NUMBERS,
    SURFACE_KEYS,
)
from gambol.formats.figure_file.solids import DEFAULT_DENSITY, size_keys
from gambol.formats.specimen import EARTH, Motor, Specimen
from gambol.formats.writing import is_nested, moved_into_place, toml_text, toml_value

Row = dict[str, Any]
ORIGIN = (0.0, 0.0, 0.0)
WIDTH = 100  # characters of a line


def write_figure(specimen: Specimen, path: str | Path) -> None:
    """Write a specimen as a figure file (.toml), from which read_figure makes an equal one.

    Raises GambolError for a folder that cannot be written.
    """
    text = figure_text(specimen)
    with moved_into_place(path) as beside:
        beside.write_bytes(text.encode("utf-8"))


def figure_text(specimen: Specimen) -> str:
    """The text of the figure file of a specimen."""
    figure = specimen.figure
    top: Row = {"format": FORMAT, "name": figure.name}
    top |= _unless({"gravity": specimen.gravity}, {"gravity": EARTH})
    medium = {"density": specimen.density, "viscosity": specimen.viscosity}
    top |= _unless(medium, dict.fromkeys(medium, 0.0))
    top |= {"ground": True} if specimen.ground else {}
    top |= {"prescribed": True} if figure.prescribed else {}
    top |= {"notes": list(specimen.notes)} if specimen.notes else {}
    top |= {key: value for key in ("apart", "paired") if (value := getattr(figure, key))}
    lines = [f"{key} = {toml_value(value)}" for key, value in top.items()]
    for link in figure.given:
        lines += _table("links", _link(link, specimen))
    for constraint in figure.constraints:
        lines += _table("constraints", _constraint(constraint))
    for motor in specimen.motors:
        lines += _table("motors", _motor(motor))
    lines += _start(specimen)
    return "\n".join(lines) + "\n"


def _table(name: str, row: Row) -> list[str]:
    """A table of a list of tables; tables in it that are too long for a line have headers of their own."""
    lines, nested = ["", f"[[{name}]]"], list[str]()
    for key, value in row.items():
        line = f"{key} = {toml_value(value)}"
        if max(map(len, line.split("\n"))) <= WIDTH or not is_nested(value):
            lines.append(line)
            continue
        header = f"[{name}.{key}]" if isinstance(value, Mapping) else f"[[{name}.{key}]]"
        for inner in [cast(Row, value)] if isinstance(value, Mapping) else cast(list[Row], value):
            nested += ["", header, *(f"{k} = {toml_value(x)}" for k, x in inner.items())]
    return [*lines, *nested]


def _link(link: Link, specimen: Specimen) -> Row:
    row: Row = {"name": link.name}
    row |= {} if link.parent is None else {"parent": link.parent}
    row["joint"] = _joint(link.joint)
    row |= {} if link.given_mass is None else {"mass": _mass(link.given_mass)}
    row |= {"parts": [_part(part) for part in link.parts]} if link.parts else {}
    if link.name in specimen.springs:
        springs = specimen.springs[link.name]
        row["springs"] = [_spring(s) for s in springs] if isinstance(springs, tuple) else _spring(springs)
    return row


def _joint(joint: Joint) -> Row:
    row: Row = {"kind": joint.kind} | _unless({"axis": joint.axis}, {"axis": DEFAULT_JOINT.axis})
    row |= {} if joint.across is None else {"across": joint.across}
    row |= _unless({"position": joint.position}, {"position": ORIGIN}) | _rotation(joint.rotation)
    return row | _numbers(joint, DEFAULT_JOINT, JOINT_NUMBERS)


def _mass(body: MassProperties) -> Row:
    xx, yy, zz = (body.inertia[k][k] for k in range(3))
    diagonal = ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz))
    simple = repr(_floats(body.inertia)) == repr(_floats(diagonal))
    row: Row = {"mass": body.mass} | _unless({"com": body.com}, {"com": ORIGIN})
    return row | {"inertia": (xx, yy, zz) if simple else body.inertia}


def _part(part: Part) -> Row:
    row: Row = {"shape": part.shape.kind} | {key: getattr(part.shape, key) for key in size_keys(part.shape.kind)}
    row |= _unless({"position": part.position}, {"position": ORIGIN}) | _rotation(part.rotation)
    row |= _unless({"density": part.density}, {"density": DEFAULT_DENSITY})
    row |= {} if part.inertial else {"inertial": False}
    row |= {} if part.colliding else {"colliding": False}
    row |= {key: value for key in SURFACE_KEYS if (value := getattr(part, key)) is not None}
    return row | {key: value for key in LAYER_KEYS if (value := getattr(part, key)) != 1}


def _spring(spring: JointSpring) -> Row:
    scale = {} if spring.scale == DEFAULT_SPRING.scale else {"scale": spring.scale}
    return _numbers(spring, DEFAULT_SPRING, SPRING_NUMBERS) | scale


def _constraint(constraint: Constraint) -> Row:
    other = {} if constraint.other is None else {"other": constraint.other}
    if not isinstance(constraint, Closure):
        return {"kind": "coupling", "joint": constraint.joint, **other, "coefficients": constraint.coefficients}
    row: Row = {"kind": constraint.kind, "link": constraint.link, **other}
    row |= _unless({"position": constraint.position}, {"position": ORIGIN}) | _rotation(constraint.rotation)
    row |= _unless({"other_position": constraint.other_position}, {"other_position": ORIGIN})
    row |= _rotation(constraint.other_rotation, "other_")
    return row | ({"length": constraint.length} if constraint.length else {})


def _motor(motor: Motor) -> Row:
    row: Row = {"name": motor.name, "joint": motor.joint, "kind": motor.kind}
    row |= _unless({"gear": motor.gear}, {"gear": DEFAULT_MOTOR.gear}) | _numbers(motor, DEFAULT_MOTOR, MOTOR_NUMBERS)
    return row | ({"note": motor.note} if motor.note else {})


def _start(specimen: Specimen) -> Iterator[str]:
    """The coordinates and velocities of the joints that do not rest."""
    for key, numbers in (("q", specimen.q), ("v", specimen.v)):
        rows: Row = {}
        for link in specimen.figure.links:
            place: slice = getattr(link, key)
            rest = JOINTS[link.joint.kind].rest if key == "q" else (0.0,) * (place.stop - place.start)
            rows |= _unless({link.name: numbers[place]}, {link.name: rest})
        if rows:
            yield from ("", f"[start.{key}]", *(f"{toml_text(name)} = {toml_value(x)}" for name, x in rows.items()))


def _rotation(rotation: Matrix3, prefix: str = "") -> Row:
    return _unless({f"{prefix}rotation": rotation}, {f"{prefix}rotation": IDENTITY})


def _numbers(of: object, default: object, names: Sequence[str]) -> Row:
    return _unless({n: getattr(of, n) for n in names}, {n: getattr(default, n) for n in names})


def _unless(given: Row, default: Row) -> Row:
    """What differs from what goes without saying, be it in the sign of a zero."""
    return {key: value for key, value in given.items() if repr(_floats(value)) != repr(_floats(default[key]))}


def _floats(value: Any) -> Any:
    return [_floats(x) for x in cast(Sequence[Any], value)] if isinstance(value, tuple | list) else float(value)
