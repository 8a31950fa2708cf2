"""Warnings of energy that the ledger does not explain.

    unaccounted = change of kinetic, potential and stored energy - motors - outside + damping + impact + sliding

Dampers, impacts and friction only take energy, so what they took never falls. In one large step of h it may, by up to h
|a . p| / 2, where p are the impulses and a is the acceleration without them: see docs/theory/contact.md.
"""

import warnings

import numpy as np
from numpy.typing import NDArray

from gambol.world.events.convergence import name_lanes
from gambol.world.film import Film

RELATIVE_LIMIT = 0.01
"""Largest part of the energy exchanged, or in motion if that is more, that may be unaccounted for or be given by
dissipative entries without a warning.
"""

ROUNDING = 1e-5
"""Part of all energy that rounding may leave in single precision."""

FLOWS = ("motors", "outside", "damping", "impact", "sliding")
"""Entries of the ledger through which energy comes and goes."""

DISSIPATIVE = {"damping": ("damping",), "contact": ("impact", "sliding")}
"""Dissipative entries by cause: an impact is split among those of contact by direction, which may be odd."""


class LedgerWarning(UserWarning):
    """The energy ledger does not balance, or says that dampers, impacts or friction added energy."""


def warn_of_imbalance(film: Film) -> None:
    """Warn, once for all worlds, of energy gained or lost without a cause, by a LedgerWarning.

    film: of a run. Worlds whose energy is not finite are not judged.
    """
    signals = film.signals
    stores = [signals[name] for name in ("kinetic", "potential", "stored")]
    with np.errstate(invalid="ignore"):  # a world that broke may have infinite energy
        exchanged_flows = sum(abs(signals[name][-1]) for name in FLOWS)
        exchanged = np.asarray(sum((store.max(axis=0) - store.min(axis=0) for store in stores), exchanged_flows))
        exchanged = np.maximum(exchanged, signals["kinetic"].max(axis=0))
        limit = np.maximum(RELATIVE_LIMIT * exchanged, ROUNDING * sum(abs(store).max(axis=0) for store in stores))
        taken = {
            name: sum(np.asarray(signals[entry], float) for entry in entries) for name, entries in DISSIPATIVE.items()
        }
        decrease = {name: _decrease(np.asarray(entry)) for name, entry in taken.items()}
    _warn_of_missing(np.asarray(signals["unaccounted"][-1], float), exchanged, limit)
    _warn_of_decrease(decrease, exchanged, limit)


def _decrease(entry: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much an entry fell in all, of each lane [J]; entry: (frames, lanes)."""
    return np.maximum(-np.diff(entry, axis=0), 0.0).sum(axis=0)


def _warn_of_missing(missing: NDArray[np.float64], exchanged: NDArray[np.float64], limit: NDArray[np.float64]) -> None:
    """Warn of energy that was gained without a source, which is above 0, or lost."""
    lanes = np.flatnonzero((abs(missing) > limit) & np.isfinite(exchanged))
    if len(lanes):
        worst = int(lanes[np.argmax(abs(missing[lanes]))])
        change = "gained {:.3g} J that nothing gave" if missing[worst] > 0.0 else "lost {:.3g} J that nothing took"
        _warn(
            f"energy does not balance in {name_lanes(lanes)}: lane {worst} {change.format(abs(missing[worst]))}, of "
            f"{exchanged[worst]:.3g} J that were exchanged or in motion. Take shorter steps"
        )


def _warn_of_decrease(
    decrease: dict[str, NDArray[np.float64]], exchanged: NDArray[np.float64], limit: NDArray[np.float64]
) -> None:
    """Warn of dissipative entries that fell, by the one that fell most."""
    name = max(decrease, key=lambda entry: float(np.nanmax(decrease[entry], initial=0.0)))
    lanes = np.flatnonzero((decrease[name] > limit) & np.isfinite(exchanged))
    if len(lanes):
        worst = int(lanes[np.argmax(decrease[name][lanes])])
        _warn(
            f"{name}, which only takes energy, gave some in {name_lanes(lanes)}: lane {worst} gained "
            f"{decrease[name][worst]:.3g} J by it, of {exchanged[worst]:.3g} J that were exchanged or in motion. Take "
            "shorter steps, or more iterations"
        )


def _warn(text: str) -> None:
    warnings.warn(text, LedgerWarning, stacklevel=4)
