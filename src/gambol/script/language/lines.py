"""Reading the lines of a script: comments are removed, broken lines joined, and files of `read` commands included.

A script reads files from its own folder only, and no file includes itself.
"""

import re
import warnings
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gambol.errors import GambolError

MAX_BYTES = 4_000_000  # bytes of a script with all included files; the roach has 20,000
MAX_FILES = 200
MAX_DEPTH = 8  # levels of included files

CONTINUATION = re.compile(r"\*\s*[0-9.]")
"""The beginning of a line that continues the previous one, as in print: no command begins with a fraction."""


FRACTION_COMMANDS = ("motor", "timer", "time")
"""Commands that take a fraction of a motor program's time; in print, it may stand on the next line."""


class ScriptError(GambolError):
    """A script that cannot be run; the message has file, line, what is wrong, and what would be right."""


class ScriptWarning(UserWarning):
    """A slip in a script that is corrected, or a command that gambol does not simulate."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with a command. where: its file and number; text: without comments."""

    where: str
    text: str


def warn(where: str, text: str) -> None:
    """Issue a ScriptWarning. where: file and line."""
    warnings.warn(f"{where}: {text}", ScriptWarning, stacklevel=2)


def path_inside(folder: Path, name: str, where: str) -> Path:
    """Return the path of a file in a folder or below it; ScriptError for a name that leads outside.

    folder: that the file must be in. name: relative path. where: file and line, for the message.
    """
    relative = PurePosixPath(name.replace("\\", "/"))
    path = folder / relative
    if "\0" in name or relative.is_absolute() or ".." in relative.parts or ":" in name or not _is_below(path, folder):
        raise ScriptError(f'{where}: "{name}" lies outside the folder {folder}; give a name inside it')
    return path


def _is_below(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # names that are too long, circular links
        return False


def read_lines(path: Path) -> list[Line]:
    """Return the lines of a script and of the files that it includes.

    Raises ScriptError for files that cannot be read, are not text, lie in other folders, or include themselves.
    """
    return _read(path, (), "", [])


def _read(path: Path, outer: tuple[Path, ...], where: str, sizes: list[int]) -> list[Line]:
    """Return the lines of one file. outer: files that include it. sizes: of files so far; its own is appended."""
    folder, prefix = outer[0].parent if outer else path.parent, f"{where}: " if where else ""
    text = _text(path, prefix, sizes)
    if path.resolve() in outer:
        raise ScriptError(f'{prefix}"{path.name}" reads itself in; take one of the read commands out')
    if len(outer) >= MAX_DEPTH:
        raise ScriptError(
            f'{prefix}"{path.name}" is read in by {len(outer)} files inside each other; at most {MAX_DEPTH} are allowed'
        )
    lines: list[Line] = []
    for line in _joined(text, path.name):
        first, _, rest = line.text.partition(" ")
        if first == "read" and rest:
            included = path_inside(folder, rest.strip(), line.where)
            lines += _read(included, (*outer, path.resolve()), line.where, sizes)
        else:
            lines.append(line)
    return lines


def _text(path: Path, prefix: str, sizes: list[int]) -> str:
    try:
        if not path.is_file():
            raise ScriptError(f'{prefix}there is no script "{path}"{_suggestion(path)}')
        sizes.append(path.stat().st_size)
        if sum(sizes) > MAX_BYTES or len(sizes) > MAX_FILES:
            raise ScriptError(
                f'{prefix}"{path}" makes it {len(sizes)} files of {sum(sizes)} bytes, larger than a script can be '
                f"({MAX_FILES} files, {MAX_BYTES // 1_000_000} MB)"
            )
        with path.open("rb") as file:
            return file.read(MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.object[: error.start].count(b"\n") + 1
        raise ScriptError(
            f"{path.name}:{at}: byte {error.object[error.start]:#x} is not text; save it as UTF-8"
        ) from error
    except OSError as error:
        raise ScriptError(f'{prefix}the script "{path}" cannot be read ({error.strerror})') from error
    except ValueError as error:
        if isinstance(error, ScriptError):
            raise
        raise ScriptError(f"{prefix}{path.name!r} is no name of a file ({error})") from error


def _suggestion(path: Path) -> str:
    """Return a suggestion of a script with a similar name, or nothing."""
    from difflib import get_close_matches

    matches = get_close_matches(path.name, [p.name for p in path.parent.glob("*.corpus")], n=1)
    return f'; did you mean "{matches[0]}"?' if matches else ""


def _joined(text: str, name: str) -> list[Line]:
    """Return the lines that are not empty, each joined with its continuations."""
    lines: list[tuple[str, list[str]]] = []
    for number, raw in enumerate(re.split("\r\n|\r|\n", text), start=1):
        words = " ".join(_uncommented(raw.strip()).split())
        if not words:
            continue
        where = f"{name}:{number}"
        if CONTINUATION.match(words) and lines and lines[-1][1][0].split(" ")[0] in FRACTION_COMMANDS:
            start, pieces = lines[-1]
            warn(where, f'"{words}" is no command; it is read as the end of line {start.rpartition(":")[2]}')
            pieces.append(words)
        else:
            lines.append((where, [words]))
    return [Line(where, " ".join(pieces)) for where, pieces in lines]


def _uncommented(line: str) -> str:
    """Return a line without its comment; in a line with an echo, "!", the sign "#" does not begin a comment."""
    return line if "!" in line and not line.startswith("#") else line.partition("#")[0]
