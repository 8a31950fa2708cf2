"""Rejection of an initial state with springs so far from rest that no step is short enough.

    T = sqrt(2 |x| / |a|)        x: deflection of a spring; a: acceleration of its joint by all springs

T is the time in which the joint would move from standstill to the rest angle, at this constant acceleration. The force
of an exponential spring may become a hundred times larger with a further 0.3 rad of deflection. The steps of a world
with such a spring would become too short at once, and the reason would be hard to find.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.dynamics.joint_forces import joint_forces
from gambol.dynamics.method import accelerations
from gambol.errors import WorldError
from gambol.figure import PlacedLink, spring_slices
from gambol.lanes import unflatten
from gambol.world.context import StepContext
from gambol.world.state import State
from gambol.world.world import World

Array = NDArray[Any]

MIN_STEPS = 100.0
"""Minimum of T / min_step: with a ratio of 90 the springs of the roach stop its world, with 110 they do not."""


def check_springs(world: World, state: State, numbers: Array) -> None:
    """Raise WorldError if the springs of an initial state accelerate a joint too much for adaptive steps.

    world: world of the state. numbers: inputs of the worlds, (rows, 1) or (rows, W). Worlds with fixed steps are not
    checked.
    """
    figure = world.figure
    if not world.timing.integrator.adaptive or not world.sprung or figure.prescribed:
        return
    inputs: dict[str, Any] = unflatten(world.numbers(), iter([np.asarray(row, float) for row in numbers]))
    context = StepContext.of(world, inputs, world.ground.table())
    q, step_state = [np.asarray(x, float) for x in state.q.T], state.step_state
    zero_v: list[Any] = [0.0] * figure.nv
    tau: list[Any] = list(zero_v)
    deflections: list[_Deflection] = []
    for link in world.sprung:
        rest, _ = context.rest_angle(step_state.memory, link.name, 0.0)
        force = joint_forces(link.joint.kind, context.numbers["springs"][link.name], q[link.q], zero_v[link.v], rest)
        tau[link.v] = force.tau
        slices = spring_slices(link.joint.kind)
        if len(slices) == 1 and slices[0].stop - slices[0].start == 1:
            deflections.append(_Deflection(link, q[link.q.start] - rest[0], force.energy))
    a, _ = accelerations(world.dynamics, kinematics(context.world.figure, q, zero_v), tau, gravity=0.0)
    for deflection in deflections:
        x, acceleration = (
            np.broadcast_to(np.asarray(y, float), state.rows.shape[1])
            for y in (deflection.x, a[deflection.link.v.start])
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            too_fast = np.flatnonzero(
                (abs(x) > 0.0) & (np.sqrt(2.0 * abs(x / acceleration)) < MIN_STEPS * world.timing.min_step)
            )
        if len(too_fast):
            lane = int(too_fast[0])
            raise WorldError(
                _message(deflections, lane, deflection.link.name, float(acceleration[lane]), world.timing.min_step)
            )


@dataclass(frozen=True, slots=True)
class _Deflection:
    """The springs of a joint with one coordinate: their deflection x [rad or m] and energy [J], by lane."""

    link: PlacedLink
    x: Any
    energy: Any

    def at(self, lane: int) -> tuple[float, float]:
        """Return deflection and energy in one lane."""
        x, energy = (np.asarray(value, float) for value in (self.x, self.energy))
        return float(x[lane] if x.ndim else x), float(energy[lane] if energy.ndim else energy)


def _message(deflections: list[_Deflection], lane: int, name: str, acceleration: float, min_step: float) -> str:
    """Return the error message for the springs of a lane.

    name, acceleration: name and acceleration of the joint that accelerates too much.
    """
    worst = max(deflections, key=lambda deflection: deflection.at(lane)[1])
    x, energy = worst.at(lane)
    return (
        f'the initial state of lane {lane} bends the springs of "{worst.link.name}" by {abs(x):.3g} rad or m '
        f'from their rest angle: they store {energy:.3g} J. "{name}" is '
        f"accelerated by {abs(acceleration):.3g} rad/s2 or m/s2, too much for steps of {min_step:g} s. "
        "Start nearer to the rest angle, or move the rest angle gradually"
    )
