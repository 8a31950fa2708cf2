"""The object cache: compiled programs on disk, each in one file that is whole or absent.

A file begins with MARK and a digest of the rest: its own key, a line of JSON about the program, and the object code. It
is written beside its place and moved there, so two processes may write the same one. What the cache cannot trust is
treated as absent: a damaged file, one of another key, one that others own or may write, and everything in a folder that
others own or may write. The cache removes only files whose names and first bytes show that it wrote them.
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
SUBFOLDER = "programs"  # of the folder that a user names: nothing beside it is touched
NAME = re.compile(r"(?:[0-9a-f]{64}|new-\w{8})\.gambol")
MOST_BYTES = 500_000_000  # a thousand programs of a roach, half a megabyte each
UNFINISHED_S = 3600.0  # after which a file that a killed process left beside its place is removed; none takes a minute
OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
POSIX = os.name == "posix"  # elsewhere a user's folders have access lists, which these bits do not tell


class CacheWarning(UserWarning):
    """Compiled programs are not kept, because the folder for them cannot be trusted."""


def folder() -> Path | None:
    """The folder of compiled programs, or None where there is none.

    It lies in the folder that GAMBOL_CACHE names, else in XDG_CACHE_HOME/gambol, else in ~/.cache/gambol. Relative
    folders do not count: they would be another one in each working folder, which may be somebody else's.
    """
    named = os.environ.get("GAMBOL_CACHE", "")
    if named and not os.path.isabs(named):
        warnings.warn(f'GAMBOL_CACHE is "{named}", which is not used: name a whole path', CacheWarning, stacklevel=2)
    home = os.path.expanduser("~/.cache") if os.environ.get("HOME", "~") else ""
    caches = os.environ.get("XDG_CACHE_HOME", ""), home
    known = (named, *(os.path.join(cache, "gambol") for cache in caches))
    return next((Path(name) / SUBFOLDER for name in known if os.path.isabs(name)), None)


@functools.cache
def source_digest() -> str:
    """A digest of gambol's own source, so that no program outlives a change of its formulas."""
    root = Path(__file__).parent.parent
    digest = DIGEST(digest_size=DIGEST_BYTES)
    for path in sorted(root.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def key_of(*parts: Any) -> str:
    """The key of what the repr of some parts says, such as a program, a processor and a version."""
    return DIGEST("\0".join(map(repr, parts)).encode(), digest_size=DIGEST_BYTES).hexdigest()


def find(key: str) -> tuple[dict[str, Any], bytes] | None:
    """What is known about a program and its object code, or None where it is absent or not to be trusted."""
    place = folder()
    if place is None or not place.exists() or not _is_trusted(place):
        return None
    try:
        data = _read(place / f"{key}.gambol")
    except OSError:
        return None
    digest, rest = data[len(MARK) :][:DIGEST_BYTES], data[len(MARK) + DIGEST_BYTES :]
    if not data.startswith(MARK) or DIGEST(rest, digest_size=DIGEST_BYTES).digest() != digest:
        return None
    own_key, _, rest = rest.partition(b"\n")
    about, _, code = rest.partition(b"\n")
    known = _known(about) if own_key == key.encode() else None
    return None if known is None else (known, code)


def keep(key: str, about: dict[str, Any], code: bytes) -> None:
    """Keep a program. Where its folder cannot be written or trusted nothing is kept, and nothing is lost but time."""
    place = folder()
    if place is None:
        return
    rest = b"\n".join((key.encode(), json.dumps(about).encode(), code))
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_trusted(place):
            return
        handle, beside = tempfile.mkstemp(dir=place, prefix="new-", suffix=".gambol")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MARK + DIGEST(rest, digest_size=DIGEST_BYTES).digest() + rest)
            os.replace(beside, place / f"{key}.gambol")
        finally:
            Path(beside).unlink(missing_ok=True)
        _remove_oldest(place)
    except OSError:
        return


def _is_trusted(place: Path) -> bool:
    """Whether nobody else may put files into a folder; a warning says why not."""
    about = place.lstat()
    if stat.S_ISDIR(about.st_mode) and _is_ours_alone(about):
        return True
    warnings.warn(
        f"compiled programs are not kept: {place} must be a folder that you own and that others cannot write; "
        "remove it, correct its owner and mode (700), or name another folder in GAMBOL_CACHE",
        CacheWarning,
        stacklevel=2,
    )
    return False


def _is_ours_alone(about: os.stat_result) -> bool:
    """Whether a file or folder is this user's, and nobody else may write it."""
    return not POSIX or (about.st_uid == os.geteuid() and not about.st_mode & OTHERS_MAY_WRITE)


def _read(path: Path) -> bytes:
    """The bytes of a regular file that is ours alone; OSError for any other, without following a link or waiting."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode) or not _is_ours_alone(about) or about.st_size > MOST_BYTES:
            raise PermissionError(f"{path} is not a file that is yours alone")
        return file.read()


_BINARY: int = getattr(os, "O_BINARY", 0)  # on Windows


def _known(about: bytes) -> dict[str, Any] | None:
    """What a file says about its program; None where it does not say all that is needed."""
    try:
        known: Any = json.loads(about)
        counts = [known["operations"], *known["outputs"]]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return known if all(type(count) is int and count >= 0 for count in counts) else None


def _remove_oldest(place: Path) -> None:
    """Remove the programs kept longest ago while all together are larger than MOST_BYTES, and unfinished files."""
    files = sorted(
        (about.st_mtime, about.st_size, path)
        for path in place.iterdir()
        if NAME.fullmatch(path.name) and stat.S_ISREG((about := path.lstat()).st_mode) and _is_ours_alone(about)
    )
    excess = sum(size for _, size, _ in files) - MOST_BYTES
    for when, size, path in files:
        unfinished = path.name.startswith("new-") and when < time.time() - UNFINISHED_S
        if (unfinished or excess > 0) and (unfinished or _is_program(path)):
            path.unlink(missing_ok=True)
            excess -= size


def _is_program(path: Path) -> bool:
    """Whether a file begins as the cache's own files do."""
    with path.open("rb") as file:
        return file.read(len(MARK)) == MARK
