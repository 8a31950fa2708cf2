"""The command `gambol examples`: figures, scripts and programs to start from, which come with gambol, as files."""

from pathlib import Path

import gambol
from gambol.errors import GambolError
from gambol.formats import moved_into_place

KINDS = (".toml", ".corpus", ".py")


def source() -> Path:
    """The folder of the examples: inside an installed package, or beside src in a clone. Raises GambolError."""
    package = Path(gambol.__file__).parent
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / "figures").is_dir():
            return folder
    raise GambolError("the examples did not come with this gambol; install it anew from its wheel")


def examples() -> list[Path]:
    """The paths of all examples, below their folder."""
    folder = source()
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.suffix in KINDS)


def write_examples(folder: Path) -> list[Path]:
    """Write the examples into a folder, and return the paths of those that were not there yet.

    Raises GambolError, before anything is written, where one of them would replace another file.
    """
    place = source()
    missing: list[Path] = []
    for name in examples():
        path = folder / name
        if not path.exists():
            missing.append(name)
        elif not path.is_file() or path.read_bytes() != (place / name).read_bytes():
            raise GambolError(f'"{path}" is there already, and is no example of this gambol; give another folder')
    for name in missing:
        with moved_into_place(folder / name) as beside:
            beside.write_bytes((place / name).read_bytes())
    return [folder / name for name in missing]
