"""Steps that an integrator takes while contacts hold: advance, detect, cut back, resolve impacts, go on.

    1  forces that hold the closed contacts of the step, from what accelerations must be
    2  the integrator moves the figure under them and all others
    3  a contact that was open lies in something now: the step is cut back to when it closed, and taken anew
    4  closed contacts that approach collide; bodies that have drifted into each other are moved apart

[Baraff 1989; Patil 2007, SimulationStep; Kokkevis 2004]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.complementarity.holding import (
    Arrived,
    Kept,
    Near,
    Scene,
    Solve,
    arrived,
    bouncing,
    held,
    solving,
    struck,
)
from gambol.contact.stepping import moved, retold
from gambol.contact.stepping.axes_kept import keeping_rates
from gambol.dynamics import STANDARD_GRAVITY, kinematics, potential_energy
from gambol.dynamics.method import closed_again
from gambol.dynamics.tangent import displaced, normalised, unwound
from gambol.integrate import HOPELESS, Moving, System, error_ratio, judged
from gambol.lanes import (
    Precision,
    Scalar,
    Subprogram,
    is_finite,
    loop,
    mapped,
    maximum,
    minimum,
    when,
    where,
    working_precision,
)
from gambol.world.encounters.bounds import limited, resting_state, rubbed, ties
from gambol.world.encounters.holds import held as stuck
from gambol.world.encounters.holds import holding, holds_on, stances
from gambol.world.encounters.touchable import contacts_of, held_before, touching
from gambol.world.laws import Laws, Ledger, Memory, Moment, Pressed
from gambol.world.step.integrated import clock_after, error_weights, judged_clock, rates_under
from gambol.world.step.living import Living, advanced, chosen, entries

SLACK = 1e-5
"""A gap of what rests that counts as closed, of the figure's size: what is left of a drift."""

LANDED: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-5}
"""A gap of what comes fast that counts as closed, of the figure's size: what cutting back must meet, above rounding."""

MOST_CUTS = 8
"""Cuts of one step: contacts that close one before the other take one each."""

