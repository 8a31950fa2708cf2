"""Warnings of energy that the ledger does not explain.

    unaccounted = change of kinetic, potential and stored energy - motors - outside + damping + impact + sliding

Dampers, impacts and friction only take energy, so their entries never decrease. In a large step h they may, by up to
h |a . p| / 2, where p are the impulses and a is the acceleration without them: see docs/theory/contact.md.
"""

import warnings

import numpy as np
from numpy.typing import NDArray

from gambol.contact import Penalty
from gambol.world.context import LEDGER_CAUSES, LEDGER_SIGNS, POSITION_CORRECTION
from gambol.world.events.convergence import name_lanes
from gambol.world.film import Film
from gambol.world.world import World

RELATIVE_LIMIT = 0.01
"""Limit of the unaccounted energy, and of energy added by dissipative entries, above which there is a warning: a
fraction of the energy exchanged, or of the kinetic energy if that is larger.
"""

ROUNDING_LIMIT = 1e-5
"""Limit due to rounding in single precision: a fraction of all stored energy."""

FLOWS = tuple(name for name in LEDGER_SIGNS if name != POSITION_CORRECTION)
"""Entries of the ledger through which energy is gained or lost."""

DISSIPATIVE = {
    cause: tuple(name for name in LEDGER_CAUSES if LEDGER_CAUSES[name] == cause)
    for cause in dict.fromkeys(filter(None, LEDGER_CAUSES.values()))
}
"""Dissipative entries by cause. Impact and sliding count together: only their sum must not decrease."""


class LedgerWarning(UserWarning):
    """The energy ledger does not balance, or dampers, impacts or friction added energy."""


def contact_may_add_energy(world: World) -> bool:
    """Return True if the restitution of the ground, or between parts, is above 1: then contacts add energy."""
    parts = world.method.parts if isinstance(world.method, Penalty) else None
    return world.surface.parameters.restitution > 1.0 or (parts is not None and parts.restitution > 1.0)


def warn_of_imbalance(film: Film, *, contact_adds: bool = False) -> None:
    """Warn of energy gained or lost without a cause, by one LedgerWarning for all worlds.

    film: of a run. Worlds whose energy is not finite are ignored. contact_adds: True if contacts may add energy; the
    ledger then has it as a negative loss, of which nothing warns.
    """
    signals = film.signals
    stores = [signals[name] for name in ("kinetic", "potential", "stored")]
    with np.errstate(invalid="ignore"):  # a world that became non-finite may have infinite energy
        exchanged_flows = sum(abs(signals[name][-1]) for name in FLOWS)
        exchanged = np.asarray(sum((store.max(axis=0) - store.min(axis=0) for store in stores), exchanged_flows))
        exchanged = np.maximum(exchanged, signals["kinetic"].max(axis=0))
        limit = np.maximum(RELATIVE_LIMIT * exchanged, ROUNDING_LIMIT * sum(abs(store).max(axis=0) for store in stores))
        losses = {
            name: sum(np.asarray(signals[entry], float) for entry in entries) for name, entries in DISSIPATIVE.items()
        }
        decrease = {name: _decrease(np.asarray(loss)) for name, loss in losses.items()}
    _warn_of_unaccounted(np.asarray(signals["unaccounted"][-1], float), exchanged, limit)
    if contact_adds:
        del decrease["contact"]
    _warn_of_decrease(decrease, exchanged, limit)


def _decrease(entry: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the total of all decreases of an entry in each lane [J]; entry: (frames, lanes)."""
    return np.maximum(-np.diff(entry, axis=0), 0.0).sum(axis=0)


def _warn_of_unaccounted(
    unaccounted: NDArray[np.float64], exchanged: NDArray[np.float64], limit: NDArray[np.float64]
) -> None:
    """Warn of energy gained (above 0) or lost that the ledger does not explain."""
    lanes = np.flatnonzero((abs(unaccounted) > limit) & np.isfinite(exchanged))
    if len(lanes):
        worst = int(lanes[np.argmax(abs(unaccounted[lanes]))])
        change = "gained {:.3g} J without a source" if unaccounted[worst] > 0.0 else "lost {:.3g} J without a cause"
        _warn(
            f"energy does not balance in {name_lanes(lanes)}: lane {worst} {change.format(abs(unaccounted[worst]))}, "
            f"of {exchanged[worst]:.3g} J that were exchanged or in motion. Take shorter steps"
        )


def _warn_of_decrease(
    decrease: dict[str, NDArray[np.float64]], exchanged: NDArray[np.float64], limit: NDArray[np.float64]
) -> None:
    """Warn of the dissipative entries that decreased most."""
    name = max(decrease, key=lambda entry: float(np.nanmax(decrease[entry], initial=0.0)))
    lanes = np.flatnonzero((decrease[name] > limit) & np.isfinite(exchanged))
    if len(lanes):
        worst = int(lanes[np.argmax(decrease[name][lanes])])
        _warn(
            f"{name}, which must not add energy, did so in {name_lanes(lanes)}: lane {worst} gained "
            f"{decrease[name][worst]:.3g} J, of {exchanged[worst]:.3g} J that were exchanged or in motion. Take "
            "shorter steps, or more iterations"
        )


def _warn(text: str) -> None:
    warnings.warn(text, LedgerWarning, stacklevel=4)
