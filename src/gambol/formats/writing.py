"""Writing a file whole or not at all, beside its target first, then moved into place; and values as TOML."""

import json
import os
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from gambol.errors import GambolError


@contextmanager
def moved_into_place(path: str | Path) -> Generator[Path]:
    """A path beside the target to write to; moved onto the target when the block ends well, removed when it does not.

    So a reader never sees half a file and a failure overwrites nothing. A folder that cannot be written: GambolError.
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
    beside = Path(name)
    try:
        yield beside
        beside.chmod(0o666 & ~_umask())  # mkstemp makes files that only their owner can read
        try:
            beside.replace(path)
        except OSError as error:
            raise GambolError(f"cannot put the new file at {path} ({error.strerror}); give a file name") from error
    finally:
        beside.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def toml_value(value: object) -> str:
    """A value as TOML; repr gives the shortest digits that make the same float."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_text(value)
    if isinstance(value, Mapping):
        pairs = cast(Mapping[str, object], value).items()
        return f"{{ {', '.join(f'{key} = {toml_value(inner)}' for key, inner in pairs)} }}" if value else "{}"
    if isinstance(value, Sequence):
        return _list(cast(Sequence[object], value))
    return repr(value) if isinstance(value, int) else repr(float(cast(Any, value)))


def _list(values: Sequence[object]) -> str:
    """A list on one line; of tables, each on a line of its own."""
    shown = [toml_value(value) for value in values]
    if is_nested(values):
        return "[\n" + "".join(f"    {entry},\n" for entry in shown) + "]"
    return f"[{', '.join(shown)}]"


def toml_text(text: str) -> str:
    """A text in quotes: what JSON makes of it is TOML too, but for one control character."""
    quoted = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    try:
        quoted.encode("utf-8")
    except UnicodeEncodeError as error:
        raise GambolError(f"the text {text!r} cannot be written in a file: {error.reason}") from error
    return quoted


def is_nested(value: object) -> bool:
    """Whether a value is a table or a list of tables."""
    entries = cast(list[object], value) if isinstance(value, list) else [value]
    return bool(entries) and isinstance(entries[0], Mapping)
