"""What a controller feels when a frame begins. A sense that it does not want is not worked out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gambol.control import Senses
from gambol.dynamics import Kinematics, kinematics
from gambol.dynamics.bodies import resting_frame
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, maximum, sqrt, total, where
from gambol.spatial import Transform
from gambol.world.encounters.touchable import pressed_on_ground
from gambol.world.footing import pushes_on
from gambol.world.forces import spring_torque
from gambol.world.laws import Laws, Memory
from gambol.world.world import World

LIGHTEST = 1e-9
"""The least weight that loads are measured by [N]: in free fall nothing bears any."""


@dataclass(frozen=True)
class Body:
    """What senses are worked out from: q (nq), v (nv) and memory, as far as told()."""

    laws: Laws
    q: list[Scalar]
    v: list[Scalar]
    memory: Memory

    @cached_property
    def state(self) -> Kinematics:
        """Where links are and how they move."""
        figure = self.laws.world.figure
        return kinematics(figure, self.q, self.v or [0.0] * figure.nv)

    @cached_property
    def root(self) -> Transform:
        """Where the root is, or a forest's first."""
        return self.state.poses[self.laws.world.figure.roots[0].index]

    @cached_property
    def pushes(self) -> list[Scalar]:
        """The ground's normal force on each foot that is felt [N]."""
        feet = [link.index for link in _links(self.laws.world, self._controller.feet)]
        if self.memory.pressed is not None:
            found = pressed_on_ground(self.laws, self.memory.pressed)
        else:
            found = pushes_on(self.laws, self.state, self.memory, feet)
        return [found.get(index, 0.0) for index in feet]

    @property
    def weight(self) -> Scalar:
        """Mass of all links times free fall [N]."""
        g = resting_frame(self.laws.numbers["gravity"]).v
        mass = total(link.mass_properties.mass for link in self.laws.world.figure.links)
        return maximum(mass * sqrt(g.dot(g)), LIGHTEST)

    @property
    def _controller(self) -> Any:
        return self.laws.world.controller

    @property
    def driven(self) -> list[PlacedLink]:
        """The links whose joints the controller drives."""
        return _links(self.laws.world, self._controller.joints)

    @property
    def height(self) -> Scalar:
        """Of the root's origin above the ground beneath it [m]."""
        p, at = self.root.position, self.laws.touching
        return -at.ground.surface(at.numbers, at.table, p.x, p.y).depth(p.z)


def _links(world: World, names: Sequence[str]) -> list[PlacedLink]:
    return [world.figure.link(name) for name in names]


def _of_legs(body: Body, joint: int) -> list[str]:
    """The links of a joint of each leg."""
    gait = body.laws.world.gait
    return [leg.links[joint] for leg in gait.legs] if gait else []


SENSES: dict[str, Callable[[Body], Any]] = {
    "angles": lambda body: [body.q[link.q.start] for link in body.driven],
    "speeds": lambda body: [body.v[link.v.start] for link in body.driven],
    "contacts": lambda body: [where(push > 0.0, 1.0, 0.0) for push in body.pushes],
    "loads": lambda body: [push / body.weight for push in body.pushes],
    "up": lambda body: list(body.root.rotation.rows[2]),
    "velocity": lambda body: list(body.state.velocities[body.laws.world.figure.roots[0].index].v),
    "height": lambda body: body.height,
    "upper": lambda body: [body.q[link.q.start] for link in _links(body.laws.world, _of_legs(body, 0))],
    "support": lambda body: [spring_torque(body.laws, body.q, body.memory, name) for name in _of_legs(body, 1)],
}
"""By name: what a sense is made of."""


MOVING, TOUCHING = {"speeds", "velocity"}, {"contacts", "loads"}
"""Senses that need velocities, and those that need to know what presses on the ground."""


def told(world: World, q: list[Scalar], v: list[Scalar], memory: Memory) -> tuple[list[Scalar], list[Scalar], Memory]:
    """What of q, v and memory the controller's senses are made of; the rest is left out."""
    wants = set(world.controller.wants) if world.controller else set[str]()
    touch = wants & TOUCHING
    moves = wants & MOVING or (touch and memory.pressed is None)
    return q if wants else [], v if moves else [], memory if touch else Memory(memory.control, [], [])


def sensed(laws: Laws, q: list[Scalar], v: list[Scalar], memory: Memory, time: Scalar) -> Senses:
    """What the controller of a world feels at q (nq) and v (nv)."""
    assert laws.world.controller is not None
    body = Body(laws, q, v, memory)
    return Senses(time, **{name: SENSES[name](body) for name in laws.world.controller.wants})
