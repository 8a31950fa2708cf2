"""Names of gambol before 0.1, and what they are called now: for the errors of code that still imports them."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def renamed() -> dict[str, str]:
    """Return the new dotted name of each renamed module and public name, by its old one."""
    return tomllib.loads(Path(__file__).with_name("renamed.toml").read_text(encoding="utf-8"))["names"]


def new_name(old: str) -> str | None:
    """Return the new dotted name of an old one; None if it was not renamed."""
    return renamed().get(old)


def explanation(old: str) -> str | None:
    """Return the message of an error about an old name; None if it was not renamed."""
    new = new_name(old)
    return None if new is None else f"{old} is now {new}; docs/migration.md lists all renamed names"
