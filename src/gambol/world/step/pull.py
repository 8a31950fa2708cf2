"""What pulls at a figure in a large step besides contact, and what the step did to the ledger.

Over a step an impulse h F does the work h F . (v + v+) / 2, exactly. F is the force in the middle of the step. Springs
whose rest angle moves at a rate r pull with F - h K (v+ - r), dampers with B v+ throughout. Actuators are looked at
where v alone would lead to, for their targets may go far in a step; there they pull with F, and at the step's end with
F - B (v+ - v). A medium drags with what it does in the middle of the step, throughout. A spring gives what it stores:
what moves its rest angle does so against the mean of its force at the step's ends, F - h K (v+ - v) / 4.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gambol.contact.stepping import Forces, Stepped, Touching
from gambol.control.actuator import StepPull, servo_in_step
from gambol.dynamics import Kinematics, rnea
from gambol.dynamics.forward import mass_rows
from gambol.dynamics.joint_forces import joint_forces
from gambol.dynamics.joint_slopes import joint_slopes
from gambol.figure import PlacedLink
from gambol.lanes import Scalar
from gambol.spatial import Force
from gambol.world.forces import drags, from_attachments, from_shove, lags
from gambol.world.laws import Laws, Ledger, Memory, Moment


@dataclass(frozen=True, slots=True)
class Motor:
    """A joint's springs that may be driven: place among the freedoms, force in mid-step [N m or N], rate of the
    rest angle, and stiffness.
    """

    freedom: int
    force: Scalar
    rate: Scalar
    stiffness: Scalar


@dataclass(frozen=True, slots=True)
class Servo:
    """An actuator: place among the freedoms, and how it pulls in the step."""

    freedom: int
    force: StepPull

    def end(self, before: Scalar, after: Scalar) -> Scalar:
        """What it pulls with at the end of a step from one velocity to another [N m or N]."""
        return self.force.tau - self.force.fall * (after - before)


@dataclass(frozen=True, slots=True)
class Pull:
    """What pulls at a figure. forces: as a step takes them. motors: of all joints whose springs are driven; servos: of
    all actuators. driven: constant forces at joints (nv). dampers: B of springs (nv). outside: forces of a push
    from outside along the first velocities, those of the root; attached: power that attachments take out of the motion
    [W]; dragged: forces of a medium (nv).
    """

    forces: Forces
    motors: Sequence[Motor]
    servos: Sequence[Servo]
    driven: Sequence[Scalar]
    dampers: Sequence[Scalar]
    outside: Sequence[Scalar]
    attached: Scalar
    dragged: Sequence[Scalar]


def pulled(laws: Laws, state: Kinematics, q: Sequence[Scalar], memory: Memory, at: Moment, h: Scalar) -> Pull:
    """All that pulls in a step of h [s] from a moment on."""
    n = laws.world.figure.nv
    tau, K, B, driven = ([0.0] * n for _ in range(4))
    motors: list[Motor] = []
    for link in laws.world.sprung:
        numbers = [_without_friction(of) for of in laws.numbers["springs"][link.name]]
        rest, rate = laws.rest_angle(memory, link.name, at.elapsed)
        force = joint_forces(link.joint.kind, numbers, q[link.q], state.v[link.v], rest)
        K[link.v], B[link.v] = joint_slopes(link.joint.kind, numbers, q[link.q], rest)
        tau[link.v] = force.tau
        if link.name in laws.world.driven:
            k = link.v.start
            motors.append(Motor(k, force.springs[0], rate, K[k]))
            tau[k] = tau[k] + h * K[k] * rate
        driven[link.v] = _biases(link, numbers)
    acting, total = list(_actuators(laws, state, q, memory, at, h)), list(B)
    for one in acting:
        k = one.freedom
        tau[k], total[k] = tau[k] + one.force.tau, total[k] + one.force.fall
    drag = _dragged(laws, state, h)
    tau = [x + y for x, y in zip(tau, drag, strict=True)] if drag else tau
    f_ext: dict[int, Force] = {}
    _, lost = from_attachments(laws, state, memory, f_ext)
    push, joint = from_shove(laws, state, at, f_ext), state.joints[laws.world.figure.roots[0].index]
    outside = [S.dot(joint.to_joint(push)) for S in joint.columns]
    return Pull(Forces(tau, K, total, f_ext, laws.numbers["gravity"]), motors, acting, driven, B, outside, lost, drag)


def _actuators(
    laws: Laws, state: Kinematics, q: Sequence[Scalar], memory: Memory, at: Moment, h: Scalar
) -> Iterator[Servo]:
    """All actuators in a step of h [s] from a moment on."""
    inertias = mass_rows(state) if laws.world.actuators else []  # which the step works out anyway
    for k, numbers, lag in lags(laws, q, memory, at.elapsed + h):
        yield Servo(k, servo_in_step(numbers, lag - h * state.v[k], state.v[k], inertias[k][k], h))


def _dragged(laws: Laws, state: Kinematics, h: Scalar) -> list[Scalar]:
    """What the medium does along all velocities in a step of h [s] (nv); empty where there is none."""
    if not laws.world.dragged:
        return []
    f_ext, still = drags(laws, state, h), [0.0] * laws.world.figure.nv
    tau, _ = rnea(state.at_rest(), still, f_ext=f_ext, gravity=0.0)
    return [-x for x in tau]


def _without_friction(numbers: dict[str, Scalar]) -> dict[str, Scalar]:
    """A spring's numbers without dry friction, which is an impulse of its own."""
    return {name: x for name, x in numbers.items() if name != "friction"}


def _biases(link: PlacedLink, numbers: Sequence[dict[str, Scalar]]) -> list[Scalar]:
    """Constant forces along the velocities of a joint whose coordinates are its velocities' integrals; else 0."""
    nv = link.v.stop - link.v.start
    return [of.get("bias", 0.0) for of in numbers] if len(numbers) == nv else [0.0] * nv


def booked(pull: Pull, touched: Touching, made: Stepped, before: Sequence[Scalar], h: Scalar) -> Ledger:
    """What a step of h [s] from velocities `before` (nv) adds to the ledger [J]."""
    middle = [0.5 * (a + b) for a, b in zip(before, made.v, strict=True)]
    motors: Scalar = 0.0
    for motor in pull.motors:
        k = motor.freedom
        mean = motor.force - 0.25 * h * motor.stiffness * (made.v[k] - before[k])
        motors = motors + motor.rate * h * mean
    for one in pull.servos:
        k = one.freedom
        motors = motors + h * one.end(before[k], made.v[k]) * middle[k]
    for force, v in zip(pull.driven, middle, strict=True):
        motors = motors + h * force * v
    damping: Scalar = 0.0
    for B, after, v in zip(pull.dampers, made.v, middle, strict=True):
        damping = damping + h * B * after * v
    for force, v in zip(pull.dragged, middle[: len(pull.dragged)], strict=True):
        damping = damping - h * force * v
    contacts, stops = len(touched.meetings), len(touched.meetings) + len(touched.stops)
    drags, works = stops + len(touched.drags), made.works
    return Ledger(
        motors,
        h * sum((f * v for f, v in zip(pull.outside, middle[: len(pull.outside)], strict=True)), 0.0),
        damping - _total(works[stops:drags]),
        h * pull.attached - _total([own[:1] for own in works[:contacts]]) - _total(works[contacts:stops]),
        -_total([own[1:] for own in works[:contacts]]),
    )


def _total(works: Sequence[Sequence[Scalar]]) -> Scalar:
    return sum((x for own in works for x in own), 0.0)
