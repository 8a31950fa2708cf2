"""The righting reflex: a creature on its back bends its trunk back and forth until it is on its feet again.

[McKenna 1990, section 5.4: "motor programs ... wrench the body back and forth"]

Cockroaches on their backs try again and again; most attempts fail, and each begins in another posture. The reflex does
the same. It reads which way is up, as an animal feels gravity. With t the time on the back since the patience was over,
attempts follow each other in a period:

    t mod period < held     the joint of the trunk bends to the angle `bend`, in the time `ramp`
    else                    it straightens, in the same time

Once the trunk is upright, the joint straightens and the attempts end. A trunk that lies on its side is not upright.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gambol.errors import WorldError
from gambol.gait.gait_memory import GaitMemory
from gambol.gait.modifier import GaitModifier, ModifierInput
from gambol.lanes import Scalar, floor, where


@dataclass(frozen=True)
class Righting(GaitModifier):
    """The righting reflex of a gait that also drives the joint of a trunk.

    joint: name of the link of the joint. bend: angle to which it bends [rad]. ramp: time of the bending [s]. held: time
    from the begin of the bending to that of the straightening [s]. period: time from one attempt to the next [s].
    patience: time on the back before the first attempt [s]. upright: cosine of the largest tilt of the trunk that
    counts as upright. Raises WorldError for invalid values.
    """

    joint: str
    bend: float
    ramp: float = 0.01
    held: float = 0.086
    period: float = 0.3
    patience: float = 0.1
    upright: float = 0.3

    def __post_init__(self) -> None:
        if not (math.isfinite(self.bend) and self.bend != 0.0):
            raise WorldError(f"a righting reflex bends the trunk by {self.bend} rad; give an angle that is not 0")
        if not 0.0 < self.ramp <= self.held < self.period < math.inf:
            raise WorldError(
                f"a righting reflex with a ramp of {self.ramp} s, held for {self.held} s, in a period of "
                f"{self.period} s is impossible: these must be positive and in this order"
            )
        if not 0.0 <= self.patience < math.inf:
            raise WorldError(f"a righting reflex cannot wait for {self.patience} s; give 0 or more")
        if not -1.0 < self.upright < 1.0:
            raise WorldError(f"the cosine of the tilt of an upright trunk is {self.upright}; give one within -1 and 1")

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The direction of the vertical."""
        return ("up",)

    def numbers(self) -> dict[str, Any]:
        """Return the angle and the times."""
        return {name: getattr(self, name) for name in ("bend", "ramp", "held", "period", "patience", "upright")}

    def memory(self) -> Scalar:
        """Return the time on the back [s]."""
        return 0.0

    def structure(self) -> tuple[Any, ...]:
        """Return the joint."""
        return ("righting", self.joint)

    def renamed(self, links: Mapping[str, str]) -> "Righting":
        """Return the reflex for links with other names."""
        return replace(self, joint=links[self.joint])

    def remembered(self, now: ModifierInput) -> Scalar:
        """Return the time on the back, 0 for a trunk that is upright [s]."""
        return where(now.senses.up[2] < now.numbers["upright"], now.own + now.dt, 0.0)

    def moved(self, now: ModifierInput, decided: GaitMemory) -> GaitMemory:
        """Return the gait's memory, in which the joint of the trunk moves to its angle."""
        k, numbers = now.joints.index(self.joint), now.numbers
        time = now.own - numbers["patience"]
        phase = time - floor(time / numbers["period"]) * numbers["period"]
        bends = (time >= 0.0) & (phase < numbers["held"])
        target = where(bends, numbers["bend"], 0.0)
        distance, step = target - decided.rest[k], abs(numbers["bend"]) / numbers["ramp"]
        rate = where(distance > 0.0, step, where(distance < 0.0, -step, 0.0))
        rates, targets = list(decided.rate), list(decided.target)
        rates[k], targets[k] = rate, target
        return replace(decided, rate=rates, target=targets)
