"""Reading a figure file; errors name file, line, key and remedy."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast, get_args

import numpy as np

from gambol.errors import FigureError, GambolError
from gambol.figure import CLOSURES, JOINTS, Closure, Constraint, Coupling, Figure, Joint, JointSpring, Link, Springs
from gambol.figure.springs import Scale
from gambol.formats.figure_file.rotations import read_rotation, rotation_keys
from gambol.formats.figure_file.schema import (
    DEFAULT_JOINT,
    DEFAULT_MOTOR,
    DEFAULT_SPRING,
    FILE_KEYS,
    FORMAT,
    JOINT_NUMBERS,
    LINK_KEYS,
    MOTOR_NUMBERS,
    OLD_JOINT_KINDS,
    SPRING_KEYS,
    SPRING_NUMBERS,
)
from gambol.formats.figure_file.sensors import read_sensor
from gambol.formats.figure_file.solids import read_mass, read_part
from gambol.formats.figure_file.tendons import read_law, read_tendon
from gambol.formats.figure_file.visuals import read_visual
from gambol.formats.matter_tables import STAGE_LINK, MatterTables
from gambol.formats.model import EARTH_GRAVITY, Hold, Model, Motor, MotorKind, check_size
from gambol.formats.safe_files import file_text
from gambol.formats.table import MAX_TEXT_BYTES, Table, read_table


def read_figure(path: str | Path) -> Model:
    """Return the model in a figure file (.toml).

    Raises GambolError, which names file, line, key and remedy, if the file cannot be read or the figure is not valid.
    """
    path = Path(path)
    return parse_figure(file_text(path, "figure file", MAX_TEXT_BYTES), path.name, path.parent)


def parse_figure(text: str, file: str, folder: Path = Path()) -> Model:
    """Return the model in the text of a figure file. Errors: see read_figure().

    file: name of the file, for error messages. folder: folder of the mesh files of its visuals.
    """
    table = read_table(text, file)
    if "format" not in table:
        raise GambolError(f'{table.where}: this is not a figure file; a figure file begins with format = "{FORMAT}"')
    table.text("format", allowed=(FORMAT,))
    return model_of_table(table, folder)


def model_of_table(table: Table, folder: Path = Path()) -> Model:
    """Return the model in a table with the keys of a figure file; the key "format" may be absent.

    Errors: see read_figure().
    """
    table.check_keys(*FILE_KEYS)
    check_size(len(table.tables("links")), table.where)
    rows = {row.text("name"): row for key in ("links", "tendons", "motors", "sensors") for row in table.tables(key)}
    with _located_errors(table, rows):
        matter = MatterTables.of(table, folder)
        links = tuple(_link(row, folder) for row in table.tables("links"))
        figure = Figure(
            table.text("name"),
            links or (STAGE_LINK,) if matter else links,
            table.boolean("prescribed", False),
            tuple(_constraint(row) for row in table.tables("constraints")),
            _pairs(table, "apart"),
            _pairs(table, "paired"),
        )
        q, v = _initial_state(table, figure)
        return Model(
            figure,
            {row.text("name"): read_springs(row, "springs") for row in table.tables("links") if "springs" in row},
            tuple(_motor(row) for row in table.tables("motors")),
            q,
            v,
            table.triple("gravity", EARTH_GRAVITY),
            table.boolean("ground", False),
            tuple(notes.text(index) for notes in (table.entries("notes"),) for index in notes),
            table.number("density", 0.0),
            table.number("viscosity", 0.0),
            tuple(read_tendon(row) for row in table.tables("tendons")),
            tuple(read_sensor(row) for row in table.tables("sensors")),
            matter=matter,
            hold=_hold(table) if "hold" in table else False,
        )


@contextmanager
def _located_errors(table: Table, rows: Mapping[str, Table]) -> Generator[None]:
    """Add file and line to the FigureErrors of a block: the location of the first link or motor that the message names.

    table: table of the file. rows: the table of each link and motor, by name.
    """
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            yield
    except FigureError as error:
        if str(error).startswith(table.where):
            raise
        location = next((rows[name] for name in re.findall(r'"([^"]*)"', str(error)) if name in rows), table)
        raise FigureError(f"{location.location()}: {error}") from error
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise FigureError(f"{table.where}: its numbers are too large or too small for a figure") from error


def _link(row: Table, folder: Path) -> Link:
    row.check_keys(*LINK_KEYS)
    return Link(
        name=row.text("name"),
        parent=row.text("parent") if "parent" in row else None,
        joint=_joint(row.table("joint")),
        parts=tuple(read_part(part) for part in row.tables("parts")),
        given_mass=read_mass(row.table("mass")) if "mass" in row else None,
        visuals=tuple(read_visual(visual, folder) for visual in row.tables("visuals")),
    )


def _joint(row: Table) -> Joint:
    row.check_keys("kind", "axis", "position", "across", *JOINT_NUMBERS, *rotation_keys())
    kind = row.text("kind")
    return Joint(
        kind=OLD_JOINT_KINDS[kind] if kind in OLD_JOINT_KINDS else row.text("kind", allowed=JOINTS),
        axis=row.triple("axis", DEFAULT_JOINT.axis),
        rotation=read_rotation(row),
        position=row.triple("position", DEFAULT_JOINT.position),
        across=row.triple("across") if "across" in row else None,
        **{name: row.number(name, getattr(DEFAULT_JOINT, name)) for name in JOINT_NUMBERS},
    )


def read_springs(row: Table, key: str) -> Springs:
    """Return the springs of a joint from a table, or from a list with a table for each spring slice.

    key: key of the springs in row.
    """
    if isinstance(row.data[key], dict):
        return _spring(row.table(key))
    return tuple(_spring(spring) for spring in row.tables(key))


def _spring(row: Table) -> JointSpring:
    row.check_keys(*SPRING_NUMBERS, "scale")
    numbers = {name: row.number(key) for name, key in SPRING_KEYS.items() if key in row}
    return JointSpring(**numbers, scale=cast(Scale, row.text("scale", DEFAULT_SPRING.scale, allowed=get_args(Scale))))


def _constraint(row: Table) -> Constraint:
    kind = row.text("kind", allowed=(*CLOSURES, "coupling"))
    if kind == "coupling":
        row.check_keys("kind", "joint", "other", "coefficients")
        other = row.text("other") if "other" in row else None
        return Coupling(row.text("joint"), other, row.numbers("coefficients", (0.0, 1.0)))
    frame_keys = ("position", "other_position", *rotation_keys(), *rotation_keys("other_"))
    row.check_keys("kind", "link", "other", "length", *frame_keys)
    return Closure(
        kind,
        row.text("link"),
        row.text("other") if "other" in row else None,
        row.triple("position", (0.0, 0.0, 0.0)),
        read_rotation(row),
        row.triple("other_position", (0.0, 0.0, 0.0)),
        read_rotation(row, "other_"),
        row.number("length", 0.0),
    )


def _pairs(table: Table, key: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of link names in a list."""
    pairs = table.pairs(key, ("link", "other")) if key in table else ()
    return tuple((pair.text("link"), pair.text("other")) for pair in pairs)


