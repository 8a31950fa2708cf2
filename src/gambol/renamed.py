"""The table of renamed modules and public names, and the error messages for imports by old names."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def renamed() -> dict[str, str]:
    """Return the new dotted names of renamed modules and public names; the keys are the old names."""
    return tomllib.loads(Path(__file__).with_name("renamed.toml").read_text(encoding="utf-8"))["names"]


def new_name(old: str) -> str | None:
    """Return the new dotted name for an old one; None if the name was not renamed."""
    return renamed().get(old)


def explanation(old: str) -> str | None:
    """Return the error message for an old name; None if the name was not renamed.

    The message for a module also lists the old names in it, one per line: Python imports the module first, hence
    `from old_module import OldName` fails for the module, before OldName is looked up.
    """
    new = new_name(old)
    if new is None:
        return None
    names = [f"\n  {name} is now {new_name(name)}" for name in renamed() if name.startswith(f"{old}.")]
    return f"{old} is now {new}; docs/migration.md lists all renamed names{''.join(names)}"
