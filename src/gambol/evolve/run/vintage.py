"""Versions of all that bits depend on, and what to say of those that differ."""

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from gambol.lanes.cache import source_digest

PACKAGES = ("gambol", "numpy", "llvmlite")


def versions(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """What runs here: gambol with a digest of its source, python, numpy and llvmlite, and what else is told.

    more: versions of formats, such as the genotype's, and of packages that a search draws on.
    """
    return {
        **{name: installed(name) for name in PACKAGES},
        "source": source_digest()[:16],
        "python": platform.python_version(),
        **(more or {}),
    }


def installed(package: str) -> str:
    """The version of a package, "absent" where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def changed(stored: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Which versions of what is here differ from stored ones, in words, or ""."""
    pairs = [(name, stored.get(name, "none"), now) for name, now in here.items()]
    return ", ".join(f"{name} {then} then and {now} now" for name, then, now in pairs if then != now)
