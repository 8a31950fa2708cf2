"""sin, cos, exp, log and atan2 of traced values, within 2 ulp, with identical results on every machine.

Each one reduces its argument to a small interval and evaluates a polynomial there. Products and sums that must be
rounded only once are explicit fma operations.
"""

from gambol.lanes.elementary.exponential import exp, log
from gambol.lanes.elementary.trigonometric import atan2, cos, sin

__all__ = ["atan2", "cos", "exp", "log", "sin"]
