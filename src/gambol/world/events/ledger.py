"""Energy that the ledger does not explain, as a fraction of the energy turned over, and warnings about it.

    unaccounted = change of kinetic, potential and stored energy - motors - outside - position correction
                  + damping + impact + sliding + numerical damping
    turned over = the largest of   work of motors and from outside,   all losses,   kinetic energy,
                                   range of potential energy,         range of stored energy

The fraction is the largest unaccounted energy of a film, gained or lost, divided by the energy turned over in it. All
warnings, tables and files use this fraction. Numerical damping is a known loss, but it is an error of the step, too: a
warning is issued if it exceeds the same fraction.

Dampers, impacts and friction only dissipate energy, so their entries never decrease. In a large step h they may
decrease by up to h |a . p| / 2, where p are the impulses and a is the acceleration without them: see
docs/theory/contact.md.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.world.context import LEDGER_CAUSES, PHYSICAL_SIGNS
from gambol.world.events.convergence import name_lanes
from gambol.world.film import Film
from gambol.world.world import World

RELATIVE_TOLERANCE = 0.01
"""Limit of the unaccounted energy, and of energy added by dissipative entries, above which there is a warning: a
fraction of the energy turned over.
"""

ROUNDING_TOLERANCE = 1e-5
"""Limit due to rounding in single precision: a fraction of the sum of the energies in STORES."""

STORES = ("kinetic", "potential", "stored")
"""Signals of the energies that a figure and its springs store."""

SOURCES = tuple(name for name, sign in PHYSICAL_SIGNS.items() if sign > 0.0)
"""Entries of the ledger for energy that is supplied or drawn back."""

LOSSES = tuple(name for name, sign in PHYSICAL_SIGNS.items() if sign < 0.0)
"""Entries of the ledger for energy that is lost."""

DISSIPATIVE = {
    cause: tuple(name for name in LEDGER_CAUSES if LEDGER_CAUSES[name] == cause)
    for cause in dict.fromkeys(filter(None, LEDGER_CAUSES.values()))
}
"""Dissipative entries by cause. Impact and sliding count together: only their sum must not decrease."""


class LedgerWarning(UserWarning):
    """The energy ledger does not balance, or dampers, impacts or friction added energy."""


def contact_may_add_energy(world: World) -> bool:
    """Return True if contacts may add energy, see ContactMethod.may_add_energy()."""
    return world.method.may_add_energy(world.surface)


def energy_turnover(signals: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the energy that was turned over in each world of a film (W,) [J].

    signals: signals of the film, (F, W). A signal that the film does not have counts as 0.
    """

    def rows(*names: str) -> list[NDArray[np.float64]]:
        return [np.asarray(signals[name], float) for name in names if name in signals]

    with np.errstate(invalid="ignore"):  # a world that became non-finite may have infinite energy
        ranges = [np.ptp(values, axis=0) for values in rows("potential", "stored")]
        work = sum(np.ptp(values, axis=0) for values in rows(*SOURCES))
        loss = np.ptp(sum(rows(*LOSSES), np.zeros((1, 1))), axis=0)
        most = [values.max(axis=0) for values in rows("kinetic")]
    return np.maximum.reduce(np.broadcast_arrays(*ranges, work, loss, *most))


