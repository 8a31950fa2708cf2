"""Rejection of a start whose springs are so far from rest that no step is short enough.

    T = sqrt(2 |x| / |a|)        x: from a spring's rest angle; a: what all springs accelerate its joint by

An exponential spring that is bent by a further 0.3 rad may pull a hundred times as hard. A world that starts so would
stop within its first steps, with a cause that is hard to find.
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

SHORTEST = 100.0
"""Least time T, in shortest steps of a world: at 90 the roach's springs stop it, at 110 they do not."""


def check_springs(world: World, state: State, numbers: Array) -> None:
    """Raise WorldError for a start that a joint's springs would leave faster than adaptive steps can follow.

    numbers: inputs of the worlds, (rows, 1) or (rows, W). Fixed steps are not checked.
    """
    figure = world.figure
    if not world.timing.integrator.adaptive or not world.sprung or figure.prescribed:
        return
    inputs: dict[str, Any] = unflatten(world.numbers(), iter([np.asarray(row, float) for row in numbers]))
    context = StepContext.of(world, inputs, world.ground.table())
    q, step_state = [np.asarray(x, float) for x in state.q.T], state.step_state
    still: list[Any] = [0.0] * figure.nv
    tau: list[Any] = list(still)
    deflections: list[_Deflection] = []
    for link in world.sprung:
        rest, _ = context.rest_angle(step_state.memory, link.name, 0.0)
        force = joint_forces(link.joint.kind, inputs["springs"][link.name], q[link.q], still[link.v], rest)
        tau[link.v] = force.tau
        places = spring_slices(link.joint.kind)
        if len(places) == 1 and places[0].stop - places[0].start == 1:
            deflections.append(_Deflection(link, q[link.q.start] - rest[0], force.energy))
    a, _ = accelerations(world.dynamics, kinematics(context.world.figure, q, still), tau, gravity=0.0)
    for one in deflections:
        x, rate = (np.broadcast_to(np.asarray(y, float), state.rows.shape[1]) for y in (one.x, a[one.link.v.start]))
        with np.errstate(divide="ignore", invalid="ignore"):
            fast = np.flatnonzero((abs(x) > 0.0) & (np.sqrt(2.0 * abs(x / rate)) < SHORTEST * world.timing.min_step))
        if len(fast):
            lane = int(fast[0])
            raise WorldError(_complaint(deflections, lane, one.link.name, float(rate[lane]), world.timing.min_step))


@dataclass(frozen=True, slots=True)
class _Deflection:
    """A joint with springs along one coordinate: its distance x from rest [rad or m] and its energy [J], by lane."""

    link: PlacedLink
    x: Any
    energy: Any

    def at(self, lane: int) -> tuple[float, float]:
        """Return x and energy in one lane."""
        x, energy = (np.asarray(value, float) for value in (self.x, self.energy))
        return float(x[lane] if x.ndim else x), float(energy[lane] if energy.ndim else energy)


def _complaint(deflections: list[_Deflection], lane: int, fastest: str, rate: float, smallest: float) -> str:
    """Return the error text for the springs of a lane: the joint whose spring stores most is named first."""
    worst = max(deflections, key=lambda one: one.at(lane)[1])
    x, energy = worst.at(lane)
    return (
        f'the start of lane {lane} bends the springs of "{worst.link.name}" by {abs(x):.3g} rad or m from where they '
        f'are slack: they hold {energy:.3g} J. "{fastest}" is accelerated by {abs(rate):.3g} rad/s2 or m/s2, which '
        f"steps of {smallest:g} s cannot follow. Start nearer to the rest angle, or move that there little by little"
    )
