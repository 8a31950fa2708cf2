"""The object cache: compiled programs on disk, each in one file that is whole or absent.

A file holds a digest, a line of JSON about the program and the object code. It is written beside its place and moved
there, so two processes may write the same one; a damaged file is treated as absent.
"""

import functools
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

DIGEST = hashlib.blake2b
DIGEST_BYTES = 32
MOST_BYTES = 500_000_000  # a thousand programs of a roach, half a megabyte each


def folder() -> Path:
    """Where compiled programs are kept: GAMBOL_CACHE, or gambol in the user's cache folder."""
    if named := os.environ.get("GAMBOL_CACHE"):
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(home) / "gambol"


@functools.cache
def source_digest() -> str:
    """A digest of gambol's own source, so that no program outlives a change of its formulas."""
    root = Path(__file__).parent.parent
    digest = DIGEST(digest_size=DIGEST_BYTES)
    for path in sorted(root.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def key_of(*parts: Any) -> str:
    """A file name for what the repr of some parts says, such as a program, a processor and a version."""
    return DIGEST("\0".join(map(repr, parts)).encode(), digest_size=DIGEST_BYTES).hexdigest()


def find(key: str) -> tuple[dict[str, Any], bytes] | None:
    """What is known about a program and its object code, or None where it is absent or damaged."""
    try:
        data = (folder() / key).read_bytes()
    except OSError:
        return None
    digest, rest = data[:DIGEST_BYTES], data[DIGEST_BYTES:]
    if DIGEST(rest, digest_size=DIGEST_BYTES).digest() != digest:
        return None
    about, _, code = rest.partition(b"\n")
    return json.loads(about), code


def keep(key: str, about: dict[str, Any], code: bytes) -> None:
    """Keep a program. Where the folder cannot be written nothing is kept, and nothing is lost but time."""
    rest = json.dumps(about).encode() + b"\n" + code
    try:
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, beside = tempfile.mkstemp(dir=folder(), prefix="new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(DIGEST(rest, digest_size=DIGEST_BYTES).digest() + rest)
            os.replace(beside, folder() / key)
        finally:
            Path(beside).unlink(missing_ok=True)
        _forget_oldest()
    except OSError:
        return


def _forget_oldest() -> None:
    """Remove the programs kept longest ago while all together are larger than MOST_BYTES."""
    files = [(path.stat().st_mtime, path.stat().st_size, path) for path in folder().iterdir()]
    excess = sum(size for _, size, _ in files) - MOST_BYTES
    for _, size, path in sorted(files):
        if excess <= 0:
            return
        path.unlink(missing_ok=True)
        excess -= size
