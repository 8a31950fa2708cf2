"""Genotypes as dictionaries for archives, and a fast conversion back from exactly these dictionaries."""

import math
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from gambol.errors import GambolError
from gambol.evolve.genotype.body import MOTORS, Body, Freedom, Limb, Mark, MusclePair, Segment, Trunk
from gambol.evolve.genotype.body_sensors import parse_sensors, sensor_rows
from gambol.evolve.genotype.bounds import BOUNDS, check_body
from gambol.evolve.genotype.genotype import VERSION, Control, Genotype, check_control
from gambol.figure.joint import OLD_KINDS
from gambol.formats import Table

FORMAT = "gambol genotype"
BODY_KEYS = ("trunk", "limbs", "marks", "sensors")
SETTINGS = ("kind", "size", "senses", "slowest", "fastest")

ARCHIVED_KINDS = {kind: old for old, kind in OLD_KINDS.items()}
"""The old names of kinds of freedoms, which archives keep: resuming a run must reproduce its genotypes exactly."""


def body_data(body: Body) -> dict[str, Any]:
    """Return a body as plain data, under BODY_KEYS."""
    return {
        "trunk": _gene_data(body.trunk) | _non_defaults(body.trunk, "color"),
        "limbs": [
            {
                "at": list(limb.at),
                "mirrored": limb.mirrored,
                **_non_defaults(limb, "name", "foot", "color", "on"),
                "segments": [
                    _gene_data(segment) | {"freedoms": [_freedom_data(f) for f in segment.freedoms]}
                    for segment in limb.segments
                ],
            }
            for limb in body.limbs
        ],
        **({"marks": [_mark_data(mark) for mark in body.marks]} if body.marks else {}),
        **({"sensors": sensor_rows(body)} if body.sensors else {}),
    }


def _non_defaults(part: Trunk | Limb | Mark | MusclePair, *names: str) -> dict[str, Any]:
    """Return those of the named fields of a part that differ from their defaults."""
    defaults = {item.name: item.default for item in fields(part)}
    return {name: value for name in names if (value := getattr(part, name)) != defaults[name]}


def _mark_data(mark: Mark) -> dict[str, Any]:
    return {"on": mark.on, "at": list(mark.at), "size": list(mark.size), **_non_defaults(mark, "color")}


def _freedom_data(freedom: Freedom) -> dict[str, Any]:
    pair = freedom.muscles
    muscles = {} if pair is None else {"muscles": _gene_data(pair) | _non_defaults(pair, "metabolism")}
    motor = {} if freedom.motor == MOTORS[0] else {"motor": freedom.motor}
    return {"kind": ARCHIVED_KINDS.get(freedom.kind, freedom.kind)} | _gene_data(freedom) | motor | muscles


def control_data(control: Control) -> dict[str, Any]:
    """Return a control as plain data."""
    lists = {"senses": list(control.senses), "shifts": list(control.shifts), "values": list(control.values)}
    return {name: getattr(control, name) for name in SETTINGS} | lists


def _gene_data(part: Trunk | Segment | Freedom | MusclePair) -> dict[str, Any]:
    return {gene.name: getattr(part, gene.name) for gene in BOUNDS[type(part)]}


def fast_genotype(data: Mapping[str, Any]) -> Genotype | None:
    """Return the genotype of the exact output of to_json(); None for any other data."""
    try:
        body = {name: data[name] for name in BODY_KEYS if name in data}
        if data["format"] != f"{FORMAT} {VERSION}" or len(data) != len(body) + 2:
            return None
        genotype = Genotype(_fast_body(_BodyKey(body)), _fast_control(data["control"]))
        check_control(genotype)
    except (GambolError, LookupError, TypeError, ValueError, AttributeError):
        return None
    return genotype


class _BodyKey:
    """The dictionaries of a body as a cache key: keys are equal if all numbers have the same bits."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self._text = repr(body)

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _BodyKey) and other._text == self._text


@lru_cache(maxsize=64)  # in most runs all creatures have one body
def _fast_body(key: _BodyKey) -> Body:
    """Return the body in the exact output of to_json(). Other data raises an error, see fast_genotype()."""
    rows: list[dict[str, Any]] = [dict(row) for row in key.body["limbs"]]
    limbs = tuple(
        Limb(tuple(row.pop("at")), segments=tuple(_fast_segment(segment) for segment in row.pop("segments")), **row)
        for row in rows
    )
    marks = tuple(
        Mark(**(row | {"at": tuple(row["at"]), "size": tuple(row["size"])})) for row in key.body.get("marks", ())
    )
    sensors = parse_sensors(Table(row, "sensors") for row in key.body.get("sensors", ()))
    body = Body(Trunk(**key.body["trunk"]), limbs, marks, sensors)
    numbers = [value for name, value in key.body["trunk"].items() if name != "color"]
    _check_finite_floats(
        [*numbers, *(x for limb in limbs for x in limb.at), *(x for m in marks for x in (*m.at, *m.size))]
    )
    if any(type(limb.mirrored) is not bool for limb in limbs):
        raise TypeError("mirrored is not a bool")
    check_body(body)
    if body_data(body) != key.body:
        raise ValueError("a body differs from the output of to_json()")
    return body


def _fast_control(row: Mapping[str, Any]) -> Control:
    """Return the control in the exact output of to_json(). Other data raises an error, see fast_genotype()."""
    fields_left = dict(row)
    lists: dict[str, Any] = {name: tuple(fields_left.pop(name)) for name in ("senses", "shifts", "values")}
    control = Control(**fields_left, **lists)
    _check_finite_floats([control.slowest, control.fastest, *control.values, *control.shifts])
    if type(control.size) is not int or control_data(control) != row:
        raise ValueError("a control differs from the output of to_json()")
    return control


def _check_finite_floats(numbers: list[Any]) -> None:
    """Raise TypeError for a number that is not a finite float."""
    if set(map(type, numbers)) - {float} or not all(map(math.isfinite, numbers)):
        raise TypeError("a number is not a finite float")


def _fast_segment(row: Mapping[str, Any]) -> Segment:
    """Return the segment in the exact output of to_json(). Other data raises an error, see fast_genotype()."""
    numbers, freedoms = dict(row), row["freedoms"]
    del numbers["freedoms"]
    _check_finite_floats([*numbers.values()])
    return Segment(**numbers, freedoms=tuple(_fast_freedom(freedom) for freedom in freedoms))


def _fast_freedom(row: Mapping[str, Any]) -> Freedom:
    """Return the freedom in the exact output of to_json(). Other data raises an error, see fast_genotype()."""
    numbers = dict(row)
    kind, pair = OLD_KINDS[numbers.pop("kind")], numbers.pop("muscles", {})
    motor = numbers.pop("motor", MOTORS[0])
    _check_finite_floats([*numbers.values(), *(x for name, x in pair.items() if name != "metabolism")])
    return Freedom(kind, **numbers, muscles=MusclePair(**pair) if "muscles" in row else None, motor=motor)
