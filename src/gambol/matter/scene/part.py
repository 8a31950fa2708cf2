"""A mesh of a scene: how it moves, and what acts on it."""

from dataclasses import dataclass, field

from gambol.matter.forces.surroundings import Surroundings
from gambol.matter.mesh import SpringMesh
from gambol.matter.motion.stepper import StepRule
from gambol.matter.touch.tether import Tether
from gambol.world import World


@dataclass(frozen=True)
class MeshPart:
    """A mesh of a scene.

    mesh: the spring mesh. surroundings: external actions on it; None: gravity and ground of the world, without air.
    rule: its time stepping; the step divides the control step. tethers: points that links hold. touches: names of links
    that it touches; None: all. velocity: initial velocity of its points [m/s]. color: its colour in films, "#rrggbb",
    or None. touches_meshes: names of other meshes that it touches, with triangles and edges; it then also touches
    itself. Meshes that touch each other have the same rule, surroundings and touches. Their law of contact is
    self_touch of the surroundings; if that is None, it is touch.
    """

    mesh: SpringMesh
    surroundings: Surroundings | None = None
    rule: StepRule = field(default_factory=StepRule)
    tethers: tuple[Tether, ...] = ()
    touches: tuple[str, ...] | None = None
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    color: str | None = None
    touches_meshes: tuple[str, ...] = ()


def gravity_of(world: World) -> tuple[float, float, float]:
    """Return the acceleration of free fall in a world, in world axes [m/s2]."""
    g = world.gravity
    return (0.0, 0.0, -g) if isinstance(g, (int, float)) else g


def surroundings_of(world: World) -> Surroundings:
    """Return the surroundings of a mesh without its own: gravity and ground of the world."""
    return Surroundings(gravity=gravity_of(world), ground=world.ground if world.has_ground else None)
