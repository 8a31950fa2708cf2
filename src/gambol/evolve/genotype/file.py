"""Genotypes as TOML for people and as plain dictionaries for archives; every number comes back with the same bits.

    format = "gambol genotype 1"
    [trunk]                            length, width, height, density
    [[limbs]]                          at, mirrored
    [[limbs.segments]]                 length, upper_radius, lower_radius, density, pitch, roll, freedoms = [{...}, ...]
    [control]                          kind, size, senses, slowest, fastest, shifts
    [control.genes]                    the pattern's genes by name; in dictionaries values = [...], in their order

Fields that are not given are those of a usual trunk, segment or freedom. Without genes the control rests in the middle
of all its ranges.
"""

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from gambol.errors import EvolveError, GambolError
from gambol.evolve.genotype.body import KINDS, Body, Freedom, Limb, Segment, Trunk
from gambol.evolve.genotype.bounds import BOUNDS, check_body, check_limb, check_numbers
from gambol.evolve.genotype.genotype import (
    VERSION,
    Control,
    Genotype,
    check_control,
    check_genotype,
    control_genes,
    with_resting_control,
)
from gambol.formats import Table, moved_into_place, read_table
from gambol.formats.opening import file_text
from gambol.formats.table import BRIEFLY, MOST_TEXT
from gambol.formats.writing import toml_value

FORMAT = "gambol genotype"
SETTINGS = ("kind", "size", "senses", "slowest", "fastest")


def read_genotype(path: str | Path) -> Genotype:
    """The genotype in a file (.toml). Raises EvolveError or GambolError naming file, line, field, bounds and cure."""
    path = Path(path)
    try:
        text = file_text(path, "genotype file", MOST_TEXT)
    except GambolError as error:
        raise EvolveError(str(error)) from error
    return _genotype(read_table(text, path.name))


def write_genotype(genotype: Genotype, path: str | Path) -> None:
    """Write a file (.toml) from which read_genotype makes an equal genotype; GambolError where that cannot be."""
    text = genotype_text(genotype)
    with moved_into_place(path) as beside:
        beside.write_bytes(text.encode("utf-8"))


def genotype_text(genotype: Genotype) -> str:
    """The text of a genotype's file."""
    data = to_json(genotype)
    control = data["control"]
    names = [gene.name for gene in control_genes(genotype.body, genotype.control)]
    genes = dict(zip(names, control.pop("values"), strict=True))
    lines = [f"format = {toml_value(data['format'])}", *_section("[trunk]", data["trunk"])]
    for limb in data["limbs"]:
        segments = limb.pop("segments")
        lines += _section("[[limbs]]", limb)
        for segment in segments:
            lines += _section("[[limbs.segments]]", segment)
    lines += [*_section("[control]", control), "", "[control.genes]"]
    lines += [f"{toml_value(name)} = {toml_value(value)}" for name, value in genes.items()]
    return "\n".join(lines) + "\n"


def to_json(genotype: Genotype) -> dict[str, Any]:
    """A genotype as dictionaries, lists, texts and numbers, from which of_json makes an equal one."""
    body, control = _told_body(genotype.body), _told_control(genotype.control)
    return {"format": f"{FORMAT} {genotype.version}", **body, "control": control}


def _told_body(body: Body) -> dict[str, Any]:
    return {
        "trunk": _plain(body.trunk),
        "limbs": [
            {
                "at": list(limb.at),
                "mirrored": limb.mirrored,
                "segments": [
                    _plain(segment) | {"freedoms": [{"kind": f.kind} | _plain(f) for f in segment.freedoms]}
                    for segment in limb.segments
                ],
            }
            for limb in body.limbs
        ],
    }


def _told_control(control: Control) -> dict[str, Any]:
    lists = {"senses": list(control.senses), "shifts": list(control.shifts), "values": list(control.values)}
    return {name: getattr(control, name) for name in SETTINGS} | lists


def of_json(data: Mapping[str, Any], where: str = "genotype") -> Genotype:
    """The genotype of such dictionaries. where: what errors call them. Raises EvolveError or GambolError.

    What to_json gives is read at once, since workers read all that they live; only anything else is looked at place by
    place, for what is wrong with it.
    """
    if not isinstance(cast("object", data), Mapping):
        raise EvolveError(f"{where} is {BRIEFLY.repr(data)}; a genotype is a mapping of names to plain data")
    return _whole(data) or _genotype(Table(data, where))


def _whole(data: Mapping[str, Any]) -> Genotype | None:
    """The genotype of dictionaries that say all that to_json says, and nothing wrong; None for others."""
    try:
        if data["format"] != f"{FORMAT} {VERSION}" or len(data) != len(("format", "trunk", "limbs", "control")):
            return None
        made = Genotype(_whole_body(_Told(data["trunk"], data["limbs"])), _whole_control(data["control"]))
        check_control(made)
    except (GambolError, LookupError, TypeError, ValueError, AttributeError):
        return None
    return made


class _Told:
    """A trunk and limbs as dictionaries, to be looked up: equal where all that is said is the same to the last bit."""

    def __init__(self, trunk: Any, limbs: Any) -> None:
        self.trunk, self.limbs = trunk, limbs
        self._text = repr((trunk, limbs))

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Told) and other._text == self._text


