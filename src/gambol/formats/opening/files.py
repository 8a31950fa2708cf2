"""Opening files that people name: only regular files, and never more bytes than a reader can use."""

import stat
from pathlib import Path

from gambol.errors import GambolError


def is_there(path: Path) -> bool:
    """Whether there is anything of this name; a name that is too long or has a null character is none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def file_size(path: Path, what: str) -> int:
    """The size of a regular file [bytes]. what: "figure file", "mesh", ..., for errors.

    Raises GambolError for a file that is missing, a name that no file can have, a folder, a device, a pipe or a socket.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise GambolError(f'the {what} "{path}" cannot be read ({error.strerror}); give the path of a file') from error
    except ValueError as error:  # a null character
        raise GambolError(f"the {what} {str(path)!r} cannot be read ({error}); give the path of a file") from error
    if not stat.S_ISREG(found.st_mode):
        kind = "folder" if stat.S_ISDIR(found.st_mode) else "device, pipe or socket"
        raise GambolError(f'the {what} "{path}" cannot be read (it is a {kind}); give the path of a file')
    return found.st_size


def file_bytes(path: Path, what: str, most: int) -> bytes:
    """All bytes of a regular file. most: how many it may have. Raises GambolError as file_size does, and for more."""
    size = file_size(path, what)
    if size <= most:
        try:
            with path.open("rb") as file:
                data = file.read(most + 1)
        except OSError as error:
            raise GambolError(
                f'the {what} "{path}" cannot be read ({error.strerror}); give the path of a file'
            ) from error
        if len(data) <= most:
            return data
        size = len(data)
    raise GambolError(
        f'the {what} "{path}" has {size} bytes or more, but {most} at most are read; is it the file meant?'
    )


def file_text(path: Path, what: str, most: int) -> str:
    """The text of a regular file in UTF-8. Raises GambolError as file_bytes does, and for other encodings."""
    try:
        return file_bytes(path, what, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GambolError(f'the {what} "{path}" is not text: {error}; write it in UTF-8') from error
