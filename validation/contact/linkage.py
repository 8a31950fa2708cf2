"""A double pendulum strikes the floor with friction, by each hypothesis of restitution. [Kane and Levinson 1985]

The impact is planar, so the integral over the normal impulse is piecewise linear: sliding until the slip stops, then
sticking or reverse sliding. The reference computes it with numpy from M and J of the textbook.
"""

import math

import numpy as np

from gambol.contact.complementarity import FrictionalContact
from gambol.contact.impulse import resolve_impacts
from gambol.dynamics import kinematics
from gambol.dynamics.quantities.operational import Contact
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.spatial import Vector
from validation.contact.answer import Answer, ContactProblem, MethodAnswers
from validation.problem import Array

ROD = MassProperties(1.0, (0.0, 0.0, -0.5), ((1.0 / 12.0, 0.0, 0.0), (0.0, 1.0 / 12.0, 0.0), (0.0, 0.0, 0.0)))
ANGLES = (math.radians(20.0), math.radians(20.0) + math.radians(10.0))
RATES = (-2.0, -1.5)
"""Absolute angles of both rods from the downward vertical towards x, and their rates [rad, rad/s]."""


def pendulum() -> Figure:
    """Return two rods of 1 m and 1 kg, with joint angles from -z towards x."""
    first = Joint("revolute", (0.0, -1.0, 0.0))
    second = Joint("revolute", (0.0, -1.0, 0.0), position=(0.0, 0.0, -1.0))
    return Figure("pendulum", (Link("upper", None, first, (), ROD), Link("lower", "upper", second, (), ROD)))


def textbook() -> tuple[Array, Array]:
    """Return M for the absolute rates of the rods, and J of the lower end along x and z."""
    a, b = ANGLES
    M = np.array([[4.0 / 3.0, 0.5 * math.cos(a - b)], [0.5 * math.cos(a - b), 1.0 / 3.0]])
    return M, np.array([[math.cos(a), math.cos(b)], [math.sin(a), math.sin(b)]])


def reference_impact(mu: float, e: float, hypothesis: str) -> tuple[Array, float]:
    """Return the velocity of the end after the impact, and the energy change, from linear pieces."""
    M, J = textbook()
    K = J @ np.linalg.solve(M, J.T)
    u, p, begun = J @ np.array(RATES), np.zeros(2), J @ np.array(RATES)
    stored = pressed = 0.0
    left = math.inf
    for _ in range(8):
        d = direction(K, u, mu)
        rate = K @ d
        ends = [-u[0] / rate[0] if u[0] * rate[0] < 0.0 and abs(u[0]) > 1e-14 else math.inf]
        if u[1] < -1e-14:
            ends.append(-u[1] / rate[1] if rate[1] > 0.0 else math.inf)
        else:
            if left == math.inf:
                left = {"newton": -e * begun[1], "poisson": e * pressed, "stronge": e * e * stored}[hypothesis]
            ends.append(reach(hypothesis, left, u[1], rate[1]))
        s = min(ends)
        work = u[1] * s + 0.5 * rate[1] * s * s
        if left == math.inf:
            stored, pressed = stored - work, pressed + s
        elif hypothesis != "newton":
            left -= work if hypothesis == "stronge" else s
        p, u = p + s * d, u + s * rate
        u[0] = 0.0 if s == ends[0] else u[0]
        if left < math.inf and s == ends[-1]:
            break
    return u, float(0.5 * p @ (u + begun))


def reach(hypothesis: str, left: float, speed: float, rate: float) -> float:
    """Return the normal impulse at which restitution is complete within a linear piece."""
    if hypothesis == "poisson":
        return left
    if hypothesis == "newton":
        return (left - speed) / rate
    return (math.sqrt(speed * speed + 2.0 * rate * left) - speed) / rate


def direction(K: Array, u: Array, mu: float) -> Array:
    """Return the impulse per normal impulse: against the slip; without slip, for sticking or at the friction limit."""
    if abs(u[0]) > 1e-14:
        return np.array([-mu * math.copysign(1.0, u[0]), 1.0])
    holds = -K[0, 1] / K[0, 0]
    return np.array([max(-mu, min(mu, holds)), 1.0])


def pendulum_impacts() -> list[Answer]:
    """Return answers on end velocity and energy at several frictions; only Newton's hypothesis creates energy."""
    a, b = ANGLES
    state = kinematics(pendulum(), [a, b - a], [RATES[0], RATES[1] - RATES[0]])
    tip, up = Vector(0.0, 0.0, -1.0), Vector(0.0, 0.0, 1.0)
    answers: list[Answer] = []
    for hypothesis in ("newton", "poisson", "stronge"):
        run = MethodAnswers(hypothesis, 0.0, {})
        for mu in (0.0, 0.3, 0.5, 1.5):
            u, energy = reference_impact(mu, 0.8, hypothesis)
            after = resolve_impacts(state, [FrictionalContact(Contact(2, tip), up, mu, 0.8)], law=hypothesis)
            v = np.array(after.v)
            ours = textbook()[1] @ np.array([v[0], v[0] + v[1]])
            of = f"mu = {mu:g}"
            answers.append(run.answer(f"slip after, {of} [m/s]", ours[0], u[0], 1e-9))
            answers.append(run.answer(f"speed up after, {of} [m/s]", ours[1], u[1], 1e-9))
            answers.append(run.answer(f"energy given, {of} [J]", after.impacts.change, energy, 1e-9))
    return answers


PROBLEMS = (
    ContactProblem(
        "A double pendulum strikes the floor",
        "Rods of 1 m and 1 kg at 20 and 30 degrees rotate at -2 and -1.5 rad/s, with e = 0.8. Newton's law creates "
        "energy.",
        "the equations of the impact, which are piecewise linear, solved with numpy",
        pendulum_impacts,
    ),
)
