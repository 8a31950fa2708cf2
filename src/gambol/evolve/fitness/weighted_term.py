"""Weighted terms of a fitness; terms by name, including terms of the user, with checks of their results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from traceback import extract_tb
from typing import Any, cast

import numpy as np

from gambol.errors import EvolveError
from gambol.evolve.fitness.terms import TERMS, Term
from gambol.evolve.fitness.trajectory import Array, Trajectory
from gambol.evolve.references import Kind, reference_of

TERM = Kind("term", TERMS)

PACKAGE_TERMS = dict(TERMS)
"""The terms of this package, whose results its tests check."""

SAME_VALUE_TOLERANCE = 1e-9
"""Difference of equal values by rounding: sums over other numbers of rollouts may be in another order."""


def term_named(name: str) -> Term:
    """Return a term by its name in TERMS, by a reference "module:name", or by an entry point of "gambol.terms".

    Raises EvolveError for an unknown term, and for a term that is not a function.
    """
    term: Any = TERMS[name] if name in TERMS else TERM.load(name)
    if not callable(term):
        raise EvolveError(f'the term "{name}" is {term!r}; give a function of a Trajectory')
    return cast("Term", term)


def term_values(name: str, trajectory: Trajectory, options: Mapping[str, Any]) -> Array:
    """Return the values of a term for the W rollouts of a trajectory (W,).

    Raises EvolveError for other results, and if the values of a term of the user for some rollouts depend on the others
    of the trajectory: fitness would then depend on the number of creatures in a batch.
    """
    values = _values(name, trajectory, options)
    if PACKAGE_TERMS.get(name) is not term_named(name) and len(values) > 1:
        middle = len(values) // 2
        parts = (trajectory.part(slice(0, middle)), trajectory.part(slice(middle, None)))
        _check_same(name, values, np.concatenate([_values(name, part, options) for part in parts]))
    return values


def _check_same(name: str, values: Array, apart: Array) -> None:
    """Raise EvolveError if a term has other values for parts of a trajectory.

    name: name of the term. values, apart: its values for all rollouts, and those for each half (W,).
    """
    differs = ~np.isclose(apart, values, rtol=SAME_VALUE_TOLERANCE, atol=SAME_VALUE_TOLERANCE, equal_nan=True)
    for k in np.flatnonzero(differs)[:1]:
        raise EvolveError(
            f'the term "{name}" is {values[k]:.6g} for rollout {k} of {len(values)}, and {apart[k]:.6g} with half of '
            "them; it must not depend on other rollouts, nor on chance (is axis=0, of time, missing in a maximum?)"
        )


def _values(name: str, trajectory: Trajectory, options: Mapping[str, Any]) -> Array:
    """Return the checked values of a term (W,)."""
    term = term_named(name)
    try:
        values = term(trajectory, **options)
    except Exception as error:
        if PACKAGE_TERMS.get(name) is term:
            raise
        frame = extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error}"
        raise EvolveError(f'the term "{name}" raised {reason}, at {frame.filename}, line {frame.lineno}') from error
    return _checked(values, name, len(trajectory.length))


def _checked(values: object, name: str, count: int) -> Array:
    """Return the values of a term as an array of floats (count,). Raises EvolveError for invalid results."""
    remedy = f"return an array with one number for each of the {count} rollouts"
    if values is None:
        raise EvolveError(f'the term "{name}" returned nothing; {remedy}')
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError) as error:
        raise EvolveError(f'the term "{name}" returned {type(values).__name__}; {remedy} ({error})') from error
    if array.shape != (count,):
        raise EvolveError(f'the term "{name}" returned the shape {array.shape}; {remedy}')
    return array


@dataclass(frozen=True)
class WeightedTerm:
    """A weighted term of a fitness: weight times the value of the term, which is clipped to [least, most].

    term: its name, see term_named(); a function is replaced by its reference. least, most: bounds, None for no bound.
    options: keyword arguments of the term. Raises EvolveError for an unknown term, for invalid numbers, and for options
    that the term does not have.
    """

    term: str
    weight: float
    least: float = -np.inf
    most: float = np.inf
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        if callable(function := cast("object", self.term)):
            object.__setattr__(self, "term", reference_of(function, "term"))
        function = term_named(str(self.term))
        for name, default in (("least", -np.inf), ("most", np.inf)):
            if cast("object", getattr(self, name)) is None:  # plain data has None for an infinite number
                object.__setattr__(self, name, default)
        for name in ("weight", "least", "most"):
            value = getattr(self, name)
            if type(value) not in (int, float) or np.isnan(value) or (name == "weight" and np.isinf(value)):
                raise EvolveError(f'the {name} of "{self.term}" is {value!r}; it must be finite')
        try:
            signature(function).bind(None, **self.options)
        except TypeError as error:
            raise EvolveError(f'the term "{self.term}" does not take the options {self.options!r}: {error}') from error
        object.__setattr__(self, "options", {name: _frozen(value) for name, value in self.options.items()})

    def as_data(self) -> dict[str, Any]:
        """Return the term as plain data, without infinite bounds."""
        bounds = {name: bound for name in ("least", "most") if np.isfinite(bound := getattr(self, name))}
        return {"term": self.term, "weight": self.weight, **bounds, "options": dict(self.options)}

    def values(self, trajectory: Trajectory) -> Array:
        """Return the value of the term for every rollout, without clipping and weight (W,)."""
        return term_values(self.term, trajectory, self.options)

    def score(self, value: Array) -> Array:
        """Return the contribution of values of the term (W,) to the fitness: clipped and weighted."""
        return self.weight * np.clip(value, self.least, self.most)


def _frozen(value: Any) -> Any:
    """Return plain data with lists replaced by tuples."""
    return tuple(_frozen(x) for x in cast("Sequence[Any]", value)) if isinstance(value, (list, tuple)) else value
