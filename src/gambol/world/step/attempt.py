"""One attempt at a step while contacts hold: their forces, where these and all others lead, and what closed on the way.

    q^ = q + h v / 2                    rows of contacts are those of the step's middle, so it is right to second order
    v' = v + h (a + A^-1 J^T f)         f as what is closed at the begin asks for, see contact.complementarity.holding

[Kokkevis 2004, section 3; Patil 2007, SimulationStep]
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.complementarity.arriving import Arrived, arrived
from gambol.contact.complementarity.holding import Kept, Near, Scene, Solve, held, solving
from gambol.contact.stepping import moved, retold
from gambol.contact.stepping.axes_kept import keeping_rates
from gambol.dynamics import STANDARD_GRAVITY, kinematics
from gambol.dynamics.method import closed_again
from gambol.dynamics.tangent import displaced, normalised, unwound
from gambol.integrate import Moving, System, error_ratio
from gambol.lanes import Precision, Scalar, Subprogram, maximum, where, working_precision
from gambol.world.encounters.bounds import limited, resting_state, rubbed, ties
from gambol.world.encounters.holds import held as stuck
from gambol.world.encounters.holds import holding, holds_on, stances
from gambol.world.encounters.touchable import contacts_of, held_before, touching
from gambol.world.laws import Laws, Memory, Moment, Pressed
from gambol.world.step.integrated import error_weights, rates_under
from gambol.world.step.living import Living, entries

SLACK = 1e-5
"""A gap of what rests that counts as closed, of the figure's size: what is left of a drift."""

DRIFT = 0.1
"""The same as a part of the tolerance of steps that adapt: by what their error lifts, what is pressed hard would be cut
back to in the next, and so on. At a hundredth a roach's steps are tried 1.7 times as often, at a third a foot hovers.
"""

LANDED: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-5}
"""A gap of what comes fast that counts as closed, of the figure's size: what cutting back must meet, above rounding."""


@dataclass(frozen=True, slots=True)
class Look:
    """What may touch at some place, and the numbers of its contacts where there is no room for all.

    stance: 1 for contacts of feet that may stick now, else 0; empty where none ever may. over: 1 where some contacts
    that are near found no room, else 0.
    """

    scene: Scene
    numbers: list[Scalar]
    stance: list[Scalar]
    over: Scalar


@dataclass(frozen=True, slots=True)
class Parts:
    """What a step is made of, each recorded once."""

    laws: Laws
    slope: Subprogram
    look: Subprogram
    solve: Solve

    @staticmethod
    def of(laws: Laws) -> "Parts":
        """The parts of the steps of a world."""
        world = laws.world
        tied = len(ties(resting_state(world.figure)))
        if holding(world):
            tied += 3 * min(contacts_of(world), world.most_contacts)
        solve = Subprogram(solving(world.solver, len(limited(world)), tied))
        return Parts(laws, Subprogram(partial(rates_under, laws)), Subprogram(partial(looked, laws)), solve)

    @property
    def near(self) -> Near:
        """What counts as closed and as rest."""
        size, timing, tolerance = self.laws.world.size, self.laws.world.timing, self.laws.numbers["tolerance"]
        slack = maximum(DRIFT * tolerance, SLACK) if timing.integrator.adaptive else SLACK
        speed = tolerance * (STANDARD_GRAVITY * size) ** 0.5
        return Near(slack * size, LANDED[working_precision()] * size, speed, min(timing.step, timing.frame))


def looked(laws: Laws, q: list[Scalar], v: list[Scalar], h: Scalar, memory: Memory) -> Look:
    """What may touch at q within a step of h [s]."""
    assert memory.pressed is not None
    state = kinematics(laws.world.figure, q, v)
    touched, numbers = touching(laws, state, q, h)
    stance: list[Scalar] = []
    if holding(laws.world):
        stance = stances(laws, memory, numbers or [float(k) for k in range(len(touched.meetings))])
        touched = replace(touched, meetings=stuck(touched.meetings, stance, held_before(memory.pressed, numbers)))
    return Look(Scene.of(state, touched), numbers, stance, where(touched.over > 0.0, 1.0, 0.0))


@dataclass(frozen=True, slots=True)
class Attempt:
    """A step that was tried: its length [s], where it leads, what held, and its works, see Scene [J].

    a: accelerations without contact (nv); pressed: what is remembered of contact; ratio: error over what is allowed;
    end: what arrived. again: 1 where it is to be tried again, cut to the length h; cuts: how many there were.
    """

    h: Scalar
    moving: Moving
    kept: Kept
    works: tuple[Scalar, Scalar]
    a: list[Scalar]
    pressed: Pressed
    ratio: Scalar
    end: Arrived
    again: Scalar
    cuts: Scalar


