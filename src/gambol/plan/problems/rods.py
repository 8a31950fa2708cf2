"""Masses and shapes of the figures of the named problems."""

from gambol.figure import Box, Capsule, Joint, Link, MassProperties, Matrix3, Part, Sphere, Triple


def point_mass(mass: float, position: Triple = (0.0, 0.0, 0.0)) -> MassProperties:
    """Return a mass at a point [kg, m]; its inertia about itself, 1e-9 kg m2, only avoids singular matrices."""
    return MassProperties(mass, position, diagonal(1e-9, 1e-9, 1e-9))


def diagonal(xx: float, yy: float, zz: float) -> Matrix3:
    """Return the inertia with principal moments along the axes [kg m2]."""
    return ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz))


def rod(mass: float, length: float) -> MassProperties:
    """Return the mass properties of a thin rod below its joint [kg, m]."""
    across = mass * length**2 / 12.0
    return MassProperties(mass, (0.0, 0.0, -0.5 * length), diagonal(across, across, 1e-3 * across))


def bar(length: float, radius: float) -> Part:
    """Return the shape of a bar below its joint, for drawing only [m]."""
    return Part(Capsule(radius, length), (0.0, 0.0, -0.5 * length), inertial=False, colliding=False)


def block(size: Triple, position: Triple = (0.0, 0.0, 0.0)) -> Part:
    """Return the shape of a box, for drawing only [m]."""
    return Part(Box(size), position, inertial=False, colliding=False)


def foot(radius: float, position: Triple) -> Part:
    """Return a ball that touches the ground, without mass [m]."""
    return Part(Sphere(radius), position, inertial=False)


def hinge(
    name: str, parent: str | None, mass: MassProperties, parts: tuple[Part, ...], position: Triple = (0.0, 0.0, 0.0)
) -> Link:
    """Return a link on a revolute joint about -y: a positive angle swings the link forward, to +x.

    position: position of the joint in the parent [m].
    """
    return Link(name, parent, Joint("revolute", (0.0, -1.0, 0.0), position=position), parts, mass)


def planar_base(name: str, mass: MassProperties, parts: tuple[Part, ...]) -> Link:
    """Return a root that moves in the plane y = 0: its coordinates are the angle about -y, x and z [rad, m]."""
    return Link(name, None, Joint("planar", (0.0, -1.0, 0.0), across=(1.0, 0.0, 0.0)), parts, mass)
