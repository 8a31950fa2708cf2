"""Genotypes as TOML files and as plain dictionaries for archives; every number is read back with the same bits.

    format = "gambol genotype 1"
    [trunk]                            length, width, height, density
    [[limbs]]                          at, mirrored
    [[limbs.segments]]                 length, upper_radius, lower_radius, density, pitch, roll, freedoms = [{...}, ...]
    [control]                          kind, size, senses, slowest, fastest, shifts
    [control.genes]                    the pattern's genes by name; in dictionaries values = [...], in their order

Missing fields have the defaults of a trunk, segment or freedom. Without genes every gene of the control is in the
middle of its range.
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
    with_neutral_control,
)
from gambol.figure.joint import OLD_KINDS
from gambol.formats import Table, atomic_write, read_table
from gambol.formats.safe_files import file_text
from gambol.formats.table import MAX_TEXT_BYTES, SHORT_REPR
from gambol.formats.writing import toml_value

FORMAT = "gambol genotype"
SETTINGS = ("kind", "size", "senses", "slowest", "fastest")

ARCHIVED_KINDS = {kind: old for old, kind in OLD_KINDS.items()}
"""Kinds of freedoms in archives, which keep the old names: a run is resumed only if all its genotypes are the same."""


def read_genotype(path: str | Path) -> Genotype:
    """Return the genotype in a file (.toml).

    Raises EvolveError or GambolError naming file, line, field, bounds and cure.
    """
    path = Path(path)
    try:
        text = file_text(path, "genotype file", MAX_TEXT_BYTES)
    except GambolError as error:
        raise EvolveError(str(error)) from error
    return _genotype(read_table(text, path.name))


def write_genotype(genotype: Genotype, path: str | Path) -> None:
    """Write a file (.toml) that read_genotype reads as an equal genotype.

    Raises GambolError where it cannot be written.
    """
    text = genotype_text(genotype)
    with atomic_write(path) as beside:
        beside.write_bytes(text.encode("utf-8"))


def genotype_text(genotype: Genotype) -> str:
    """Return the text of a genotype's file."""
    data = to_json(genotype)
    control = data["control"]
    names = [gene.name for gene in control_genes(genotype.body, genotype.control)]
    genes = dict(zip(names, control.pop("values"), strict=True))
    lines = [f"format = {toml_value(data['format'])}", *_section("[trunk]", data["trunk"])]
    for limb in data["limbs"]:
        segments = limb.pop("segments")
        lines += _section("[[limbs]]", limb)
        for segment in segments:
            freedoms = [f | {"kind": OLD_KINDS.get(f["kind"], f["kind"])} for f in segment["freedoms"]]
            lines += _section("[[limbs.segments]]", segment | {"freedoms": freedoms})
    lines += [*_section("[control]", control), "", "[control.genes]"]
    lines += [f"{toml_value(name)} = {toml_value(value)}" for name, value in genes.items()]
    return "\n".join(lines) + "\n"


def to_json(genotype: Genotype) -> dict[str, Any]:
    """Return a genotype as dictionaries, lists, texts and numbers, from which of_json makes an equal one."""
    body, control = _body_data(genotype.body), _control_data(genotype.control)
    return {"format": f"{FORMAT} {genotype.version}", **body, "control": control}


def _body_data(body: Body) -> dict[str, Any]:
    return {
        "trunk": _plain(body.trunk),
        "limbs": [
            {
                "at": list(limb.at),
                "mirrored": limb.mirrored,
                "segments": [
                    _plain(segment) | {"freedoms": [_freedom_data(f) for f in segment.freedoms]}
                    for segment in limb.segments
                ],
            }
            for limb in body.limbs
        ],
    }


def _freedom_data(freedom: Freedom) -> dict[str, Any]:
    return {"kind": ARCHIVED_KINDS.get(freedom.kind, freedom.kind)} | _plain(freedom)


