"""Windows: a part of the time and of the freedoms of a motion is solved again; all else is constant. [Cohen 1992]"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gambol.errors import PlanError
from gambol.figure import Figure
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.layout import Layout
from gambol.plan.motion.transcription.program import Transcription
from gambol.plan.motion.transcription.times import named_times
from gambol.plan.program import Element


@dataclass(frozen=True)
class Window:
    """The part of a motion that may change: between two times [s], the joints of these links; no links: all joints.

    The intervals of the mesh that are completely inside are solved again. Torques and contact forces there also change.
    A joint without actuator may always change, since no torque could hold it.
    """

    start: float
    end: float
    links: tuple[str, ...] = ()


def check_window(window: Window, figure: Figure, durations: Sequence[float] | None) -> None:
    """Raise PlanError for a window that is not inside a result, and FigureError for unknown links.

    durations: durations of the phases of the initial result, None without one.
    """
    if durations is None:
        raise PlanError("a window changes a part of an earlier result; give that result as start_from")
    for name in window.links:
        figure.link(name)
    end = sum(durations)
    if not 0.0 <= window.start < window.end <= end + TIME_TOLERANCE:
        raise PlanError(
            f"the window lasts from {window.start:g} to {window.end:g} s; give an earlier and a later time from 0 to "
            f"{end:g} s"
        )


def knots_with_goals(
    plan: Plan, window: Window, durations: Sequence[float], fractions: Sequence[Sequence[float]]
) -> list[NDArray[np.float64]]:
    """Return the mesh of a result (fractions of each phase), with a knot at every time that a goal of a plan names.

    durations: durations of its phases [s]. Raises PlanError for a new goal outside the intervals that the window may
    change.
    """
    knots_by_phase, starts = [np.array(row) for row in fractions], np.concatenate([[0.0], np.cumsum(durations)])
    for phase, fraction in named_times(plan):
        knots = knots_by_phase[phase]
        if np.abs(knots - fraction).min() <= TIME_TOLERANCE:
            continue
        k = int(np.searchsorted(knots, fraction))
        first, last, time = (float(starts[phase] + x * durations[phase]) for x in (*knots[k - 1 : k + 1], fraction))
        if first < window.start - TIME_TOLERANCE or last > window.end + TIME_TOLERANCE:
            raise PlanError(
                f"a goal at {time:g} s lies in the interval from {first:g} to {last:g} s, which the window from "
                f"{window.start:g} to {window.end:g} s does not contain; make the window longer"
            )
        knots_by_phase[phase] = np.insert(knots, k, fraction)
    return knots_by_phase


def in_window(transcription: Transcription, window: Window) -> Transcription:
    """Return a transcription with unknowns outside the window fixed at their first values.

    Constraints that contain fixed unknowns only are left out. Raises PlanError for an empty window.
    """
    layout, program = transcription.layout, transcription.program
    fixed = _fixed_unknowns(layout, window)
    if fixed.all():
        raise PlanError(
            f"the window from {window.start:g} to {window.end:g} s contains no interval of the plan; make it longer"
        )
    lower, upper = program.lower.copy(), program.upper.copy()
    lower[fixed] = upper[fixed] = (layout.unknowns.initial / layout.unknowns.scale)[fixed]
    initial = np.clip(program.initial, lower, upper)
    constraints = tuple(free for e in program.constraints if (free := _with_free_unknowns(e, fixed)) is not None)
    changed = replace(program, initial=initial, lower=lower, upper=upper, constraints=constraints)
    return replace(transcription, program=changed)


def _fixed_unknowns(layout: Layout, window: Window) -> NDArray[np.bool_]:
    """Return True for each unknown that keeps its value."""
    figure, fixed = layout.figure, np.ones(layout.unknowns.initial.size, bool)
    names = window.links or tuple(link.name for link in figure.links)
    idle = {link.name for link in figure.links if not set(range(figure.nv)[link.v]) <= set(layout.actuated)}
    moving = [figure.link(name) for name in {*names, *idle}]
    q = [k for link in moving for k in range(figure.nq)[link.q]]
    v = [k for link in moving for k in range(figure.nv)[link.v]]
    for phase, block in enumerate(layout.blocks):
        inside = _inside(layout, phase, window)
        fixed[block.q[np.ix_(inside, np.array(q, np.intp))]] = False
        for array in (block.v, block.a):
            fixed[array[np.ix_(inside, np.array(v, np.intp))]] = False
        fixed[block.u[inside]] = fixed[block.f[inside]] = False
    first_of_others = max(int(array.max()) for block in layout.blocks for array in (block.q, block.v, block.a)) + 1
    forces = np.concatenate([np.concatenate([b.u.ravel(), b.f.ravel()]) for b in layout.blocks])
    durations = [block.duration for block in layout.blocks if block.duration is not None]
    others = np.setdiff1d(np.arange(first_of_others, fixed.size), [*forces, *durations])
    fixed[others] = False  # footholds, impulses and parameters of curves always remain free
    return fixed


def _inside(layout: Layout, phase: int, window: Window) -> NDArray[np.intp]:
    """Return the nodes of a phase inside a window: between the first and the last end of an interval in the window."""
    times = layout.guessed_times(phase)
    knots = np.arange(0, len(times), layout.scheme.steps)
    knots_inside = knots[
        (times[knots] >= window.start - TIME_TOLERANCE) & (times[knots] <= window.end + TIME_TOLERANCE)
    ]
    return (
        np.arange(len(times), dtype=np.intp)[knots_inside[0] + 1 : knots_inside[-1]]
        if len(knots_inside) > 1
        else np.zeros(0, np.intp)
    )


TIME_TOLERANCE = 1e-9
"""Times that differ by less than this are equal [s]."""


def _with_free_unknowns(element: Element, fixed: NDArray[np.bool_]) -> Element | None:
    """Return the instances of an element that contain a free unknown; None if there is none."""
    is_free = ~fixed[element.unknowns].all(axis=1)
    if not is_free.any():
        return None
    return replace(
        element,
        unknowns=element.unknowns[is_free],
        constants=element.constants[is_free],
        lower=element.lower[is_free],
        upper=element.upper[is_free],
        times=element.times[is_free],
    )
