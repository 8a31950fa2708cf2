"""Reading a figure file: the whole of it, or an error that names file, line, key and cure."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast, get_args

import numpy as np

from gambol.errors import FigureError, GambolError
from gambol.figure import CLOSURES, JOINTS, Closure, Constraint, Coupling, Figure, Joint, JointSpring, Link, Springs
from gambol.figure.springs import Scale
from gambol.formats.figure_file.places import read_rotation, rotation_keys
from gambol.formats.figure_file.schema import (
    DEFAULT_JOINT,
    DEFAULT_MOTOR,
    DEFAULT_SPRING,
    FILE_KEYS,
    FORMAT,
    JOINT_NUMBERS,
    LINK_KEYS,
    MOTOR_NUMBERS,
    SPRING_NUMBERS,
)
from gambol.formats.figure_file.solids import read_mass, read_part
from gambol.formats.opening import file_text
from gambol.formats.specimen import EARTH, Motor, MotorKind, Specimen, check_size
from gambol.formats.table import MOST_TEXT, Table, read_table


def read_figure(path: str | Path) -> Specimen:
    """The specimen in a figure file (.toml).

    Raises GambolError, naming file, line, key and cure, for a file that cannot be read or makes no figure.
    """
    path = Path(path)
    return parse_figure(file_text(path, "figure file", MOST_TEXT), path.name)


def parse_figure(text: str, file: str) -> Specimen:
    """The specimen that the text of a figure file describes; file: its name, for errors."""
    table = read_table(text, file)
    if "format" not in table:
        raise GambolError(f'{table.where}: this is no figure file; one begins with format = "{FORMAT}"')
    table.text("format", among=(FORMAT,))
    table.only(*FILE_KEYS)
    check_size(len(table.rows("links")), table.where)
    rows = {row.text("name"): row for key in ("links", "motors") for row in table.rows(key)}
    with _possible(table, rows):
        figure = Figure(
            table.text("name"),
            tuple(_link(row) for row in table.rows("links")),
            table.flag("prescribed", False),
            tuple(_constraint(row) for row in table.rows("constraints")),
            _pairs(table, "apart"),
            _pairs(table, "paired"),
        )
        q, v = _start(table, figure)
        return Specimen(
            figure,
            {row.text("name"): _springs(row) for row in table.rows("links") if "springs" in row},
            tuple(_motor(row) for row in table.rows("motors")),
            q,
            v,
            table.triple("gravity", EARTH),
            table.flag("ground", False),
            tuple(notes.text(place) for notes in (table.listed("notes"),) for place in notes),
            table.number("density", 0.0),
            table.number("viscosity", 0.0),
        )


@contextmanager
def _possible(table: Table, rows: Mapping[str, Table]) -> Generator[None]:
    """Errors of figures told with file and line: that of the first link or motor whose name the error has in quotes."""
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            yield
    except FigureError as error:
        if str(error).startswith(table.where):
            raise
        named = next((rows[name] for name in re.findall(r'"([^"]*)"', str(error)) if name in rows), table)
        raise FigureError(f"{named.told()}: {error}") from error
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise FigureError(f"{table.where}: its numbers are too large or too small to make a figure of") from error


def _link(row: Table) -> Link:
    row.only(*LINK_KEYS)
    return Link(
        name=row.text("name"),
        parent=row.text("parent") if "parent" in row else None,
        joint=_joint(row.table("joint")),
        parts=tuple(read_part(part) for part in row.rows("parts")),
        given_mass=read_mass(row.table("mass")) if "mass" in row else None,
    )


def _joint(row: Table) -> Joint:
    row.only("kind", "axis", "position", "across", *JOINT_NUMBERS, *rotation_keys())
    return Joint(
        kind=row.text("kind", among=JOINTS),
        axis=row.triple("axis", DEFAULT_JOINT.axis),
        rotation=read_rotation(row),
        position=row.triple("position", DEFAULT_JOINT.position),
        across=row.triple("across") if "across" in row else None,
        **{name: row.number(name, getattr(DEFAULT_JOINT, name)) for name in JOINT_NUMBERS},
    )


def _springs(link: Table) -> Springs:
    """One spring as a table, or a list of them, one for each place of the joint."""
    if isinstance(link.data["springs"], dict):
        return _spring(link.table("springs"))
    return tuple(_spring(row) for row in link.rows("springs"))


def _spring(row: Table) -> JointSpring:
    row.only(*SPRING_NUMBERS, "scale")
    numbers = {name: row.number(name) for name in SPRING_NUMBERS if name in row}
    return JointSpring(**numbers, scale=cast(Scale, row.text("scale", DEFAULT_SPRING.scale, among=get_args(Scale))))


def _constraint(row: Table) -> Constraint:
    kind = row.text("kind", among=(*CLOSURES, "coupling"))
    if kind == "coupling":
        row.only("kind", "joint", "other", "coefficients")
        other = row.text("other") if "other" in row else None
        return Coupling(row.text("joint"), other, row.numbers("coefficients", (0.0, 1.0)))
    ends = ("position", "other_position", *rotation_keys(), *rotation_keys("other_"))
    row.only("kind", "link", "other", "length", *ends)
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
    """Pairs of names of links."""
    pairs = table.pairs(key, ("link", "other")) if key in table else ()
    return tuple((pair.text("link"), pair.text("other")) for pair in pairs)


def _motor(row: Table) -> Motor:
    row.only("name", "joint", "kind", "gear", "note", *MOTOR_NUMBERS)
    return Motor(
        name=row.text("name"),
        joint=row.text("joint"),
        kind=cast(MotorKind, row.text("kind", DEFAULT_MOTOR.kind, among=get_args(MotorKind))),
        gear=row.numbers("gear", DEFAULT_MOTOR.gear),
        note=row.text("note", DEFAULT_MOTOR.note),
        **{name: row.number(name) for name in MOTOR_NUMBERS if name in row},
    )


def _start(table: Table, figure: Figure) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Positions and velocities of all joints; those that are not named rest."""
    q = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    v = [0.0] * figure.nv
    if "start" in table:
        start = table.table("start")
        start.only("q", "v")
        for key, numbers in (("q", q), ("v", v)):
            row = start.table(key) if key in start else Table({}, start.where)
            row.only(*(link.name for link in figure.links))
            for name in row:
                place = getattr(figure.link(name), key)
                given = row.numbers(name)
                if len(given) != place.stop - place.start:
                    raise FigureError(
                        f'{row.told_at(name)}: the {figure.link(name).joint.kind} joint of "{name}" takes '
                        f"{place.stop - place.start} numbers here, not {len(given)}"
                    )
                numbers[place] = given
    return tuple(q), tuple(v)
