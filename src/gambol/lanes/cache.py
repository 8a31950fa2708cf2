"""The object cache: compiled programs on disk, one file each.

A file begins with MARK and a digest of its remaining bytes: the key, a line of JSON about the program, and the object
code. It is written under a temporary name and renamed, so that it is complete or absent even if two processes write it.
The cache ignores damaged files, files of another key, and files and folders that belong to other users or that they can
write. It removes only files that it wrote itself, recognised by names and first bytes.
"""

import functools
import hashlib
import json
import os
import re
import stat
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

DIGEST = hashlib.blake2b
DIGEST_BYTES = 32
MARK = b"gambol program 1\n"
SUBFOLDER = "programs"  # of the cache folder; the cache changes nothing outside of it
FILE_NAME = re.compile(r"(?:[0-9a-f]{64}|new-\w{8})\.gambol")
MAX_BYTES = 500_000_000  # a thousand programs of a roach, half a megabyte each
MIN_ABANDONED_AGE = 3600.0  # age from which a temporary file counts as abandoned; writing one takes less than a minute
OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
POSIX = os.name == "posix"  # other systems have access control lists, which the mode bits do not show


class CacheWarning(UserWarning):
    """Compiled programs are not stored, because their folder is not private or its path is relative."""


def folder() -> Path | None:
    """Return the folder of compiled programs, or None if no candidate has an absolute path.

    It is a subfolder of GAMBOL_CACHE if that is set, else of XDG_CACHE_HOME/gambol, else of ~/.cache/gambol. Relative
    paths are ignored, since they depend on the working directory, which may belong to another user.
    """
    configured = os.environ.get("GAMBOL_CACHE", "")
    if configured and not os.path.isabs(configured):
        warnings.warn(
            f'GAMBOL_CACHE is "{configured}", which is ignored: give an absolute path', CacheWarning, stacklevel=2
        )
    home = os.path.expanduser("~/.cache") if os.environ.get("HOME", "~") else ""
    caches = os.environ.get("XDG_CACHE_HOME", ""), home
    candidates = (configured, *(os.path.join(cache, "gambol") for cache in caches))
    return next((Path(name) / SUBFOLDER for name in candidates if os.path.isabs(name)), None)


@functools.cache
def source_digest() -> str:
    """Return a digest of gambol's source code, so that a program is not reused after a change of the source."""
    root = Path(__file__).parent.parent
    digest = DIGEST(digest_size=DIGEST_BYTES)
    for path in sorted(root.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def key_of(*parts: Any) -> str:
    """Return a key: a digest of the repr of its parts, such as a program, a processor and a version."""
    return DIGEST("\0".join(map(repr, parts)).encode(), digest_size=DIGEST_BYTES).hexdigest()


def find(key: str) -> tuple[dict[str, Any], bytes] | None:
    """Return the metadata and the object code of a program, or None if it is absent or not trusted."""
    directory = folder()
    if directory is None or not directory.exists() or not _is_trusted(directory):
        return None
    try:
        data = _read(directory / f"{key}.gambol")
    except OSError:
        return None
    digest, content = data[len(MARK) :][:DIGEST_BYTES], data[len(MARK) + DIGEST_BYTES :]
    if not data.startswith(MARK) or DIGEST(content, digest_size=DIGEST_BYTES).digest() != digest:
        return None
    stored_key, _, content = content.partition(b"\n")
    line, _, code = content.partition(b"\n")
    metadata = _metadata(line) if stored_key == key.encode() else None
    return None if metadata is None else (metadata, code)


def store(key: str, metadata: dict[str, Any], code: bytes) -> None:
    """Store a program; do nothing if the folder cannot be written or is not trusted.

    key: from key_of(). metadata: numbers and texts, stored as JSON. code: object code.
    """
    directory = folder()
    if directory is None:
        return
    content = b"\n".join((key.encode(), json.dumps(metadata).encode(), code))
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_trusted(directory):
            return
        handle, temporary = tempfile.mkstemp(dir=directory, prefix="new-", suffix=".gambol")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MARK + DIGEST(content, digest_size=DIGEST_BYTES).digest() + content)
            os.replace(temporary, directory / f"{key}.gambol")
        finally:
            Path(temporary).unlink(missing_ok=True)
        _remove_oldest(directory)
    except OSError:
        return


def _is_trusted(directory: Path) -> bool:
    """Return True if no other user can put files into a folder; else warn."""
    status = directory.lstat()
    if stat.S_ISDIR(status.st_mode) and _is_private(status):
        return True
    warnings.warn(
        f"compiled programs are not stored: {directory} must be a folder that you own and that others cannot write; "
        "remove it, correct its owner and mode (700), or name another folder in GAMBOL_CACHE",
        CacheWarning,
        stacklevel=2,
    )
    return False


def _is_private(status: os.stat_result) -> bool:
    """Return True if a file or folder belongs to this user and no other user can write it."""
    return not POSIX or (status.st_uid == os.geteuid() and not status.st_mode & OTHERS_MAY_WRITE)


def _read(path: Path) -> bytes:
    """Return the bytes of a private regular file. Raise OSError for links, devices, and files that others can write."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or not _is_private(status) or status.st_size > MAX_BYTES:
            raise PermissionError(f"{path} is not a regular file that belongs to you and that only you can write")
        return file.read()


_BINARY: int = getattr(os, "O_BINARY", 0)  # only Windows has it


def _metadata(line: bytes) -> dict[str, Any] | None:
    """Return the metadata in a line of JSON; None if it is incomplete or malformed."""
    try:
        metadata: Any = json.loads(line)
        counts = [metadata["operations"], *metadata["outputs"]]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return metadata if all(type(count) is int and count >= 0 for count in counts) else None


def _remove_oldest(directory: Path) -> None:
    """Remove abandoned temporary files, and the oldest programs until the total size is at most MAX_BYTES."""
    files = sorted(
        (status.st_mtime, status.st_size, path)
        for path in directory.iterdir()
        if FILE_NAME.fullmatch(path.name) and stat.S_ISREG((status := path.lstat()).st_mode) and _is_private(status)
    )
    excess = sum(size for _, size, _ in files) - MAX_BYTES
    for modified, size, path in files:
        abandoned = path.name.startswith("new-") and modified < time.time() - MIN_ABANDONED_AGE
        if (abandoned or excess > 0) and (abandoned or _is_program(path)):
            path.unlink(missing_ok=True)
            excess -= size


def _is_program(path: Path) -> bool:
    """Return True if a file begins with the mark of the cache."""
    with path.open("rb") as file:
        return file.read(len(MARK)) == MARK
