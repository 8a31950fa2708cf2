"""Reflexes of a leg: the step reflex and the load-bearing reflex. [McKenna 1990, sections 3.2 and 4.6]

The step reflex makes a leg step when its upper joint is bent back past an angle; the load-bearing reflex keeps a leg
standing while the torque of its supporting joint exceeds a trigger, but for no longer than a cycle. All steps that were
under way when it was asked to step have ended by then: a larger load is no gap between steps, but a load of the stance,
as after the loss of another leg.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.lanes import Scalar

UNREACHABLE = 1e9
"""A trigger that no joint angle [rad] and no torque [N m] of a creature reaches."""


@dataclass(frozen=True, slots=True)
class ReflexTriggers:
    """The thresholds of one leg's reflexes.

    bent_back: angle of the upper joint, positive in the direction in which it turns during stance [rad]; direction:
    +1 or -1, the sign of that direction in the joint's coordinate; load: magnitude of the torque of the supporting
    joint's spring [N m]; below 0 the leg never steps.
    """

    bent_back: float = UNREACHABLE
    direction: float = 1.0
    load: float = UNREACHABLE


def steps_by_reflex(trigger: ReflexTriggers, bent_back: Scalar, angle: Scalar) -> Scalar:
    """Return True if the upper joint is bent back past the trigger.

    trigger: triggers of the leg, for the direction. bent_back: threshold [rad]. angle: angle of the joint [rad].
    """
    return angle * trigger.direction > bent_back


def bears_too_much(load_trigger: Scalar, torque: Scalar) -> Scalar:
    """Return True if the torque of the supporting joint exceeds the trigger [N m]."""
    return abs(torque) > load_trigger


def calibrated_triggers(
    angles: NDArray[Any], torques: NDArray[Any], directions: Sequence[float], stepping: NDArray[Any], margin: float
) -> tuple[ReflexTriggers, ...]:
    """Return triggers outside the ranges of undisturbed walking. [McKenna 1990, section 5.2]

    angles, torques: angles and torques of the legs' upper and supporting joints (frames, legs); directions: +1 or -1
    for each leg; stepping: 1 while a leg steps (frames, legs). margin: distance of a trigger from its range, as a
    fraction of the range. The range of the angle is over all frames; the load is measured in the frames just before a
    step, when the reflex could act. Raises WorldError if a leg never steps.
    """
    if not (stepping > 0).any(axis=0).all():
        idle = int(np.argmin((stepping > 0).any(axis=0)))
        raise WorldError(f"leg {idle} never stepped, so its reflexes cannot be calibrated; record at least one stride")
    triggers: list[ReflexTriggers] = []
    for leg, direction in enumerate(directions):
        bent = angles[:, leg] * direction
        bent_back = float(bent.max() + margin * (bent.max() - bent.min()))
        lift_off = np.flatnonzero(np.diff((stepping[:, leg] > 0).astype(int)) == 1)
        load = float(np.abs(torques[lift_off, leg]).max()) if len(lift_off) else float(np.abs(torques[:, leg]).max())
        triggers.append(ReflexTriggers(bent_back, direction, load * (1.0 + margin)))
    return tuple(triggers)
