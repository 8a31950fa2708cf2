"""Writing a file whole or not at all: beside its target first, then moved into place."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from gambol.errors import GambolError


@contextmanager
def moved_into_place(path: str | Path) -> Generator[Path]:
    """A path beside the target to write to; moved onto the target when the block ends well, removed when it does not.

    So a reader never sees half a file and a failure overwrites nothing. A folder that cannot be written: GambolError.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
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
