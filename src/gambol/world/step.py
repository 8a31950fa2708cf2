"""How a world moves: frames, in which the controller decides, made of steps, which the integrator takes.

At a frame the controller reads its senses and changes its memory. A step integrates position, velocity and ledger while
memory stays as it is; a step that is not good enough is thrown away with nothing changed but how long the next try is.
A step ends with the figure's loops closed. After one that is kept, anchors settle and over-stretched attachments break.
[McKenna 1990, sections 4.2 and 4.6]
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from gambol.control import GaitMemory, Senses
from gambol.dynamics import kinematics, rnea
from gambol.dynamics.method import accelerations, closed_again
from gambol.dynamics.tangent import displaced, normalised, unwound
from gambol.figure import JOINTS
from gambol.integrate import HOPELESS, Moving, System, dealt, error_ratio, judged
from gambol.lanes import Scalar, Subprogram, is_finite, leaves, loop, rebuilt, when, where
from gambol.world.forces import Acting, acting, settled_attachments, settled_feet, spring_torque
from gambol.world.laws import Laws, Ledger, Memory, Moment
from gambol.world.world import World

RUNNING, NOT_FINITE, UNDERFLOW = 0.0, 1.0, 2.0


@dataclass(frozen=True, slots=True)
class Clock:
    """frame: how many have begun and ended; elapsed: time since the last one [s]; step: to try next [s].

    taken, rejected: steps so far; status: RUNNING, or why the world stopped.
    """

    frame: Scalar
    elapsed: Scalar
    step: Scalar
    taken: Scalar
    rejected: Scalar
    status: Scalar


@dataclass(frozen=True, slots=True)
class Living:
    """Everything that a step changes: q, v, memory, ledger [J], the integrator's own memory (trail), and clock."""

    q: list[Scalar]
    v: list[Scalar]
    memory: Memory
    ledger: Ledger
    trail: list[Scalar]
    clock: Clock


def advance(world: World, living: Living, numbers: dict[str, Any], until: Scalar, table: Any) -> Living:
    """The state when frame number `until` begins, or when the world stopped."""
    laws = Laws.of(world, numbers, table)
    settle, decide = Subprogram(partial(_settled, laws)), Subprogram(partial(_decided, laws))
    physics = Physics(*(Subprogram(partial(law, laws)) for law in (_slope, _force, _momentum)))

    def step(now: Living) -> Living:
        time = now.clock.frame * world.timing.frame
        memory = _at_frame(now, decide, time) if world.controller else now.memory
        return _kept_or_not(laws, now, memory, physics, settle)

    return loop(lambda now: (now.clock.frame < until) & (now.clock.status < 0.5), step, living)


def _at_frame(now: Living, decide: Subprogram, time: Scalar) -> Memory:
    """Memory after the controller's decisions, where a frame begins."""
    begins = now.clock.elapsed <= 0.0
    gait = when(begins, decide, now.q, now.memory.gait, time)
    return replace(now.memory, gait=chosen(begins, gait, now.memory.gait))


def _decided(laws: Laws, q: Sequence[Scalar], gait: GaitMemory, time: Scalar) -> GaitMemory:
    """What the controller makes of its senses."""
    controller, figure = laws.world.controller, laws.world.figure
    assert controller is not None
    memory = Memory(gait, [], [])
    upper = [q[figure.link(leg.links[0]).q.start] for leg in controller.legs]
    load = [spring_torque(laws, q, memory, leg.links[1]) for leg in controller.legs]
    return controller.decide(laws.numbers["gait"], gait, Senses(time, upper, load), laws.world.timing.frame)


@dataclass(frozen=True, slots=True)
class Physics:
    """What a System asks of a world, each recorded once: of a moment, q, v and memory; momentum of q and v."""

    slope: Subprogram
    force: Subprogram
    momentum: Subprogram


def _slope(laws: Laws, moment: Moment, q: list[Scalar], v: list[Scalar], memory: Memory) -> Any:
    """The rates of velocity and of the ledger."""
    state = kinematics(laws.world.figure, q, v)
    act = acting(laws, state, q, v, memory, moment)
    given = {}
    if laws.world.base_acceleration is not None:
        given = {laws.world.figure.root.index: laws.world.base_acceleration(moment.time, q, v)}
    forces = {"f_ext": act.f_ext, "gravity": laws.numbers["gravity"]}
    acceleration, taken = accelerations(laws.world.dynamics, state, act.tau, **forces, prescribed=given)
    power = act.power
    for index, force in taken.items():
        speeds = v[laws.world.figure.links[index - 1].v]
        power = replace(power, outside=power.outside + sum((f * s for f, s in zip(force, speeds, strict=True)), 0.0))
    return acceleration, entries(power)


def _force(laws: Laws, moment: Moment, q: list[Scalar], v: list[Scalar], memory: Memory) -> Any:
    """All forces that act along the degrees of freedom, gravity's too, and the rates of the ledger."""
    figure = laws.world.figure
    act: Acting = acting(laws, kinematics(figure, q, v), q, v, memory, moment)
    still = [0.0] * figure.nv
    borne, _ = rnea(kinematics(figure, q, still), still, f_ext=act.f_ext, gravity=laws.numbers["gravity"])
    return [t - b for t, b in zip(act.tau, borne, strict=True)], entries(act.power)


def _momentum(laws: Laws, q: list[Scalar], v: list[Scalar]) -> list[Scalar]:
    """M v: the force that accelerates a figure at rest, without weight, by v."""
    return rnea(kinematics(laws.world.figure, q, [0.0] * len(v)), v, gravity=0.0)[0]


