"""High steps: every step lifts the leg higher, as animals walk on rough ground."""

import math
from dataclasses import dataclass
from typing import Any

from gambol.errors import WorldError
from gambol.gait.leg import Leg, lift_direction, lifting_commands
from gambol.gait.modifier import GaitModifier, ModifierInput
from gambol.lanes import Scalar


@dataclass(frozen=True)
class HighSteps(GaitModifier):
    """Higher steps of all legs of a gait.

    lift: addition to the target of the command that lifts a leg [rad]. Raises WorldError for a lift that is not
    positive, and for legs with step programs that do not lift and lower them.
    """

    legs: tuple[Leg, ...]
    lift: float = 0.6

    def __post_init__(self) -> None:
        if not 0.0 < self.lift < math.inf:
            raise WorldError(f"high steps lift a leg by {self.lift} rad more; give more than 0")
        for leg in self.legs:
            lift_direction(leg)

    def numbers(self) -> dict[str, Any]:
        """Return the lift."""
        return {"lift": self.lift}

    def structure(self) -> tuple[Any, ...]:
        """Return the directions of lift of each leg."""
        return ("high steps", [lift_direction(leg) for leg in self.legs])

    def target(self, now: ModifierInput, leg: int, program: str, command: int, goal: Scalar) -> Scalar:
        """Return the target of a command: higher for the command that lifts."""
        moved_leg = self.legs[leg]
        if program == "step" and command == lifting_commands(moved_leg)[0]:
            return goal + lift_direction(moved_leg) * now.numbers["lift"]
        return goal
