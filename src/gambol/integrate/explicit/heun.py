"""Heun's method: the mean of the derivatives at both ends, with the end predicted by an Euler step.

    k = f(t, y)        y' = y + h / 2 (k + f(t + h, y + h k))        error = h / 2 (f(t + h, y + h k) - k)

Order 2, with the difference to the Euler step as its error. Cost: 2 evaluations. Stable for decay up to k h = 2; an
oscillation's amplitude grows by 1 + (w h)^4 / 8 in every step. [Heun 1900]
"""

from gambol.integrate.explicit.tableau import Tableau

HEUN = Tableau(order=2, a=((), (1.0,)), b=(1 / 2, 1 / 2), c=(0.0, 1.0), d=(-1 / 2, 1 / 2))
"""The explicit trapezoidal rule."""
