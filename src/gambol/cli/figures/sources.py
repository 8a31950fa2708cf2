"""Which reader a figure's file wants, told by its ending and, where that is not enough, by how it begins."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from gambol.cli.figures.creatures import is_genotype, specimen_of
from gambol.errors import GambolError, did_you_mean
from gambol.formats import Specimen, read_figure, read_mjcf, read_urdf, write_figure, write_mjcf, write_urdf
from gambol.formats.mjcf.writing import LACKS as MJCF_LACKS
from gambol.formats.urdf.writing import LACKS as URDF_LACKS

FIRST_TAG = re.compile(rb"<\s*([A-Za-z][\w.:-]*)")
ASIDE = re.compile(rb"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>", re.DOTALL)
BEGINNING = 65536  # bytes in which an XML file's first element is looked for


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read a file that says too little or too much.

    base: how the root hangs on the world, for URDF files, which do not tell. leave_out: what a MJCF or URDF file has
    and gambol has not, by name, to go without. mend: whether a URDF file's impossible inertias are made possible.
    """

    base: Literal["fixed", "free"] | None = None
    leave_out: tuple[str, ...] = ()
    mend: bool = False


def _figure(path: Path, how: Reading) -> Specimen:
    return specimen_of(path) if is_genotype(path) else read_figure(path)


def _mjcf(path: Path, how: Reading) -> Specimen:
    return read_mjcf(path, leave_out=how.leave_out)


def _urdf(path: Path, how: Reading) -> Specimen:
    return read_urdf(path, how.base or "fixed", leave_out=how.leave_out, mend=how.mend)


def _write_figure(specimen: Specimen, path: Path, leave_out: tuple[str, ...]) -> tuple[str, ...]:
    write_figure(specimen, path)
    return ()


def _write_mjcf(specimen: Specimen, path: Path, leave_out: tuple[str, ...]) -> tuple[str, ...]:
    return write_mjcf(specimen, path, leave_out=leave_out)


def _write_urdf(specimen: Specimen, path: Path, leave_out: tuple[str, ...]) -> tuple[str, ...]:
    return write_urdf(specimen, path, leave_out=leave_out)


READERS = {".toml": _figure, ".xml": _mjcf, ".urdf": _urdf}
WRITERS = {".toml": _write_figure, ".xml": _write_mjcf, ".urdf": _write_urdf}
LACKS: dict[str, Mapping[str, str]] = {".toml": {}, ".xml": MJCF_LACKS, ".urdf": URDF_LACKS}
SCRIPT = ".corpus"
BY_TAG = {b"robot": ".urdf", b"mujoco": ".xml", b"mujocoinclude": ".xml"}


READ_AS_IT_IS = Reading()


def kind_of(path: Path) -> str:
    """The ending under which a file is known: its own, or that of what an XML file holds.

    Raises GambolError for a file that is not there, and one of another kind.
    """
    known = (*READERS, ".mjcf", SCRIPT)
    if path.is_dir():
        raise GambolError(f'"{path}" is a folder; give a file in it')
    if not path.is_file():
        near = did_you_mean(path.name, [p.name for p in path.parent.glob("*") if p.suffix.lower() in known])
        raise GambolError(f'there is no file "{path}"' + (f"; {near}" if near.startswith("did") else ""))
    ending = path.suffix.lower()
    if ending not in known:
        raise GambolError(f'"{path.name}" is of no known kind; files of figures end in {", ".join(known)}')
    if ending in (".toml", SCRIPT):
        return ending
    with path.open("rb") as file:
        found = FIRST_TAG.search(ASIDE.sub(b"", file.read(BEGINNING)))
    return BY_TAG.get(found.group(1) if found else b"", ".urdf" if ending == ".urdf" else ".xml")


def read_specimen(path: Path, how: Reading = READ_AS_IT_IS) -> Specimen:
    """The specimen in a figure's file of any format.

    Raises GambolError for a file that cannot be read, for a script, and for a base or a mending where the file has no
    use for it.
    """
    kind = kind_of(path)
    if kind == SCRIPT:
        raise GambolError(f'"{path.name}" is a script, which makes its figures while it runs; perform it: gambol run')
    for option, given in (("--base", how.base), ("--mend", how.mend)):
        if given and kind != ".urdf":
            raise GambolError(f'{option} is for URDF files, and "{path.name}" is none')
    if how.leave_out and kind == ".toml":
        raise GambolError(f'--leave-out is for MJCF and URDF files, and "{path.name}" is neither')
    return READERS[kind](path, how)


def converted(path: Path, other: Path, how: Reading = READ_AS_IT_IS) -> tuple[str, ...]:
    """Write the specimen of a file in the format that another file's ending names; notes on what either cannot hold.

    What is to be left out is left out in writing where the format to be written lacks it, else in reading. Raises
    GambolError for an ending that names no format, for what the format cannot hold, and as read_specimen() does.
    """
    ending = other.suffix.lower()
    if ending not in WRITERS:
        raise GambolError(
            f'"{other.name}" is of no kind that can be written; give one that ends in {", ".join(WRITERS)}'
        )
    lacks = LACKS[ending]
    late = tuple(name for name in how.leave_out if name in lacks)
    specimen = read_specimen(path, replace(how, leave_out=tuple(name for name in how.leave_out if name not in lacks)))
    return (*specimen.notes, *WRITERS[ending](specimen, other, late))
