"""Steps that an integrator takes through smooth forces: those of penalty contact, or none.

A step integrates position, velocity and ledger while memory stays as it is; a step that is not good enough is thrown
away with nothing changed but how long the next try is. A step ends with the figure's loops closed. After one that is
kept, anchors settle and over-stretched attachments break. [McKenna 1990, section 4.2]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from gambol.dynamics import kinematics, rnea
from gambol.dynamics.method import accelerations, closed_again
from gambol.dynamics.tangent import displaced, normalised, unwound
from gambol.figure import JOINTS
from gambol.integrate import GROW, HOPELESS, Moving, System, error_ratio, judged
from gambol.lanes import Scalar, Subprogram, is_finite, maximum, minimum, when, where
from gambol.world.footing import settled_feet
from gambol.world.forces import Acting, acting, settled_attachments
from gambol.world.laws import CRUMB, Laws, Ledger, Memory, Moment
from gambol.world.step.living import NOT_FINITE, RUNNING, UNDERFLOW, Clock, Living, advanced, chosen, entries
from gambol.world.world import World


@dataclass(frozen=True, slots=True)
class Physics:
    """What a System asks of a world, each recorded once: of a moment, q, v and memory; momentum of q and v."""

    slope: Subprogram
    force: Subprogram
    momentum: Subprogram


def integrating(laws: Laws) -> Callable[[Living, Memory, Scalar], Living]:
    """What takes the steps of a world with these laws."""
    settle = Subprogram(partial(_settled, laws))
    physics = Physics(*(Subprogram(partial(law, laws)) for law in (rates_under, _force, _momentum)))

    def move(now: Living, decided: Memory, h: Scalar) -> Living:
        return _kept_or_not(laws, (now, decided), h, physics, settle)

    return move


def rates_under(laws: Laws, moment: Moment, q: list[Scalar], v: list[Scalar], memory: Memory) -> Any:
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


def _settled(laws: Laws, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory) -> tuple[Memory, Scalar]:
    """Memory after a step that was kept, and the energy that anchors and broken attachments let go [J]."""
    state = kinematics(laws.world.figure, q, v)
    settled, released = settled_feet(laws, state, memory)
    whole, broken = settled_attachments(laws, state, memory)
    return replace(settled, whole=whole), released + broken


def _kept_or_not(laws: Laws, begun: tuple[Living, Memory], h: Scalar, physics: Physics, settle: Subprogram) -> Living:
    """A step of h [s]: the state after it where it was good enough, and the old one with a shorter step to try if not.

    begun: the state, and its memory with the decisions of a frame that begins. A step that is thrown away takes them
    along, and they are made anew.
    """
    (now, decided), world = begun, laws.world
    frame, clock = world.timing.frame, now.clock
    moved, ratio, missed = _tried(laws, replace(now, memory=decided), physics, h)
    finite = is_finite(sum((*moved.q, *moved.v, *moved.w), 0.0))
    method = world.timing.integrator
    verdict = judged(where(finite, ratio, HOPELESS), h, method.order)
    keep = (verdict.keep & finite) if method.adaptive else finite
    memory, released = when(keep, settle, moved.q, moved.v, decided)
    ledger = Ledger(*moved.w)
    ledger = replace(ledger, sliding=ledger.sliding + released)
    done = clock.elapsed + h >= frame * (1.0 - CRUMB)
    memory = advanced(world, memory, done)
    later = clock_after(world, clock, h, verdict.next_step, done)
    later = replace(later, missed=maximum(clock.missed, minimum(missed, HOPELESS)))  # a state is finite
    after = Living(moved.q, moved.v, memory, ledger, moved.memory, later)
    result = chosen(keep, after, now)
    return replace(result, clock=judged_clock(laws, result.clock, clock, keep, finite, verdict.next_step))


def clock_after(world: World, clock: Clock, h: Scalar, wanted: Scalar, done: Scalar) -> Clock:
    """The clock after a step that was kept.

    One cut short, by a frame's end or a landing, does not shorten the next where its error says nothing but that a
    step may grow as much as one may.
    """
    step = where(wanted < 0.999 * GROW * h, wanted, maximum(wanted, clock.step))
    step = step if world.timing.integrator.adaptive else clock.step
    return Clock(
        clock.frame + where(done, 1.0, 0.0),
        where(done, 0.0, clock.elapsed + h),
        step,
        clock.taken + 1.0,
        clock.rejected,
        clock.status,
        clock.missed,
    )


def judged_clock(laws: Laws, after: Clock, before: Clock, keep: Scalar, finite: Scalar, wanted: Scalar) -> Clock:
    """The clock with the step to try next, and a world that cannot go on stopped."""
    rejected = before.rejected + where(keep, 0.0, 1.0)
    if not laws.world.timing.integrator.adaptive:
        return replace(after, rejected=rejected, status=where(keep, RUNNING, NOT_FINITE))
    too_small = where(finite, UNDERFLOW, NOT_FINITE)
    stopped = where(wanted < laws.numbers["smallest"], too_small, RUNNING)
    step, status = where(keep, after.step, wanted), where(keep, RUNNING, stopped)
    return replace(after, step=step, rejected=rejected, status=status)


def _tried(laws: Laws, now: Living, physics: Physics, h: Scalar) -> tuple[Moving, Scalar, Scalar]:
    """Where a step leads, the error of position and velocity over what is allowed, and what its equations miss."""
    world, elapsed = laws.world, now.clock.elapsed
    figure, time = world.figure, now.clock.frame * world.timing.frame

    def at(t: Scalar) -> Moment:
        return Moment(time, t, elapsed)

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
    return replace(stepped.new, q=q, v=v), ratio, stepped.missed


def error_weights(laws: Laws) -> list[Scalar]:
    """One over the largest allowed error of each move and velocity.

    A length counts as a part of the figure's size, an angle in radians, and a velocity as what it covers in a frame.
    Where the numbers have a lenience, errors may be that many times larger.
    """
    size, frame = laws.world.size, laws.world.timing.frame
    allowed = laws.numbers["tolerance"] * laws.numbers.get("lenience", 1.0)
    scales: list[float] = []
    speeds: list[float] = []
    for link in laws.world.figure.links:
        kind = JOINTS[link.joint.kind]
        scales += [1.0 / size if unit == "m/s" else 1.0 for unit in kind.v_units]
        speeds += [frame / size if unit == "m/s" else frame for unit in kind.v_units]
    return [scale / allowed for scale in (*scales, *speeds)]