@lru_cache(maxsize=64)  # in most runs all creatures have one body
def _whole_body(told: _Told) -> Body:
    """The body of dictionaries that say all that to_json says. Raises one of several errors for any other."""
    limbs = tuple(
        Limb(tuple(row["at"]), row["mirrored"], tuple(_whole_segment(inner) for inner in row["segments"]))
        for row in told.limbs
    )
    made = Body(Trunk(**told.trunk), limbs)
    _only_floats([*told.trunk.values(), *(x for limb in limbs for x in limb.at)])
    if any(type(limb.mirrored) is not bool for limb in limbs):
        raise TypeError("a limb's twin is no truth")
    check_body(made)
    if _told_body(made) != {"trunk": told.trunk, "limbs": told.limbs}:
        raise ValueError("a body is not said in full")
    return made


def _whole_control(row: Mapping[str, Any]) -> Control:
    """The control of such dictionaries, likewise."""
    given = dict(row)
    lists: dict[str, Any] = {name: tuple(given.pop(name)) for name in ("senses", "shifts", "values")}
    made = Control(**given, **lists)
    _only_floats([made.slowest, made.fastest, *made.values, *made.shifts])
    if type(made.size) is not int or _told_control(made) != row:
        raise ValueError("a control is not said in full")
    return made


def _only_floats(numbers: list[Any]) -> None:
    """Raises TypeError for a number that is no finite float."""
    if set(map(type, numbers)) - {float} or not all(map(math.isfinite, numbers)):
        raise TypeError("a number is no finite float")


def _whole_segment(row: Mapping[str, Any]) -> Segment:
    """The segment of such dictionaries, likewise."""
    numbers, freedoms = dict(row), row["freedoms"]
    del numbers["freedoms"]
    _only_floats([*numbers.values(), *(x for inner in freedoms for name, x in inner.items() if name != "kind")])
    return Segment(**numbers, freedoms=tuple(Freedom(**inner) for inner in freedoms))


def _section(header: str, row: Mapping[str, Any]) -> list[str]:
    return ["", header, *(f"{key} = {toml_value(value)}" for key, value in row.items())]


def _plain(part: Trunk | Segment | Freedom) -> dict[str, Any]:
    return {gene.name: getattr(part, gene.name) for gene in BOUNDS[type(part)]}


def _genotype(table: Table) -> Genotype:
    given = table.text("format")
    if not given.startswith(f"{FORMAT} "):
        raise EvolveError(f'{table.told_at("format")}: "{given}" is no genotype; one has format = "{FORMAT} {VERSION}"')
    if given != f"{FORMAT} {VERSION}":
        raise EvolveError(
            f'{table.told_at("format")}: "{given}" is of another version than this gambol reads, '
            f'which is "{FORMAT} {VERSION}"; use the gambol that wrote it'
        )
    table.only("format", "trunk", "limbs", "control")
    body = Body(_trunk(_inner(table, "trunk")), tuple(_limb(row) for row in table.rows("limbs")))
    if not body.limbs:
        raise EvolveError(f"{table.told()}: a body without limbs moves nothing; give it at least one [[limbs]]")
    row = _inner(table, "control")
    try:
        genotype = _driven(body, row)
        check_genotype(genotype)
    except GambolError as error:
        raise error if str(error).startswith(table.where) else EvolveError(f"{row.told()}: {error}") from error
    return genotype


def _inner(table: Table, key: str) -> Table:
    return table.table(key) if key in table else Table({}, f"{table.where}: {key}")


def _trunk(row: Table) -> Trunk:
    row.only(*(gene.name for gene in BOUNDS[Trunk]))
    trunk = Trunk(**_numbers(row, Trunk))
    check_numbers(trunk, row.told())
    return trunk


def _limb(row: Table) -> Limb:
    row.only("at", "mirrored", "segments")
    limb = Limb(row.triple("at"), row.flag("mirrored", True), tuple(_segment(inner) for inner in row.rows("segments")))
    check_limb(limb, row.told())
    return limb


def _segment(row: Table) -> Segment:
    row.only(*(gene.name for gene in BOUNDS[Segment]), "freedoms")
    segment = Segment(**_numbers(row, Segment))
    if "freedoms" in row:
        segment = replace(segment, freedoms=tuple(_freedom(inner) for inner in row.rows("freedoms")))
    check_numbers(segment, row.told())
    return segment


def _freedom(row: Table) -> Freedom:
    row.only("kind", *(gene.name for gene in BOUNDS[Freedom]))
    freedom = Freedom(row.text("kind", Freedom().kind, among=KINDS), **_numbers(row, Freedom))
    check_numbers(freedom, row.told())
    return freedom


def _numbers(row: Table, of: type) -> dict[str, Any]:
    return {gene.name: row.number(gene.name) for gene in BOUNDS[of] if gene.name in row}


def _driven(body: Body, row: Table) -> Genotype:
    """A body with the control of a table."""
    row.only(*(f.name for f in fields(Control)), "genes")
    control = Control(
        row.text("kind", Control().kind),
        size=row.whole("size") if "size" in row else 0,
        senses=tuple(inner.text(key) for inner in [row.listed("senses", Control().senses)] for key in inner),
        slowest=row.number("slowest", Control().slowest),
        fastest=row.number("fastest", Control().fastest),
    )
    resting = with_resting_control(Genotype(body, control))
    values, shifts = resting.control.values, resting.control.shifts
    if "genes" in row:
        values = _named(row.table("genes"), [gene.name for gene in control_genes(body, control)])
    elif "values" in row:
        values = row.numbers("values")
    shifts = row.numbers("shifts", shifts)
    return Genotype(body, replace(control, values=values, shifts=shifts))


def _named(row: Table, names: list[str]) -> tuple[float, ...]:
    row.only(*names)
    return tuple(row.number(name) for name in names)
