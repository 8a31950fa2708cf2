"""Provenance: versions of the software and formats that determine a result to the last bit, and their differences."""

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from gambol.lanes.cache import source_digest

PACKAGES = ("gambol", "numpy", "llvmlite")


def versions(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the current versions of gambol, Python, numpy and llvmlite, a digest of gambol's source, and `extra`.

    extra: versions of formats, such as the genotype's, and of packages that a search depends on.
    """
    return {
        **{name: installed_version(name) for name in PACKAGES},
        "source": source_digest()[:16],
        "python": platform.python_version(),
        **(extra or {}),
    }


def installed_version(package: str) -> str:
    """Return the version of a package, "absent" if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def version_changes(stored: Mapping[str, str], current: Mapping[str, str]) -> str:
    """Return a text about the current versions that differ from stored ones, or ""."""
    pairs = [(name, stored.get(name, "none"), new) for name, new in current.items()]
    return ", ".join(f"{name} {old} then and {new} now" for name, old, new in pairs if old != new)
