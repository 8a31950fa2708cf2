"""Searches by name: each is asked for a generation of genotypes and told their outcomes."""

import reprlib
from dataclasses import fields
from importlib import import_module
from typing import Any, TypeVar

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.search.search import Breeder, Individual, Proposal, Search
from gambol.evolve.search.space import BoxSpace, Space

__all__ = [
    "SEARCHES",
    "BoxSpace",
    "Breeder",
    "Individual",
    "Proposal",
    "Search",
    "Space",
    "breeder_named",
    "search_named",
]

G = TypeVar("G")

BRIEFLY = reprlib.Repr()
BRIEFLY.maxstring = 60

SEARCHES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "es": ("strategy", "Strategy", {}),
    "es-plus": ("strategy", "Strategy", {"plus": True}),
    "ga": ("genetic", "Genetic", {}),
    "cma": ("covariance", "Covariance", {}),
    "elites": ("elites", "Elites", {}),
    "islands": ("islands", "Islands", {}),
    "choice": ("chosen", "Choice", {}),
    "random": ("random_search", "RandomSearch", {}),
}
"""Module, breeder and settings of each search, in the words of the command line."""


def search_named(name: str, space: Space[G], seed: int, population: int, **settings: Any) -> Search[G]:
    """A search of SEARCHES by its name.

    seed: 0 or more; population: proposals in a generation. settings: of its breeder, as that one's class tells; lists,
    such as files give, will do for tuples. Raises EvolveError for what is not there, with what was probably meant.
    """
    return Search(breeder_named(name, space, population, **settings), seed)


def breeder_named(name: str, space: Space[G], population: int, **settings: Any) -> Breeder[G]:
    """What breeds in a search of SEARCHES; arguments and errors as of `search_named`."""
    if name not in SEARCHES:
        raise EvolveError(f'there is no search "{name}"; {did_you_mean(name, SEARCHES)}')
    module, kind, usual = SEARCHES[name]
    breeder = getattr(import_module(f"gambol.evolve.search.{module}"), kind)
    known = [one.name for one in fields(breeder) if one.init and one.name not in ("space", "population", *usual)]
    for setting in settings:
        if setting not in known:
            raise EvolveError(f'search "{name}" has no setting "{setting}"; {did_you_mean(setting, known)}')
    try:
        return breeder(space, population, **usual, **{key: _tuples(value) for key, value in settings.items()})
    except (TypeError, AttributeError) as error:  # a text where a number should be, and the like
        raise EvolveError(f'search "{name}" cannot be made with {BRIEFLY.repr(settings)}: {error}') from error


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value  # pyright: ignore[reportUnknownArgumentType]
