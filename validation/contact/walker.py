"""The simplest walker: two massless legs, a hip, and feet of very small mass, on a gentle slope.

With l = g = 1: th'' = sin(th - gamma), ph'' = th'' + th'^2 sin ph - cos(th - gamma) sin ph; the swing leg passes
through the ground and lands at ph = 2 th. Landing: th+ = -th, th+' = cos 2th th', ph+ = -2 th,
ph+' = cos 2th (1 - cos 2th) th'. [Garcia, Chatterjee, Ruina and Coleman 1998]
"""

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import brentq, fsolve

from gambol.contact.complementarity import FrictionalContact
from gambol.contact.impulse import resolve_impacts
from gambol.dynamics import kinematics
from gambol.dynamics.quantities.operational import Contact
from gambol.figure import Figure, Joint, Link, MassProperties, combine
from gambol.spatial import Vector
from gambol.world import Engine, State, Timing, World, start
from validation.contact.answer import Answer, ContactProblem, MethodAnswers
from validation.problem import Array

GAMMA = 0.009
FOOT = 1e-7
"""Mass of a foot relative to the hip; its effect is of this order."""
PUBLISHED = (0.200310900544287, -0.199832473004977)
"""Angle and rate of the long-period gait at this slope. [Garcia et al. 1998]"""
CONTROL_STEP = 1e-2


def standing() -> Figure:
    """Return both legs, the stance leg pinned at its foot; q: its forward angle, and the swing leg's angle from it."""
    leg = Joint("revolute", (0.0, 1.0, 0.0))
    swinging = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, 1.0))
    hip, foot = MassProperties(1.0, (0.0, 0.0, 1.0)), MassProperties(FOOT, (0.0, 0.0, -1.0))
    return Figure("walker", (Link("stance", None, leg, (), hip), Link("swing", "stance", swinging, (), foot)))


def landing() -> Figure:
    """Return the same figure with a free root: the former stance leg, with the hip at its origin."""
    foot = MassProperties(FOOT, (0.0, 0.0, -1.0))
    plane = Joint("planar", (0.0, -1.0, 0.0), across=(1.0, 0.0, 0.0))
    first = combine([MassProperties(1.0, (0.0, 0.0, 0.0)), foot])
    links = (
        Link("stance", None, plane, (), first),
        Link("swing", "stance", Joint("revolute", (0.0, 1.0, 0.0)), (), foot),
    )
    return Figure("walker", links)


class Walker:
    """A step of the walker in gambol: motion of the swing leg by RKF45, and its landing as an impact of the figure."""

    def __init__(self) -> None:
        timing = Timing(CONTROL_STEP, 1e-3, "rkf45", 1e-12)
        down = (math.sin(GAMMA), 0.0, -math.cos(GAMMA))
        self.engine = Engine(World(standing(), gravity=down, timing=timing), lanes=1)
        self.free = landing()

    def swing(self, angle: float, rate: float) -> tuple[Array, Array]:
        """Return q and v of the stance figure when the other foot lands, from angle and rate after a landing."""
        state: State = start(self.engine.world)
        state.q[0] = [-angle, 2.0 * angle]
        state.v[0] = [-rate, rate * (1.0 - math.cos(2.0 * angle))]
        seen: list[tuple[float, Array, Array]] = []
        for k in range(1, 600):
            self.engine.advance(state, k)
            seen.append((k * CONTROL_STEP, state.q[0].copy(), state.v[0].copy()))
            high = [q[1] + 2.0 * q[0] for _, q, _ in seen[-2:]]
            if k > 100 and seen[-1][1][0] > 0.05 and high[0] < 0.0 <= high[-1]:
                break
        t, q, v = (np.array(x) for x in zip(*seen[-2:], strict=True))
        path = CubicHermiteSpline(t, q, v)
        at = brentq(lambda s: path(s)[1] + 2.0 * path(s)[0], t[0], t[1], xtol=1e-14)
        return path(at), path(at, 1)

    def next_step(self, after: Array) -> Array:
        """Return angle and rate after the next landing."""
        (lean, between), (rate, rate_between) = self.swing(*after)
        state = kinematics(self.free, [-lean, 0.0, 0.0, between], [-rate, rate, 0.0, rate_between])
        support = FrictionalContact(Contact(2, Vector(0.0, 0.0, -1.0)), Vector(0.0, 0.0, 1.0), 100.0)
        v = resolve_impacts(state, [support]).v
        return np.array([lean, v[0] - v[3]])


def reference_step(after: Array) -> Array:
    """Return the same from the walker's equations without mass of the feet."""

    def slopes(t: float, y: Array) -> list[float]:
        th, ph, w, u = y
        a = math.sin(th - GAMMA)
        return [w, u, a, a + (w * w - math.cos(th - GAMMA)) * math.sin(ph)]

    def lands(t: float, y: Array) -> float:
        return y[1] - 2.0 * y[0] if t > 1.0 and y[0] < -0.05 else -1.0

    lands.terminal = True
    th, w = after
    begin = [th, 2.0 * th, w, w * (1.0 - math.cos(2.0 * th))]
    end = solve_ivp(slopes, (0.0, 6.0), begin, events=lands, rtol=1e-12, atol=1e-13, max_step=0.05).y[:, -1]
    return np.array([-end[0], math.cos(2.0 * end[0]) * end[2]])


def fixed_point() -> list[Answer]:
    walker, run = Walker(), MethodAnswers("impact", 0.0, {})
    ours = fsolve(lambda x: walker.next_step(x) - x, PUBLISHED, xtol=1e-12)
    own = fsolve(lambda x: reference_step(x) - x, PUBLISHED, xtol=1e-12)
    answers: list[Answer] = []
    for k, name in enumerate(("angle after a landing [rad]", "rate after it [1]")):
        answers.append(run.answer(f"{name}, published", ours[k], PUBLISHED[k], 1e-5))
        answers.append(run.answer(f"{name}, by its own equations", ours[k], own[k], 1e-5))
    return answers


PROBLEMS = (
    ContactProblem(
        "Passive walker",
        f"The simplest walker on a slope of {GAMMA} rad, with feet of {FOOT:g} times the mass of the hip; l = g = 1.",
        "Garcia et al. 1998; the walker's equations, solved by scipy to 1e-12",
        fixed_point,
    ),
)
