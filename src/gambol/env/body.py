"""The body of an environment: a world with actuators that follow commands, its initial states and standing height."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.actuation import Actuator, Servo
from gambol.control import Drive
from gambol.control.patterns import Commanded
from gambol.dynamics.loops import assembled
from gambol.evolve.evaluate.batch_world import world_of
from gambol.evolve.genotype import Control, Genotype, Phenotype, grow, plan_named
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.growth import CLEARANCE, height_of
from gambol.evolve.tasks import task_named
from gambol.evolve.tasks.task import STEP
from gambol.figure import compose
from gambol.spatial.conversions import matrix_from_quaternion
from gambol.world import Factors, World, depth_of

Floats = NDArray[np.float64]

CONTROL_STEP = 12.0 * STEP
"""The control step, the time between actions [s]: a thirtieth of a second."""

BODY_SENSES = ("up", "velocity", "height")
"""Observed senses of a body with a free root."""


class EnvBody(Protocol):
    """A body of an environment.

    world: a world whose controller is a Drive with the pattern Commanded. q (nq): initial coordinates. senses: names of
    the observed senses. randomise: ranges of random factors of inputs, drawn at each reset, see make_env().
    """

    @property
    def world(self) -> World:
        """Its world."""
        ...

    @property
    def q(self) -> tuple[float, ...]:
        """The initial coordinates (nq)."""
        ...

    @property
    def senses(self) -> tuple[str, ...]:
        """Names of the senses that are observed, in their order."""
        ...

    @property
    def randomise(self) -> Factors:
        """Ranges of random factors by the name of an input, see varied_numbers()."""
        ...

    def disturbed(self, offsets: Floats) -> Floats:
        """Return initial coordinates (nq, k) with offsets of the driven joints (joints, k), on the ground."""
        ...

    def x(self, q: NDArray[Any]) -> Floats:
        """Return the position of the root along x (W,) [m]; q: coordinates (nq, W)."""
        ...

    def up(self, q: NDArray[Any]) -> Floats:
        """Return the cosine of the root's tilt from its initial orientation (W,); q: coordinates (nq, W)."""
        ...

    def height(self, q: NDArray[Any]) -> Floats:
        """Return the height of the root, relative to its initial height (W,); q: coordinates (nq, W)."""
        ...


@dataclass(frozen=True)
class PlanBody:
    """A creature of a body plan, on the ground of the task "walk"."""

    creature: Phenotype
    world: World
    senses: tuple[str, ...]
    randomise: Factors = field(default_factory=dict[str, tuple[float, float]])

    @staticmethod
    def of(plan: str, senses: tuple[str, ...]) -> PlanBody:
        """Return the body of a plan; senses: names of all observed senses. Raises EvolveError for an unknown plan."""
        creature = grow(with_neutral_control(Genotype(plan_named(plan), Control())), plan)
        task = task_named("walk", frame=CONTROL_STEP, sample=CONTROL_STEP)
        commanded = replace(creature, pattern=Commanded(len(creature.actuators)))
        return PlanBody(creature, world_of(commanded, task), senses)

    @property
    def q(self) -> tuple[float, ...]:
        """The initial coordinates (nq)."""
        return self.creature.q

    def disturbed(self, offsets: Floats) -> Floats:
        """Return initial coordinates; see EnvBody."""
        creature = self.creature
        angles = {
            name: np.clip(angle + offset, creature.actuators[name].lower, creature.actuators[name].upper)
            for (name, angle), offset in zip(creature.angles.items(), offsets, strict=True)
        }
        q = np.repeat(np.array(self.q)[:, None], offsets.shape[1], axis=1)
        q[7 : 7 + len(angles)] = np.array(list(angles.values()))
        q[6] = height_of(creature.figure, angles)  # the trunk's z
        return q

    def x(self, q: NDArray[Any]) -> Floats:
        """Return the position along x; see EnvBody."""
        return q[4].astype(float)

    def up(self, q: NDArray[Any]) -> Floats:
        """Return the cosine of the tilt; see EnvBody."""
        x, y = q[1:3].astype(float)  # of the trunk's quaternion (w, x, y, z)
        return 1.0 - 2.0 * (x * x + y * y)

    def height(self, q: NDArray[Any]) -> Floats:
        """Return the relative height; see EnvBody."""
        return q[6].astype(float) / self.creature.height


