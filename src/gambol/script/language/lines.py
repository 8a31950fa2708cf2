"""From the file of a script to its lines: comments gone, broken lines joined, other files read in.

A script reads files from its own folder only, and never the same one inside itself.
"""

import re
import warnings
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gambol.errors import GambolError

LARGEST = 4_000_000  # bytes of a script with all files that it reads in; the roach has 20,000
MOST_FILES = 200
DEEPEST = 8  # files inside files

BROKEN_OFF = re.compile(r"\*\s*[0-9.]")
"""How the rest of a line begins that was broken in print: no command begins with a part of a time."""


TIMED = ("motor", "timer", "time")
"""Commands that end in, or have, a part of a motor program's time."""


class ScriptError(GambolError):
    """A script that cannot be run: file, line, what is wrong there, and what would be right."""


class ScriptWarning(UserWarning):
    """A script says something that is read otherwise than written, or that gambol does not simulate."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with a command: where: its file and number; words: what it says, without comments."""

    where: str
    words: str


def warn(where: str, text: str) -> None:
    """Warn of a slip in a script."""
    warnings.warn(f"{where}: {text}", ScriptWarning, stacklevel=2)


def inside(folder: Path, name: str, where: str) -> Path:
    """The path of a file in a folder or below it; ScriptError for a name that leads out."""
    given = PurePosixPath(name.replace("\\", "/"))
    path = folder / given
    if "\0" in name or given.is_absolute() or ".." in given.parts or ":" in name or not _below(path, folder):
        raise ScriptError(f'{where}: "{name}" lies outside the folder {folder}; give a name inside it')
    return path


def _below(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # names that are too long, links that go in circles
        return False


def read_lines(path: Path) -> list[Line]:
    """The lines of a script and of the files that it reads in.

    Raises ScriptError for files that cannot be read, are no text, lie elsewhere, or read themselves.
    """
    return _read(path, (), "", [])


def _read(path: Path, outer: tuple[Path, ...], where: str, sizes: list[int]) -> list[Line]:
    """The lines of one file; outer: those that read it in. sizes: of all files that were read so far; grows."""
    folder, before = outer[0].parent if outer else path.parent, f"{where}: " if where else ""
    text = _text(path, before, sizes)
    if path.resolve() in outer:
        raise ScriptError(f'{before}"{path.name}" reads itself in; take one of the read commands out')
    if len(outer) >= DEEPEST:
        raise ScriptError(f'{before}"{path.name}" is read in by {len(outer)} files inside each other; {DEEPEST} may be')
    lines: list[Line] = []
    for line in _joined(text, path.name):
        first, _, rest = line.words.partition(" ")
        if first == "read" and rest:
            inner = inside(folder, rest.strip(), line.where)
            lines += _read(inner, (*outer, path.resolve()), line.where, sizes)
        else:
            lines.append(line)
    return lines


def _text(path: Path, before: str, sizes: list[int]) -> str:
    try:
        if not path.is_file():
            raise ScriptError(f'{before}there is no script "{path}"{_near(path)}')
        sizes.append(path.stat().st_size)
        if sum(sizes) > LARGEST or len(sizes) > MOST_FILES:
            raise ScriptError(
                f'{before}"{path}" makes it {len(sizes)} files of {sum(sizes)} bytes, larger than a script can be '
                f"({MOST_FILES} files, {LARGEST // 1_000_000} MB)"
            )
        with path.open("rb") as file:
            return file.read(LARGEST).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.object[: error.start].count(b"\n") + 1
        raise ScriptError(
            f"{path.name}:{at}: byte {error.object[error.start]:#x} is no text; save it as UTF-8"
        ) from error
    except OSError as error:
        raise ScriptError(f'{before}the script "{path}" cannot be read ({error.strerror})') from error
    except ValueError as error:
        if isinstance(error, ScriptError):
            raise
        raise ScriptError(f"{before}{path.name!r} is no name of a file ({error})") from error


def _near(path: Path) -> str:
    """The script that was probably meant."""
    from difflib import get_close_matches

    near = get_close_matches(path.name, [p.name for p in path.parent.glob("*.corpus")], n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


def _joined(text: str, name: str) -> list[Line]:
    """The lines that say something, each with what was broken off from it in print."""
    found: list[tuple[str, list[str]]] = []
    for number, raw in enumerate(re.split("\r\n|\r|\n", text), start=1):
        words = " ".join(_uncommented(raw.strip()).split())
        if not words:
            continue
        where = f"{name}:{number}"
        if BROKEN_OFF.match(words) and found and found[-1][1][0].split(" ")[0] in TIMED:
            first, said = found[-1]
            warn(where, f'"{words}" is no command; it is read as the end of line {first.rpartition(":")[2]}')
            said.append(words)
        else:
            found.append((where, [words]))
    return [Line(where, " ".join(said)) for where, said in found]


def _uncommented(line: str) -> str:
    """A line without its comment; an echo has none."""
    return line if "!" in line and not line.startswith("#") else line.partition("#")[0]
