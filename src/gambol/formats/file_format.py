"""The table of formats of figure files, and reading and writing a model by the suffix of the file."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gambol.errors import GambolError, did_you_mean
from gambol.formats.figure_file import read_figure, write_figure
from gambol.formats.mjcf import read_mjcf, write_mjcf
from gambol.formats.mjcf.writing import UNSUPPORTED as MJCF_UNSUPPORTED
from gambol.formats.model import Model
from gambol.formats.urdf import read_urdf, write_urdf
from gambol.formats.urdf.writing import UNSUPPORTED as URDF_UNSUPPORTED
from gambol.formats.usd import read_usd

FIRST_TAG = re.compile(rb"<\s*([A-Za-z][\w.:-]*)")
COMMENTS = re.compile(rb"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>", re.DOTALL)
HEADER_BYTES = 65536  # number of bytes searched for the first element of an XML file
SCRIPT = ".corpus"


@dataclass(frozen=True)
class FileFormat:
    """A row of the table of formats of figure files.

    name: name of the format. read: returns the model in a file; None for a format that cannot be read. write: takes a
    model, a path and, if `unsupported` is not empty, leave_out= as write_urdf() does; returns notes, if any; None for a
    format that cannot be written. unsupported: features of a model that the format lacks, a description by name.
    options: names of the keyword arguments of its reader: "base", "leave_out", "fix_inertia", "visuals", "srdf",
    "pose", see read_urdf(). first_tags: tags of first elements, by which files of an XML format are recognised.
    other_suffixes: further suffixes of its files.
    """

    name: str
    read: Callable[..., Model] | None = None
    write: Callable[..., tuple[str, ...] | None] | None = None
    unsupported: Mapping[str, str] = field(default_factory=dict[str, str])
    options: tuple[str, ...] = ()
    first_tags: tuple[str, ...] = ()
    other_suffixes: tuple[str, ...] = ()


FORMATS: dict[str, FileFormat] = {
    ".toml": FileFormat("gambol", read_figure, write_figure),
    ".xml": FileFormat(
        "MJCF",
        read_mjcf,
        write_mjcf,
        MJCF_UNSUPPORTED,
        ("leave_out", "visuals", "pose"),
        ("mujoco", "mujocoinclude"),
        (".mjcf",),
    ),
    ".urdf": FileFormat(
        "URDF",
        read_urdf,
        write_urdf,
        URDF_UNSUPPORTED,
        ("base", "leave_out", "fix_inertia", "visuals", "srdf", "pose"),
        ("robot",),
    ),
    ".usda": FileFormat("USD", read_usd, options=("leave_out", "visuals"), other_suffixes=(".usd", ".usdc", ".usdz")),
}
"""The formats of figure files by suffix. A new format is one more entry; see docs/extend/exporter.md."""


REFUSED = {
    ".osim": "an OpenSim model, which gambol does not read; convert it to MJCF, whose muscles and tendons gambol reads",
}
"""Descriptions of known formats that gambol does not read, by suffix."""


def file_format(path: Path) -> str:
    """Return the format of a file as a suffix: from its name or, for XML, from its first element.

    Raises GambolError for a missing file, and for an unknown format.
    """
    suffixes = {suffix: suffix for suffix in FORMATS}
    suffixes |= {other: suffix for suffix, row in FORMATS.items() for other in row.other_suffixes} | {SCRIPT: SCRIPT}
    if path.is_dir():
        raise GambolError(f'"{path}" is a folder; give a file in it')
    if not path.is_file():
        suggestion = did_you_mean(path.name, [p.name for p in path.parent.glob("*") if p.suffix.lower() in suffixes])
        raise GambolError(f'there is no file "{path}"' + (f"; {suggestion}" if suggestion.startswith("did") else ""))
    suffix = path.suffix.lower()
    if suffix in REFUSED:
        raise GambolError(f'"{path.name}" is {REFUSED[suffix]}')
    if suffix not in suffixes:
        raise GambolError(f'"{path.name}" has an unknown suffix; figure files end in {", ".join(suffixes)}')
    suffix = suffixes[suffix]
    if suffix == SCRIPT or not FORMATS[suffix].first_tags:
        return suffix
    with path.open("rb") as file:
        match = FIRST_TAG.search(COMMENTS.sub(b"", file.read(HEADER_BYTES)))
    formats_by_tag = {tag: known for known, row in FORMATS.items() for tag in row.first_tags}
    return formats_by_tag.get(match.group(1).decode() if match else "", suffix)


def reader_of(suffix: str) -> Callable[..., Model]:
    """Return the reader of a format. Raises GambolError for a format that can only be written."""
    if (read := FORMATS[suffix].read) is None:
        raise GambolError(f"files of {FORMATS[suffix].name} ({suffix}) can only be written, not read")
    return read


def read_model(path: str | Path, **options: Any) -> Model:
    """Read the model in a figure file, MJCF, URDF or USD.

    options: keyword arguments of the reader of its format, such as pose="stand" or, for a URDF file, base="free"; see
    read_urdf() and read_mjcf(). Raises GambolError for a file that cannot be read, for an option that its format lacks,
    and for a script, which has no single model.
    """
    path = Path(path)
    suffix = file_format(path)
    if suffix == SCRIPT:
        raise GambolError(f'"{path.name}" is a script, which creates its figures while it runs; use read_script()')
    for name in options:
        if name not in FORMATS[suffix].options:
            raise GambolError(
                f'"{path.name}" is a file of format {FORMATS[suffix].name}, which is read without the option "{name}"; '
                f"{did_you_mean(name, FORMATS[suffix].options)}"
            )
    return reader_of(suffix)(path, **options)


def writable_format(path: Path) -> FileFormat:
    """Return the format of a file to write, by its suffix. Raises GambolError for a format that cannot be written."""
    row = FORMATS.get(path.suffix.lower())
    if row is None or row.write is None:
        known = ", ".join(suffix for suffix, other in FORMATS.items() if other.write is not None)
        raise GambolError(f'"{path.name}" has a suffix that cannot be written; give one of {known}')
    return row


def write_model(model: Model, path: str | Path, *, leave_out: Collection[str] = ()) -> tuple[str, ...]:
    """Write a model in the format of the file's suffix; return notes on omitted and approximated features.

    leave_out: names of the features to leave out that the format lacks. Raises GambolError for a suffix that cannot be
    written, for other features that the format lacks, and for an unknown name in leave_out.
    """
    row = writable_format(Path(path))
    assert row.write is not None  # a writable format has a function that writes it
    if not row.unsupported and leave_out:
        raise GambolError(f'"{Path(path).name}": {row.name} lacks no feature, so nothing can be left out')
    return (row.write(model, path, leave_out=leave_out) if row.unsupported else row.write(model, path)) or ()
