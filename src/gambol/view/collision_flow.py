"""A picture of the course of collisions in the plane of sliding velocities. [Arnold 1997, figure 2.5]"""

import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gambol.contact.impulse import CollisionCourse, SlipFlow, SlipTrajectory, collision_course
from gambol.errors import GambolError
from gambol.formats import atomic_write
from gambol.view.scene import look

PANEL = 3.6
"""Width and height of a panel [in]."""

STARTS, RINGS = 20, (1.0, 0.45)
"""Number of trajectories that start on each ring; radii of the rings, as fractions of the extent."""

AWAY, TO_REST, COURSE = "#c8452f", "#2f6f9f", look.INK
"""Colours of invariant directions of growing slip, of those of decreasing slip, and of the course of a collision."""


def write_collision_flow(
    K: ArrayLike,
    path: str | Path,
    *,
    frictions: Sequence[float] = (0.3, 0.4, 0.7),
    velocity: Sequence[float] | None = None,
    e: float = 0.0,
    extent: float | None = None,
) -> Path:
    """Write a picture (.png) of collisions with the collision matrix K (3, 3), the normal last [1/kg].

    A column for each friction. Above: trajectories of the slip while the normal impulse grows, and its invariant
    directions. In the middle: the friction cone, seen along the normal, and the friction that a contact needs to stick.
    velocity (3): relative velocity before a collision that is also drawn, with the restitution e [m/s]; below: its
    normal velocity and slip speed against the normal impulse. extent: largest slip speed shown [m/s]; None: 1, or a
    quarter more than the largest of the course. Returns the path. Raises GambolError for an empty list of frictions,
    and the errors of collision_course().
    """
    flows = [SlipFlow(K, mu) for mu in frictions]
    if not flows:
        raise GambolError("give one friction or more")
    courses = [] if velocity is None else [collision_course(K, velocity, mu, e) for mu in frictions]
    largest = max((float(np.hypot(c.velocity[:, 0], c.velocity[:, 1]).max()) for c in courses), default=0.0)
    size = (1.25 * largest if largest > 0.0 else 1.0) if extent is None else extent
    if not 0.0 < size < np.inf:
        raise GambolError(f"the extent is {size:g} m/s; give a positive speed")
    rows = 3 if courses else 2
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(PANEL * len(flows), PANEL * rows), facecolor="white", layout="constrained"
    )
    panels = figure.subplots(rows, len(flows), squeeze=False)
    for k, flow in enumerate(flows):
        course = courses[k] if courses else None
        _draw_flow(panels[0, k], flow, size, course)
        _draw_cone(panels[1, k], flow, course)
        if course is not None:
            _draw_course(panels[2, k], course)
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=130)
    return Path(path)


def _draw_flow(axes: Any, flow: SlipFlow, extent: float, course: CollisionCourse | None) -> None:
    for radius in RINGS:
        for angle in (2.0 * math.pi * (k + 0.5) / STARTS for k in range(STARTS)):
            speed = 0.999 * radius * extent
            _draw_trajectory(axes, flow.trajectory((speed * math.cos(angle), speed * math.sin(angle)), extent))
    for direction in flow.invariant_directions():
        along = extent * np.array([np.cos(direction.angle), np.sin(direction.angle)])
        axes.plot([0.0, along[0]], [0.0, along[1]], color=AWAY if direction.rate > 0.0 else TO_REST, linewidth=2.0)
    if course is not None:
        x, y = course.velocity[:, 0], course.velocity[:, 1]
        axes.plot(x, y, color=COURSE, linewidth=2.2)
        axes.plot(x[0], y[0], "o", color=COURSE, markersize=6)
        axes.plot(x[-1], y[-1], "s", color=COURSE, markersize=6, markerfacecolor="white")
    axes.set(xlim=(-extent, extent), ylim=(-extent, extent), aspect="equal", xlabel="$v_x$ [m/s]", ylabel="$v_y$ [m/s]")
    axes.set_title(
        f"friction {flow.mu:g}: a slip that stops " + ("sticks" if flow.sticks else "slides on"),
        fontsize=9,
        loc="left",
        color=look.INK,
    )
    _plain(axes)


def _draw_trajectory(axes: Any, trajectory: SlipTrajectory) -> None:
    x, y = trajectory.slip[:, 0], trajectory.slip[:, 1]
    axes.plot(x, y, color=look.LEG, linewidth=0.9, alpha=0.8)
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    k = len(lengths[lengths < 0.5 * lengths[-1]])
    if 0 < k < len(x):
        arrow = {"arrowstyle": "->", "color": look.LEG, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", xy=(x[k], y[k]), xytext=(x[k - 1], y[k - 1]), arrowprops=arrow)


def _draw_cone(axes: Any, flow: SlipFlow, course: CollisionCourse | None) -> None:
    turn = np.linspace(0.0, 2.0 * np.pi, 181)
    axes.fill(flow.mu * np.cos(turn), flow.mu * np.sin(turn), color=look.GROUND)
    axes.plot(flow.mu * np.cos(turn), flow.mu * np.sin(turn), color=look.INK, linewidth=1.0)
    x, y = flow.sticking_friction
    axes.plot(x, y, "*", color=TO_REST if flow.sticks else AWAY, markersize=12)
    if course is not None and len(course.impulse) > 1:
        rise = np.diff(course.impulse, axis=0)
        ratio = rise[rise[:, 2] > 0.0, :2] / rise[rise[:, 2] > 0.0, 2:]
        axes.plot(*ratio.T, color=COURSE, linewidth=2.0)
        axes.plot(*ratio[0], "o", color=COURSE, markersize=6)
    limit = 1.2 * max(flow.mu, float(np.hypot(x, y)), 0.05)
    axes.set(xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal", xlabel="$dp_x/dp_z$", ylabel="$dp_y/dp_z$")
    axes.set_title("friction cone, and friction that sticks (star)", fontsize=9, loc="left", color=look.INK)
    _plain(axes)


def _draw_course(axes: Any, course: CollisionCourse) -> None:
    p, velocity = course.impulse[:, 2], course.velocity
    axes.plot(p, velocity[:, 2], color=AWAY, label="normal velocity")
    axes.plot(p, np.hypot(velocity[:, 0], velocity[:, 1]), color=TO_REST, label="slip speed")
    axes.axhline(0.0, color=look.GRID, linewidth=0.8, zorder=0)
    phase_changes = np.flatnonzero((course.phase[:-1] < 0.5) & (course.phase[1:] > 0.5))
    for k in phase_changes:
        axes.axvline(p[k + 1], color=look.GRID, linewidth=1.0, linestyle="--", zorder=0)
    axes.set(xlabel="$p_z$ [N s]", ylabel="[m/s]")
    axes.legend(frameon=False, fontsize=8)
    _plain(axes)


def _plain(axes: Any) -> None:
    axes.tick_params(labelsize=7)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
