"""Atomic writing of files, and values as TOML text."""

import json
import os
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from gambol.errors import GambolError


def check_suffix(path: str | Path, name: str, *suffixes: str) -> None:
    """Raise GambolError if the suffix of a file to write is not one of suffixes. name: name of the format."""
    if Path(path).suffix.lower() not in suffixes:
        raise GambolError(f'{name} files end in {" or ".join(suffixes)}; "{path}" does not')


@contextmanager
def atomic_write(path: str | Path) -> Generator[Path]:
    """Yield the path of a temporary file. It replaces a file if the block succeeds; otherwise it is removed.

    path: path of the file to create or replace; the temporary file is in the same folder. A reader never sees a partial
    file, and a failure never changes an existing file. Raises GambolError for a folder that cannot be written to.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.stem[:24]}-", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise GambolError(
            f'cannot write "{path.name}" in folder {path.parent} ({error.strerror}); give a folder you may write to'
        ) from error
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())  # mkstemp makes files that only their owner can read
        try:
            temporary.replace(path)
        except OSError as error:
            raise GambolError(f"cannot put the new file at {path} ({error.strerror}); give a file name") from error
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def toml_value(value: object) -> str:
    """Return a value as TOML text; floats in the shortest form that reads back to the same bits."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_string(value)
    if isinstance(value, Mapping):
        pairs = cast(Mapping[str, object], value).items()
        return f"{{ {', '.join(f'{key} = {toml_value(inner)}' for key, inner in pairs)} }}" if value else "{}"
    if isinstance(value, Sequence):
        return _toml_list(cast(Sequence[object], value))
    return repr(value) if isinstance(value, int) else repr(float(cast(Any, value)))


def _toml_list(values: Sequence[object]) -> str:
    """Return a list as TOML text on one line; a list of tables has a line for each."""
    entries = [toml_value(value) for value in values]
    if is_nested(values):
        return "[\n" + "".join(f"    {entry},\n" for entry in entries) + "]"
    return f"[{', '.join(entries)}]"


def toml_string(text: str) -> str:
    """Return a text as a TOML string in quotes: a JSON string, but with the control character DEL escaped."""
    quoted = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    try:
        quoted.encode("utf-8")
    except UnicodeEncodeError as error:
        raise GambolError(f"the text {text!r} cannot be written in a file: {error.reason}") from error
    return quoted


def is_nested(value: object) -> bool:
    """Return True for a table or a list of tables."""
    entries = cast(list[object], value) if isinstance(value, list) else [value]
    return bool(entries) and isinstance(entries[0], Mapping)
