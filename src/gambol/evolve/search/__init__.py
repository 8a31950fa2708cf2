"""Search algorithms by name: each proposes generations of genotypes and learns from their outcomes."""

import reprlib
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, TypeVar

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.references import Kind
from gambol.evolve.search.search import Algorithm, Individual, Proposal, Search
from gambol.evolve.search.space import BoxSpace, Space

__all__ = [
    "SEARCHES",
    "Algorithm",
    "BoxSpace",
    "Individual",
    "Proposal",
    "Search",
    "Space",
    "algorithm_named",
    "search_named",
]

G = TypeVar("G")

SHORT_REPR = reprlib.Repr()
SHORT_REPR.maxstring = 60

SEARCHES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "es": ("strategy", "Strategy", {}),
    "es-plus": ("strategy", "Strategy", {"plus": True}),
    "ga": ("genetic", "Genetic", {}),
    "cma": ("covariance", "Covariance", {}),
    "elites": ("elites", "Elites", {}),
    "islands": ("islands", "Islands", {}),
    "choice": ("interactive", "Choice", {}),
    "random": ("random_search", "RandomSearch", {}),
}
"""Module, class and settings of each search, by its name on the command line."""

SEARCH = Kind("search", SEARCHES)


def search_named(name: str, space: Space[G], seed: int, population: int, **settings: Any) -> Search[G]:
    """Return a search by its name in SEARCHES.

    name: a key of SEARCHES, a reference "module:name" of a dataclass, or an entry point of "gambol.searches". space:
    space of the genotypes. seed: seed of all random numbers, 0 or more. population: number of proposals in a
    generation. settings: fields of the algorithm's class; lists are accepted in place of tuples, since files have no
    tuples. Raises EvolveError for invalid settings, and, with the nearest name, for unknown names.
    """
    return Search(algorithm_named(name, space, population, **settings), seed)


def algorithm_named(name: str, space: Space[G], population: int, **settings: Any) -> Algorithm[G]:
    """Return the algorithm of a search by its name in SEARCHES; arguments and errors are as in search_named()."""
    algorithm, fixed = _algorithm_class(name)
    allowed = [
        item.name for item in fields(algorithm) if item.init and item.name not in ("space", "population", *fixed)
    ]
    for setting in settings:
        if setting not in allowed:
            raise EvolveError(f'search "{name}" has no setting "{setting}"; {did_you_mean(setting, allowed)}')
    try:
        return algorithm(space, population, **fixed, **{key: _tuples(value) for key, value in settings.items()})
    except (TypeError, AttributeError) as error:  # such as text in place of a number
        raise EvolveError(f'search "{name}" cannot be made with {SHORT_REPR.repr(settings)}: {error}') from error


def _algorithm_class(name: str) -> tuple[Any, dict[str, Any]]:
    """Return the class of an algorithm, and its fixed settings; see search_named()."""
    if name in SEARCHES:
        module, class_name, fixed = SEARCHES[name]
        return getattr(import_module(f"gambol.evolve.search.{module}"), class_name), fixed
    algorithm = SEARCH.load(name)
    if not (isinstance(algorithm, type) and is_dataclass(algorithm)):
        raise EvolveError(f'the search "{name}" is {algorithm!r}; give a dataclass with propose() and learn()')
    return algorithm, {}


def _tuples(value: Any) -> Any:
    """Return a value with tuples in place of lists."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value  # pyright: ignore[reportUnknownArgumentType]
