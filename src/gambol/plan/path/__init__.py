"""Curves that points follow at a pace, and linked points that follow a dragged point."""

from gambol.plan.path.pace import Ease, Pace, PacedCurve, SineEase, SpeedProfile
from gambol.plan.path.reposition import Repositioned, reposition

__all__ = [
    "Ease",
    "Pace",
    "PacedCurve",
    "Repositioned",
    "SineEase",
    "SpeedProfile",
    "reposition",
]
