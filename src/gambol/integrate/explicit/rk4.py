"""The classical Runge-Kutta method, which extends Simpson's rule.

    k1 = f(t, y)    k2, k3 = f at h / 2, predicted by k1, k2    k4 = f at h, predicted by k3
    y' = y + h / 6 (k1 + 2 k2 + 2 k3 + k4)

Order 4. Cost: 4 evaluations. Stable for decay up to k h = 2.785 and for oscillation up to w h = 2.828, where it damps:
by 1 - (w h)^6 / 144 in every step. Suited to smooth motion at a fixed step. [Kutta 1901]
"""

from gambol.integrate.explicit.tableau import Tableau

RK4 = Tableau(
    order=4,
    a=((), (1 / 2,), (0.0, 1 / 2), (0.0, 0.0, 1.0)),
    b=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
    c=(0.0, 1 / 2, 1 / 2, 1.0),
)
"""The classical method of Kutta 1901."""
