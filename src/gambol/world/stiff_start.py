"""Refusing a start whose springs are so far from slack that no step is short enough for what they do.

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
from gambol.figure import PlacedLink, spring_places
from gambol.lanes import rebuilt
from gambol.world.laws import Laws
from gambol.world.state import State
from gambol.world.world import World

Array = NDArray[Any]

SHORTEST = 100.0
"""Least time T, of the shortest step that a world may take: at 90 the roach's springs stop it, at 110 not."""


def check_springs(world: World, state: State, numbers: Array) -> None:
    """Raise WorldError for a start that the springs of a joint would leave faster than steps can follow.

    Only steps that adapt are asked: others take what they are given. numbers: of the worlds, (rows, 1) or (rows, W).
    """
    figure = world.figure
    if not world.timing.integrator.adaptive or not world.sprung or figure.prescribed:
        return
    nest: dict[str, Any] = rebuilt(world.numbers(), iter([np.asarray(row, float) for row in numbers]))
    laws = Laws.of(world, nest, world.ground.table())
    q, living = [np.asarray(x, float) for x in state.q.T], state.living
    still: list[Any] = [0.0] * figure.nv
    tau: list[Any] = list(still)
    bent: list[_Bent] = []
    for link in world.sprung:
        rest, _ = laws.rest_angle(living.memory, link.name, 0.0)
        force = joint_forces(link.joint.kind, nest["springs"][link.name], q[link.q], still[link.v], rest)
        tau[link.v] = force.tau
        places = spring_places(link.joint.kind)
        if len(places) == 1 and places[0].stop - places[0].start == 1:
            bent.append(_Bent(link, q[link.q.start] - rest[0], force.energy))
    a, _ = accelerations(world.dynamics, kinematics(laws.world.figure, q, still), tau, gravity=0.0)
    for one in bent:
        x, rate = (np.broadcast_to(np.asarray(y, float), state.rows.shape[1]) for y in (one.x, a[one.link.v.start]))
        with np.errstate(divide="ignore", invalid="ignore"):
            fast = np.flatnonzero((abs(x) > 0.0) & (np.sqrt(2.0 * abs(x / rate)) < SHORTEST * world.timing.smallest))
        if len(fast):
            lane = int(fast[0])
            raise WorldError(_complaint(bent, lane, one.link.name, float(rate[lane]), world.timing.smallest))


@dataclass(frozen=True, slots=True)
class _Bent:
    """A joint with springs along one coordinate: how far from slack it is [rad or m] and what it holds [J], by lane."""

    link: PlacedLink
    x: Any
    energy: Any

    def at(self, lane: int) -> tuple[float, float]:
        """Both numbers in one lane."""
        x, energy = (np.asarray(value, float) for value in (self.x, self.energy))
        return float(x[lane] if x.ndim else x), float(energy[lane] if energy.ndim else energy)


def _complaint(bent: list[_Bent], lane: int, fastest: str, rate: float, smallest: float) -> str:
    """What is wrong with the springs of a lane: the joint whose spring holds most is named first."""
    worst = max(bent, key=lambda one: one.at(lane)[1])
    x, energy = worst.at(lane)
    return (
        f'the start of lane {lane} bends the springs of "{worst.link.name}" by {abs(x):.3g} rad or m from where they '
        f'are slack: they hold {energy:.3g} J. "{fastest}" is accelerated by {abs(rate):.3g} rad/s2 or m/s2, which '
        f"steps of {smallest:g} s cannot follow. Start nearer to the rest angle, or move that there little by little"
    )
