"""Reads the lines of a script: removes comments, joins broken lines, and includes the files of `read` commands.

A script reads files from its folder only, and no file includes itself.
"""

import re
import warnings
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gambol.errors import GambolError

MAX_BYTES = 4_000_000  # bytes of a script with all included files; the script of the roach has 20,000
MAX_FILES = 200
MAX_DEPTH = 8  # levels of included files

CONTINUATION = re.compile(r"\*\s*[0-9.]")
"""Matches a line that continues the previous one, as in the printed script; no command begins with a fraction."""


FRACTION_COMMANDS = ("motor", "timer", "time")
"""Commands that take a fraction of a motor program's time; in the printed script it may be on the next line."""


class ScriptError(GambolError):
    """A script cannot be run. The message gives the file, the line, the error and a remedy."""


class ScriptWarning(UserWarning):
    """A mistake in a script was corrected, or a command is not simulated by gambol."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with a command. where: file and line number; text: without comments."""

    where: str
    text: str


def warn(where: str, text: str) -> None:
    """Issue a ScriptWarning. where: file and line."""
    warnings.warn(f"{where}: {text}", ScriptWarning, stacklevel=2)


def path_inside(folder: Path, name: str, where: str) -> Path:
    """Return the path of a file in a folder or in its subfolders. Raises ScriptError for a path outside the folder.

    folder: the folder that must contain the file. name: relative path. where: file and line, for the message.
    """
    relative = PurePosixPath(name.replace("\\", "/"))
    path = folder / relative
    if "\0" in name or relative.is_absolute() or ".." in relative.parts or ":" in name or not _is_below(path, folder):
        raise ScriptError(f'{where}: "{name}" lies outside the folder {folder}; give a path inside it')
    return path


def _is_below(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # names that are too long, circular links
        return False


def read_lines(path: Path) -> list[Line]:
    """Return the lines of a script and of the files that it includes.

    Raises ScriptError for files that cannot be read, are not text, are outside the folder, or include themselves.
    """
    return _read_file(path, (), "", [])


def _read_file(path: Path, outer: tuple[Path, ...], where: str, sizes: list[int]) -> list[Line]:
    """Return the lines of one file and of the files that it includes.

    outer: files that include it. where: file and line of its `read` command. sizes: sizes of the files read so far; the
    size of this file is appended.
    """
    folder, prefix = outer[0].parent if outer else path.parent, f"{where}: " if where else ""
    text = _read_text(path, prefix, sizes)
    if path.resolve() in outer:
        raise ScriptError(f'{prefix}"{path.name}" includes itself; remove one of the read commands')
    if len(outer) >= MAX_DEPTH:
        raise ScriptError(
            f'{prefix}"{path.name}" is included at level {len(outer)}; at most {MAX_DEPTH} levels are allowed'
        )
    lines: list[Line] = []
    for line in lines_of(text, path.name):
        first, _, rest = line.text.partition(" ")
        if first == "read" and rest:
            included = path_inside(folder, rest.strip(), line.where)
            lines += _read_file(included, (*outer, path.resolve()), line.where, sizes)
        else:
            lines.append(line)
    return lines


def _read_text(path: Path, prefix: str, sizes: list[int]) -> str:
    try:
        if not path.is_file():
            raise ScriptError(f'{prefix}there is no script "{path}"{_suggestion(path)}')
        sizes.append(path.stat().st_size)
        if sum(sizes) > MAX_BYTES or len(sizes) > MAX_FILES:
            raise ScriptError(
                f'{prefix}with "{path}" the script has {len(sizes)} files and {sum(sizes)} bytes, more than allowed '
                f"({MAX_FILES} files, {MAX_BYTES // 1_000_000} MB)"
            )
        with path.open("rb") as file:
            return file.read(MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line_number = error.object[: error.start].count(b"\n") + 1
        raise ScriptError(
            f"{path.name}:{line_number}: byte {error.object[error.start]:#x} is not text; save it as UTF-8"
        ) from error
    except OSError as error:
        raise ScriptError(f'{prefix}the script "{path}" cannot be read ({error.strerror})') from error
    except ValueError as error:
        if isinstance(error, ScriptError):
            raise
        raise ScriptError(f"{prefix}{path.name!r} is not a file name ({error})") from error


def _suggestion(path: Path) -> str:
    """Return the suggestion of a script with a similar name, or ""."""
    from difflib import get_close_matches

    matches = get_close_matches(path.name, [p.name for p in path.parent.glob("*.corpus")], n=1)
    return f'; did you mean "{matches[0]}"?' if matches else ""


def lines_of(text: str, name: str) -> list[Line]:
    """Return the lines that are not empty, each joined with its continuation lines."""
    lines: list[tuple[str, list[str]]] = []
    for number, line in enumerate(re.split("\r\n|\r|\n", text), start=1):
        words = " ".join(_strip_comment(line.strip()).split())
        if not words:
            continue
        where = f"{name}:{number}"
        if CONTINUATION.match(words) and lines and lines[-1][1][0].split(" ")[0] in FRACTION_COMMANDS:
            start, pieces = lines[-1]
            warn(where, f'"{words}" is not a command; it is read as the end of line {start.rpartition(":")[2]}')
            pieces.append(words)
        else:
            lines.append((where, [words]))
    return [Line(where, " ".join(pieces)) for where, pieces in lines]


def _strip_comment(line: str) -> str:
    """Return a line without its comment. In a line with "!" (output), "#" does not begin a comment."""
    return line if "!" in line and not line.startswith("#") else line.partition("#")[0]
