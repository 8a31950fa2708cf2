"""Readers and writers of figure files, chosen by the suffix of the file and, for XML, by its first element."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from gambol.cli.figures.creatures import genotype_model, is_genotype
from gambol.errors import GambolError, did_you_mean
from gambol.formats import Model, read_figure, read_mjcf, read_urdf, write_figure, write_mjcf, write_urdf
from gambol.formats.mjcf.writing import UNSUPPORTED as MJCF_LACKS
from gambol.formats.urdf.writing import UNSUPPORTED as URDF_LACKS

FIRST_TAG = re.compile(rb"<\s*([A-Za-z][\w.:-]*)")
COMMENTS = re.compile(rb"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>", re.DOTALL)
HEADER_BYTES = 65536  # number of bytes searched for the first element of an XML file


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of readers.

    base: joint of the root to the world, for URDF files, which do not specify it. leave_out: unsupported features of
    an MJCF or URDF file to ignore, by name. mend: correct physically impossible inertias of a URDF file.
    """

    base: Literal["fixed", "free"] | None = None
    leave_out: tuple[str, ...] = ()
    mend: bool = False


def _figure(path: Path, options: ReadOptions) -> Model:
    return genotype_model(path) if is_genotype(path) else read_figure(path)


def _mjcf(path: Path, options: ReadOptions) -> Model:
    return read_mjcf(path, leave_out=options.leave_out)


def _urdf(path: Path, options: ReadOptions) -> Model:
    return read_urdf(path, options.base or "fixed", leave_out=options.leave_out, fix_inertia=options.mend)


def _write_figure(model: Model, path: Path, leave_out: tuple[str, ...]) -> tuple[str, ...]:
    write_figure(model, path)
    return ()


def _write_mjcf(model: Model, path: Path, leave_out: tuple[str, ...]) -> tuple[str, ...]:
    return write_mjcf(model, path, leave_out=leave_out)


def _write_urdf(model: Model, path: Path, leave_out: tuple[str, ...]) -> tuple[str, ...]:
    return write_urdf(model, path, leave_out=leave_out)


READERS = {".toml": _figure, ".xml": _mjcf, ".urdf": _urdf}
WRITERS = {".toml": _write_figure, ".xml": _write_mjcf, ".urdf": _write_urdf}
LACKS: dict[str, Mapping[str, str]] = {".toml": {}, ".xml": MJCF_LACKS, ".urdf": URDF_LACKS}
SCRIPT = ".corpus"
FORMAT_OF_TAG = {b"robot": ".urdf", b"mujoco": ".xml", b"mujocoinclude": ".xml"}


DEFAULT_OPTIONS = ReadOptions()


def file_format(path: Path) -> str:
    """Return the format of a file as a suffix: its own, or for XML the one of its first element.

    Raises GambolError for a missing file, and for an unknown format.
    """
    known = (*READERS, ".mjcf", SCRIPT)
    if path.is_dir():
        raise GambolError(f'"{path}" is a folder; give a file in it')
    if not path.is_file():
        near = did_you_mean(path.name, [p.name for p in path.parent.glob("*") if p.suffix.lower() in known])
        raise GambolError(f'there is no file "{path}"' + (f"; {near}" if near.startswith("did") else ""))
    ending = path.suffix.lower()
    if ending not in known:
        raise GambolError(f'"{path.name}" has an unknown suffix; figure files end in {", ".join(known)}')
    if ending in (".toml", SCRIPT):
        return ending
    with path.open("rb") as file:
        found = FIRST_TAG.search(COMMENTS.sub(b"", file.read(HEADER_BYTES)))
    return FORMAT_OF_TAG.get(found.group(1) if found else b"", ".urdf" if ending == ".urdf" else ".xml")


def read_model(path: Path, options: ReadOptions = DEFAULT_OPTIONS) -> Model:
    """Read the model in a figure file of any format.

    Raises GambolError for a file that cannot be read, for a script, and for options that the format does not use.
    """
    kind = file_format(path)
    if kind == SCRIPT:
        raise GambolError(f'"{path.name}" is a script, which creates its figures while it runs; run it: gambol run')
    for option, given in (("--base", options.base), ("--mend", options.mend)):
        if given and kind != ".urdf":
            raise GambolError(f'{option} is for URDF files only; "{path.name}" is not one')
    if options.leave_out and kind == ".toml":
        raise GambolError(f'--leave-out is for MJCF and URDF files only; "{path.name}" is neither')
    return READERS[kind](path, options)


def convert_file(path: Path, other: Path, options: ReadOptions = DEFAULT_OPTIONS) -> tuple[str, ...]:
    """Convert a file to the format of another file's suffix; return notes on features that either format lacks.

    A feature to be left out is left out in writing if the output format lacks it, else in reading. Raises GambolError
    for an unknown suffix, for a feature that the format lacks, and as read_model() does.
    """
    ending = other.suffix.lower()
    if ending not in WRITERS:
        raise GambolError(f'"{other.name}" has no suffix that can be written; give one of {", ".join(WRITERS)}')
    lacks = LACKS[ending]
    late = tuple(name for name in options.leave_out if name in lacks)
    model = read_model(path, replace(options, leave_out=tuple(name for name in options.leave_out if name not in lacks)))
    return (*model.notes, *WRITERS[ending](model, other, late))
