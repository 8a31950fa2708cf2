"""Readers and writers of figure files, by the suffix of the file and, for XML, by its first element."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from gambol.cli.figures.creatures import genotype_model, is_genotype
from gambol.errors import GambolError, did_you_mean
from gambol.formats import Model, read_figure, read_mjcf, read_urdf, write_figure, write_mjcf, write_urdf
from gambol.formats.mjcf.writing import UNSUPPORTED as MJCF_UNSUPPORTED
from gambol.formats.urdf.writing import UNSUPPORTED as URDF_UNSUPPORTED

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


def _read_toml(path: Path, options: ReadOptions) -> Model:
    return genotype_model(path) if is_genotype(path) else read_figure(path)


def _read_mjcf(path: Path, options: ReadOptions) -> Model:
    return read_mjcf(path, leave_out=options.leave_out)


def _read_urdf(path: Path, options: ReadOptions) -> Model:
    return read_urdf(path, options.base or "fixed", leave_out=options.leave_out, fix_inertia=options.mend)


def _write_toml(model: Model, path: Path, leave_out: tuple[str, ...]) -> tuple[str, ...]:
    write_figure(model, path)
    return ()


def _write_mjcf(model: Model, path: Path, leave_out: tuple[str, ...]) -> tuple[str, ...]:
    return write_mjcf(model, path, leave_out=leave_out)


def _write_urdf(model: Model, path: Path, leave_out: tuple[str, ...]) -> tuple[str, ...]:
    return write_urdf(model, path, leave_out=leave_out)


READERS = {".toml": _read_toml, ".xml": _read_mjcf, ".urdf": _read_urdf}
WRITERS = {".toml": _write_toml, ".xml": _write_mjcf, ".urdf": _write_urdf}
UNSUPPORTED: dict[str, Mapping[str, str]] = {".toml": {}, ".xml": MJCF_UNSUPPORTED, ".urdf": URDF_UNSUPPORTED}
SCRIPT = ".corpus"
FORMAT_BY_TAG = {b"robot": ".urdf", b"mujoco": ".xml", b"mujocoinclude": ".xml"}


DEFAULT_OPTIONS = ReadOptions()


def file_format(path: Path) -> str:
    """Return the format of a file as a suffix: that of its name or, for XML, that of its first element.

    Raises GambolError for a missing file, and for an unknown format.
    """
    suffixes = (*READERS, ".mjcf", SCRIPT)
    if path.is_dir():
        raise GambolError(f'"{path}" is a folder; give a file in it')
    if not path.is_file():
        suggestion = did_you_mean(path.name, [p.name for p in path.parent.glob("*") if p.suffix.lower() in suffixes])
        raise GambolError(f'there is no file "{path}"' + (f"; {suggestion}" if suggestion.startswith("did") else ""))
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        raise GambolError(f'"{path.name}" has an unknown suffix; figure files end in {", ".join(suffixes)}')
    if suffix in (".toml", SCRIPT):
        return suffix
    with path.open("rb") as file:
        match = FIRST_TAG.search(COMMENTS.sub(b"", file.read(HEADER_BYTES)))
    return FORMAT_BY_TAG.get(match.group(1) if match else b"", ".urdf" if suffix == ".urdf" else ".xml")


def read_model(path: Path, options: ReadOptions = DEFAULT_OPTIONS) -> Model:
    """Read the model in a figure file of any format.

    Raises GambolError for a file that cannot be read, for a script, and for options that the format does not use.
    """
    suffix = file_format(path)
    if suffix == SCRIPT:
        raise GambolError(f'"{path.name}" is a script, which creates its figures while it runs; run it: gambol run')
    for option, value in (("--base", options.base), ("--mend", options.mend)):
        if value and suffix != ".urdf":
            raise GambolError(f'{option} is for URDF files only; "{path.name}" is not a URDF file')
    if options.leave_out and suffix == ".toml":
        raise GambolError(f'--leave-out is for MJCF and URDF files only; "{path.name}" is neither')
    return READERS[suffix](path, options)


def convert_file(path: Path, output_path: Path, options: ReadOptions = DEFAULT_OPTIONS) -> tuple[str, ...]:
    """Convert a file to the format given by the suffix of output_path; return notes on features that were left out.

    A feature of options.leave_out is left out in writing if the output format lacks it, else in reading. Raises
    GambolError for an unknown suffix, for a feature that the format lacks, and as read_model() does.
    """
    suffix = output_path.suffix.lower()
    if suffix not in WRITERS:
        raise GambolError(f'"{output_path.name}" has a suffix that cannot be written; give one of {", ".join(WRITERS)}')
    unsupported = UNSUPPORTED[suffix]
    left_out_in_writing = tuple(name for name in options.leave_out if name in unsupported)
    model = read_model(
        path, replace(options, leave_out=tuple(name for name in options.leave_out if name not in unsupported))
    )
    return (*model.notes, *WRITERS[suffix](model, output_path, left_out_in_writing))
