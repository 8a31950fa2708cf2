"""How a world moves: frames, in which the controller decides, made of steps, which its contact method takes.

At a frame the controller reads its senses and changes its memory, which then stays as it is until the next.
[McKenna 1990, sections 4.2 and 4.6]
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from gambol.integrate import HOPELESS, dealt
from gambol.lanes import Scalar, Subprogram, loop, minimum, when, where
from gambol.world.laws import CRUMB, Laws, Memory
from gambol.world.step.constrained import constraining
from gambol.world.step.impulsive import colliding
from gambol.world.step.integrated import integrating
from gambol.world.step.living import Clock, Living, chosen
from gambol.world.step.senses import sensed, told
from gambol.world.step.stepping import stepping
from gambol.world.world import LARGE_STEPS, World

Mover = Callable[[Living, Memory, Scalar], Living]
"""Takes one step from a state, its memory after the controller's decisions, and the step's length [s]."""

MOVERS: dict[str, Callable[[Laws], Mover]] = {
    "penalty": integrating,
    "stepping": stepping,
    "impulse": colliding,
    "constraint": constraining,
}
"""By contact method: what makes the steps of a world with some laws."""


def advance(world: World, living: Living, numbers: dict[str, Any], until: Scalar, table: Any) -> Living:
    """The state when frame number `until` begins, or when the world stopped."""
    step = _stepper(world, numbers, table)
    return loop(lambda now: _goes_on(now, until), step, living)


def stride(world: World, living: Living, numbers: dict[str, Any], until: Scalar, part: Scalar, table: Any) -> Living:
    """The state after a part, up to 1, of the next step; where frame `until` has begun it stays as it is.

    A true part is not judged by its error, which the whole was and which need not grow with the part.
    """
    lenient = numbers | {"lenience": where(part < 1.0, HOPELESS, 1.0)}
    after = _stepper(world, lenient, table, part)(living)
    return chosen(_goes_on(living, until), after, living)


def _goes_on(now: Living, until: Scalar) -> Scalar:
    """Whether a state has steps to take before a frame begins."""
    return (now.clock.frame < until) & (now.clock.status < 0.5)


def _stepper(world: World, numbers: dict[str, Any], table: Any, part: Scalar = 1.0) -> Callable[[Living], Living]:
    """What takes a step of a world, or a part of one."""
    laws = Laws.of(world, numbers, table)
    decide, move = Subprogram(partial(_decided, laws)), MOVERS[world.contact](laws)

    def step(now: Living) -> Living:
        now, clock = _begun_anew(laws, now), now.clock
        decided = _at_frame(world, now, decide, clock.frame * world.timing.frame) if world.controller else now.memory
        return move(now, decided, part * dealt(_rest(laws, clock), clock.step))

    return step


def _rest(laws: Laws, clock: Clock) -> Scalar:
    """How much time is left of a frame [s], or until a push begins or ends in it."""
    frame = laws.world.timing.frame
    rest = end = frame - clock.elapsed
    for edge in laws.numbers["shove"][3:]:
        until, crumb = clock.moment(frame).until(edge), CRUMB * frame
        rest = where((until > crumb) & (until < end - crumb), minimum(until, rest), rest)
    return rest


def _begun_anew(laws: Laws, now: Living) -> Living:
    """A state whose integrator forgets what it remembers of earlier steps where a push begins or ends."""
    frame, fresh = laws.world.timing.frame, now.trail
    for edge in laws.numbers["shove"][3:]:
        fresh = [where(abs(now.clock.moment(frame).until(edge)) <= CRUMB * frame, 0.0, x) for x in fresh]
    return replace(now, trail=fresh)


def _at_frame(world: World, now: Living, decide: Subprogram, time: Scalar) -> Memory:
    """Memory after the controller's decisions, where a frame begins."""
    begins, old = now.clock.elapsed <= 0.0, now.memory.control
    given = (*told(world, now.q, now.v, now.memory), time)
    if world.contact in LARGE_STEPS and world.timing.frame <= world.timing.step:  # each step is a frame: none to skip
        return replace(now.memory, control=chosen(begins, decide.function(*given), old))
    return replace(now.memory, control=when(begins, decide, *given, otherwise=old))


def _decided(laws: Laws, q: list[Scalar], v: list[Scalar], memory: Memory, time: Scalar) -> Any:
    """What the controller makes of its senses."""
    controller = laws.world.controller
    assert controller is not None
    return controller.decide(laws.control, memory.control, sensed(laws, q, v, memory, time), laws.world.timing.frame)