def _control_data(control: Control) -> dict[str, Any]:
    lists = {"senses": list(control.senses), "shifts": list(control.shifts), "values": list(control.values)}
    return {name: getattr(control, name) for name in SETTINGS} | lists


def of_json(data: Mapping[str, Any], where: str = "genotype") -> Genotype:
    """Return the genotype of such dictionaries. where: their name in errors. Raises EvolveError or GambolError.

    The output of to_json takes a fast path, since workers read all that they evaluate; anything else is checked field
    by field, for exact errors.
    """
    if not isinstance(cast("object", data), Mapping):
        raise EvolveError(f"{where} is {SHORT_REPR.repr(data)}; a genotype is a mapping of names to plain data")
    return _fast_genotype(data) or _genotype(Table(data, where))


def _fast_genotype(data: Mapping[str, Any]) -> Genotype | None:
    """Return the genotype of complete and valid dictionaries, as of to_json; None for others."""
    try:
        if data["format"] != f"{FORMAT} {VERSION}" or len(data) != len(("format", "trunk", "limbs", "control")):
            return None
        made = Genotype(_fast_body(_BodyKey(data["trunk"], data["limbs"])), _fast_control(data["control"]))
        check_control(made)
    except (GambolError, LookupError, TypeError, ValueError, AttributeError):
        return None
    return made


class _BodyKey:
    """A trunk and limbs as dictionaries, as a key of a cache: equal where all is the same to the last bit."""

    def __init__(self, trunk: Any, limbs: Any) -> None:
        self.trunk, self.limbs = trunk, limbs
        self._text = repr((trunk, limbs))

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _BodyKey) and other._text == self._text


@lru_cache(maxsize=64)  # in most runs all creatures have one body
def _fast_body(key: _BodyKey) -> Body:
    """Return the body of complete and valid dictionaries. Raises one of several errors for any other."""
    limbs = tuple(
        Limb(tuple(row["at"]), row["mirrored"], tuple(_fast_segment(inner) for inner in row["segments"]))
        for row in key.limbs
    )
    made = Body(Trunk(**key.trunk), limbs)
    _only_floats([*key.trunk.values(), *(x for limb in limbs for x in limb.at)])
    if any(type(limb.mirrored) is not bool for limb in limbs):
        raise TypeError("a limb's twin is no truth")
    check_body(made)
    if _body_data(made) != {"trunk": key.trunk, "limbs": key.limbs}:
        raise ValueError("a body is not said in full")
    return made


def _fast_control(row: Mapping[str, Any]) -> Control:
    """Return the control of complete and valid dictionaries. Raises one of several errors for any other."""
    given = dict(row)
    lists: dict[str, Any] = {name: tuple(given.pop(name)) for name in ("senses", "shifts", "values")}
    made = Control(**given, **lists)
    _only_floats([made.slowest, made.fastest, *made.values, *made.shifts])
    if type(made.size) is not int or _control_data(made) != row:
        raise ValueError("a control is not said in full")
    return made


def _only_floats(numbers: list[Any]) -> None:
    """Raise TypeError for a number that is no finite float."""
    if set(map(type, numbers)) - {float} or not all(map(math.isfinite, numbers)):
        raise TypeError("a number is no finite float")


def _fast_segment(row: Mapping[str, Any]) -> Segment:
    """Return the segment of complete and valid dictionaries. Raises one of several errors for any other."""
    numbers, freedoms = dict(row), row["freedoms"]
    del numbers["freedoms"]
    _only_floats([*numbers.values(), *(x for inner in freedoms for name, x in inner.items() if name != "kind")])
    return Segment(
        **numbers, freedoms=tuple(Freedom(**inner | {"kind": OLD_KINDS[inner["kind"]]}) for inner in freedoms)
    )


def _section(header: str, row: Mapping[str, Any]) -> list[str]:
    return ["", header, *(f"{key} = {toml_value(value)}" for key, value in row.items())]


