"""A ball that bounces until it rests."""

from typing import Any

import numpy as np

from gambol.figure import Sphere
from validation.contact.answer import Answer, ContactProblem, MethodAnswers, method_answers
from validation.contact.scene import TIME_STEPPING, Scene, Trajectory, free_body, free_body_q, simulate
from validation.problem import Array
from validation.reference_data import reference_data

G, R, CONTROL_STEP = 9.81, 0.1, 5e-4
REST = 1e-6
"""A ball that is slower and lower than this is at rest [m/s, m]."""
SOFTNESS = "every bounce on the ground's spring lasts 3 ms, and the spring finally holds the ball"
SLACK = "a slow contact with a gap below 2 micrometres counts as closed, so a lower bounce ends at its top"
LIMITS = {
    "penalty": dict.fromkeys(("impact times", "apexes", "path"), (SOFTNESS, 0.05)),
    "constraint": {"rest since": (SLACK, 0.01)},
}


def flights(trajectory: Trajectory) -> tuple[Array, Array]:
    """Return the times of each lift-off [s], and the heights of the flights [m], from fitted parabolas."""
    z, w = trajectory.q[:, 6] - R, trajectory.v[:, 5]
    rises = (w > 0.0) & (z > -1e-9)
    after = np.flatnonzero(rises[1:] & ~rises[:-1]) + 1
    leaving = np.sqrt(w[after] ** 2 + 2.0 * G * np.maximum(z[after], 0.0))
    return trajectory.t[after] - (leaving - w[after]) / G, leaving**2 / (2.0 * G)


def bounce(run: MethodAnswers, case: dict[str, Any]) -> list[Answer]:
    """Return the answers of one drop by one method."""
    e, drop = case["e"], case["h0"]
    known, apexes = (np.array(case[key], float) for key in ("impact_times", "apex_heights"))
    end = case["zeno_time"] or 0.0
    scene = Scene(free_body("ball", Sphere(R)), restitution=e)
    trajectory = simulate(
        scene,
        run.method,
        run.step,
        free_body_q(z=R + drop),
        np.zeros(6),
        (end or known[-1]) + 0.2,
        max(CONTROL_STEP, run.step),
    )
    times, heights = flights(trajectory)
    n = min(len(known), len(times) if run.method == "penalty" else len(known))
    rows = [run.worst(f"impact times, e = {e:g} [s]", times[:n].tolist(), known[:n].tolist(), 1e-3)]
    n = min(n, len(apexes))
    rows.append(run.worst(f"apexes, e = {e:g} [m]", heights[:n].tolist(), apexes[:n].tolist(), 1e-3))
    if end:
        whole = float(drop + 2.0 * heights.sum())
        rows.append(run.answer(f"path, e = {e:g} [m]", whole, case["total_path"], 1e-3))
    if end and run.method != "penalty":  # penalty's ball finally oscillates in the ground
        moving = (np.abs(trajectory.v[:, 5]) > REST) | (np.abs(trajectory.q[:, 6] - R) > 1e-4)
        still = float(trajectory.t[np.flatnonzero(moving)[-1]])
        rows.append(run.answer(f"rest since, e = {e:g} [s]", still, end, 2e-3))
    return rows


def bouncing_ball() -> list[Answer]:
    """Return all drops by all methods; drops that end use smaller steps, since a bounce shorter than a step ends."""
    answers: list[Answer] = []
    for case in reference_data("bouncing_ball"):
        h = 1e-4 if case["zeno_time"] else 1e-3
        for run in method_answers([*((name, h) for name in TIME_STEPPING), ("penalty", CONTROL_STEP)], LIMITS):
            answers += bounce(run, case)
    return answers


PROBLEMS = (
    ContactProblem(
        "Bouncing ball",
        "A ball is dropped from 1 m (e = 0.8 and 0.5) and from 4.9 m (e = 1). With e < 1, infinitely many bounces end "
        "in finite time.",
        "parabolas and a geometric series",
        bouncing_ball,
    ),
)
