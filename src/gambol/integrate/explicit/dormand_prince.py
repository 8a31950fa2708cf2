"""The pair of Dormand and Prince of orders 5 and 4, with minimal error of the order 5 result, and its dense output.

    y(s) = Hermite's cubic + h s^2 (1 - s)^2 sum_i r_i k_i        s from 0 to 1, without another evaluation

Order 5, with the difference to an embedded step of order 4 as its error; the dense output has order 4. Cost: 7
evaluations. The last one equals the first of the next step, but is repeated, since events between steps may change
forces. Stable for decay up to k h = 3.306, and for oscillation up to w h = 1, apart from a growth below 1e-5 in a step.
Suited to smooth motion with tight tolerances. [Dormand and Prince 1980; Hairer, Norsett and Wanner 1993, table II.5.2
and section II.6]
"""

from gambol.integrate.dense_output import DenseOutput
from gambol.integrate.explicit.tableau import Tableau, plus_weighted_sum, tableau_stages
from gambol.integrate.system import Chart, MotionState, Numbers, System
from gambol.lanes import Scalar

DORMAND_PRINCE = Tableau(
    order=5,
    a=(
        (),
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    b=(35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0),
    c=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
    d=(71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),
)
"""Dormand and Prince 1980, known as RK5(4)7M."""

DENSE_WEIGHTS = (
    -12715105075 / 11282082432,
    0.0,
    87487479700 / 32700410799,
    -10690763975 / 1880347072,
    701980252875 / 199316789632,
    -1453857185 / 822651844,
    69997945 / 29380423,
)
"""Weights r of the quartic term s^2 (1 - s)^2. [Hairer, Norsett and Wanner 1993, section II.6]"""


def dormand_prince_dense_output(system: System, t: Scalar, state: MotionState, h: Scalar) -> DenseOutput:
    """Return the dense output of a step, of order 4. When traced it shares the evaluations of the step.

    system: the system; t: start of the step [s]; state: at t; h: length of the step [s].
    """
    chart = Chart(system, state)
    k = tableau_stages(DORMAND_PRINCE, chart.derivatives, t, chart.start, h)
    end = plus_weighted_sum(chart.start, DORMAND_PRINCE.b, k, h)
    g: Numbers = plus_weighted_sum([0.0] * len(end), DENSE_WEIGHTS, k, h)
    return DenseOutput.from_ends(chart, (chart.start, end), ([h * x for x in k[0]], [h * x for x in k[-1]]), g)
