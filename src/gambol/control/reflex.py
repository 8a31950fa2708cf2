"""Reflexes of a leg: they trigger a step or hold it back. [McKenna 1990, sections 3.2 and 4.6]

The step reflex makes a leg step whose upper joint is bent back past an angle; the load-bearing reflex keeps a leg
standing while the joint that holds it up bears more than a torque.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.lanes import Scalar

NEVER = 1e9
"""A trigger that no joint angle [rad] and no torque [N m] of a creature reaches."""


@dataclass(frozen=True, slots=True)
class ReflexTriggers:
    """When the reflexes of one leg act.

    bent_back: angle of the upper joint, counted in the direction it turns during stance [rad]; direction: that
    direction, +1 or -1; load: torque of the supporting joint's spring, either sign [N m].
    """

    bent_back: float = NEVER
    direction: float = 1.0
    load: float = NEVER


def steps_by_reflex(trigger: ReflexTriggers, bent_back: Scalar, angle: Scalar) -> Scalar:
    """Whether the upper joint, at an angle [rad], is bent back past the trigger."""
    return angle * trigger.direction > bent_back


def bears_too_much(load_trigger: Scalar, torque: Scalar) -> Scalar:
    """Whether the supporting joint's torque [N m] keeps the leg standing."""
    return abs(torque) > load_trigger


def calibrated(
    angles: NDArray[Any], torques: NDArray[Any], directions: Sequence[float], stepping: NDArray[Any], margin: float
) -> tuple[ReflexTriggers, ...]:
    """Triggers beyond what undisturbed walking reaches. [McKenna 1990, section 5.2]

    angles, torques: of the legs' upper and supporting joints over time (frames, legs); directions: +1 or -1 for each
    leg; stepping: 1 where a leg steps (frames, legs). margin: how far beyond, as a part of the range (0.2 is a fifth).
    The angle's range is that of all the time, the load's that of the moments just before a step, when the reflex could
    act.
    Raises WorldError when a leg was never seen to step.
    """
    if not (stepping > 0).any(axis=0).all():
        still = int(np.argmin((stepping > 0).any(axis=0)))
        raise WorldError(f"leg {still} never stepped, so its reflexes cannot be calibrated; record at least one stride")
    triggers: list[ReflexTriggers] = []
    for leg, direction in enumerate(directions):
        bent = angles[:, leg] * direction
        reach = float(bent.max() + margin * (bent.max() - bent.min()))
        lifted = np.flatnonzero(np.diff((stepping[:, leg] > 0).astype(int)) == 1)
        load = float(np.abs(torques[lifted, leg]).max()) if len(lifted) else float(np.abs(torques[:, leg]).max())
        triggers.append(ReflexTriggers(reach, direction, load * (1.0 + margin)))
    return tuple(triggers)
