"""Fehlberg's pair of orders 5 and 4: two results from six evaluations, whose difference estimates the error.

Order 5, with the difference to an embedded step of order 4 as its error; its dense output is Hermite's cubic, of order
3, with 2 more evaluations. Cost: 6 evaluations. Stable for decay up to k h = 3.677; an oscillation's amplitude
grows by 1 + (w h)^6 / 1101 in every step. Suited to walking, where contacts make the necessary step vary by orders of
magnitude. [Fehlberg 1969; McKenna 1990, section 4.2]
"""

from gambol.integrate.explicit.tableau import Tableau

RKF45 = Tableau(
    order=5,
    a=(
        (),
        (1 / 4,),
        (3 / 32, 9 / 32),
        (1932 / 2197, -7200 / 2197, 7296 / 2197),
        (439 / 216, -8.0, 3680 / 513, -845 / 4104),
        (-8 / 27, 2.0, -3544 / 2565, 1859 / 4104, -11 / 40),
    ),
    b=(16 / 135, 0.0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55),
    c=(0.0, 1 / 4, 3 / 8, 12 / 13, 1.0, 1 / 2),
    d=(1 / 360, 0.0, -128 / 4275, -2197 / 75240, 1 / 50, 2 / 55),
)
"""Fehlberg 1969: a fifth order step with the difference to a fourth order step as its error. [McKenna 1990, 4.2]"""
