"""Writing a figure file. Numbers read back to the same bits; values equal to their default are left out."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from gambol.figure import IDENTITY, JOINTS, Closure, Constraint, Joint, JointSpring, Link, MassProperties, Matrix3, Part
from gambol.formats.figure_file.schema import (
    DEFAULT_JOINT,
    DEFAULT_MOTOR,
    DEFAULT_SPRING,
    DIRECTION_KEYS,
    FORMAT,
    JOINT_NUMBERS,
    LAYER_KEYS,
    MOTOR_NUMBERS,
    SPRING_KEYS,
    SURFACE_KEYS,
)
from gambol.formats.figure_file.sensors import sensor_row
from gambol.formats.figure_file.solids import DEFAULT_DENSITY, size_keys
from gambol.formats.figure_file.tendons import law_row, tendon_row
from gambol.formats.figure_file.visuals import visual_rows
from gambol.formats.model import EARTH_GRAVITY, Model, Motor
from gambol.formats.visuals import ObjFiles
from gambol.formats.writing import atomic_write, is_nested, toml_string, toml_value

Row = dict[str, Any]  # a TOML table, by key
ORIGIN = (0.0, 0.0, 0.0)
MAX_LINE_LENGTH = 100  # characters of a line


def write_figure(model: Model, path: str | Path) -> None:
    """Write a model as a figure file (.toml), which read_figure reads back as an equal model. path: path of the file.

    Visual meshes that are in no file of their own, such as those of MJCF, become OBJ files in the same folder. Raises
    GambolError for a folder that cannot be written to.
    """
    target = Path(path)
    files = ObjFiles(target.stem)
    text = figure_text(model, target.parent, files)
    files.write(target.parent)
    with atomic_write(target) as temporary:
        temporary.write_bytes(text.encode("utf-8"))


def figure_text(model: Model, folder: Path | None = None, files: ObjFiles | None = None) -> str:
    """Return the text of the figure file of a model.

    folder: folder of the file, to which paths of meshes are relative; None: they are absolute. files: receives visual
    meshes without a file of their own; None: the text names files that are not written.
    """
    figure, files = model.figure, files or ObjFiles(model.figure.name)
    top_level: Row = {"format": FORMAT, "name": figure.name}
    top_level |= _non_default({"gravity": model.gravity}, {"gravity": EARTH_GRAVITY})
    medium = {"density": model.density, "viscosity": model.viscosity}
    top_level |= _non_default(medium, dict.fromkeys(medium, 0.0))
    top_level |= {"ground": True} if model.ground else {}
    by_name = isinstance(model.hold, Mapping)
    top_level |= {"hold": model.hold} if model.hold and not by_name else {}
    top_level |= {"prescribed": True} if figure.prescribed else {}
    top_level |= {"notes": list(model.notes)} if model.notes else {}
    top_level |= {key: value for key in ("apart", "paired") if (value := getattr(figure, key))}
    lines = [f"{key} = {toml_value(value)}" for key, value in top_level.items()]
    for link in figure.given_links:
        lines += _table_lines("links", _link_row(link, model, folder, files))
    for constraint in figure.constraints:
        lines += _table_lines("constraints", _constraint_table(constraint))
    for tendon in model.tendons:
        lines += _table_lines("tendons", tendon_row(tendon))
    for motor in model.motors:
        lines += _table_lines("motors", _motor_row(motor))
    for sensor in model.sensors:
        lines += _table_lines("sensors", sensor_row(sensor))
    lines += _named_lines("hold", cast(Row, model.hold)) if by_name else []
    lines += _initial_state_lines(model)
    for key, value in model.matter.rows(folder).items() if model.matter else ():
        for row in [cast(Row, value)] if isinstance(value, Mapping) else cast(list[Row], value):
            lines += _table_lines(key, row, single=isinstance(value, Mapping))
    return "\n".join(lines) + "\n"


def _table_lines(name: str, row: Row, *, single: bool = False) -> list[str]:
    """Return the lines of an entry of an array of tables; a nested table that is too long for a line gets a header.

    single: True for a table that is not in an array.
    """
    lines, nested = ["", f"[{name}]" if single else f"[[{name}]]"], list[str]()
    for key, value in row.items():
        line = f"{key} = {toml_value(value)}"
        if max(map(len, line.split("\n"))) <= MAX_LINE_LENGTH or not is_nested(value):
            lines.append(line)
            continue
        header = f"[{name}.{key}]" if isinstance(value, Mapping) else f"[[{name}.{key}]]"
        for table in [cast(Row, value)] if isinstance(value, Mapping) else cast(list[Row], value):
            nested += ["", header, *(f"{k} = {toml_value(x)}" for k, x in table.items())]
    return [*lines, *nested]


def _link_row(link: Link, model: Model, folder: Path | None, files: ObjFiles) -> Row:
    row: Row = {"name": link.name}
    row |= {} if link.parent is None else {"parent": link.parent}
    row["joint"] = _joint_row(link.joint)
    row |= {} if link.given_mass is None else {"mass": _mass_row(link.given_mass)}
    row |= {"parts": [_part_row(part) for part in link.parts]} if link.parts else {}
    row |= {"visuals": rows} if (rows := visual_rows(link.visuals, folder, files)) else {}
    if link.name in model.springs:
        springs = model.springs[link.name]
        row["springs"] = [_spring_row(s) for s in springs] if isinstance(springs, tuple) else _spring_row(springs)
    return row


def _joint_row(joint: Joint) -> Row:
    row: Row = {"kind": joint.kind} | _non_default({"axis": joint.axis}, {"axis": DEFAULT_JOINT.axis})
    row |= {} if joint.across is None else {"across": joint.across}
    row |= _non_default({"position": joint.position}, {"position": ORIGIN}) | _rotation_row(joint.rotation)
    return row | _non_default_fields(joint, DEFAULT_JOINT, JOINT_NUMBERS)


def _mass_row(mass_properties: MassProperties) -> Row:
    xx, yy, zz = (mass_properties.inertia[k][k] for k in range(3))
    diagonal = ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz))
    is_diagonal = repr(_as_floats(mass_properties.inertia)) == repr(_as_floats(diagonal))
    row: Row = {"mass": mass_properties.mass} | _non_default({"com": mass_properties.com}, {"com": ORIGIN})
    return row | {"inertia": (xx, yy, zz) if is_diagonal else mass_properties.inertia}


def _part_row(part: Part) -> Row:
    row: Row = {"shape": part.shape.kind} | {key: getattr(part.shape, key) for key in size_keys(part.shape.kind)}
    row |= _non_default({"position": part.position}, {"position": ORIGIN}) | _rotation_row(part.rotation)
    row |= _non_default({"density": part.density}, {"density": DEFAULT_DENSITY})
    row |= {} if part.inertial else {"inertial": False}
    row |= {} if part.colliding else {"colliding": False}
    row |= {key: value for key in SURFACE_KEYS if (value := getattr(part, key)) is not None}
    row |= {key: value for key in LAYER_KEYS if (value := getattr(part, key)) != 1}
    row |= {} if part.color is None else {"color": part.color}
    if (surface := part.anisotropic_friction) is None:
        return row
    axis = _non_default({"axis": surface.axis}, {"axis": (1.0, 0.0, 0.0)})
    return row | {"anisotropic_friction": {key: getattr(surface, key) for key in DIRECTION_KEYS} | axis}


def _spring_row(spring: JointSpring) -> Row:
    scale = {} if spring.scale == DEFAULT_SPRING.scale else {"scale": spring.scale}
    numbers = _non_default_fields(spring, DEFAULT_SPRING, tuple(SPRING_KEYS))
    return {SPRING_KEYS[name]: value for name, value in numbers.items()} | scale


def _constraint_table(constraint: Constraint) -> Row:
    other = {} if constraint.other is None else {"other": constraint.other}
    if not isinstance(constraint, Closure):
        return {"kind": "coupling", "joint": constraint.joint, **other, "coefficients": constraint.coefficients}
    row: Row = {"kind": constraint.kind, "link": constraint.link, **other}
    row |= _non_default({"position": constraint.position}, {"position": ORIGIN}) | _rotation_row(constraint.rotation)
    row |= _non_default({"other_position": constraint.other_position}, {"other_position": ORIGIN})
    row |= _rotation_row(constraint.other_rotation, "other_")
    return row | ({"length": constraint.length} if constraint.length else {})


def _motor_row(motor: Motor) -> Row:
    row: Row = {"name": motor.name} | ({"tendon": motor.tendon} if motor.tendon else {"joint": motor.joint})
    row["kind"] = motor.kind
    row |= _non_default({"gear": motor.gear}, {"gear": DEFAULT_MOTOR.gear}) | _non_default_fields(
        motor, DEFAULT_MOTOR, MOTOR_NUMBERS
    )
    row |= {} if motor.law is None else {"law": law_row(motor.law)}
    return row | ({"note": motor.note} if motor.note else {})


def _initial_state_lines(model: Model) -> Iterator[str]:
    """Yield the lines of the initial coordinates and velocities that are not at rest."""
    for key, numbers in (("q", model.q), ("v", model.v)):
        rows: Row = {}
        for link in model.figure.links:
            indices: slice = getattr(link, key)
            rest = JOINTS[link.joint.kind].rest if key == "q" else (0.0,) * (indices.stop - indices.start)
            rows |= _non_default({link.name: numbers[indices]}, {link.name: rest})
        if rows:
            yield from _named_lines(f"start.{key}", rows)


def _named_lines(name: str, row: Row) -> list[str]:
    """Return the lines of a table whose keys are names of links or motors."""
    return ["", f"[{name}]", *(f"{toml_string(key)} = {toml_value(x)}" for key, x in row.items())]


def _rotation_row(rotation: Matrix3, prefix: str = "") -> Row:
    return _non_default({f"{prefix}rotation": rotation}, {f"{prefix}rotation": IDENTITY})


def _non_default_fields(instance: object, default: object, names: Sequence[str]) -> Row:
    return _non_default({n: getattr(instance, n) for n in names}, {n: getattr(default, n) for n in names})


def _non_default(values: Row, default: Row) -> Row:
    """Return the values that differ from their default; 0.0 and -0.0 differ."""
    return {key: value for key, value in values.items() if repr(_as_floats(value)) != repr(_as_floats(default[key]))}


def _as_floats(value: Any) -> Any:
    return [_as_floats(x) for x in cast(Sequence[Any], value)] if isinstance(value, tuple | list) else float(value)