SHORTEST = 1e-3
"""Part of a step that is left of it at least, so that time goes on however often contacts close."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What may touch at some place, and the numbers of its contacts where there is no room for all.

    stance: 1 for contacts of feet that may stick now, else 0; empty where none ever may.
    """

    scene: Scene
    numbers: list[Scalar]
    stance: list[Scalar]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a step is made of, each recorded once."""

    laws: Laws
    slope: Subprogram
    look: Subprogram
    solve: Solve

    @staticmethod
    def of(laws: Laws) -> "_Parts":
        """The parts of the steps of a world."""
        world = laws.world
        tied = len(ties(resting_state(world.figure)))
        if holding(world):
            tied += 3 * min(contacts_of(world), world.room)
        solve = Subprogram(solving(world.solver, len(limited(world)), tied))
        return _Parts(laws, Subprogram(partial(rates_under, laws)), Subprogram(partial(_looked, laws)), solve)

    @property
    def near(self) -> Near:
        """What counts as closed and as rest."""
        size, timing = self.laws.world.size, self.laws.world.timing
        speed = self.laws.numbers["tolerance"] * (STANDARD_GRAVITY * size) ** 0.5
        return Near(SLACK * size, LANDED[working_precision()] * size, speed, min(timing.step, timing.frame))


def _looked(laws: Laws, q: list[Scalar], v: list[Scalar], h: Scalar, memory: Memory) -> _Look:
    """What may touch at q within a step of h [s]."""
    assert memory.pressed is not None
    state = kinematics(laws.world.figure, q, v)
    touched, numbers = touching(laws, state, q, h)
    stance: list[Scalar] = []
    if holding(laws.world):
        stance = stances(laws, memory, numbers or [float(k) for k in range(len(touched.meetings))])
        touched = replace(touched, meetings=stuck(touched.meetings, stance, held_before(memory.pressed, numbers)))
    return _Look(Scene.of(state, touched), numbers, stance)


@dataclass(frozen=True, slots=True)
class _Try:
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


def constraining(laws: Laws) -> Callable[[Living, Memory, Scalar], Living]:
    """What takes the steps of a world whose contacts are held."""
    parts = _Parts.of(laws)
    attempt, mend = Subprogram(partial(_tried, parts)), Subprogram(partial(_mended, parts))

    def move(now: Living, decided: Memory, h: Scalar) -> Living:
        given = replace(now, memory=decided)
        return _after(parts, now, decided, _until_nothing_pierces(attempt, given, h), mend)

    return move


def _until_nothing_pierces(attempt: Subprogram, now: Living, h: Scalar) -> _Try:
    """The step of h [s], or as much of it as there is until a contact closes; what was cut too short goes on to it."""

    def judged_cut(made: _Try, tried: Scalar, cuts: Scalar) -> _Try:
        closes = made.end.time
        short = (cuts > 0.5) & (closes > tried) & (closes < minimum(tried + SHORTEST * h, h))
        cut = where(short, closes, minimum(maximum(closes, SHORTEST * h), tried))
        again = where((abs(cut - tried) > 0.0) & (cuts < MOST_CUTS - 0.5), 1.0, 0.0)
        return replace(made, h=where(again > 0.5, cut, tried), again=again, cuts=cuts + again)

    def once(before: _Try) -> _Try:
        return judged_cut(attempt(now, before.h), before.h, before.cuts)

    return loop(lambda tried: tried.again > 0.5, once, judged_cut(attempt(now, h), h, 0.0))


def _tried(parts: _Parts, now: Living, h: Scalar) -> _Try:
    """Where a step of h [s] leads while what is closed holds."""
    laws, figure = parts.laws, parts.laws.world.figure
    time, elapsed = now.clock.frame * laws.world.timing.frame, now.clock.elapsed

    def slope(t: Scalar, q: list[Scalar], v: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        return parts.slope(Moment(time + t, t), q, v, now.memory)

    a, _ = slope(elapsed, now.q, now.v)
    q_hat = normalised(figure, moved(figure, now.q, [0.5 * h * x for x in now.v]))
    there: _Look = parts.look(q_hat, now.v, h, now.memory)
    here: _Look = parts.look(now.q, now.v, h, now.memory)
    turning = keeping_rates(figure, now.v)
    free = [x + h * (y - z) for x, y, z in zip(now.v, a, turning, strict=True)]
    before, after = (retold(figure, now.q, q_hat, v) for v in (now.v, free))
    speeds = there.scene.speeds(before)
    begin = _same(here, there, here.scene.speeds(now.v), speeds, 3)
    back = [gap - 0.5 * h * speeds[row] for gap, row in zip(there.scene.gaps, there.scene.normals, strict=True)]
    begun = replace(there.scene, gaps=_same(here, there, here.scene.gaps, back, 1))
    kept = held(begun, begin, before, after, h, parts.near, parts.solve)

    def pushed(t: Scalar, q: list[Scalar], v: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        rates, powers = slope(t, q, v)
        push = retold(figure, q_hat, q, kept.change)
        return [x + y / h for x, y in zip(rates, push, strict=True)], powers

    system = System(pushed, partial(displaced, figure), partial(unwound, figure))
    method = laws.world.timing.integrator
    stepped = method.step(system, elapsed, Moving(now.q, now.v, entries(now.ledger), now.trail), h)
    ratio = error_ratio(stepped.error, error_weights(laws)) if stepped.error else 0.0
    q, v = normalised(figure, stepped.new.q), stepped.new.v
    works = there.scene.works(kept.p, before, retold(figure, q, q_hat, v))
    if figure.constraints:
        q, v = closed_again(laws.world.dynamics, figure, q, v)
    first, last = retold(figure, now.q, q, now.v), parts.look(q, v, h, now.memory)
    kept = replace(kept, rests=_still(there, last, kept.rests))
    end = arrived(last.scene, first, v, h, parts.near, kept.rests)
    moving = replace(stepped.new, q=q, v=v)
    return _Try(h, moving, kept, works, a, _pressed(parts, now.memory, there, kept, h), ratio, end, 0.0, 0.0)


def _same(here: _Look, there: _Look, begin: Sequence[Scalar], otherwise: Sequence[Scalar], n: int) -> list[Scalar]:
    """What is begun with here, n numbers for each contact, and others wherever another has the place there."""
    found = list(begin)
    for k, (number, other) in enumerate(zip(here.numbers, there.numbers, strict=True)):
        for row in range(n * k, n * k + n):
            found[row] = where(number == other, found[row], otherwise[row])
    return found


def _still(there: _Look, last: _Look, rests: Sequence[Scalar]) -> list[Scalar]:
    """For each gap of the last look 1 where it rests there, else 0; a contact may have another place by then."""
    n = len(there.numbers)
    found = [
        sum((where(number == other, x, 0.0) for other, x in zip(there.numbers, rests, strict=False)), 0.0)
        for number in last.numbers
    ]
    return [*found, *rests[n:]]


@dataclass(frozen=True, slots=True)
class _Mended:
    """A figure after impacts and with nothing deep in anything; what impacts did, and the work of moving apart [J]."""

    q: list[Scalar]
    v: list[Scalar]
    kept: Kept
    works: tuple[Scalar, Scalar]
    lifted: Scalar


def _mended(parts: _Parts, at: Moving, a: list[Scalar], rests: list[Scalar], h: Scalar, memory: Memory) -> _Mended:
    """What impacts do at the end of a step, and what moves bodies apart.

    a: accelerations without contact (nv). rests: for each gap 1 where the step held it, else 0.
    """
    q, v = at.q, at.v
    laws, figure, scene = parts.laws, parts.laws.world.figure, parts.look(q, v, h, memory).scene
    kept = struck(scene, v, bouncing(scene, v, a, h, rests), parts.near, rests, parts.solve)
    new = normalised(figure, moved(figure, q, scene.apart(parts.near.slack)))
    low, high = (kinematics(figure, x, [0.0] * figure.nv) for x in (q, new))
    gravity = laws.numbers["gravity"]
    lifted = potential_energy(high, gravity) - potential_energy(low, gravity)
    after = [x + y for x, y in zip(v, kept.change, strict=True)]
    return _Mended(new, after, kept, scene.works(kept.p, v, after), lifted)


def _after(parts: _Parts, now: Living, decided: Memory, tried: _Try, mend: Subprogram) -> Living:
    """The state after a step that was good enough, and the old one with a shorter step after another."""
    world, clock = parts.laws.world, now.clock
    at, near = tried.moving, parts.near
    still = _Mended(at.q, at.v, mapped(lambda _: 0.0, tried.kept), (0.0, 0.0), 0.0)
    troubled = (tried.end.approach > near.speed) | (tried.end.deepest > 2.0 * near.slack)
    nominal = minimum(clock.step, world.timing.frame)
    made: _Mended = when(troubled, mend, at, tried.a, tried.kept.rests, nominal, decided, otherwise=still)
    finite = is_finite(sum((*made.q, *made.v, *at.w), 0.0))
    verdict = judged(where(finite, tried.ratio, HOPELESS), tried.h, world.timing.integrator.order)
    keep = (verdict.keep & finite) if world.timing.integrator.adaptive else finite
    done = clock.elapsed + tried.h >= world.timing.frame * (1.0 - 1e-5)
    memory = replace(decided, pressed=tried.pressed)
    memory = advanced(world, memory, done)
    after = clock_after(world, clock, tried.h, verdict.next_step, done)
    living = Living(made.q, made.v, memory, _booked(Ledger(*at.w), tried, made), at.memory, after)
    result = chosen(keep, living, now)
    result = replace(result, clock=judged_clock(parts.laws, result.clock, clock, keep, finite, verdict.next_step))
    return replace(result, clock=replace(result.clock, rejected=result.clock.rejected + tried.cuts))


def _booked(ledger: Ledger, tried: _Try, made: _Mended) -> Ledger:
    """The ledger after a step, with what held, what collided and what was moved apart."""
    normal, sliding = (x + y for x, y in zip(tried.works, made.works, strict=True))
    return replace(
        ledger,
        impact=ledger.impact - normal,
        sliding=ledger.sliding - sliding,
        stabilisation=ledger.stabilisation + made.lifted,
    )


def _pressed(parts: _Parts, memory: Memory, there: _Look, kept: Kept, h: Scalar) -> Pressed:
    """What is remembered of contact: by what it held in a step of h [s], and how well."""
    before, world, scene = memory.pressed, parts.laws.world, there.scene
    assert before is not None
    p, contacts = scene.together(kept.p), len(scene.restitution)
    impulses = [[p[3 * k + 2], p[3 * k], p[3 * k + 1]] for k in range(contacts)]
    single = [[x] for x in p[3 * contacts :]]
    bounds, drags = len(limited(world)), len(rubbed(world))
    unsolved = before.unsolved + where(kept.residual > parts.near.speed, 1.0, 0.0)
    close = 4.0 * SLACK * world.size
    gaps = [where(sticks > 0.5, 0.0, gap) for sticks, gap in zip(scene.sticks, scene.gaps, strict=False)]
    sticks = holds_on(parts.laws, there.stance, gaps, impulses, h, close) if there.stance else []
    impulses += [*single[:bounds], *([[0.0]] * drags), *single[bounds:]]
    return Pressed(impulses, there.numbers, h, kept.residual, unsolved, sticks)
