"""The finish of a surface as keys of a row in figure files and film files; keys of a plain finish are left out."""

from typing import Any

from gambol.figure import Finish, Material
from gambol.figure.visual import PLAIN_FINISH
from gambol.formats.export_report import ExportReport
from gambol.formats.table import Table

FINISH_KEYS = ("roughness", "metallic", "emission")


def finish_row(finish: Finish) -> dict[str, Any]:
    """Return the keys of a finish that differ from those of a plain one."""
    values = {key: getattr(finish, key) for key in FINISH_KEYS}
    return {key: value for key, value in values.items() if value != getattr(PLAIN_FINISH, key)}


def read_finish(row: Table) -> Finish:
    """Return the finish in a row.

    Raises GambolError for values of another type, for fractions outside 0 to 1, and for a text that is not a colour.
    """
    finish = Finish(
        row.number("roughness") if "roughness" in row else None,
        row.number("metallic", 0.0),
        row.text("emission") if "emission" in row else None,
    )
    finish.check(row.location())
    return finish


def note_finish(material: Material, report: ExportReport) -> None:
    """Note that a format has no finishes, if a material has one."""
    if material.finish != PLAIN_FINISH:
        report.note("Left out: roughness, metal and emission of visuals.")
