"""Variants of scenes with contact: the same figures with other settings."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Variant:
    """A scene with other settings. scene: name of the usual one; options: fields of Stepping; tolerance: see Timing."""

    scene: str
    options: dict[str, Any]
    tolerance: float = 3e-2


DIVIDED = {"second_order_landings": True, "landing_steps": 6}
EXTRAPOLATED = DIVIDED | {"extrapolated": True}

VARIANTS = {
    "ant, divided steps": Variant("ant", DIVIDED),
    "ant 0.3 %": Variant("ant", DIVIDED, 1e-2),
    "Go2, divided steps": Variant("Go2", DIVIDED),
    "humanoid 0.3 %": Variant("humanoid", EXTRAPOLATED),
    "humanoid 0.1 %": Variant("humanoid", EXTRAPOLATED),
    "hopper 0.3 %": Variant("hopper", EXTRAPOLATED | {"landing_steps": 3, "midpoint_springs": True}),
    "half-cheetah 0.3 %": Variant("half-cheetah", EXTRAPOLATED | {"midpoint_springs": True}),
}
"""Scenes whose steps are shorter near landings. Those of hopper and half-cheetah at 0.3 percent are what fit_accuracy()
finds (docs/decisions/043-cheapest-steps.md)."""
