"""Warnings of what was not met: equations of steps, and laws of contact."""

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
"""Part of the steps below which contact that was not solved is not told: some hard landings, which later steps mend."""


def tell_of_unmet(begun: State, ended: State, film: Film) -> None:
    """Warn of what was not met between two states, once for all worlds: by a ConvergenceWarning each.

    Named are lanes, by how much, the method, and what may help. film: of the run, in which residuals are looked up.
    """
    missed = np.asarray(ended.living.clock.missed, float)
    worse = np.flatnonzero(missed > np.asarray(begun.living.clock.missed, float))
    if len(worse):
        _warn(
            f'{lanes_in_words(worse)} went on although steps of "{ended.world.timing.method}" did not converge: they '
            f"miss their equations by up to {missed[worse].max():.3g} rad/s or m/s. Take shorter steps, or a method "
            "that is not implicit"
        )
    if ended.living.memory.pressed is None or begun.living.memory.pressed is None:
        return
    steps = np.asarray(ended.living.memory.pressed.unsolved - begun.living.memory.pressed.unsolved, float)
    taken = np.asarray(ended.living.clock.taken - begun.living.clock.taken, float)
    unsolved = np.flatnonzero(steps > RARE * taken)
    if len(unsolved):
        worst = int(unsolved[np.argmax(steps[unsolved])])
        _warn(
            f'{lanes_in_words(unsolved)} went on although contact was not solved by "{ended.world.contact}" in up to '
            f"{steps[worst]:.0f} of {taken[worst]:.0f} steps: frames of the film miss its laws by up to "
            f"{film.signals['residual'][:, unsolved].max():.3g} m/s or rad/s. Take shorter steps, or more rounds"
        )
    tell_of_room(begun, ended)


def tell_of_room(begun: State, ended: State) -> None:
    """Warn of worlds in which more contacts were near than there is room for, by a ConvergenceWarning."""
    steps = _more_steps(begun, ended, "crowded")
    lanes = np.flatnonzero(steps > 0.0)
    if len(lanes):
        room = ended.world.most_contacts
        _warn(
            f"{lanes_in_words(lanes)} had more contacts near than there is room for ({room}), in up to "
            f"{steps.max():.0f} steps: the farthest were left out. Give World(room={2 * room}) or more"
        )


def tell_of_limits(begun: State, ended: State) -> None:
    """Warn of collisions whose restitution was limited between two states, by a RestitutionWarning."""
    steps = _more_steps(begun, ended, "limited")
    lanes = np.flatnonzero(steps > 0.0)
    if len(lanes):
        warnings.warn(
            f"{lanes_in_words(lanes)}: in up to {steps[lanes].max():.0f} steps collisions would have added energy by "
            f'the hypothesis "{ended.world.hypothesis}". All impulses of these steps were made smaller alike, so that '
            'they add none, and bounces are lower than it says. Take "stronge", which never adds energy',
            RestitutionWarning,
            stacklevel=3,
        )


def _more_steps(begun: State, ended: State, counter: str) -> NDArray[np.float64]:
    """By how much a counter of Pressed grew in every world (W,); empty where there is none."""
    before, after = (list[Any](getattr(one.living.memory.pressed, counter, ())) for one in (begun, ended))
    return np.asarray(after[0] - before[0], float) if len(after) else np.zeros(0)


class RestitutionWarning(UserWarning):
    """Collisions did not rebound as their law of restitution says, because that would have added energy."""


def lanes_in_words(lanes: NDArray[np.intp]) -> str:
    """The numbers of lanes, as they begin a sentence."""
    named = ", ".join(str(lane) for lane in lanes[:MOST_NAMED])
    more = f" and {len(lanes) - MOST_NAMED} more" if len(lanes) > MOST_NAMED else ""
    return f"lane{'s' if len(lanes) > 1 else ''} {named}{more}"


def _warn(text: str) -> None:
    warnings.warn(text, ConvergenceWarning, stacklevel=4)
