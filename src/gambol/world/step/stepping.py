"""Large fixed steps: the velocity step of contact/stepping, with a world's springs, motors and ledger.

Where the book can be exact it is: an impulse p gives p . (w + w+) / 2 whatever the step, so the work of friction, of
impacts and of dampers is what they did. Springs give what they store to first order in the step; the rest of the book,
what is unaccounted for, is the error of the step.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.stepping import Resolve, Solving, Stepped, moved, parted, retold, stepped, swept
from gambol.dynamics import STANDARD_GRAVITY, kinematics, potential_energy
from gambol.dynamics.method import closed_again
from gambol.dynamics.tangent import normalised
from gambol.figure import Figure
from gambol.lanes import Scalar, Subprogram, is_finite, leaves, maximum, rebuilt, sqrt, when, where
from gambol.world.encounters.holds import held, holding, holds_on, stances
from gambol.world.encounters.touchable import crowded, held_before, speeds_before, touching, warm
from gambol.world.laws import CRUMB, Laws, Ledger, Memory, Pressed
from gambol.world.step.living import NOT_FINITE, RUNNING, Clock, Living, advanced, chosen
from gambol.world.step.pull import booked, pulled

SLOP = 1e-5
"""Depth to which bodies are moved apart, of the figure's size: a tenth of what may be seen, and far above rounding."""

DEEPER = 8.0
"""Times that depth, from which on bodies are moved apart: less than may be seen, and few steps need it."""

LEFT_OUT = 1e-3
"""Part of all impulses that was left out of a step, above which it is told: far above what rounding leaves out."""

DEEP = 1e-2
"""Depth that counts as contact that was not solved, of the figure's size: a hundred times what may be seen."""


def stepping(laws: Laws, resolve: Resolve = swept) -> Callable[[Living, Memory, Scalar], Living]:
    """What takes the large steps of a world with some laws. resolve: what finds their impulses."""
    step = Subprogram(partial(_stepped, laws, resolve))

    def move(now: Living, decided: Memory, h: Scalar) -> Living:
        made: _Made = step(now.q, now.v, decided, now.clock, h)
        return _after(laws, now, made, decided, h)

    return move


@dataclass(frozen=True, slots=True)
class _Made:
    """What a step made: q, v, what bodies pressed, and what it adds to the ledger."""

    q: list[Scalar]
    v: list[Scalar]
    pressed: Pressed
    ledger: Ledger


def _stepped(
    laws: Laws, resolve: Resolve, q: list[Scalar], v: list[Scalar], memory: Memory, clock: Clock, h: Scalar
) -> _Made:
    """One step from q and v."""
    world, figure = laws.world, laws.world.figure
    assert memory.pressed is not None
    q, v = _drifted(figure, q, v, [0.5 * h * x for x in v])
    state = kinematics(figure, q, v)
    at = clock.moment(world.timing.frame).later(0.5 * h)
    pull = pulled(laws, state, q, memory, at, h)
    touched, numbers = touching(laws, state, q, h)
    touched = replace(touched, speeds=speeds_before(memory.pressed, numbers))
    stance: list[Scalar] = []
    if holding(world):
        stance = stances(laws, memory, numbers or [float(k) for k in range(len(touched.meetings))])
        touched = replace(touched, meetings=held(touched.meetings, stance, held_before(memory.pressed, numbers)))
    enough = laws.numbers["tolerance"] * sqrt(STANDARD_GRAVITY * world.size)
    solving = Solving(world.rounds, enough, resolve)
    made = stepped(state, pull.forces, touched, warm(memory.pressed, numbers), h, solving)
    new, new_v = _drifted(figure, q, made.v, made.move)
    if figure.constraints:
        new, new_v = closed_again(world.dynamics, figure, new, new_v)
    new, lifted = _parted(laws, made, new)
    missed = made.residual > enough
    missed = missed | (_deepest(made) > DEEP * world.size)
    unsolved = memory.pressed.unsolved + where(missed, 1.0, 0.0)
    ledger = replace(booked(pull, touched, made, v, h), stabilisation=lifted)
    near = 4.0 * SLOP * world.size
    holds = holds_on(laws, stance, made.gaps, made.impulses, h, near) if stance else []
    full, limited = crowded(memory.pressed, touched), memory.pressed.limited
    if made.limited is not None:
        limited = [steps + where(made.limited > LEFT_OUT, 1.0, 0.0) for steps in limited]
    pressed = Pressed(made.impulses, numbers, h, made.residual, unsolved, holds, full, limited, made.speeds)
    return _Made(new, new_v, pressed, ledger)


def _drifted(
    figure: Figure, q: list[Scalar], v: list[Scalar], move: Sequence[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """q moved along the axes at q (nv), and v told along the axes there."""
    new = normalised(figure, moved(figure, q, move))
    return new, retold(figure, q, new, v)


def _parted(laws: Laws, made: Stepped, q: list[Scalar]) -> tuple[list[Scalar], Scalar]:
    """q after a step with bodies that lie in each other moved apart, and the work that this took [J]."""
    figure, slop = laws.world.figure, SLOP * laws.world.size

    def apart(q: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        new = moved(figure, q, parted(made.blocks, made.factors, made.gaps, slop))
        low, high = (kinematics(figure, x, [0.0] * figure.nv) for x in (q, new))
        gravity = laws.numbers["gravity"]
        return new, potential_energy(high, gravity) - potential_energy(low, gravity)

    if not made.gaps:
        return q, 0.0
    return when(_deepest(made) > DEEPER * slop, Subprogram(apart), q, otherwise=(q, 0.0))


def _deepest(made: Stepped) -> Scalar:
    """How deep contacts and limits lie inside after a step, at most [m or rad]."""
    deepest: Scalar = 0.0
    for gap in made.gaps:
        deepest = maximum(-gap, deepest)
    return deepest


def _after(laws: Laws, now: Living, made: _Made, decided: Memory, h: Scalar) -> Living:
    """The state after a step; a world whose motion is not finite stays where it was and stops."""
    world, clock = laws.world, now.clock
    keep = is_finite(sum((*made.q, *made.v), 0.0))
    done = clock.elapsed + h >= world.timing.frame * (1.0 - CRUMB)
    memory = advanced(world, replace(decided, pressed=made.pressed), done)
    after = Clock(
        clock.frame + where(done, 1.0, 0.0),
        where(done, 0.0, clock.elapsed + h),
        clock.step,
        clock.taken + 1.0,
        clock.rejected,
        clock.status,
    )
    ledger = rebuilt(now.ledger, iter([a + b for a, b in zip(leaves(now.ledger), leaves(made.ledger), strict=True)]))
    result = chosen(keep, Living(made.q, made.v, memory, ledger, now.trail, after), now)
    return replace(result, clock=replace(result.clock, status=where(keep, RUNNING, NOT_FINITE)))
