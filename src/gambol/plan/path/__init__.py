"""Curves that points follow at a pace, and linked points that follow a dragged point."""

from gambol.plan.path.curve import Curve, b_spline, bezier_point, catmull_rom, interpolating, polyline, straight
from gambol.plan.path.pace import Ease, Pace, PacedCurve, SineEase, SpeedProfile
from gambol.plan.path.reposition import Repositioned, reposition

__all__ = [
    "Curve",
    "Ease",
    "Pace",
    "PacedCurve",
    "Repositioned",
    "SineEase",
    "SpeedProfile",
    "b_spline",
    "bezier_point",
    "catmull_rom",
    "interpolating",
    "polyline",
    "reposition",
    "straight",
]
