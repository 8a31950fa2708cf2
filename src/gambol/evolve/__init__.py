"""Evolution of creatures: genotypes, search algorithms, tasks, runs and their archive. Loaded at first use."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from gambol.evolve.archive import Archive
    from gambol.evolve.evaluate.defaults import settings_for
    from gambol.evolve.references import allow_modules
    from gambol.evolve.runs import RunResult, Settings
    from gambol.evolve.runs.evolve import run, to_pandas

__all__ = ["Archive", "RunResult", "Settings", "allow_modules", "run", "settings_for", "to_pandas"]

MODULE_OF = {
    "Archive": "gambol.evolve.archive",
    "RunResult": "gambol.evolve.runs",
    "Settings": "gambol.evolve.runs",
    "allow_modules": "gambol.evolve.references",
    "run": "gambol.evolve.runs.evolve",
    "settings_for": "gambol.evolve.evaluate.defaults",
    "to_pandas": "gambol.evolve.runs.evolve",
}
"""The module of each public name; archives need the optional extra "evolve"."""


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name not in MODULE_OF:
        message = import_module("gambol.renamed").explanation(f"gambol.evolve.{name}")
        raise AttributeError(message or f"module 'gambol.evolve' has no attribute {name!r}", name=name)
    return getattr(import_module(MODULE_OF[name]), name)
