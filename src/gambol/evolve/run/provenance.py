"""Provenance: versions of all that bits depend on, and a text about those that differ."""

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from gambol.lanes.cache import source_digest

PACKAGES = ("gambol", "numpy", "llvmlite")


def versions(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the versions here: of gambol with a digest of its source, python, numpy and llvmlite, and those in more.

    more: versions of formats, such as the genotype's, and of packages that a search depends on.
    """
    return {
        **{name: installed(name) for name in PACKAGES},
        "source": source_digest()[:16],
        "python": platform.python_version(),
        **(more or {}),
    }


def installed(package: str) -> str:
    """Return the version of a package, "absent" where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def version_changes(stored: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Return in words which versions here differ from stored ones, or ""."""
    pairs = [(name, stored.get(name, "none"), new) for name, new in here.items()]
    return ", ".join(f"{name} {old} then and {new} now" for name, old, new in pairs if old != new)