def _plain(part: Trunk | Segment | Freedom) -> dict[str, Any]:
    return {gene.name: getattr(part, gene.name) for gene in BOUNDS[type(part)]}


def _genotype(table: Table) -> Genotype:
    given = table.text("format")
    if not given.startswith(f"{FORMAT} "):
        raise EvolveError(
            f'{table.location_of("format")}: "{given}" is no genotype; one has format = "{FORMAT} {VERSION}"'
        )
    if given != f"{FORMAT} {VERSION}":
        raise EvolveError(
            f'{table.location_of("format")}: "{given}" is of another version than this gambol reads, '
            f'which is "{FORMAT} {VERSION}"; use the gambol that wrote it'
        )
    table.check_keys("format", "trunk", "limbs", "control")
    body = Body(_trunk(_inner(table, "trunk")), tuple(_limb(row) for row in table.tables("limbs")))
    if not body.limbs:
        raise EvolveError(f"{table.location()}: a body without limbs moves nothing; give it at least one [[limbs]]")
    row = _inner(table, "control")
    try:
        genotype = _with_control(body, row)
        check_genotype(genotype)
    except GambolError as error:
        raise error if str(error).startswith(table.where) else EvolveError(f"{row.location()}: {error}") from error
    return genotype


def _inner(table: Table, key: str) -> Table:
    return table.table(key) if key in table else Table({}, f"{table.where}: {key}")


def _trunk(row: Table) -> Trunk:
    row.check_keys(*(gene.name for gene in BOUNDS[Trunk]))
    trunk = Trunk(**_numbers(row, Trunk))
    check_numbers(trunk, row.location())
    return trunk


def _limb(row: Table) -> Limb:
    row.check_keys("at", "mirrored", "segments")
    limb = Limb(
        row.triple("at"), row.boolean("mirrored", True), tuple(_segment(inner) for inner in row.tables("segments"))
    )
    check_limb(limb, row.location())
    return limb


def _segment(row: Table) -> Segment:
    row.check_keys(*(gene.name for gene in BOUNDS[Segment]), "freedoms")
    segment = Segment(**_numbers(row, Segment))
    if "freedoms" in row:
        segment = replace(segment, freedoms=tuple(_freedom(inner) for inner in row.tables("freedoms")))
    check_numbers(segment, row.location())
    return segment


def _freedom(row: Table) -> Freedom:
    row.check_keys("kind", *(gene.name for gene in BOUNDS[Freedom]))
    kind = row.text("kind", Freedom().kind)
    kind = OLD_KINDS[kind] if kind in OLD_KINDS else row.text("kind", Freedom().kind, allowed=KINDS)
    freedom = Freedom(kind, **_numbers(row, Freedom))
    check_numbers(freedom, row.location())
    return freedom


def _numbers(row: Table, of: type) -> dict[str, Any]:
    return {gene.name: row.number(gene.name) for gene in BOUNDS[of] if gene.name in row}


def _with_control(body: Body, row: Table) -> Genotype:
    """Return the genotype of a body with the control of a table."""
    row.check_keys(*(f.name for f in fields(Control)), "genes")
    control = Control(
        row.text("kind", Control().kind),
        size=row.integer("size") if "size" in row else 0,
        senses=tuple(inner.text(key) for inner in [row.entries("senses", Control().senses)] for key in inner),
        slowest=row.number("slowest", Control().slowest),
        fastest=row.number("fastest", Control().fastest),
    )
    resting = with_neutral_control(Genotype(body, control))
    values, shifts = resting.control.values, resting.control.shifts
    if "genes" in row:
        values = _named_values(row.table("genes"), [gene.name for gene in control_genes(body, control)])
    elif "values" in row:
        values = row.numbers("values")
    shifts = row.numbers("shifts", shifts)
    return Genotype(body, replace(control, values=values, shifts=shifts))


def _named_values(row: Table, names: list[str]) -> tuple[float, ...]:
    row.check_keys(*names)
    return tuple(row.number(name) for name in names)
