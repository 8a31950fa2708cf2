"""The task of a tracking controller: trajectory, surroundings and actuators."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gambol.contact import ContactParameters, Stepping, SurfaceProperties
from gambol.contact.surface import NO_TOUCH
from gambol.control import Drive
from gambol.errors import PlanError
from gambol.figure import Figure, Part, Sphere, Triple
from gambol.plan.motion.transcription.points import PlacedPoint
from gambol.plan.track.linearisation import Surroundings
from gambol.plan.track.pattern import TrackingPattern, torque_servo
from gambol.plan.trajectory import Trajectory
from gambol.world import Timing, World

Array = NDArray[np.float64]

POINT_RADIUS = 1e-6
"""Radius of the ball by which a point without radius touches the ground, divided by the size of the figure: less than
the depth that contacts may have."""

SINK_RATIO = 1e-3
"""Depth divided by the figure's size at which the ground bears its weight, for contact by springs; too small to be
seen."""


@dataclass(frozen=True)
class TrackingTask:
    """A trajectory to follow.

    trajectory: the motion. surroundings: external actions besides actuators; their contacts are the contacts of the
    trajectory, in the same order. limits: lowest and highest torque of each actuator [N m or N], by the name of the
    link whose joint the actuator turns. friction: friction of the contacts. cyclic: True if the motion repeats. Raises
    PlanError for actuators at joints that do not have one freedom, contacts that do not fit, and a motion without
    duration.
    """

    trajectory: Trajectory
    surroundings: Surroundings = field(default_factory=Surroundings)
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    friction: float = 0.8
    cyclic: bool = False

    def __post_init__(self) -> None:
        trajectory, figure = self.trajectory, self.trajectory.figure
        if len(trajectory.times) < 2 or not trajectory.times[-1] > trajectory.times[0]:
            raise PlanError(f'the motion of "{figure.name}" has no duration, so there is nothing to follow')
        if len(self.surroundings.contacts) != len(trajectory.contacts):
            raise PlanError(
                f"the motion has {len(trajectory.contacts)} points of contact, and {len(self.surroundings.contacts)} "
                "are given; give one for each, in its order"
            )
        if not self.limits:
            raise PlanError(f'no joint of "{figure.name}" has an actuator, so nothing can follow the motion')
        for name, (low, high) in self.limits.items():
            link = figure.link(name)
            if link.v.stop - link.v.start != 1:
                raise PlanError(
                    f'the joint of "{name}" is {link.joint.kind}; a controller drives joints with one freedom only: '
                    "take several joints in series, see stacked()"
                )
            if not low < high:
                raise PlanError(f'the torque of "{name}" cannot lie between {low:g} and {high:g}')

    @property
    def freedoms(self) -> tuple[int, ...]:
        """The index of each actuator's freedom, in the order of limits."""
        return tuple(self.trajectory.figure.link(name).v.start for name in self.limits)

    @property
    def duration(self) -> float:
        """Duration of the motion, or of one cycle if the motion repeats [s]."""
        return float(self.trajectory.times[-1] - self.trajectory.times[0])

    def largest_torques(self) -> Array:
        """Return the largest torque of the plan at each actuator [N m or N], at least a thousandth of the largest."""
        planned = np.abs(self.trajectory.torques[:, list(self.freedoms)]).max(axis=0)
        bounds = np.array([max(abs(low), abs(high)) for low, high in self.limits.values()])
        fallback = float(planned.max()) or float(np.min(bounds[np.isfinite(bounds)], initial=1.0))
        return np.maximum(planned, 1e-3 * fallback)


def contact_figure(figure: Figure, contacts: tuple[PlacedPoint, ...], size: float) -> Figure:
    """Return a figure that touches the ground with these points only: small balls without mass.

    size: size of the figure [m]. Its other parts do not collide.
    """
    links = tuple(
        replace(
            link,
            parts=(
                *(replace(part, colliding=False) for part in link.parts),
                *(
                    Part(Sphere(point.radius or POINT_RADIUS * size), _triple(point), inertial=False)
                    for point in contacts
                    if point.link == figure.link(link.name).index
                ),
            ),
        )
        for link in figure.given_links
    )
    return replace(figure, given_links=links)


def _triple(point: PlacedPoint) -> Triple:
    """Return the position of a point in link coordinates [m]."""
    return float(point.position.x), float(point.position.y), float(point.position.z)


def tracking_world(task: TrackingTask, pattern: TrackingPattern) -> World:
    """Return the world in which a pattern follows a task: points of contact, large steps, torque servos.

    A step of the world is a step of the reference.
    """
    trajectory, contacts = task.trajectory, task.surroundings.contacts
    size = World(trajectory.figure).size
    servos = dict(zip(task.limits, map(torque_servo, pattern.largest), strict=True))
    return World(
        contact_figure(trajectory.figure, contacts, size),
        springs=task.surroundings.springs,
        ground=task.surroundings.ground,
        surface=SurfaceProperties(_touch(trajectory.figure, size, task.friction) if contacts else NO_TOUCH),
        controller=Drive(pattern, servos),
        gravity=task.surroundings.gravity,
        timing=Timing(pattern.reference.dt, pattern.reference.dt, "semi-implicit euler"),
        contact=Stepping(max_contacts=max(1, len(contacts)), iterations=ITERATIONS),
    )


ITERATIONS = 50
"""Sweeps over all contacts in a step: four feet of a stiff figure then stick with a relative error of a millionth."""


def _touch(figure: Figure, size: float, friction: float) -> ContactParameters:
    """Return contact parameters: rigid, without restitution; the stiffness only shows that there is a ground."""
    stiffness = figure.mass * 9.81 / (SINK_RATIO * size)
    return replace(NO_TOUCH, stiffness=stiffness, friction=friction, restitution=0.0)
