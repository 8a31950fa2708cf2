"""The lineage page as one .html file that needs no network; its data is encoded like films and decoded on demand."""

import base64
import gzip
import html
import json
import math
from dataclasses import astuple
from pathlib import Path
from typing import Any

from gambol.errors import printable
from gambol.formats import atomic_write
from gambol.view.lineage.lineage import GeneInfo, Individual, Lineage
from gambol.view.live.encoded import SharedPrograms, worker_script
from gambol.view.page import encode_film
from gambol.view.template import WORKER_SOURCES, fill_template

FRAME_RATE = 30.0  # [frames/s] low, since the player interpolates and a page has many films
DIGITS = 6  # significant digits of numbers, enough for display


def write_lineage(lineage: Lineage, path: str | Path) -> Path:
    """Write the ancestry of a creature as one .html file, with all its films and worlds. Returns the path.

    lineage: the ancestry; path: path of the file. Raises GambolError for a film with nothing to draw, or a folder that
    cannot be written to.
    """
    programs, moving = SharedPrograms(), list[str]()
    for individual in lineage.individuals:
        if individual.film is not None:
            moving.append(_element(f"film{individual.number}", encode_film(individual.film, rate=FRAME_RATE)))
        if individual.film is not None and individual.start is not None:
            world = programs.encoded_world(*individual.start, individual.film, None, individual.gene_settings)
            moving.append(_element(f"world{individual.number}", world))
    parts = {
        "title": html.escape(printable(lineage.title)),
        "lineage": _encoded(_page_data(lineage)),
        "films": "\n".join(moving),
        "programs": programs.text(),
        "worker": worker_script(),
    }
    text = fill_template("lineage", parts, WORKER_SOURCES)
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return Path(path)


def _element(name: str, text: str) -> str:
    """Return an element with the data of a creature."""
    return f'<script type="text/plain" id="{name}">{text}</script>'


def _page_data(lineage: Lineage) -> dict[str, Any]:
    """Return the data of the page. Individuals refer to lists of genes by index, so that each list is stored once."""
    gene_lists: dict[tuple[GeneInfo, ...], int] = {}
    individuals = [
        _individual_data(individual, gene_lists.setdefault(individual.genes, len(gene_lists)))
        for individual in lineage.individuals
    ]
    return {
        "title": lineage.title,
        "about": dict(lineage.about),
        "generations": [list(map(_displayed_number, astuple(generation))) for generation in lineage.generations],
        "individuals": individuals,
        "geneLists": [[[gene.name, gene.unit, gene.lower, gene.upper] for gene in genes] for genes in gene_lists],
        "line": lineage.line,
        "leftOut": lineage.left_out,
        "filmCommand": lineage.film_command,
        "trials": lineage.trials,
    }


def _individual_data(individual: Individual, gene_list: int) -> dict[str, Any]:
    return {
        "number": individual.number, "generation": individual.generation,
        "parents": individual.parents, "origin": individual.origin,
        "fitness": _displayed_number(individual.fitness), "marked": individual.marked,
        "terms": {name: _displayed_number(value) for name, value in individual.terms.items()},
        "geneList": gene_list, "values": [_displayed_number(value) for value in individual.values],
        "film": individual.film is not None, "motionNote": individual.motion_note,
    }  # fmt: skip


def _displayed_number(value: float) -> float | None:
    """Return a number rounded for display; None if it is not finite."""
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _encoded(data: dict[str, Any]) -> str:
    return base64.b64encode(gzip.compress(json.dumps(data).encode(), 6, mtime=0)).decode()
