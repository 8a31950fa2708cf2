"""The explicit Euler method: a straight step along the tangent.

    y' = y + h f(t, y)

Order 1. Cost: 1 evaluation. Stable for decay at rate k up to k h = 2; never for an oscillation, whose amplitude grows
by sqrt(1 + (w h)^2) in every step. Useful for debugging: errors of the derivatives are easy to see.
"""

from gambol.integrate.explicit.tableau import Tableau

EULER = Tableau(order=1, a=((),), b=(1.0,), c=(0.0,))
"""Euler 1768."""
