"""Warnings of steps whose equations or laws of contact were not satisfied."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.integrate import ConvergenceWarning
from gambol.world.film import Film
from gambol.world.state import State

MOST_NAMED = 8
"""Lanes that are named one by one; of more, the first."""

RARE = 0.01
"""Part of steps with unsolved contact that causes no warning: some hard landings, which later steps correct."""


def warn_of_unsolved(initial: State, final: State, film: Film) -> None:
    """Warn of unsatisfied equations between two states, once for all worlds: by a ConvergenceWarning each.

    It names lanes, residuals, the method, and what may help. film: of the run, for its residuals.
    """
    missed = np.asarray(final.step_state.clock.max_residual, float)
    worse = np.flatnonzero(missed > np.asarray(initial.step_state.clock.max_residual, float))
    if len(worse):
        _warn(
            f'{name_lanes(worse)} went on although steps of "{final.world.timing.method}" did not converge: they '
            f"miss their equations by up to {missed[worse].max():.3g} rad/s or m/s. Take shorter steps, or a method "
            "that is not implicit"
        )
    if final.step_state.memory.contact_cache is None or initial.step_state.memory.contact_cache is None:
        return
    steps = np.asarray(
        final.step_state.memory.contact_cache.unsolved - initial.step_state.memory.contact_cache.unsolved, float
    )
    taken = np.asarray(final.step_state.clock.taken - initial.step_state.clock.taken, float)
    unsolved = np.flatnonzero(steps > RARE * taken)
    if len(unsolved):
        worst = int(unsolved[np.argmax(steps[unsolved])])
        _warn(
            f'{name_lanes(unsolved)} went on although contact was not solved by "{final.world.contact}" in up to '
            f"{steps[worst]:.0f} of {taken[worst]:.0f} steps: frames of the film miss its laws by up to "
            f"{film.signals['residual'][:, unsolved].max():.3g} m/s or rad/s. Take shorter steps, or more iterations"
        )
    warn_of_capacity(initial, final)


def warn_of_capacity(initial: State, final: State) -> None:
    """Warn of worlds in which more contacts were near than fit, by a ConvergenceWarning."""
    steps = _more_steps(initial, final, "over_capacity")
    lanes = np.flatnonzero(steps > 0.0)
    if len(lanes):
        capacity = final.world.contact_capacity
        _warn(
            f"{name_lanes(lanes)} had more contacts near than max_contacts ({capacity}), in up to "
            f"{steps.max():.0f} steps: the farthest were left out. Give World(max_contacts={2 * capacity}) or more"
        )


def warn_of_restitution(initial: State, final: State) -> None:
    """Warn of collisions with reduced restitution between two states, by a RestitutionWarning."""
    steps = _more_steps(initial, final, "restitution_limited")
    lanes = np.flatnonzero(steps > 0.0)
    if len(lanes):
        warnings.warn(
            f"{name_lanes(lanes)}: in up to {steps[lanes].max():.0f} steps collisions would have added energy by "
            f'the hypothesis "{final.world.hypothesis}". All impulses of these steps were made smaller alike, so that '
            'they add none, and bounces are lower than it says. Take "stronge", which never adds energy',
            RestitutionWarning,
            stacklevel=3,
        )


def _more_steps(initial: State, final: State, counter: str) -> NDArray[np.float64]:
    """Return by how much a counter of the contact cache grew in every world (W,); empty where there is none."""
    before, after = (
        list[Any](getattr(state.step_state.memory.contact_cache, counter, ())) for state in (initial, final)
    )
    return np.asarray(after[0] - before[0], float) if len(after) else np.zeros(0)


class RestitutionWarning(UserWarning):
    """Collisions rebounded less than their law of restitution says, because that would have added energy."""


def name_lanes(lanes: NDArray[np.intp]) -> str:
    """Return the numbers of lanes as text."""
    first = ", ".join(str(lane) for lane in lanes[:MOST_NAMED])
    more = f" and {len(lanes) - MOST_NAMED} more" if len(lanes) > MOST_NAMED else ""
    return f"lane{'s' if len(lanes) > 1 else ''} {first}{more}"


def _warn(text: str) -> None:
    warnings.warn(text, ConvergenceWarning, stacklevel=4)