def entries(ledger: Ledger) -> list[Scalar]:
    """The entries of a ledger."""
    return [ledger.motors, ledger.outside, ledger.damping, ledger.impact, ledger.sliding]


def _settled(laws: Laws, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory) -> tuple[Memory, Scalar]:
    """Memory after a step that was kept, and the energy that anchors and broken attachments let go [J]."""
    state = kinematics(laws.world.figure, q, v)
    anchors, released = settled_feet(laws, state, memory)
    whole, broken = settled_attachments(laws, state, memory)
    return Memory(memory.gait, anchors, whole), released + broken


def _kept_or_not(laws: Laws, now: Living, decided: Memory, physics: Physics, settle: Subprogram) -> Living:
    """One try of a step: the state after it where it was good enough, and the old one with a shorter step where not.

    decided: memory with the decisions of a frame that begins. A step that is thrown away takes them along, and they are
    made anew.
    """
    world, clock = laws.world, now.clock
    frame = world.timing.frame
    h = dealt(frame - clock.elapsed, clock.step)
    moved, ratio = _tried(laws, replace(now, memory=decided), physics, h)
    finite = is_finite(sum((*moved.q, *moved.v, *moved.w), 0.0))
    method = world.timing.integrator
    verdict = judged(where(finite, ratio, HOPELESS), h, method.order)
    keep = (verdict.keep & finite) if method.adaptive else finite
    memory, released = when(keep, settle, moved.q, moved.v, decided)
    ledger = Ledger(*moved.w)
    ledger = replace(ledger, sliding=ledger.sliding + released)
    done = clock.elapsed + h >= frame * (1.0 - 1e-5)
    if world.controller is not None and decided.gait is not None:
        memory = replace(memory, gait=chosen(done, world.controller.advanced(decided.gait, frame), decided.gait))
    clock_after = _clock_after(world, clock, h, verdict.next_step, done)
    after = Living(moved.q, moved.v, memory, ledger, moved.memory, clock_after)
    result = chosen(keep, after, now)
    return replace(result, clock=_judged_clock(laws, result.clock, clock, keep, finite, verdict.next_step))


def chosen(condition: Scalar, yes: Any, no: Any) -> Any:
    """The nest yes where a condition holds, the nest no of the same form elsewhere."""
    pairs = zip(leaves(yes), leaves(no), strict=True)
    return rebuilt(no, iter([where(condition, new, old) for new, old in pairs]))


def _clock_after(world: World, clock: Clock, h: Scalar, wanted: Scalar, done: Scalar) -> Clock:
    """The clock after a step that was kept; a step cut short by a frame's end does not shorten the next."""
    step = where(h < clock.step * 0.999, where(wanted > clock.step, wanted, clock.step), wanted)
    step = step if world.timing.integrator.adaptive else clock.step
    return Clock(
        clock.frame + where(done, 1.0, 0.0),
        where(done, 0.0, clock.elapsed + h),
        step,
        clock.taken + 1.0,
        clock.rejected,
        clock.status,
    )


def _judged_clock(laws: Laws, after: Clock, before: Clock, keep: Scalar, finite: Scalar, wanted: Scalar) -> Clock:
    """The clock with the step to try next, and a world that cannot go on stopped."""
    rejected = before.rejected + where(keep, 0.0, 1.0)
    if not laws.world.timing.integrator.adaptive:
        return replace(after, rejected=rejected, status=where(keep, RUNNING, NOT_FINITE))
    too_small = where(finite, UNDERFLOW, NOT_FINITE)
    stopped = where(wanted < laws.numbers["smallest"], too_small, RUNNING)
    step, status = where(keep, after.step, wanted), where(keep, RUNNING, stopped)
    return replace(after, step=step, rejected=rejected, status=status)


def _tried(laws: Laws, now: Living, physics: Physics, h: Scalar) -> tuple[Moving, Scalar]:
    """Where a step leads, and the error of position and velocity over what is allowed."""
    world, elapsed = laws.world, now.clock.elapsed
    figure, time = world.figure, now.clock.frame * world.timing.frame

    def at(t: Scalar) -> Moment:
        return Moment(time + t, t)

    system = System(
        slope=lambda t, q, v: physics.slope(at(t), q, v, now.memory),
        displaced=partial(displaced, figure),
        unwound=partial(unwound, figure),
        momentum=physics.momentum,
        force=lambda t, q, v: physics.force(at(t), q, v, now.memory),
    )
    moving = Moving(now.q, now.v, entries(now.ledger), now.trail)
    stepped = world.timing.integrator.step(system, elapsed, moving, h)
    ratio = error_ratio(stepped.error, error_weights(laws)) if stepped.error else 0.0
    q, v = normalised(figure, stepped.new.q), stepped.new.v
    if figure.constraints:
        q, v = closed_again(world.dynamics, figure, q, v)
    return replace(stepped.new, q=q, v=v), ratio


def error_weights(laws: Laws) -> list[Scalar]:
    """One over the largest allowed error of each move and velocity.

    A length counts as a part of the figure's size, an angle in radians, and a velocity as what it covers in a frame.
    """
    size, frame = laws.world.size, laws.world.timing.frame
    scales: list[float] = []
    speeds: list[float] = []
    for link in laws.world.figure.links:
        kind = JOINTS[link.joint.kind]
        scales += [1.0 / size if unit == "m/s" else 1.0 for unit in kind.v_units]
        speeds += [frame / size if unit == "m/s" else frame for unit in kind.v_units]
    return [scale / laws.numbers["tolerance"] for scale in (*scales, *speeds)]
