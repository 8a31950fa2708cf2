"""Modules of the user that a command may import: the modules named by --allow and by its arguments."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from gambol.errors import EvolveError, GambolError
from gambol.evolve.references import allow_modules, allowed_modules


def allow_own_modules(modules: Sequence[str]) -> None:
    """Allow modules to be imported, also from the current folder, which comes last in the search path.

    Raises GambolError for a text that is not a module name.
    """
    try:
        allow_modules(*modules)
    except EvolveError as error:
        raise GambolError(f"--allow: {error}") from error
    if modules and (folder := str(Path.cwd())) not in sys.path:
        sys.path.append(folder)


def allowing(modules: Sequence[str] | None, work: Callable[[], int]) -> Callable[[], int]:
    """Return a function that allows modules, then does some work and returns its exit code."""

    def allowed_work() -> int:
        allow_own_modules(modules or ())
        return work()

    return allowed_work


def allow_options() -> str:
    """Return the options --allow for all allowed modules, as the end of a command that is printed."""
    return "".join(f" --allow {module}" for module in allowed_modules())
