"""Warnings at the end of a run: steps that did not converge, too many contacts, and reduced restitution."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.integrate import ConvergenceWarning
from gambol.world.film import Film
from gambol.world.state import State

MAX_NAMED_LANES = 8
"""Maximum number of lanes that a warning lists."""

MAX_UNSOLVED_FRACTION = 0.01
"""Fraction of steps with unsolved contact that causes no warning: hard landings, which later steps correct."""


def warn_of_unsolved(initial: State, final: State, film: Film) -> None:
    """Warn of steps of a run that did not converge, and of steps over the contact capacity (ConvergenceWarning).

    initial, final: the states before and after the run; film: film of the run, for its residuals.
    """
    residuals = np.asarray(final.step_state.clock.max_residual, float)
    increased = np.flatnonzero(residuals > np.asarray(initial.step_state.clock.max_residual, float))
    if len(increased):
        _warn(
            f'{name_lanes(increased)} had steps of "{final.world.timing.method}" that did not converge: the residual '
            f"of their equations was up to {residuals[increased].max():.3g} rad/s or m/s. Take shorter steps, or a "
            "method that is not implicit"
        )
    if final.step_state.memory.contact_cache is None or initial.step_state.memory.contact_cache is None:
        return
    steps = np.asarray(
        final.step_state.memory.contact_cache.unsolved - initial.step_state.memory.contact_cache.unsolved, float
    )
    taken = np.asarray(final.step_state.clock.taken - initial.step_state.clock.taken, float)
    unsolved = np.flatnonzero(steps > MAX_UNSOLVED_FRACTION * taken)
    if len(unsolved):
        worst = int(unsolved[np.argmax(steps[unsolved])])
        _warn(
            f'{name_lanes(unsolved)} had contacts that "{final.world.method.name}" did not solve, in up to '
            f"{steps[worst]:.0f} of {taken[worst]:.0f} steps: in the film the laws of contact are violated by up to "
            f"{film.signals['residual'][:, unsolved].max():.3g} m/s or rad/s. Take shorter steps, or more iterations"
        )
    warn_of_capacity(initial, final)


def warn_of_capacity(initial: State, final: State) -> None:
    """Warn of worlds with more near contacts than the capacity between two states, by a ConvergenceWarning."""
    steps = _counted_steps(initial, final, "over_capacity")
    lanes = np.flatnonzero(steps > 0.0)
    if len(lanes):
        capacity = final.world.contact_capacity
        _warn(
            f"{name_lanes(lanes)} had more contacts near than max_contacts ({capacity}), in up to "
            f"{steps.max():.0f} steps: the farthest were left out. Give "
            f"{type(final.world.method).__name__}(max_contacts={2 * capacity}) or more as the contact method"
        )


def warn_of_restitution(initial: State, final: State) -> None:
    """Warn of collisions with reduced restitution between two states, by a RestitutionWarning."""
    steps = _counted_steps(initial, final, "restitution_limited")
    lanes = np.flatnonzero(steps > 0.0)
    if len(lanes):
        warnings.warn(
            f"{name_lanes(lanes)}: in up to {steps[lanes].max():.0f} steps collisions would have added energy by "
            f'the hypothesis "{getattr(final.world.method, "hypothesis", "")}". All impulses of these steps were '
            'scaled down, so bounces are lower than the hypothesis predicts. Take "stronge", which never adds energy',
            RestitutionWarning,
            stacklevel=3,
        )


def _counted_steps(initial: State, final: State, counter: str) -> NDArray[np.float64]:
    """Return the increase of a counter of the contact cache in each world (W,); empty if there is no such counter."""
    before, after = (
        list[Any](getattr(state.step_state.memory.contact_cache, counter, ())) for state in (initial, final)
    )
    return np.asarray(after[0] - before[0], float) if len(after) else np.zeros(0)


class RestitutionWarning(UserWarning):
    """Collisions rebounded less than the hypothesis predicts, since the full rebound would have added energy."""


def name_lanes(lanes: NDArray[np.intp]) -> str:
    """Return the indices of lanes as text, for messages."""
    first = ", ".join(str(lane) for lane in lanes[:MAX_NAMED_LANES])
    more = f" and {len(lanes) - MAX_NAMED_LANES} more" if len(lanes) > MAX_NAMED_LANES else ""
    return f"lane{'s' if len(lanes) > 1 else ''} {first}{more}"


def _warn(text: str) -> None:
    warnings.warn(text, ConvergenceWarning, stacklevel=4)
