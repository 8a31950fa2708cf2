"""Reading files that users name: only regular files, up to a limit of bytes."""

import stat
from pathlib import Path

from gambol.errors import GambolError


def path_exists(path: Path) -> bool:
    """Return True if a path exists; False also for a name that is too long or has a null character."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def file_size(path: Path, description: str) -> int:
    """Return the size of a regular file [bytes].

    description: kind of the file, such as "figure file" or "mesh", for error messages. Raises GambolError for a file
    that is missing, an impossible name, a folder, a device, a pipe or a socket.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise GambolError(
            f'the {description} "{path}" cannot be read ({error.strerror}); give the path of a file'
        ) from error
    except ValueError as error:  # a null character
        raise GambolError(
            f"the {description} {str(path)!r} cannot be read ({error}); give the path of a file"
        ) from error
    if not stat.S_ISREG(status.st_mode):
        file_type = "folder" if stat.S_ISDIR(status.st_mode) else "device, pipe or socket"
        raise GambolError(f'the {description} "{path}" cannot be read (it is a {file_type}); give the path of a file')
    return status.st_size


def file_bytes(path: Path, description: str, max_bytes: int) -> bytes:
    """Return the content of a regular file.

    path, description: as for file_size(). max_bytes: the largest size allowed. Raises GambolError as file_size does,
    and for larger files.
    """
    size = file_size(path, description)
    if size <= max_bytes:
        try:
            with path.open("rb") as file:
                data = file.read(max_bytes + 1)
        except OSError as error:
            raise GambolError(
                f'the {description} "{path}" cannot be read ({error.strerror}); give the path of a file'
            ) from error
        if len(data) <= max_bytes:
            return data
        size = len(data)
    raise GambolError(
        f'the {description} "{path}" has {size} bytes or more, but {max_bytes} at most are read; is it the right file?'
    )


def file_text(path: Path, description: str, max_bytes: int) -> str:
    """Return the text of a regular file in UTF-8. Raises GambolError as file_bytes does, and for other encodings."""
    try:
        return file_bytes(path, description, max_bytes).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GambolError(f'the {description} "{path}" is not text: {error}; write it in UTF-8') from error