def _motor(row: Table) -> Motor:
    row.check_keys("name", "joint", "tendon", "kind", "gear", "note", "law", *MOTOR_NUMBERS)
    return Motor(
        name=row.text("name"),
        joint="" if "tendon" in row and "joint" not in row else row.text("joint"),
        tendon=row.text("tendon", ""),
        law=read_law(row.table("law")) if "law" in row else None,
        kind=cast(MotorKind, row.text("kind", DEFAULT_MOTOR.kind, allowed=get_args(MotorKind))),
        gear=row.numbers("gear", DEFAULT_MOTOR.gear),
        note=row.text("note", DEFAULT_MOTOR.note),
        **{name: row.number(name) for name in MOTOR_NUMBERS if name in row},
    )


def _hold(table: Table) -> Hold:
    """Return the setting `hold` of motors that hold the initial pose: a boolean, gains for all, or gains by name."""
    given = table.data["hold"]
    if isinstance(given, bool):
        return given
    if not isinstance(given, dict):
        return table.numbers("hold")
    gains = table.table("hold")
    return {name: gains.numbers(name) for name in gains}


def _initial_state(table: Table, figure: Figure) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return positions and velocities of all joints; joints that are not named are at rest."""
    q = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    v = [0.0] * figure.nv
    if "start" in table:
        start = table.table("start")
        start.check_keys("q", "v")
        for key, vector in (("q", q), ("v", v)):
            row = start.table(key) if key in start else Table({}, start.where)
            row.check_keys(*(link.name for link in figure.links))
            for name in row:
                indices = getattr(figure.link(name), key)
                values = row.numbers(name)
                if len(values) != indices.stop - indices.start:
                    raise FigureError(
                        f'{row.location_of(name)}: the {figure.link(name).joint.kind} joint of "{name}" takes '
                        f"{indices.stop - indices.start} numbers here, not {len(values)}"
                    )
                vector[indices] = values
    return tuple(q), tuple(v)
