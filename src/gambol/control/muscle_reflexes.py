"""Reflexes: excitations of muscles from delayed signals of muscles.

u_m = u0_m + sum_r G_r max(0, x_r(t - d_r) - x0_r)        [Geyer and Herr 2010, section II.B]

F+    positive force feedback: x is the force of the muscle's own tendon, G > 0
L+    length feedback: x is the length of its own fibre, G > 0
F-    a muscle is inhibited by the force of another one, G < 0
L-    a muscle is inhibited by the length of another one, G < 0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gambol.control.controller import Senses
from gambol.control.delay import DelayLine
from gambol.errors import WorldError
from gambol.lanes import Scalar, maximum


@dataclass(frozen=True, slots=True)
class Afferent:
    """A signal that a sense organ of an actuator sends: the part of an output above an offset, 0 or more.

    actuator, output: names, see Actuator.outputs(). unit: in which the output is measured [of the output]. offset: in
    this unit. delay: until the signal arrives [s].
    """

    actuator: str
    output: str
    delay: float
    unit: float = 1.0
    offset: float = 0.0

    def value(self, senses: Senses) -> Scalar:
        """Return the signal as it is sent now. Raises WorldError for an actuator or output that there is not."""
        try:
            x = senses.actuator_outputs[self.actuator][self.output]
        except KeyError:
            raise WorldError(f'no actuator "{self.actuator}" has an output "{self.output}" for a reflex') from None
        return maximum(x * (1.0 / self.unit) - self.offset, 0.0)


@dataclass(frozen=True, slots=True)
class MuscleReflex:
    """A row of a table of reflexes: target, the muscle that an afferent excites (gain > 0) or inhibits (gain < 0)."""

    target: str
    afferent: Afferent
    gain: float


def force_feedback(target: str, gain: float, max_force: float, delay: float, source: str = "") -> MuscleReflex:
    """Return feedback of the force of a muscle, in its maximal isometric force: F+ with a gain above 0, else F-.

    source: the muscle whose force it is; empty: the target itself. max_force: of that muscle [N]. delay [s].
    """
    return MuscleReflex(target, Afferent(source or target, "force", delay, unit=max_force), gain)


def length_feedback(target: str, gain: float, offset: float, delay: float, source: str = "") -> MuscleReflex:
    """Return feedback of the fibre's length beyond an offset [optimal lengths]: L+ with a gain above 0, else L-.

    source: the muscle whose fibre it is; empty: the target itself. delay [s].
    """
    return MuscleReflex(target, Afferent(source or target, "fibre_length", delay, offset=offset), gain)


def afferents_of(reflexes: Iterable[MuscleReflex]) -> tuple[Afferent, ...]:
    """Return the afferents of reflexes, each once, in order."""
    return tuple(dict.fromkeys(reflex.afferent for reflex in reflexes))


def excitations(
    reflexes: Sequence[MuscleReflex],
    gains: Sequence[Scalar],
    arrived: Mapping[Afferent, Scalar],
    base: Mapping[str, Scalar],
) -> dict[str, Scalar]:
    """Return the excitation of each muscle of `base`, not yet bounded.

    gains: of the reflexes, in their order. arrived: what each afferent brings now. base: prestimulations by muscle.
    """
    result = dict(base)
    for reflex, gain in zip(reflexes, gains, strict=True):
        result[reflex.target] = result[reflex.target] + gain * arrived[reflex.afferent]
    return result


def delay_lines(afferents: Sequence[Afferent], control_step: float) -> list[DelayLine]:
    """Return a delay line for each afferent; control_step: of the world [s]."""
    return [DelayLine(afferent.delay, control_step) for afferent in afferents]