def unaccounted_fraction(signals: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the largest unaccounted energy of each world divided by the energy turned over (W,), 0 without turnover.

    signals: signals of the film, (F, W).
    """
    turnover, largest = energy_turnover(signals), abs(np.asarray(signals["unaccounted"], float)).max(axis=0)
    return np.divide(largest, turnover, out=np.zeros_like(largest), where=turnover > 0.0)


def warn_of_imbalance(film: Film, *, contact_adds: bool = False) -> None:
    """Warn of energy gained or lost without a cause, by one LedgerWarning for all worlds.

    film: film of a run. Worlds whose energy is not finite are ignored. contact_adds: True if contacts may add energy;
    in the ledger that energy is a negative loss, for which there is then no warning.
    """
    signals, turnover = film.signals, energy_turnover(film.signals)
    with np.errstate(invalid="ignore"):
        rounding = ROUNDING_TOLERANCE * sum(abs(signals[name]).max(axis=0) for name in STORES)
        losses = {
            name: sum(np.asarray(signals[entry], float) for entry in entries) for name, entries in DISSIPATIVE.items()
        }
        decrease = {name: _decrease(np.asarray(loss)) for name, loss in losses.items()}
    limit = np.maximum(RELATIVE_TOLERANCE * turnover, rounding)
    _warn_of_error(np.asarray(signals["unaccounted"], float), UNACCOUNTED, turnover, limit)
    damped = np.asarray(signals["numerical_damping"], float)
    _warn_of_error(damped[:1] - damped, NUMERICAL_DAMPING, turnover, limit)
    if contact_adds:
        del decrease["contact"]
    _warn_of_decrease(decrease, turnover, limit)


def _decrease(entry: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest decrease of an entry (F, W) below an earlier value, in each lane [J].

    A sum of all decreases would depend on the frame rate, and would grow without limit in a long motion.
    """
    return (np.maximum.accumulate(entry, axis=0) - entry).max(axis=0)


@dataclass(frozen=True)
class _Warning:
    """The text of a warning of energy gained or lost: what is wrong, a gain, a loss, and what helps."""

    subject: str
    gain: str
    loss: str
    remedy: str


UNACCOUNTED = _Warning(
    "energy does not balance",
    "gained {:.3g} J without a source",
    "lost {:.3g} J without a cause",
    "Take shorter steps, or give a smaller accuracy",
)
NUMERICAL_DAMPING = _Warning(
    "springs are too stiff for the step",
    "gained {:.3g} J from the implicit part of springs",
    "lost {:.3g} J by numerical damping",
    "Take shorter steps, or softer springs",
)


def _warn_of_error(
    gained: NDArray[np.float64], text: _Warning, turnover: NDArray[np.float64], limit: NDArray[np.float64]
) -> None:
    """Warn of energy gained (above 0) or lost by an error of the simulation; gained: (F, W)."""
    with np.errstate(invalid="ignore"):
        largest = np.where(gained.max(axis=0) > -gained.min(axis=0), *_extremes(gained))
    lanes = np.flatnonzero((abs(largest) > limit) & np.isfinite(turnover))
    if len(lanes):
        worst = int(lanes[np.argmax(abs(largest[lanes]))])
        change = (text.gain if largest[worst] > 0.0 else text.loss).format(abs(largest[worst]))
        _warn(
            f"{text.subject} in {name_lanes(lanes)}: lane {worst} {change}, "
            f"{_percentage(largest[worst], turnover[worst])}. {text.remedy}"
        )


def _extremes(entry: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the largest and the smallest value in each lane; entry: (frames, lanes)."""
    return entry.max(axis=0), entry.min(axis=0)


def _percentage(energy: float, turnover: float) -> str:
    """Return an energy as text: its percentage of the energy turned over."""
    return f"{100.0 * abs(energy) / turnover:.2g} % of the {turnover:.3g} J turned over"


def _warn_of_decrease(
    decrease: dict[str, NDArray[np.float64]], turnover: NDArray[np.float64], limit: NDArray[np.float64]
) -> None:
    """Warn of the dissipative entries that decreased most."""
    name = max(decrease, key=lambda entry: float(np.nanmax(decrease[entry], initial=0.0)))
    lanes = np.flatnonzero((decrease[name] > limit) & np.isfinite(turnover))
    if len(lanes):
        worst = int(lanes[np.argmax(decrease[name][lanes])])
        _warn(
            f"{name}, which must not add energy, did so in {name_lanes(lanes)}: lane {worst} gained "
            f"{decrease[name][worst]:.3g} J, {_percentage(decrease[name][worst], turnover[worst])}. Take shorter "
            "steps, or more iterations"
        )


def _warn(text: str) -> None:
    warnings.warn(text, LedgerWarning, stacklevel=4)
