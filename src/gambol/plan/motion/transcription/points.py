"""Named points of a figure: positions, motions, and forces at them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.collide import Ground
from gambol.collide.ground import Surface
from gambol.dynamics import Kinematics, centre_of_mass
from gambol.errors import PlanError, did_you_mean
from gambol.figure import Figure
from gambol.lanes import Scalar
from gambol.plan.motion.spec.phases import Point
from gambol.spatial import Vector
from gambol.spatial.motion import Force, Motion
from gambol.spatial.vector import centripetal


@dataclass(frozen=True)
class PlacedPoint:
    """A point of a link: the link's index, the position in link coordinates [m], and the radius of a ball [m].

    link 0 is the centre of mass of the figure.
    """

    name: str
    link: int
    position: Vector
    radius: float = 0.0

    def place(self, state: Kinematics) -> Vector:
        """Return the position of the ball's centre in the world [m]."""
        return state.point_position(self.link, self.position) if self.link else centre_of_mass(state)

    def touching_velocity(self, state: Kinematics, normal: Vector) -> Vector:
        """Return the velocity of the material point that touches the ground [m/s]; normal: normal of the ground."""
        velocity = state.point_velocity(self.link, self.position)
        if not self.radius:
            return velocity
        omega = state.poses[self.link].rotation @ state.velocities[self.link].w
        return velocity.plus_cross(omega, normal * -self.radius)

    def touching_acceleration(self, state: Kinematics, accelerations: Sequence[Motion], normal: Vector) -> Vector:
        """Return the rate of touching_velocity() [m/s2].

        accelerations: accelerations of the links, see Kinematics.accelerations.
        """
        R, omega, a = state.poses[self.link].rotation, state.velocities[self.link].w, accelerations[self.link]
        acceleration = R @ (a.v.plus_cross(a.w, self.position) + centripetal(omega, self.position))
        if not self.radius:
            return acceleration
        return acceleration.plus_cross(R @ a.w, normal * -self.radius)

    def force(self, state: Kinematics, force: Vector, normal: Vector) -> Force:
        """Return the spatial force on the link that is equivalent to a force [N], in world axes, at the contact of the
        point with the ground.
        """
        arm = self.position
        if self.radius:
            arm = arm + state.poses[self.link].rotation.transpose @ (normal * -self.radius)
        return state.force_on_link(self.link, arm, force)


def surface_at(ground: Ground, place: Vector) -> Surface:
    """Return the surface of a ground below a place in the world [m]."""
    return ground.surface(dict(ground.numbers()), ground.table(), place.x, place.y)


def gap(ground: Ground, point: PlacedPoint, state: Kinematics) -> tuple[Scalar, Surface]:
    """Return the distance of a point's ball from the ground along its normal [m], and the surface below it."""
    position = point.place(state)
    surface = surface_at(ground, position)
    return (position.z - surface.height) * surface.normal.z - point.radius, surface


def forces_on_links(
    state: Kinematics, ground: Ground, points: Sequence[PlacedPoint], forces: Sequence[Scalar]
) -> Mapping[int, Force]:
    """Return the spatial forces on links, by index, equivalent to forces at points (3 for each), in world axes [N]."""
    result: dict[int, Force] = {}
    for k, point in enumerate(points):
        normal = surface_at(ground, point.place(state)).normal if point.radius else Vector(0.0, 0.0, 1.0)
        force = point.force(state, Vector.of(forces[3 * k : 3 * k + 3]), normal)
        result[point.link] = result[point.link] + force if point.link in result else force
    return result


def place_point(figure: Figure, points: Sequence[Point], name: str) -> PlacedPoint:
    """Return the point of a name: a named point, "link.k" (the k-th contact point of a link), or a link.

    A link with one contact point is that point, any other link is its origin. Raises PlanError for an unknown name.
    """
    for point in points:
        if point.name == name:
            link = figure.link(point.link).index if point.link else 0
            return PlacedPoint(name, link, Vector(*point.position), point.radius)
    links = {link.name: link for link in figure.links}
    stem, _, number = name.rpartition(".")
    if name in links:
        corners = links[name].contact_points()
        corner = corners[0] if len(corners) == 1 else None
    elif stem in links and number.isdigit():
        corners = links[stem].contact_points()
        if int(number) >= len(corners):
            raise PlanError(
                f'"{name}" is not a point: link "{stem}" has {len(corners)} contact points, numbered from 0'
            )
        corner = corners[int(number)]
        return PlacedPoint(name, links[stem].index, Vector(*corner.position), corner.radius)
    else:
        known = [point.name for point in points] + list(links)
        raise PlanError(f'there is no point "{name}"; {did_you_mean(name, known)}')
    position = Vector(*corner.position) if corner else Vector(0.0, 0.0, 0.0)
    return PlacedPoint(name, links[name].index, position, corner.radius if corner else 0.0)
