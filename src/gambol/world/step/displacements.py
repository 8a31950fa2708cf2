"""Displacements of a large step besides h (v + v+) / 2, and their energy: by events within it, and by correction."""

from gambol.contact.stepping import Extrapolation, StepResult, deepest_overlap, depth_correction
from gambol.dynamics.tangent import displaced, normalised
from gambol.figure import Figure
from gambol.lanes import Scalar, Subprogram, when
from gambol.spatial.rotation import is_constant
from gambol.world.context import StepContext

SLOP = 1e-5
"""Penetration that position correction leaves, divided by the figure's size; ten times this depth would be visible."""

SEPARATION_FACTOR = 8.0
"""Penetration at which position correction begins, divided by SLOP: just below the visible depth, so
that it is rare."""


def event_loss(
    figure: Figure,
    energy: Subprogram,
    solved: StepResult,
    q: list[Scalar],
    v: list[Scalar],
    times: tuple[Scalar, Scalar],
    extrapolation: Extrapolation | None,
) -> Scalar:
    """Return the energy that impulses dissipate because they act at the time of a landing or bounce [J].

    energy: potential energy of positions; solved: the result of the step; q, v: positions at its evaluation (nq), and
    velocities at its start (nv); times: its length, and the time of evaluation [s]; extrapolation: that of the step.
    Impulses in the middle of the step give a displacement of h (v + v+) / 2, and their work follows from mean
    velocities. An event at another time gives another displacement. The difference of the potential energies after
    these two displacements is the loss.
    """
    h, evaluated = times

    def loss(v_end: list[Scalar], increment: list[Scalar]) -> Scalar:
        change = [0.5 * h * x + (0.5 * h - evaluated) * y for x, y in zip(v_end, v, strict=True)]
        if extrapolation is not None:
            change = [x - y for x, y in zip(change, extrapolation.shift, strict=True)]
        usual = normalised(figure, displaced(figure, q, change))
        return energy(usual) - energy(normalised(figure, displaced(figure, q, increment)))

    if is_constant(solved.has_event, 0.0):
        return 0.0
    return when(solved.has_event > 0.5, Subprogram(loss), solved.v, solved.increment, otherwise=0.0)


def correct_positions(
    context: StepContext, energy: Subprogram, solved: StepResult, q: list[Scalar]
) -> tuple[list[Scalar], Scalar]:
    """Return q after position correction of overlapping bodies, and the work of the correction [J].

    energy: potential energy of positions.
    """
    figure, slop = context.world.figure, SLOP * context.world.size

    def corrected(q: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        q_new = displaced(figure, q, depth_correction(solved.blocks, solved.factors, solved.lasting_gaps, slop))
        return q_new, energy(normalised(figure, q_new)) - energy(q)

    if not solved.gaps:
        return q, 0.0
    is_deep = deepest_overlap(solved.lasting_gaps) > SEPARATION_FACTOR * slop
    return when(is_deep, Subprogram(corrected), q, otherwise=(q, 0.0))
