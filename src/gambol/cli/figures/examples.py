"""The command `gambol examples`: writes the figures, scripts and programs that come with gambol."""

from pathlib import Path

import gambol
from gambol.errors import GambolError
from gambol.formats import atomic_write

SUFFIXES = (".toml", ".urdf", ".corpus", ".csv", ".py", ".onnx")
"""Figures, scripts of corpus (McKenna's simulator), heights, programs, policies."""


def examples_folder() -> Path:
    """Return the folder of the examples: in the installed package, or beside src in a clone."""
    package = Path(gambol.__file__).parent
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / "figures").is_dir():
            return folder
    raise GambolError("this installation of gambol has no examples; install it again from its wheel")


def examples() -> list[Path]:
    """Return the paths of all examples, relative to their folder."""
    folder = examples_folder()
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.suffix in SUFFIXES)


def write_examples(folder: Path) -> list[Path]:
    """Write the examples into a folder, and return the paths of the new files.

    Raises GambolError, before any file is written, if an example would replace a different file.
    """
    source = examples_folder()
    new_files: list[Path] = []
    for name in examples():
        path = folder / name
        if not path.exists():
            new_files.append(name)
        elif not path.is_file() or path.read_bytes() != (source / name).read_bytes():
            raise GambolError(f'"{path}" exists already and differs from the example; give another folder')
    for name in new_files:
        with atomic_write(folder / name) as temporary:
            temporary.write_bytes((source / name).read_bytes())
    return [folder / name for name in new_files]