def attempted(parts: Parts, now: Living, h: Scalar) -> Attempt:
    """Where a step of h [s] leads while what is closed holds."""
    laws, figure = parts.laws, parts.laws.world.figure
    time, elapsed = now.clock.frame * laws.world.timing.frame, now.clock.elapsed

    def slope(t: Scalar, q: list[Scalar], v: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        return parts.slope(Moment(time, t, elapsed), q, v, now.memory)

    a, _ = slope(elapsed, now.q, now.v)
    middle = _holding(parts, now, a, h)
    kept = middle.kept

    def pushed(t: Scalar, q: list[Scalar], v: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        rates, powers = slope(t, q, v)
        push = retold(figure, middle.q, q, kept.change)
        return [x + y / h for x, y in zip(rates, push, strict=True)], powers

    system = System(pushed, partial(displaced, figure), partial(unwound, figure))
    method = laws.world.timing.integrator
    stepped = method.step(system, elapsed, Moving(now.q, now.v, entries(now.ledger), now.trail), h)
    ratio = error_ratio(stepped.error, error_weights(laws)) if stepped.error else 0.0
    q, v = normalised(figure, stepped.new.q), stepped.new.v
    works = middle.there.scene.works(kept.p, middle.before, retold(figure, q, middle.q, v))
    if figure.constraints:
        q, v = closed_again(laws.world.dynamics, figure, q, v)
    first, last = retold(figure, now.q, q, now.v), parts.look(q, v, h, now.memory)
    kept = replace(kept, rests=_still(middle.there, last, kept.rests))
    opened = _opened(middle.here, last, first, v, h)
    end = arrived(last.scene, first, v, opened, h, parts.near, kept.rests)
    pressed = _pressed(parts, now.memory, middle.there, kept, h)
    return Attempt(h, replace(stepped.new, q=q, v=v), kept, works, a, pressed, ratio, end, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Middle:
    """What holds contacts in a step: what was looked at as it begins (here), and where it is half over (there).

    q: positions there; before: joint velocities of the begin (nv), along axes there.
    """

    here: Look
    there: Look
    q: list[Scalar]
    before: list[Scalar]
    kept: Kept


def _holding(parts: Parts, now: Living, a: list[Scalar], h: Scalar) -> _Middle:
    """What holds contacts in a step of h [s]. a: accelerations without contact as it begins (nv)."""
    figure = parts.laws.world.figure
    q_hat = normalised(figure, moved(figure, now.q, [0.5 * h * x for x in now.v]))
    there: Look = parts.look(q_hat, now.v, h, now.memory)
    here: Look = parts.look(now.q, now.v, h, now.memory)
    turning = keeping_rates(figure, now.v)
    free = [x + h * (y - z) for x, y, z in zip(now.v, a, turning, strict=True)]
    before, after = (retold(figure, now.q, q_hat, v) for v in (now.v, free))
    speeds = there.scene.speeds(before)
    begin = _same(here, there, here.scene.speeds(now.v), speeds, 3)
    back = [gap - 0.5 * h * speeds[row] for gap, row in zip(there.scene.gaps, there.scene.normals, strict=True)]
    begun = replace(there.scene, gaps=_same(here, there, here.scene.gaps, back, 1))
    return _Middle(here, there, q_hat, before, held(begun, begin, before, after, h, parts.near, parts.solve))


def _same(here: Look, there: Look, begin: Sequence[Scalar], otherwise: Sequence[Scalar], n: int) -> list[Scalar]:
    """What is begun with here, n numbers for each contact, and others wherever another has the place there."""
    found = list(begin)
    for k, (number, other) in enumerate(zip(here.numbers, there.numbers, strict=True)):
        for row in range(n * k, n * k + n):
            found[row] = where(number == other, found[row], otherwise[row])
    return found


def _still(there: Look, last: Look, rests: Sequence[Scalar]) -> list[Scalar]:
    """For each gap of the last look 1 where it rests there, else 0; a contact may have another place by then."""
    n = len(there.numbers)
    found = [
        sum((where(number == other, x, 0.0) for other, x in zip(there.numbers, rests, strict=False)), 0.0)
        for number in last.numbers
    ]
    return [*found, *rests[n:]]


def _opened(here: Look, last: Look, before: Sequence[Scalar], v: Sequence[Scalar], h: Scalar) -> list[Scalar]:
    """For each gap of the last look what it was as the step began; by its speeds where it had no place then."""
    begin, end, n = last.scene.speeds(before), last.scene.speeds(v), len(here.numbers)
    back = [
        gap - 0.5 * h * (begin[row] + end[row]) for gap, row in zip(last.scene.gaps, last.scene.normals, strict=True)
    ]
    for k, number in enumerate(last.numbers):
        for other, gap in zip(here.numbers, here.scene.gaps, strict=False):
            back[k] = where(number == other, gap, back[k])
    return [*back[:n], *here.scene.gaps[n:]]


def _pressed(parts: Parts, memory: Memory, there: Look, kept: Kept, h: Scalar) -> Pressed:
    """What is remembered of contact: by what it held in a step of h [s], and how well."""
    before, world, scene = memory.pressed, parts.laws.world, there.scene
    assert before is not None
    p, contacts = scene.together(kept.p), len(scene.restitution)
    impulses = [[p[3 * k + 2], p[3 * k], p[3 * k + 1]] for k in range(contacts)]
    single = [[x] for x in p[3 * contacts :]]
    bounds, drags = len(limited(world)), len(rubbed(world))
    unsolved = before.unsolved + where(kept.residual > parts.near.speed, 1.0, 0.0)
    close = 4.0 * parts.near.slack
    gaps = [where(sticks > 0.5, 0.0, gap) for sticks, gap in zip(scene.sticks, scene.gaps, strict=False)]
    sticks = holds_on(parts.laws, there.stance, gaps, impulses, h, close) if there.stance else []
    impulses += [*single[:bounds], *([[0.0]] * drags), *single[bounds:]]
    full = [steps + there.over for steps in before.crowded]
    return Pressed(impulses, there.numbers, h, kept.residual, unsolved, sticks, full)
