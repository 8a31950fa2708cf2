"""sin, cos, exp, log and atan2 of traced values, within 2 ulp, with identical results on every machine.

Each function reduces its argument to a small interval and evaluates a polynomial there. Where a product and a sum must
be rounded together, the code has an explicit fma.
"""

from gambol.lanes.elementary.functions import atan2, cos, exp, log, sin

__all__ = ["atan2", "cos", "exp", "log", "sin"]
