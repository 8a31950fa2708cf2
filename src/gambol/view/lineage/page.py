"""A page of descent as one .html file that needs no network: what is told is packed like films, and read on demand."""

import base64
import gzip
import html
import json
import math
from dataclasses import astuple
from pathlib import Path
from typing import Any

from gambol.errors import printable
from gambol.formats import moved_into_place
from gambol.view.lineage.lineage import Lineage, Person, Trait
from gambol.view.page import packed
from gambol.view.template import filled

RATE = 30.0  # frames kept per second of a film: the player blends between them, and a page has many
DIGITS = 6  # of values, which are only shown


def write_lineage(lineage: Lineage, path: str | Path) -> Path:
    """Write a creature's descent as one .html file, with all its films. Returns the path.

    A film with nothing to draw, or a folder that cannot be written, raises GambolError.
    """
    films = "\n".join(
        f'<script type="text/plain" id="film{one.number}">{packed(one.film, rate=RATE)}</script>'
        for one in lineage.people
        if one.film is not None
    )
    parts = {"title": html.escape(printable(lineage.title)), "lineage": _packed(_told(lineage)), "films": films}
    text = filled("lineage", parts)
    with moved_into_place(path) as beside:
        beside.write_text(text, encoding="utf-8")
    return Path(path)


def _told(lineage: Lineage) -> dict[str, Any]:
    """What the page reads; traits that creatures share are told once."""
    kinds: dict[tuple[Trait, ...], int] = {}
    people = [_person(one, kinds.setdefault(one.traits, len(kinds))) for one in lineage.people]
    return {
        "title": lineage.title,
        "about": dict(lineage.about),
        "generations": [list(map(_number, astuple(one))) for one in lineage.generations],
        "people": people,
        "kinds": [[[trait.name, trait.unit, trait.lower, trait.upper] for trait in traits] for traits in kinds],
        "line": lineage.line,
        "leftOut": lineage.left_out,
        "again": lineage.again,
        "trials": lineage.trials,
    }


def _person(one: Person, kind: int) -> dict[str, Any]:
    return {
        "number": one.number, "generation": one.generation, "parents": one.parents, "origin": one.origin,
        "fitness": _number(one.fitness), "marked": one.marked,
        "terms": {name: _number(value) for name, value in one.terms.items()},
        "kind": kind, "values": [_number(value) for value in one.values], "film": one.film is not None,
    }  # fmt: skip


def _number(value: float) -> float | None:
    """A number as it is shown, None where there is none."""
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _packed(told: dict[str, Any]) -> str:
    return base64.b64encode(gzip.compress(json.dumps(told).encode(), 6, mtime=0)).decode()
