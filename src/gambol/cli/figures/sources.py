"""Readers and writers of figure files, by the suffix of the file and, for XML, by its first element."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from gambol.cli.figures.creatures import is_creature, read_creature
from gambol.errors import GambolError
from gambol.formats import Model, write_model
from gambol.formats.file_format import FORMATS, SCRIPT, file_format, reader_of, writable_format

OPTION_NAMES = {
    "base": "--base",
    "fix_inertia": "--mend",
    "leave_out": "--leave-out",
    "visuals": "--no-visuals",
    "srdf": "--srdf",
    "pose": "--pose",
}
"""The command's options by the keyword arguments of readers."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of readers.

    base: joint of the root to the world, for URDF files, which do not specify it. leave_out: unsupported features of
    an MJCF or URDF file to ignore, by name. mend: correct physically impossible inertias of a URDF file. no_visuals:
    leave visuals out, so that the shapes that collide are drawn. pose: name of the initial pose, a keyframe of an MJCF
    file or a pose of the SRDF file of a URDF file. srdf: path of this SRDF file.
    """

    base: Literal["fixed", "free"] | None = None
    leave_out: tuple[str, ...] = ()
    mend: bool = False
    no_visuals: bool = False
    pose: str | None = None
    srdf: Path | None = None


DEFAULT_OPTIONS = ReadOptions()


def read_model(path: Path, options: ReadOptions = DEFAULT_OPTIONS) -> Model:
    """Read the model in a figure file of any format, or the body of an evolved creature.

    Raises GambolError for a file that cannot be read, for a script, and for options that the format does not use.
    """
    creature = is_creature(path)
    suffix = ".toml" if creature else file_format(path)
    if suffix == SCRIPT:
        raise GambolError(f'"{path.name}" is a script, which creates its figures while it runs; run it: gambol run')
    chosen = {"base": options.base, "leave_out": options.leave_out, "fix_inertia": options.mend}
    chosen |= {"srdf": options.srdf, "pose": options.pose}
    given: dict[str, Any] = {name: value for name, value in chosen.items() if value}
    given |= {"visuals": False} if options.no_visuals else {}
    for name, option in OPTION_NAMES.items():
        if name in given and name not in FORMATS[suffix].options:
            raise GambolError(f"{option} is for {_formats_with(name, path)}")
    if creature:
        return read_creature(path).model()
    return reader_of(suffix)(path, **given)


def _formats_with(name: str, path: Path) -> str:
    """Return the end of an error message: the formats that have an option, and the format of the file."""
    names = [row.name for row in FORMATS.values() if name in row.options]
    refusal = f"not a {names[0]} file" if len(names) == 1 else "neither" if len(names) == 2 else "none of these"
    return f'{" and ".join(names)} files only; "{path.name}" is {refusal}'


def convert_file(path: Path, output_path: Path, options: ReadOptions = DEFAULT_OPTIONS) -> tuple[str, ...]:
    """Convert a file to the format given by the suffix of output_path; return notes on omitted features.

    A feature of options.leave_out is left out in writing if the output format lacks it, else in reading. Raises
    GambolError for an unknown suffix, for a feature that the format lacks, and as read_model() does.
    """
    unsupported = writable_format(output_path).unsupported
    left_out_in_writing = tuple(name for name in options.leave_out if name in unsupported)
    model = read_model(
        path, replace(options, leave_out=tuple(name for name in options.leave_out if name not in unsupported))
    )
    return (*model.notes, *write_model(model, output_path, leave_out=left_out_in_writing))
