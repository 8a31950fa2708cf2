"""Genotypes as TOML files, and as plain dictionaries for archives; numbers are restored to the last bit.

    format = "gambol genotype 1"
    mass                               mass of the creature, if densities are to be scaled to it, see animal_mass.py
    [trunk]                            length, width, height, density, color
    [[limbs]]                          at, mirrored, name, foot, color, on
    [[limbs.segments]]                 length, upper_radius, lower_radius, density, pitch, roll, freedoms = [{...}, ...]
    muscles, of a freedom              fibre, tone, metabolism
    motor, of a freedom                "servo", "hill" or "elastic"
    [[marks]]                          on, at, size, color: ellipsoids that are only drawn
    [[sensors]]                        name, kind, link, ...: on links of the grown figure, see body_sensors.py
    [control]                          kind, size, senses, slowest, fastest, shifts
    [control.genes]                    the pattern's genes by name; dictionaries have values = [...] instead, in order

Missing fields have the defaults of Trunk, Segment or Freedom. Without [control.genes] every gene of the control is at
the middle of its range.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

from gambol.errors import EvolveError, GambolError
from gambol.evolve.genotype.animal_mass import with_mass
from gambol.evolve.genotype.body import KINDS, MOTORS, TRUNK, Body, Freedom, Limb, Mark, MusclePair, Segment, Trunk
from gambol.evolve.genotype.body_sensors import parse_sensors
from gambol.evolve.genotype.bounds import BOUNDS, check_limb, check_muscles, check_numbers
from gambol.evolve.genotype.genotype import (
    VERSION,
    Control,
    Genotype,
    check_genotype,
    control_genes,
    with_neutral_control,
)
from gambol.evolve.genotype.growth import check_grown_sensors
from gambol.evolve.genotype.plain_data import BODY_KEYS, FORMAT, body_data, control_data, fast_genotype
from gambol.figure.joint import OLD_KINDS
from gambol.formats import Table, atomic_write, read_table
from gambol.formats.safe_files import file_text
from gambol.formats.table import MAX_TEXT_BYTES, SHORT_REPR
from gambol.formats.writing import toml_value


def read_genotype(path: str | Path) -> Genotype:
    """Return the genotype in a file (.toml).

    Raises EvolveError or GambolError that names file, line, field, bounds and a valid value.
    """
    path = Path(path)
    try:
        text = file_text(path, "genotype file", MAX_TEXT_BYTES)
    except GambolError as error:
        raise EvolveError(str(error)) from error
    return _parse_genotype(read_table(text, path.name))


def write_genotype(genotype: Genotype, path: str | Path) -> None:
    """Write a genotype to a file (.toml), which read_genotype() reads back as an equal genotype.

    Raises GambolError if the file cannot be written.
    """
    text = genotype_text(genotype)
    with atomic_write(path) as temporary:
        temporary.write_bytes(text.encode("utf-8"))


def genotype_text(genotype: Genotype) -> str:
    """Return a genotype as the text of a TOML file."""
    data = to_json(genotype)
    control = data["control"]
    names = [gene.name for gene in control_genes(genotype.body, genotype.control)]
    genes = dict(zip(names, control.pop("values"), strict=True))
    lines = [f"format = {toml_value(data['format'])}", *_section_lines("[trunk]", data["trunk"])]
    for limb in data["limbs"]:
        segments = limb.pop("segments")
        lines += _section_lines("[[limbs]]", limb)
        for segment in segments:
            freedoms = [f | {"kind": OLD_KINDS.get(f["kind"], f["kind"])} for f in segment["freedoms"]]
            lines += _section_lines("[[limbs.segments]]", segment | {"freedoms": freedoms})
    for mark in data.get("marks", ()):
        lines += _section_lines("[[marks]]", mark)
    for sensor in data.get("sensors", ()):
        lines += _section_lines("[[sensors]]", sensor)
    lines += [*_section_lines("[control]", control), "", "[control.genes]"]
    lines += [f"{toml_value(name)} = {toml_value(value)}" for name, value in genes.items()]
    return "\n".join(lines) + "\n"


def to_json(genotype: Genotype) -> dict[str, Any]:
    """Return a genotype as dictionaries, lists, texts and numbers; of_json() is the inverse."""
    body, control = body_data(genotype.body), control_data(genotype.control)
    return {"format": f"{FORMAT} {genotype.version}", **body, "control": control}


def of_json(data: Mapping[str, Any], name: str = "genotype") -> Genotype:
    """Return the genotype in dictionaries, see to_json(). Raises EvolveError or GambolError for invalid data.

    name: name of the data, for errors. The exact output of to_json() takes a fast path, since workers parse every
    genotype; any other data is checked field by field, for exact errors.
    """
    if not isinstance(cast("object", data), Mapping):
        raise EvolveError(f"{name} is {SHORT_REPR.repr(data)}; a genotype is a mapping of names to plain data")
    return fast_genotype(data) or _parse_genotype(Table(data, name))


def _section_lines(header: str, row: Mapping[str, Any]) -> list[str]:
    return ["", header, *(f"{key} = {toml_value(value)}" for key, value in row.items())]


def _parse_genotype(table: Table) -> Genotype:
    format_text = table.text("format")
    if not format_text.startswith(f"{FORMAT} "):
        raise EvolveError(
            f'{table.location_of("format")}: "{format_text}" is not the format of a genotype; '
            f'give format = "{FORMAT} {VERSION}"'
        )
    if format_text != f"{FORMAT} {VERSION}":
        raise EvolveError(
            f'{table.location_of("format")}: "{format_text}" is of another version; this gambol reads '
            f'"{FORMAT} {VERSION}"; use the gambol that wrote it'
        )
    table.check_keys("format", "mass", *BODY_KEYS, "control")
    marks = tuple(_parse_mark(row) for row in table.tables("marks")) if "marks" in table else ()
    limbs = tuple(_parse_limb(row) for row in table.tables("limbs"))
    sensors = parse_sensors(table.tables("sensors")) if "sensors" in table else ()
    body = Body(_parse_trunk(_subtable(table, "trunk")), limbs, marks, sensors)
    if not body.limbs:
        raise EvolveError(f"{table.location()}: a body without limbs cannot move; give it at least one [[limbs]]")
    if "mass" in table:
        try:
            body = with_mass(body, table.number("mass"))
        except EvolveError as error:
            raise EvolveError(f"{table.location_of('mass')}: {error}") from error
    row = _subtable(table, "control")
    try:
        genotype = _parse_control(body, row)
        check_genotype(genotype)
        check_grown_sensors(genotype)
    except GambolError as error:
        raise error if str(error).startswith(table.where) else EvolveError(f"{row.location()}: {error}") from error
    return genotype


def _subtable(table: Table, key: str) -> Table:
    return table.table(key) if key in table else Table({}, f"{table.where}: {key}")


def _parse_trunk(row: Table) -> Trunk:
    row.check_keys(*(gene.name for gene in BOUNDS[Trunk]), "color")
    trunk = Trunk(**_parse_genes(row, Trunk), color=_parse_color(row))
    check_numbers(trunk, row.location())
    return trunk


def _parse_limb(row: Table) -> Limb:
    row.check_keys("at", "mirrored", "segments", "name", "foot", "color", "on")
    limb = Limb(
        row.triple("at"),
        row.boolean("mirrored", True),
        tuple(_parse_segment(table) for table in row.tables("segments")),
        row.text("name", ""),
        row.boolean("foot", True),
        _parse_color(row),
        row.text("on", TRUNK),
    )
    check_limb(limb, row.location())
    return limb


def _parse_color(row: Table) -> str | None:
    return row.text("color") if "color" in row else None


def _parse_mark(row: Table) -> Mark:
    row.check_keys("on", "at", "size", "color")
    return Mark(row.text("on"), row.triple("at"), row.triple("size"), _parse_color(row))


def _parse_segment(row: Table) -> Segment:
    row.check_keys(*(gene.name for gene in BOUNDS[Segment]), "freedoms")
    segment = Segment(**_parse_genes(row, Segment))
    if "freedoms" in row:
        segment = replace(segment, freedoms=tuple(_parse_freedom(table) for table in row.tables("freedoms")))
    check_numbers(segment, row.location())
    return segment


def _parse_freedom(row: Table) -> Freedom:
    row.check_keys("kind", *(gene.name for gene in BOUNDS[Freedom]), "muscles", "motor")
    kind = row.text("kind", Freedom().kind)
    kind = OLD_KINDS[kind] if kind in OLD_KINDS else row.text("kind", Freedom().kind, allowed=KINDS)
    muscles = _parse_muscles(row.table("muscles")) if "muscles" in row else None
    motor = row.text("motor", MOTORS[0], allowed=MOTORS)
    freedom = Freedom(kind, **_parse_genes(row, Freedom), muscles=muscles, motor=motor)
    check_numbers(freedom, row.location())
    return freedom


def _parse_muscles(row: Table) -> MusclePair:
    row.check_keys(*(gene.name for gene in BOUNDS[MusclePair]), "metabolism")
    metabolism = row.text("metabolism") if "metabolism" in row else None
    pair = MusclePair(**_parse_genes(row, MusclePair), metabolism=metabolism)
    check_muscles(pair, row.location())
    return pair


def _parse_genes(row: Table, part_type: type) -> dict[str, Any]:
    return {gene.name: row.number(gene.name) for gene in BOUNDS[part_type] if gene.name in row}


def _parse_control(body: Body, row: Table) -> Genotype:
    """Return the genotype of a body with the control of a table."""
    row.check_keys(*(f.name for f in fields(Control)), "genes")
    control = Control(
        row.text("kind", Control().kind),
        size=row.integer("size") if "size" in row else 0,
        senses=tuple(entries.text(key) for entries in [row.entries("senses", Control().senses)] for key in entries),
        slowest=row.number("slowest", Control().slowest),
        fastest=row.number("fastest", Control().fastest),
    )
    neutral = with_neutral_control(Genotype(body, control))
    values, shifts = neutral.control.values, neutral.control.shifts
    if "genes" in row:
        values = _parse_named_genes(row.table("genes"), [gene.name for gene in control_genes(body, control)])
    elif "values" in row:
        values = row.numbers("values")
    shifts = row.numbers("shifts", shifts)
    return Genotype(body, replace(control, values=values, shifts=shifts))


def _parse_named_genes(row: Table, names: list[str]) -> tuple[float, ...]:
    row.check_keys(*names)
    return tuple(row.number(name) for name in names)
