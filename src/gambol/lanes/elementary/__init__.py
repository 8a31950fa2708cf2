"""sin, cos, exp, log and atan2 of traced values, within 2 ulp, from operations that round the same on every machine.

Each one reduces its argument to a small interval, where a polynomial does the rest. Products and sums that must be
rounded once are explicit fma's.
"""

from gambol.lanes.elementary.exponential import exp, log
from gambol.lanes.elementary.trigonometric import atan2, cos, sin

__all__ = ["atan2", "cos", "exp", "log", "sin"]
