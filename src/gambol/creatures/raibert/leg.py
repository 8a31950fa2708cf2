"""A springy telescopic leg: a hip, a cylinder that turns with it, and in it a sliding rod with a ball foot.

    leg length  w = w0 + s        s <= 0: a stop        force along the leg: k (u - s) - c ds/dt

The spring and the valve c are a VariableDamper; lengthening the spring by u is a motor's force k u.

The rod's link has its origin at the lowest point of the foot. A spatial leg has two hip joints in series: abduction
about x, then flexion about y. A planar leg has only flexion. Positive flexion brings the foot backward, positive
abduction brings it to the left.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gambol.actuation import Actuator, TorqueMotor, VariableDamper
from gambol.figure import Capsule, Cylinder, Joint, JointSpring, Link, MassProperties, Part, Sphere, Triple

BACK, LEFT, DOWN = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)
"""Axes of flexion, of abduction, and of the slide."""


@dataclass(frozen=True, slots=True)
class LegSize:
    """Numbers of a leg.

    length: w0, from hip to foot [m]; mass [kg]; inertia: inertia about the centre of mass, across the leg [kg m2]; com:
    height of the centre of mass above the foot [m]; stiffness: stiffness of its spring [N/m]; damping: damping of that
    spring [N s/m]; foot: radius of the ball [m]; stop_stiffness, stop_damping: stiffness and damping of the stop where
    contact is by springs [N/m, N s/m]; torque: largest torque at the hip [N m]; settling: damping of the slide in the
    air [N s/m].
    """

    length: float
    mass: float
    inertia: float
    com: float
    stiffness: float
    damping: float
    foot: float
    stop_stiffness: float
    stop_damping: float
    torque: float
    settling: float


@dataclass(frozen=True, slots=True)
class Leg:
    """A leg in a figure, by name: its joints belong to the links `name abduction`, `name hip` and `name foot`.

    name: name of the leg. hip: position of the hip in the trunk's frame [m]. spatial: True if it has abduction.
    """

    name: str
    hip: Triple
    spatial: bool = False

    @property
    def foot(self) -> str:
        """The link with the foot; its joint is the slide."""
        return f"{self.name} foot"

    @property
    def joints(self) -> tuple[str, ...]:
        """The links of its joints, from the hip outward."""
        return (*((f"{self.name} abduction",) if self.spatial else ()), f"{self.name} hip", self.foot)

    def links(self, size: LegSize, trunk: str) -> tuple[Link, ...]:
        """Return its links, from the hip outward. trunk: name of the link that carries it."""
        joints, first, parent = self.joints, Joint("revolute", BACK, position=self.hip), trunk
        links: list[Link] = []
        if self.spatial:
            links.append(Link(joints[0], trunk, Joint("revolute", LEFT, position=self.hip)))
            first, parent = Joint("revolute", BACK), joints[0]
        slide = Joint("prismatic", DOWN, position=(0.0, 0.0, -size.length))
        upper = Link(joints[-2], parent, first, _cylinder(size))
        return (*links, upper, Link(joints[-1], joints[-2], slide, _rod(size), _leg_mass(size)))

    def springs(self, size: LegSize, *, soft: bool) -> dict[str, JointSpring]:
        """Return the passive forces of its slide, by link: damping, and the stop at full length.

        soft: True for a stop that is a spring, which contact by springs needs.
        """
        spring = JointSpring(damping=size.damping, upper=0.0)
        if soft:
            spring = replace(spring, limit_stiffness=size.stop_stiffness, limit_damping=size.stop_damping)
        return {self.foot: spring}

    def actuators(self, size: LegSize) -> Mapping[str, Actuator]:
        """Return the motors of its hip, its spring with a valve, and the motor of its thrust."""
        hips = {name: TorqueMotor(-size.torque, size.torque) for name in self.joints[:-1]}
        thrust = 0.5 * size.length * size.stiffness
        return {
            **hips,
            self.foot: VariableDamper(size.settling, size.stiffness),
            f"{self.name} thrust": TorqueMotor(-thrust, thrust, joints=(self.foot,)),
        }


def _leg_mass(size: LegSize) -> MassProperties:
    """Return the mass properties of the rod, which has all mass of the leg; about its own axis it is a thin rod."""
    I, thin = size.inertia, size.mass * size.foot * size.foot
    return MassProperties(size.mass, (0.0, 0.0, size.com), ((I, 0.0, 0.0), (0.0, I, 0.0), (0.0, 0.0, thin)))


def _cylinder(size: LegSize) -> tuple[Part, ...]:
    """Return the drawn parts of the hydraulic cylinder at the hip, without mass: barrel, collar and pivot."""
    r, barrel = size.foot, 0.5 * size.length
    return (
        Part(Cylinder(1.1 * r, barrel), (0.0, 0.0, -0.5 * barrel), inertial=False, colliding=False),
        Part(Cylinder(1.5 * r, 0.06 * size.length), (0.0, 0.0, -barrel), inertial=False, colliding=False),
        Part(Sphere(1.7 * r), inertial=False, colliding=False),
    )


def _rod(size: LegSize) -> tuple[Part, ...]:
    """Return the parts of the sliding rod: the ball foot, which touches the ground, and the drawn rod."""
    r, rod = size.foot, 0.6 * size.length
    return (
        Part(Sphere(r), (0.0, 0.0, r), inertial=False),
        Part(Capsule(0.5 * r, rod), (0.0, 0.0, r + 0.5 * rod), inertial=False, colliding=False),
    )
