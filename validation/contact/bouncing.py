"""A ball that bounces, until it lies still."""

from typing import Any

import numpy as np

from gambol.figure import Sphere
from validation.contact.answer import Answer, ContactProblem, Sheet, sheets
from validation.contact.scene import LARGE, Scene, Track, free_body, placed, tracked
from validation.given import given
from validation.problem import Array

G, R, FRAME = 9.81, 0.1, 5e-4
REST = 1e-6
"""A ball that is slower and lower than this lies still [m/s, m]."""
SOFTNESS = "the spring takes 3 ms to turn the ball round in every bounce, and holds it at last"
SLACK = "what is slow within a gap of 2 micrometres counts as closed, so a bounce lower than that ends at its top"
LIMITS = {
    "penalty": dict.fromkeys(("impact times", "apexes", "path"), (SOFTNESS, 0.05)),
    "constraint": {"rest since": (SLACK, 0.01)},
}


def flights(track: Track) -> tuple[Array, Array]:
    """When the ball left the ground each time [s], and how high it then rose [m]: from the parabola of every flight."""
    z, w = track.q[:, 6] - R, track.v[:, 5]
    rises = (w > 0.0) & (z > -1e-9)
    after = np.flatnonzero(rises[1:] & ~rises[:-1]) + 1
    leaving = np.sqrt(w[after] ** 2 + 2.0 * G * np.maximum(z[after], 0.0))
    return track.t[after] - (leaving - w[after]) / G, leaving**2 / (2.0 * G)


def bounced(sheet: Sheet, case: dict[str, Any]) -> list[Answer]:
    """One drop by one method."""
    e, drop = case["e"], case["h0"]
    known, apexes = (np.array(case[key], float) for key in ("impact_times", "apex_heights"))
    end = case["zeno_time"] or 0.0
    scene = Scene(free_body("ball", Sphere(R)), restitution=e)
    track = tracked(
        scene,
        sheet.method,
        sheet.step,
        placed(z=R + drop),
        np.zeros(6),
        (end or known[-1]) + 0.2,
        max(FRAME, sheet.step),
    )
    times, heights = flights(track)
    n = min(len(known), len(times) if sheet.method == "penalty" else len(known))
    rows = [sheet.worst(f"impact times, e = {e:g} [s]", times[:n].tolist(), known[:n].tolist(), 1e-3)]
    n = min(n, len(apexes))
    rows.append(sheet.worst(f"apexes, e = {e:g} [m]", heights[:n].tolist(), apexes[:n].tolist(), 1e-3))
    if end:
        whole = float(drop + 2.0 * heights.sum())
        rows.append(sheet.answer(f"path, e = {e:g} [m]", whole, case["total_path"], 1e-3))
    if end and sheet.method != "penalty":  # its ball swings in the ground at last, as restitution eases off
        moving = (np.abs(track.v[:, 5]) > REST) | (np.abs(track.q[:, 6] - R) > 1e-4)
        still = float(track.t[np.flatnonzero(moving)[-1]])
        rows.append(sheet.answer(f"rest since, e = {e:g} [s]", still, end, 2e-3))
    return rows


def bouncing_ball() -> list[Answer]:
    """All drops by all methods; those that end in smaller steps, as what is back within a step rests."""
    found: list[Answer] = []
    for case in given("bouncing_ball"):
        h = 1e-4 if case["zeno_time"] else 1e-3
        for sheet in sheets([*((name, h) for name in LARGE), ("penalty", FRAME)], LIMITS):
            found += bounced(sheet, case)
    return found


PROBLEMS = (
    ContactProblem(
        "Bouncing ball",
        "A ball dropped from 1 m (e = 0.8 and 0.5) and from 4.9 m (e = 1); infinitely many bounces end in time.",
        "parabolas and a geometric series",
        bouncing_ball,
    ),
)
