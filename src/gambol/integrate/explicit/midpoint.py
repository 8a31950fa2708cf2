"""The explicit midpoint method: the derivative at the midpoint, predicted by half an Euler step.

    k = f(t, y)        y' = y + h f(t + h / 2, y + h k / 2)

Order 2. Cost: 2 evaluations. Stable for decay up to k h = 2; an oscillation's amplitude grows by 1 + (w h)^4 / 8 in
every step, which is slow for small steps. [Runge 1895; Hairer, Norsett and Wanner 1993, section II.1]
"""

from gambol.integrate.explicit.tableau import Tableau

MIDPOINT = Tableau(order=2, a=((), (1 / 2,)), b=(0.0, 1.0), c=(0.0, 1 / 2))
"""Runge's midpoint method."""