@dataclass(frozen=True)
class FigureBody:
    """A figure, creature or model of the user in its world. A root that is not free cannot tilt or fall."""

    world: World
    randomise: Factors = field(default_factory=dict[str, tuple[float, float]])

    @staticmethod
    def of(world: World, actuators: Mapping[str, Actuator], control_step: float) -> FigureBody:
        """Return the body of a world, driven by actuators, with actions every control_step [s]."""
        drive = Drive(Commanded(len(actuators)), actuators, world.surface.feet)
        timing = replace(world.timing, control_step=control_step)
        surface = replace(world.surface, sticky=None)
        return FigureBody(replace(world, controller=drive, surface=surface, timing=timing))

    @property
    def free(self) -> bool:
        """True if the root is free."""
        return self.world.figure.roots[0].joint.kind == "free"

    @property
    def q(self) -> tuple[float, ...]:
        """The initial coordinates (nq)."""
        return self.world.initial.q

    @property
    def senses(self) -> tuple[str, ...]:
        """Angles and speeds of driven joints; the motion of a free root; contacts of feet, if there are any."""
        return (
            "angles",
            "speeds",
            *(BODY_SENSES if self.free else ()),
            *(("contacts",) if self.world.surface.feet else ()),
        )

    def disturbed(self, offsets: Floats) -> Floats:
        """Return initial coordinates; see EnvBody."""
        figure, q = self.world.figure, np.repeat(np.array(self.q)[:, None], offsets.shape[1], axis=1)
        for (name, actuator), offset in zip(self.world.actuators.items(), offsets, strict=True):
            for joint in actuator.joint_names(name):
                k = figure.link(joint).q.start
                q[k] = q[k] + offset
                if isinstance(actuator, Servo):
                    q[k] = np.clip(q[k], actuator.lower, actuator.upper)
        for column in q.T:
            if figure.constraints:
                column[:] = assembled(figure, column.tolist())
            self._place(column)
        return q

    def _place(self, q: Floats) -> None:
        """Move a free root up or down, in place, so that the figure is just above the ground; q: coordinates (nq)."""
        if not (self.free and self.world.has_ground):
            return
        root, axes = self.world.figure.roots[0], self._axes()
        lift = depth_of(self.world, q.tolist()) + CLEARANCE * abs(self._origin(np.array(self.q))[2])
        q[root.q.start + 4 : root.q.stop] += lift * axes[2]

    def _axes(self) -> Floats:
        """Return the world's axes x, y and z in the axes of the coordinates of a free root (3, 3)."""
        figure, root = self.world.figure, self.world.figure.roots[0]
        rotations = [root.joint.rotation] if root is figure.root else [figure.root.joint.rotation, root.joint.rotation]
        return np.array(compose(*rotations), float)

    def _origin(self, q: NDArray[Any]) -> Floats:
        """Return the displacement of a free root in world axes (3, ...) [m]; q: coordinates (nq, ...)."""
        root = self.world.figure.roots[0]
        rows = q[root.q.start + 4 : root.q.stop]
        return np.array([sum(c * x for c, x in zip(axis, rows, strict=True)) for axis in self._axes()], float)

    def x(self, q: NDArray[Any]) -> Floats:
        """Return the position along x; see EnvBody."""
        return self._origin(q)[0] if self.free else np.zeros(len(q.T))

    def up(self, q: NDArray[Any]) -> Floats:
        """Return the cosine of the tilt; see EnvBody."""
        if not self.free:
            return np.ones(len(q.T))
        start = self.world.figure.roots[0].q.start
        # up in coordinates of the root: now, and initially
        now, first = (self._axes_up(x) for x in (q[start : start + 4].T, self.q[start : start + 4]))
        return np.sum(now * first, axis=-1)

    def _axes_up(self, quaternions: Any) -> Floats:
        """Return the world's z in coordinates of a free root (..., 3).

        quaternions: quaternions of its joint (..., 4).
        """
        rotations, up = matrix_from_quaternion(quaternions), self._axes()[2]
        return np.sum(up[:, None] * rotations, axis=-2)

    def height(self, q: NDArray[Any]) -> Floats:
        """Return the relative height; see EnvBody."""
        if not self.free:
            return np.ones(len(q.T))
        initially = float(self._origin(np.array(self.q))[2])
        return self._origin(q)[2] / initially if abs(initially) > 0.0 else np.ones(len(q.T))
