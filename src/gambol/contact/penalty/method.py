"""The contact method `penalty`: springs, dampers and bristles in smooth motion."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.generation.sources import has_anisotropic_friction
from gambol.contact.memory import ContactMemory
from gambol.contact.method import (
    SMOOTH,
    Scheme,
    SmoothForces,
    SmoothMethod,
)
from gambol.contact.penalty.ground_forces import (
    ground_reactions,
    initial_bristles,
    normal_forces_on,
    sources_without_memory,
    updated_grips,
)
from gambol.contact.penalty.patch import point_contact
from gambol.contact.penalty.point_forces import point_forces
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar


@dataclass(frozen=True)
class Penalty(SmoothMethod):
    """Springs and dampers with the contact parameters of the ground; corners and round parts of feet have bristles."""

    name: ClassVar[str] = "penalty"
    scheme: ClassVar[Scheme] = SMOOTH
    figure_parameters: ClassVar[bool] = True
    anisotropic_friction: ClassVar[bool] = True

    def memory(self, scene: ConstraintScene) -> ContactMemory:
        """Return bristles that hold nothing."""
        return initial_bristles(scene)

    def forces(self, scene: StepScene, state: Kinematics, memory: ContactMemory) -> SmoothForces:
        """Return the forces of the ground, and those between parts, which have no bristles."""
        ground = ground_reactions(scene, state, memory, scene.figure.links)
        law = partial(point_contact, scene.inputs.ground_contact.parameters)
        return SmoothForces(ground, point_forces(scene, state, law, sources_without_memory(scene)))

    def normal_forces(
        self, scene: StepScene, state: Kinematics, memory: ContactMemory, links: Sequence[int]
    ) -> dict[int, Scalar]:
        """Return the normal force of compliant ground on links [N], by index. links: their indices."""
        if has_anisotropic_friction(scene.figure):
            return SmoothMethod.normal_forces(self, scene, state, memory, links)
        return normal_forces_on(scene, state, memory, links)

    def after_step(
        self, scene: StepScene, state: Kinematics, memory: ContactMemory, stance_of: Callable[[str], Scalar]
    ) -> tuple[ContactMemory, Scalar]:
        """Return the bristles after an accepted step, and the energy that they released [J]."""
        return updated_grips(scene, state, memory, stance_of)
