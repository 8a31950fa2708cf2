"""Coulomb friction of blocks: on slopes, on level ground, and on each other."""

import numpy as np

from gambol.collide.broad import Pair
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere, make_forest
from validation.contact.answer import Answer, ContactProblem, MethodAnswers, method_answers
from validation.contact.scene import TIME_STEPPING, Scene, Trajectory, free_body, free_body_q, simulate, slope_gravity
from validation.reference_data import reference_data

G, HALF = 9.81, 0.05
BLOCK = free_body("block", Box((0.4, 0.4, 2.0 * HALF)))
DEEP = 9.81 / 4e6
"""Depth of the block's corners in the ground of penalty [m]."""

SOFT_START = (
    "the bristles of the corners deflect before a corner slides, and the block oscillates on them while it sticks"
)
LIMITS = {"penalty": {"speed": (SOFT_START, 2e-3), "creep": (SOFT_START, 1e-3), "stops": (SOFT_START, 2e-2)}}


def slide(run: MethodAnswers, friction: float, degrees: float, speed: float, seconds: float) -> Trajectory:
    """Simulate a block on a slope with an initial speed down it."""
    scene = Scene(BLOCK, friction, gravity=slope_gravity(degrees), feet=("block",), damping=200.0)
    v = np.array([0.0, 0.0, 0.0, speed, 0.0, 0.0])
    z = HALF - (DEEP * np.cos(np.radians(degrees)) if run.method == "penalty" else 0.0)
    return simulate(scene, run.method, run.step, free_body_q(z=z), v, seconds, control_step=1e-3)


def incline() -> list[Answer]:
    """Return answers on a block released on slopes: below the critical angle it stays, above it slides."""
    answers: list[Answer] = []
    for run in method_answers([*((name, 1e-3) for name in TIME_STEPPING), ("penalty", 1e-3)], LIMITS):
        for case in reference_data("incline_block"):
            mu, degrees = case["mu"], case["theta_deg"]
            trajectory = slide(run, mu, degrees, 0.0, 2.0)
            of = f"{degrees} degrees, mu = {mu} "
            x, v = trajectory.q[-1, 4], trajectory.v[-1, 3]
            if case["accel"]:
                answers.append(run.answer(f"speed after 2 s, {of}[m/s]", v, case["v_2s"], 1e-3 * case["v_2s"]))
                answers.append(run.answer(f"way in 2 s, {of}[m]", x, case["dist_2s"], 1e-3 * case["dist_2s"]))
            else:
                second = trajectory.q[-1, 4] - trajectory.q[len(trajectory.t) // 2, 4]
                answers.append(run.answer(f"creep, {of}[m/s]", second, 0.0, 1e-6))
    return answers


def stopping() -> list[Answer]:
    """Return answers on a block that slides to rest; the time of the stop is extrapolated from its last speeds."""
    answers: list[Answer] = []
    for run in method_answers([*((name, 2.5e-4) for name in TIME_STEPPING), ("penalty", 1e-3)], LIMITS):
        for case in reference_data("sliding_stop"):
            trajectory = slide(run, case["mu"], 0.0, case["v0"], case["time"] + 0.1)
            speed = trajectory.v[:, 3]
            last = int(np.flatnonzero(speed > 0.02 * case["v0"])[-1])
            end = trajectory.t[last] + speed[last] / (G * case["mu"])
            of = f"from {case['v0']:g} m/s, mu = {case['mu']:g} "
            answers.append(run.answer(f"stops {of}after [s]", end, case["time"], 1e-3 * case["time"]))
            answers.append(run.answer(f"way {of}[m]", trajectory.q[-1, 4], case["dist"], 1e-3 * case["dist"]))
    return answers


def plank_and_block(mu: float) -> Figure:
    """Return a block on a plank on the ground; only the two have friction between them."""
    plank = (Part(Box((2.0, 0.4, 0.1)), density=2.0 / 0.08, friction=0.0),)
    corners = [(x, y, 0.005 - HALF) for x in (0.1, -0.1) for y in (0.1, -0.1)]
    feet = (Part(Sphere(0.005), at, inertial=False, friction=mu, group=2, mask=2) for at in corners)
    block = (Part(Box((0.2, 0.2, 0.1)), density=1.0 / 0.004, colliding=False), *feet)
    each = (("plank", plank), ("block", block))
    return make_forest("plank and block", [Figure(n, (Link(n, None, Joint("free"), parts),)) for n, parts in each])


def dragged() -> list[Answer]:
    """Return answers on a plank that starts at 2 m/s under a block of half its mass, until both have the same speed.

    The relative deceleration is mu g (1 + m / M), so the sliding distance is V^2 / (2 mu g (1 + m / M)).
    """
    M, m, V, mu = 2.0, 1.0, 2.0, 0.4
    closing = mu * G * (1.0 + m / M)
    figure = plank_and_block(mu)
    scene = Scene(figure, pairs=tuple(Pair(2, 0, 3, foot) for foot in range(1, 5)))
    q = np.concatenate([free_body_q(z=0.05), free_body_q(x=0.5, z=0.15)])
    v = np.zeros(12)
    v[3] = V
    answers: list[Answer] = []
    for run in method_answers([(name, 5e-4) for name in TIME_STEPPING]):
        trajectory = simulate(scene, run.method, run.step, q, v, 0.6)
        slip = (trajectory.q[-1, 4] - trajectory.q[0, 4]) - (trajectory.q[-1, 11] - trajectory.q[0, 11])
        answers.append(run.answer("speed of the plank at last [m/s]", trajectory.v[-1, 3], V * M / (M + m), 1e-3))
        answers.append(run.answer("speed of the block at last [m/s]", trajectory.v[-1, 9], V * M / (M + m), 1e-3))
        answers.append(run.answer("way on each other [m]", slip, V * V / (2.0 * closing), 1e-3))
        answers.append(run.answer("height of the block [m]", trajectory.q[-1, 13], 0.15, 2e-5))
    return answers


def critical() -> list[Answer]:
    """Return answers on a block on an accelerating floor: it sticks up to an acceleration of mu g."""
    mu, answers = 0.5, list[Answer]()
    for run in method_answers([*((name, 1e-3) for name in TIME_STEPPING), ("penalty", 1e-3)], LIMITS):
        for part in (0.98, 1.02):
            a = part * mu * G
            scene = Scene(BLOCK, mu, gravity=(-a, 0.0, -G), feet=("block",), damping=200.0)
            z = HALF - (DEEP if run.method == "penalty" else 0.0)
            trajectory = simulate(scene, run.method, run.step, free_body_q(z=z), np.zeros(6), 1.0)
            behind = trajectory.v[-1, 3] - trajectory.v[len(trajectory.t) // 2, 3]
            what = f"speed lost from 0.5 to 1 s at {part:g} mu g [m/s]"
            answers.append(run.answer(what, behind, -0.5 * max(part - 1.0, 0.0) * mu * G, 1e-5))
    return answers


PROBLEMS = (
    ContactProblem("Block on a slope", "A block is released on slopes of 20 to 45 degrees.", "closed form", incline),
    ContactProblem(
        "Block that slides to rest", "A block slides over level ground until it stops.", "closed form", stopping
    ),
    ContactProblem(
        "Block on a plank", "A plank of 2 kg slides under a block of 1 kg, with mu = 0.4.", "closed form", dragged
    ),
    ContactProblem(
        "Block on a floor that speeds up",
        "The acceleration of the floor is 2 % below or above mu g, with mu = 0.5.",
        "closed form",
        critical,
    ),
)
