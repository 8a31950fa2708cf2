"""The knee locks of a passive walker: brakes that never drive. [McGeer 1990b; Chen 2007]

    locked     the leg is straight and stands, or is about to: its knee is braked
    straight   the other foot has landed: the knee is free
    flexed     the knee has bent in the swing; when it is straight again it locks

A brake only dissipates energy: its torque is -c times the speed of the knee. With c of BRAKE a knee that bears 10 N m
bends by a ten-thousandth of a radian in a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gambol.control import Senses
from gambol.lanes import Scalar, where

LOCKED, STRAIGHT, FLEXED = 0.0, 1.0, 2.0

BRAKE = 1e5
"""Damping of a locked knee [N m s/rad]."""

BENT, UNBENT = 0.03, 0.002
"""Angles of the knee above which it counts as flexed, and below which it is straight again [rad]."""


@dataclass(frozen=True, slots=True)
class KneeMemory:
    """State of each knee, and contact of each foot in the last control step (1 or 0)."""

    knees: list[Scalar]
    contacts: list[Scalar]


@dataclass(frozen=True)
class KneeLocks:
    """The control law of both knees. knees: indices of their angles in the figure's coordinates.

    It commands a VariableDamper at each knee. The left leg stands first.
    """

    knees: tuple[int, int]

    required_senses = ("q", "contacts")

    def numbers(self) -> dict[str, Any]:
        """Return no numbers."""
        return {}

    def memory(self) -> KneeMemory:
        """Return the memory just after the left foot has landed."""
        return KneeMemory([LOCKED, STRAIGHT], [1.0, 1.0])

    def structure(self) -> tuple[Any, ...]:
        """Return the indices of the knees."""
        return self.knees

    def commands(
        self, numbers: Mapping[str, Any], memory: KneeMemory, senses: Senses, dt: Scalar
    ) -> tuple[list[Scalar], KneeMemory]:
        """Return the damping of each knee, and the new memory."""
        after: list[Scalar] = []
        for own, other in ((0, 1), (1, 0)):
            angle, knee = senses.q[self.knees[own]], memory.knees[own]
            landed = (senses.contacts[other] > 0.5) & (memory.contacts[other] < 0.5)
            released = landed & (memory.knees[other] < 0.5) & (knee < 0.5)
            knee = where(released, STRAIGHT, knee)
            knee = where((knee > 0.5) & (knee < 1.5) & (angle > BENT), FLEXED, knee)
            after.append(where((knee > 1.5) & (angle < UNBENT), LOCKED, knee))
        return [where(knee < 0.5, BRAKE, 0.0) for knee in after], KneeMemory(after, list(senses.contacts))
