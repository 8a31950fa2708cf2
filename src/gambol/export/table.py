"""The table of exporters: a row for each suffix of a file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from gambol.errors import GambolError
from gambol.export.bvh import write_bvh
from gambol.export.csv_table import write_csv
from gambol.export.gltf import write_gltf
from gambol.export.gltf_buffer import pygltflib
from gambol.export.particle_balls import MAX_BALLS
from gambol.export.usd import write_usd
from gambol.export.usd_library import usd_modules
from gambol.export.usd_physics import physics_left_out
from gambol.formats import Model
from gambol.world.film import Film, FilmMuscle, FilmParticles


@dataclass(frozen=True, slots=True)
class Exporter:
    """A row of the table EXPORTERS.

    name: name of the format. write: a function of a film, a path and keyword-only arguments, the options; it returns
    the path. leaves_out: parts of a film that the format cannot contain: "shapes", "matter", "particles", "muscles",
    "signals", "ground", "events", with texts for notes. needs: raises GambolError if a library is missing. takes: True
    if write also accepts several films of one figure. model_notes: for a format with the option "figure", a function
    that returns texts on the parts of a model that the format leaves out.
    """

    name: str
    write: Callable[..., Path]
    leaves_out: Mapping[str, str]
    needs: Callable[[], Any] | None = None
    takes: bool = False
    model_notes: Callable[[Model], Sequence[str]] | None = None

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options of the exporter."""
        return tuple(signature(self.write).parameters)[2:]


_MOTION_ONLY = {"signals": "signals, such as energies and steps; write a .csv beside it", "events": "events"}
_MORPHS = {
    **_MOTION_ONLY,
    "particles": f"particles beyond {MAX_BALLS:,} at a time; colours of particles are rounded",
    "muscles": "changes of colour: muscles have that of their mean activation",
}
_BONES = {
    **_MOTION_ONLY,
    "matter": "cloth, ropes, particles and muscles",
    "shapes": "shapes: links become bones",
    "ground": "the ground",
}
_NUMBERS = {"shapes": "shapes", "ground": "the ground", "matter": "matter", "events": "events"}
_USD = Exporter("USD", write_usd, _MOTION_ONLY, lambda: usd_modules("Usd"), model_notes=physics_left_out)

EXPORTERS: dict[str, Exporter] = {
    ".glb": Exporter("glTF", write_gltf, _MORPHS, pygltflib, takes=True),
    ".usda": _USD,
    ".usdc": _USD,
    ".usdz": _USD,
    ".bvh": Exporter("BVH", write_bvh, _BONES),
    ".csv": Exporter("CSV", write_csv, _NUMBERS),
}
"""The exporters by the suffix of a file."""


def add_exporter(ending: str, exporter: Exporter) -> None:
    """Add an exporter.

    ending: suffix with its dot, in lower case. Raises GambolError for a suffix that is in use or has no dot.
    """
    if not ending.startswith(".") or ending != ending.lower():
        raise GambolError(f'a suffix such as ".fbx" has a dot and lower-case letters; this is "{ending}"')
    if ending in EXPORTERS:
        raise GambolError(f'there is an exporter for "{ending}" already; give yours another suffix')
    EXPORTERS[ending] = exporter


def check_target(path: str | Path, options: Mapping[str, Any] = {}, takes: int = 1) -> Exporter:
    """Return the exporter of a file; to be called before the film is computed.

    options: options with their values, None for default values. takes: number of films. Raises GambolError for an
    unknown suffix, an option that the format lacks, several films in a format for one film, and a missing library.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in EXPORTERS:
        hint = f"the known suffixes are {', '.join(EXPORTERS)}"
        raise GambolError(f'cannot export to "{target}", whose suffix "{suffix}" is not known; {hint}')
    exporter = EXPORTERS[suffix]
    for name, value in options.items():
        if value is not None and name not in exporter.options:
            known = ", ".join(exporter.options)
            raise GambolError(f"{exporter.name} files have no option {name}; they have {known}")
    if takes > 1 and not exporter.takes:
        formats = " or ".join(known for known, row in EXPORTERS.items() if row.takes)
        raise GambolError(
            f"{exporter.name} files contain one film; write the {takes} films as clips of a {formats} file"
        )
    if exporter.needs is not None:
        exporter.needs()
    return exporter


def export_film(films: Film | Sequence[Film], path: str | Path, **options: Any) -> list[str]:
    """Write a film in the format given by a file's suffix, and return notes on what the format leaves out.

    films: one film, or several takes of one figure if the format can contain them. options: keyword arguments of the
    format's function; None stands for its default. Raises GambolError as check_target() and the format's function do.
    """
    takes = [films] if isinstance(films, Film) else list(films)
    exporter = check_target(path, options, len(takes))
    given = {name: value for name, value in options.items() if value is not None}
    exporter.write(takes if len(takes) > 1 else takes[0], path, **given)
    has = {
        "shapes": any(film.shapes for film in takes),
        "matter": any(film.matter for film in takes),
        "particles": any(isinstance(each, FilmParticles) for film in takes for each in film.matter),
        "muscles": any(isinstance(each, FilmMuscle) for film in takes for each in film.matter),
        "signals": any(film.signals for film in takes),
        "ground": takes[0].ground.heights is not None and options.get("ground") is None,
        "events": any(film.events for film in takes),
    }
    notes = [f"{exporter.name} leaves out {text}" for name, text in exporter.leaves_out.items() if has[name]]
    if exporter.model_notes is not None and isinstance(model := options.get("figure"), Model):
        notes += [f"{exporter.name} leaves out {text}" for text in exporter.model_notes(model)]
    if has["ground"] and "ground" not in exporter.leaves_out:
        notes.append("the uneven ground is left out; the option ground adds it")
    if (worlds := max(film.worlds for film in takes)) > 1:
        notes.append(f"of {worlds} worlds only the first is written")
    return notes
