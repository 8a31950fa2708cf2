"""Non-linear programs: one with a published solution, the cart-pole, and random ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from random_formulas import random_formula

from gambol.dynamics import aba, kinematics
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.plan import Element, NonlinearProgram


def element(name: str, function: Any, unknowns: Any, bounds: Any = None, constants: Any = None) -> Element:
    """Return an element with an instance each second. bounds: (lower, upper), for all or for each instance."""
    index = np.atleast_2d(np.array(unknowns, np.intp))
    n = len(index)
    given = np.zeros((n, 0)) if constants is None else np.array(constants, float).reshape(n, -1)
    lower, upper = (np.zeros((n, 0)),) * 2 if bounds is None else (np.atleast_2d(np.array(b, float)) for b in bounds)
    lower, upper = (np.broadcast_to(b, (n, b.shape[1])).copy() for b in (lower, upper))
    return Element(name, function, index, given, lower, upper, np.arange(n, dtype=float))


def hock_schittkowski_71() -> NonlinearProgram:
    """Problem 71 of Hock & Schittkowski [1981]; the minimum is 17.0140173 at (1, 4.7429994, 3.8211503, 1.3794082)."""
    costs = (element("cost", lambda x, c: [x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]], [0, 1, 2, 3]),)
    product = element("product", lambda x, c: [x[0] * x[1] * x[2] * x[3]], [0, 1, 2, 3], ([25.0], [np.inf]))
    squares = element("squares", lambda x, c: [sum((y * y for y in x), 0.0)], [0, 1, 2, 3], ([40.0], [40.0]))
    return NonlinearProgram(np.array([1.0, 5, 5, 1]), np.ones(4), np.full(4, 5.0), costs, (product, squares))


M1, M2, L, D, T = 1.0, 0.3, 0.5, 1.0, 2.0  # of Kelly's cart-pole [2017]: masses [kg], length, distance [m], time [s]


def cart_pole() -> Figure:
    """A cart that carries a pole, whose mass is a point."""
    nearly_0 = ((1e-9, 0.0, 0.0), (0.0, 1e-9, 0.0), (0.0, 0.0, 1e-9))
    cart = Link("cart", None, Joint("prismatic", (1.0, 0, 0)), (), MassProperties(M1, (0.0, 0, 0), nearly_0))
    pole = Link("pole", "cart", Joint("revolute", (0, -1.0, 0)), (), MassProperties(M2, (0.0, 0, -L), nearly_0))
    return Figure("cart-pole", (cart, pole))


def swing_up(intervals: int) -> NonlinearProgram:
    """The cart-pole's swing-up of least squared force, by Hermite-Simpson. Unknowns (nodes, 5): q, v, u."""
    figure, h, nodes = cart_pole(), T / intervals, 2 * intervals + 1

    def rates(z: Sequence[Any]) -> list[Any]:
        return [z[2], z[3], *aba(kinematics(figure, z[:2], z[2:4]), [z[4], 0.0])[0]]

    def defect(x: Sequence[Any], c: Sequence[Any]) -> list[Any]:
        a, m, b = x[:5], x[5:10], x[10:]
        fa, fm, fb = map(rates, (a, m, b))
        simpson = [b[i] - a[i] - c[0] / 6 * (fa[i] + 4 * fm[i] + fb[i]) for i in range(4)]
        return simpson + [m[i] - (a[i] + b[i]) / 2 - c[0] / 8 * (fa[i] - fb[i]) for i in range(4)]

    def effort(x: Sequence[Any], c: Sequence[Any]) -> list[Any]:
        return [c[0] / 6 * (x[0] * x[0] + 4 * x[1] * x[1] + x[2] * x[2])]

    at, first = np.arange(5 * nodes).reshape(nodes, 5), np.arange(0, 2 * intervals, 2)
    triples, steps = [at[first + k] for k in range(3)], np.full((intervals, 1), h)
    cost = element("effort", effort, np.stack([t[:, 4] for t in triples], 1), None, steps)
    equations = element("defect", defect, np.concatenate(triples, 1), (np.zeros(8), np.zeros(8)), steps)
    limits = np.tile([2 * D, np.inf, np.inf, np.inf, 20.0], (nodes, 1))
    lower, upper = -limits, limits.copy()
    lower[0, :4] = upper[0, :4] = 0.0
    lower[-1, :4] = upper[-1, :4] = [D, np.pi, 0.0, 0.0]
    guess = np.linspace(0, 1, nodes)[:, None] * [D, np.pi, 0.0, 0.0, 0.0]
    return NonlinearProgram(guess.ravel(), lower.ravel(), upper.ravel(), (cost,), (equations,))


def random_program(seed: int, unknowns: int = 12) -> NonlinearProgram:
    """Random formulas at random places, some of which take one unknown twice."""
    random = np.random.default_rng(seed)

    def places(count: int) -> Any:
        return random.integers(0, unknowns, (count, 3))

    def made(k: int, outputs: int, bounds: Any) -> Element:
        formula, count = random_formula(10 * seed + k, outputs), 3 + k
        constants = random.normal(size=(count, 1))
        return element(f"random {k}", lambda x, c: formula([*x, *c]), places(count), bounds, constants)

    box = np.full(unknowns, 10.0)
    costs = made(0, 1, None), made(1, 2, None)
    constraints = made(2, 2, ([-1.0, 0.0], [1.0, 0.0])), made(3, 3, ([0.0] * 3, [np.inf] * 3))
    return NonlinearProgram(random.normal(size=unknowns), -box, box, costs, constraints)
