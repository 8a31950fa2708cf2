"""Forces of the medium on the links of a figure, see gambol.contact.medium."""

from gambol.contact.medium import DragBox, Immersion
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, where
from gambol.spatial import Force, Vector
from gambol.world.context import StepContext


def medium_drag(context: StepContext, state: Kinematics, h: Scalar | None = None) -> dict[int, Force]:
    """Return the drag of the medium on links, by index; h: length of a step with constant drag [s], or None.

    Links above the surface of the medium have none. A link that was cut off keeps its shape, and a fraction of its mass
    and of its drag.
    """
    medium, boxes = context.numbers["medium"], context.world.drag_boxes
    drag = {link: box.drag(medium, state.velocities[link], h) for link, box in boxes.items()}
    if drag and "surface" in medium:
        up, _ = _up_and_strength(context.numbers["gravity"])
        drag = {link: force * _immersion(context, state, link, up).fraction for link, force in drag.items()}
    return {link: _of_cut(context, link, force) for link, force in drag.items()}


def buoyancy(context: StepContext, state: Kinematics) -> dict[int, Force]:
    """Return the buoyancy of links in link coordinates, by index; empty for a medium without buoyancy."""
    medium, boxes = context.numbers["medium"], context.world.drag_boxes
    if not boxes or "buoyancy" not in medium:
        return {}
    up, strength = _up_and_strength(context.numbers["gravity"])
    pressure = medium["buoyancy"] * medium["density"] * strength
    return {link: _of_cut(context, link, _immersion(context, state, link, up).lift * pressure) for link in boxes}


def _immersion(context: StepContext, state: Kinematics, link: int, up: Vector) -> Immersion:
    """Return the part of a link that is in the medium. up: unit vector upwards, in world axes."""
    medium, pose = context.numbers["medium"], state.poses[link]
    depth = medium["surface"] - up.dot(pose.position) if "surface" in medium else None
    box: DragBox = context.world.drag_boxes[link]
    return box.immersion(pose.rotation.transpose @ up, depth)


def _up_and_strength(gravity: Scalar | Vector) -> tuple[Vector, Scalar]:
    """Return the unit vector opposite to gravity, and its strength [m/s2]. Without gravity the vector is z.

    gravity: the world's input, a strength or a vector.
    """
    if not isinstance(gravity, Vector):
        return Vector(0.0, 0.0, 1.0), gravity
    strength = gravity.length()
    falls = strength > 0.0
    scale = where(falls, -1.0 / where(falls, strength, 1.0), 0.0)
    return Vector(gravity.x * scale, gravity.y * scale, where(falls, gravity.z * scale, 1.0)), strength


def _of_cut(context: StepContext, link: int, force: Force) -> Force:
    """Return the force on a link, or the fraction of it that acts on a link that was cut off."""
    return force * context.fractions[link] if link in context.fractions else force
