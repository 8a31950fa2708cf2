"""Feedback of forces and lengths of muscles: the excitation of a muscle is a sum of such terms.

u_m = u0_m + sum_r G_r max(0, x_r(t - d_r) - x0_r)        [Geyer and Herr 2010, section II.B]

F+    positive force feedback: x is the force of the muscle's own tendon, G > 0
L+    length feedback: x is the length of its own fibre, G > 0
F-    a muscle is inhibited by the force of another muscle, G < 0
L-    a muscle is inhibited by the length of another muscle, G < 0

Each is a row of the kind "delayed feedback". Rows that read the same signal with the same delay share an afferent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gambol.control.delay import DelayLine
from gambol.control.reflexes.kinds import DelayedFeedback
from gambol.control.reflexes.reflex import OUTPUTS, Afferent, Signal
from gambol.lanes import Scalar


def force_feedback(target: str, gain: float, max_force: float, delay: float, source: str = "") -> DelayedFeedback:
    """Return feedback of a muscle's force, divided by its maximal isometric force: F+ for a gain above 0, else F-.

    source: the muscle whose force is read; empty: the target itself. max_force: maximal isometric force of that muscle
    [N]. delay [s].
    """
    signal = Signal(OUTPUTS, source or target, "force", unit=max_force)
    return DelayedFeedback(signal, target, gain, delay=delay, one_sided=True)


def length_feedback(target: str, gain: float, offset: float, delay: float, source: str = "") -> DelayedFeedback:
    """Return feedback of the length of a fibre beyond an offset [optimal lengths]: L+ for a gain above 0, else L-.

    source: the muscle whose fibre length is read; empty: the target itself. delay [s].
    """
    signal = Signal(OUTPUTS, source or target, "fibre_length")
    return DelayedFeedback(signal, target, gain, offset, delay, one_sided=True)


def afferents_of(reflexes: Iterable[DelayedFeedback]) -> tuple[Afferent, ...]:
    """Return the afferents of reflexes, each once, in order."""
    return tuple(dict.fromkeys(reflex.afferent for reflex in reflexes))


def excitations(
    reflexes: Sequence[DelayedFeedback],
    gains: Sequence[Scalar],
    arrived: Mapping[Afferent, Scalar],
    base: Mapping[str, Scalar],
) -> dict[str, Scalar]:
    """Return the excitation of each muscle of `base`, not yet bounded.

    gains: gains of the reflexes, in their order. arrived: the delayed signal of each afferent. base: prestimulations by
    muscle.
    """
    result = dict(base)
    for reflex, gain in zip(reflexes, gains, strict=True):
        feedback = reflex.feedback(gain, reflex.reference, arrived[reflex.afferent])
        result[reflex.actuator] = result[reflex.actuator] + feedback
    return result


def delay_lines(afferents: Sequence[Afferent], control_step: float) -> list[DelayLine]:
    """Return a delay line for each afferent; control_step: control step of the world [s]."""
    return [DelayLine(afferent.delay, control_step) for afferent in afferents]
