"""Tendons, and the laws of general motors, in a figure file."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast, get_args

from gambol.figure import IDENTITY
from gambol.formats.figure_file.rotations import read_rotation, rotation_keys
from gambol.formats.motor_law import Bias, Dynamics, Gain, MotorLaw
from gambol.formats.table import Table
from gambol.formats.tendon import Tendon, TendonElement, TendonPulley, TendonSite, TendonWrap

Row = dict[str, Any]

TENDON_NUMBERS = tuple(f.name for f in fields(Tendon) if f.name not in ("name", "path", "joints"))
LAW_KINDS: Mapping[str, Any] = {"dynamics": Dynamics, "gain": Gain, "bias": Bias}
LAW_LISTS = ("time_constants", "gain_parameters", "bias_parameters")
LAW_NUMBERS = ("shortest", "longest", "lowest", "highest")
DEFAULT_TENDON, DEFAULT_LAW = Tendon(""), MotorLaw()


def tendon_row(tendon: Tendon) -> Row:
    """Return a tendon as a table of a figure file."""
    row: Row = {"name": tendon.name} | _changed(tendon, DEFAULT_TENDON, TENDON_NUMBERS)
    if tendon.joints:
        return row | {"joints": [[name, coefficient] for name, coefficient in tendon.joints]}
    return row | {"path": [_element_row(element) for element in tendon.path]}


def read_tendon(row: Table) -> Tendon:
    """Return the tendon of a table. Raises GambolError for unknown keys and values of the wrong type."""
    row.check_keys("name", "path", "joints", *TENDON_NUMBERS)
    joints = tuple((pair.text("joint"), pair.number("coefficient")) for pair in row.pairs("joints", PAIR))
    path = tuple(_read_element(element) for element in row.tables("path"))
    return Tendon(row.text("name"), path, joints, **{name: row.number(name) for name in TENDON_NUMBERS if name in row})


PAIR = ("joint", "coefficient")


def law_row(law: MotorLaw) -> Row:
    """Return the law of a motor as a table of a figure file."""
    return _changed(law, DEFAULT_LAW, (*LAW_KINDS, *LAW_LISTS, *LAW_NUMBERS))


def read_law(row: Table) -> MotorLaw:
    """Return the law of a table. Raises GambolError for unknown keys and values, FigureError for impossible laws."""
    row.check_keys(*LAW_KINDS, *LAW_LISTS, *LAW_NUMBERS)
    given: Row = {name: row.text(name, allowed=get_args(kind)) for name, kind in LAW_KINDS.items() if name in row}
    given |= {name: row.numbers(name) for name in LAW_LISTS if name in row}
    given |= {name: row.number(name) for name in LAW_NUMBERS if name in row}
    return MotorLaw(**given)


def _changed(instance: object, default: object, names: tuple[str, ...]) -> Row:
    """Return the fields that differ from their default, where 0.0 and -0.0 differ."""
    values = {name: getattr(instance, name) for name in names}
    return {name: value for name, value in values.items() if repr(value) != repr(getattr(default, name))}


def _element_row(element: TendonElement) -> Row:
    if isinstance(element, TendonPulley):
        return {"pulley": element.divisor}
    row: Row = {"link": element.link} if element.link is not None else {}
    row["position"] = element.position
    if isinstance(element, TendonSite):
        return row
    rotation = {} if element.rotation == IDENTITY else {"rotation": element.rotation}
    side = {} if element.side is None else {"side": _element_row(element.side)}
    return {"around": element.kind} | row | rotation | {"radius": element.radius} | side


def _read_element(row: Table) -> TendonElement:
    if "pulley" in row:
        row.check_keys("pulley")
        return TendonPulley(row.number("pulley"))
    if "around" not in row:
        return _read_site(row)
    row.check_keys("around", "link", "position", "radius", "side", *rotation_keys())
    return TendonWrap(
        cast(Any, row.text("around", allowed=("sphere", "cylinder"))),
        row.text("link") if "link" in row else None,
        row.triple("position", (0.0, 0.0, 0.0)),
        read_rotation(row),
        row.number("radius"),
        _read_site(row.table("side")) if "side" in row else None,
    )


def _read_site(row: Table) -> TendonSite:
    row.check_keys("link", "position")
    return TendonSite(row.text("link") if "link" in row else None, row.triple("position", (0.0, 0.0, 0.0)))
