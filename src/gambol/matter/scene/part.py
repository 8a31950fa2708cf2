"""A mesh of a scene: how it moves, and what acts on it."""

from dataclasses import dataclass, field

from gambol.matter.forces.surroundings import Surroundings
from gambol.matter.mesh import SpringMesh
from gambol.matter.motion.stepper import StepRule
from gambol.matter.touch.tether import Tether


@dataclass(frozen=True)
class MeshPart:
    """A mesh of a scene.

    mesh: it. surroundings: what acts on it; None: those of a mesh alone, with the gravity and the ground of the world.
    rule: how it moves; its step divides the control step. tethers: points that links hold. touches: names of links that
    it touches; None: all. velocity: velocity of its points as the scene starts [m/s]. color: its colour in films,
    "#rrggbb", or None. touches_meshes: names of other meshes that it touches, with triangles and edges; it also touches
    itself then. Meshes that touch each other have the same rule, surroundings and touches. The law of contact is
    self_touch of the surroundings, or touch without one.
    """

    mesh: SpringMesh
    surroundings: Surroundings | None = None
    rule: StepRule = field(default_factory=StepRule)
    tethers: tuple[Tether, ...] = ()
    touches: tuple[str, ...] | None = None
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    color: str | None = None
    touches_meshes: tuple[str, ...] = ()
