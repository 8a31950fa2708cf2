"""Warnings of energy that no one can account for.

    unaccounted = change of kinetic, potential and stored energy - motors - outside + damping + impact + sliding

Dampers, impacts and friction only take energy, so what they took never falls. In one large step of h it may, by up to
h |a . p| / 2, where p are the impulses and a is the acceleration without them: see docs/theory/contact.md.
"""

import warnings

import numpy as np
from numpy.typing import NDArray

from gambol.world.events.unmet import lanes_in_words
from gambol.world.film import Film

PART = 0.01
"""Part of the energy exchanged, or in motion if that is more, that may be unaccounted for, and that what only takes
energy may give, before it is told."""

ROUNDING = 1e-5
"""Part of all energy that rounding may leave in single precision."""

FLOWS = ("motors", "outside", "damping", "impact", "sliding")
"""Entries of the ledger through which energy comes and goes."""

TAKERS = {"damping": ("damping",), "contact": ("impact", "sliding")}
"""What only takes energy, and its entries: a blow is split among those of contact by direction, which may be odd."""


class BooksWarning(UserWarning):
    """The book of a world's energy does not balance, or says that dampers, impacts or friction gave energy."""


def tell_of_books(film: Film) -> None:
    """Warn, once for all worlds, of energy that came from nowhere or was lost, by a BooksWarning.

    film: of a run. A world whose energy is not finite is not judged.
    """
    signals = film.signals
    stores = [signals[name] for name in ("kinetic", "potential", "stored")]
    with np.errstate(invalid="ignore"):  # a world that broke may have infinite energy
        flows = sum(abs(signals[name][-1]) for name in FLOWS)
        exchanged = np.asarray(sum((store.max(axis=0) - store.min(axis=0) for store in stores), flows))
        exchanged = np.maximum(exchanged, signals["kinetic"].max(axis=0))
        least = np.maximum(PART * exchanged, ROUNDING * sum(abs(store).max(axis=0) for store in stores))
        taken = {name: sum(np.asarray(signals[entry], float) for entry in entries) for name, entries in TAKERS.items()}
        fallen = {name: _fallen(np.asarray(entry)) for name, entry in taken.items()}
    _tell_of_missing(np.asarray(signals["unaccounted"][-1], float), exchanged, least)
    _tell_of_falls(fallen, exchanged, least)


def _fallen(entry: NDArray[np.float64]) -> NDArray[np.float64]:
    """By how much what was taken fell in all, of each lane [J]; entry: (frames, lanes)."""
    return np.maximum(-np.diff(entry, axis=0), 0.0).sum(axis=0)


def _tell_of_missing(missing: NDArray[np.float64], exchanged: NDArray[np.float64], least: NDArray[np.float64]) -> None:
    """Warn of energy that came from nowhere, which is above 0, or that was lost."""
    lanes = np.flatnonzero((abs(missing) > least) & np.isfinite(exchanged))
    if len(lanes):
        worst = int(lanes[np.argmax(abs(missing[lanes]))])
        what = "gained {:.3g} J that nothing gave" if missing[worst] > 0.0 else "lost {:.3g} J that nothing took"
        _warn(
            f"energy does not balance in {lanes_in_words(lanes)}: lane {worst} {what.format(abs(missing[worst]))}, of "
            f"{exchanged[worst]:.3g} J that were exchanged or in motion. Take shorter steps"
        )


def _tell_of_falls(
    fallen: dict[str, NDArray[np.float64]], exchanged: NDArray[np.float64], least: NDArray[np.float64]
) -> None:
    """Warn of what was taken and fell, by that which fell most."""
    name = max(fallen, key=lambda entry: float(np.nanmax(fallen[entry], initial=0.0)))
    lanes = np.flatnonzero((fallen[name] > least) & np.isfinite(exchanged))
    if len(lanes):
        worst = int(lanes[np.argmax(fallen[name][lanes])])
        _warn(
            f"{name}, which only takes energy, gave some in {lanes_in_words(lanes)}: lane {worst} gained "
            f"{fallen[name][worst]:.3g} J by it, of {exchanged[worst]:.3g} J that were exchanged or in motion. Take "
            "shorter steps, or more rounds"
        )


def _warn(text: str) -> None:
    warnings.warn(text, BooksWarning, stacklevel=4)
