"""The contact method `penalty`: springs, dampers and bristles in smooth motion."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.generation.sources import ContactSource, has_anisotropic_friction
from gambol.contact.memory import ContactMemory
from gambol.contact.method import (
    SMOOTH,
    Scheme,
    SmoothForces,
    SmoothMethod,
)
from gambol.contact.near_points import points_by_law
from gambol.contact.penalty.contact_points import ground_point_forces, possible_ground_contacts
from gambol.contact.penalty.ground_forces import (
    ground_reactions,
    ground_reactions_on,
    initial_bristles,
    sources_without_memory,
    updated_grips,
)
from gambol.contact.penalty.law import ContactParameters, checked_parameters
from gambol.contact.penalty.patch import ContactForce, PointForce, point_contact
from gambol.contact.penalty.point_forces import PointLaw, point_forces, scaled_law
from gambol.contact.surface import SurfaceProperties
from gambol.dynamics import Kinematics
from gambol.errors import WorldError
from gambol.lanes import Scalar, minimum


@dataclass(frozen=True)
class Penalty(SmoothMethod):
    """Springs and dampers with the contact parameters of the ground; corners and round parts of feet have bristles.

    parts: parameters of contact between parts; None: parameters of the ground. scales: factors of all contact forces on
    links, by name, for figures of different masses in one world; between two parts the smaller factor is used.
    Parameters and factors are inputs of the program. Raises WorldError for a factor that is not positive and finite.
    """

    parts: ContactParameters | None = None
    scales: tuple[tuple[str, float], ...] = ()

    name: ClassVar[str] = "penalty"
    scheme: ClassVar[Scheme] = SMOOTH
    figure_parameters: ClassVar[bool] = True
    anisotropic_friction: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.parts is not None:
            object.__setattr__(self, "parts", checked_parameters(self.parts))
        for name, factor in self.scales:
            if not 0.0 < factor < float("inf"):
                raise WorldError(f'the contact forces on "{name}" are scaled by {factor}; give more than 0, and finite')

    def numbers(self) -> Mapping[str, Any]:
        """Return the parameters between parts and the factors of links, as inputs of the program."""
        parts = {} if self.parts is None else {"parts": self.parts}
        return parts | ({"scales": dict(self.scales)} if self.scales else {})

    def structure(self) -> tuple[Any, ...]:
        """Return the options that are compiled in, as plain data; empty for the default options."""
        return ("parts", self.parts is not None, [name for name, _ in self.scales]) if self.numbers() else ()

    def check_pairs(self, count: int, surface: SurfaceProperties) -> None:
        """Raise WorldError if parts that may touch have no stiffness."""
        if self.parts is None and not surface.has_stiffness:
            raise WorldError(
                f"parts that may touch ({count} pairs) would pass through each other, since their surface has no "
                "stiffness: take make_world(figure), whose parameters fit the figure; give "
                "surface=SurfaceProperties(ContactParameters(...)) or Penalty(parts=ContactParameters(...)); or take "
                'contact="stepping", which needs no stiffness between parts'
            )

    def may_add_energy(self, surface: SurfaceProperties) -> bool:
        """Return True if the restitution of the surface, or between parts, is above 1."""
        between_parts = 0.0 if self.parts is None else self.parts.restitution
        return SmoothMethod.may_add_energy(self, surface) or between_parts > 1.0

    def memory(self, scene: ConstraintScene) -> ContactMemory:
        """Return the anchors and bristles of gripping links, none of which holds yet."""
        return initial_bristles(scene)

    def forces(self, scene: StepScene, state: Kinematics, memory: ContactMemory) -> SmoothForces:
        """Return the forces of the ground, and the forces between parts, which have no bristles."""
        ground = _scaled(scene, ground_reactions(scene, state, memory, scene.figure.links))
        others = point_forces(scene, state, partial(self.law, scene), sources_without_memory(scene))
        return SmoothForces(ground, others)

    def law(self, scene: StepScene, source: ContactSource) -> PointLaw:
        """Return the law of a source of contacts: the law between parts, or the law between a part and the ground."""
        parameters = scene.inputs.ground_contact.parameters
        law = partial(point_contact, scene.inputs.method.get("parts", parameters) if source.other else parameters)
        if not (scales := link_scales(scene)):
            return law
        factors = [scales.get(scene.figure.links[k - 1].name, 1.0) for k in (source.link, source.other) if k]
        return scaled_law(law, factors[0] if len(factors) == 1 else minimum(*factors))

    def possible_contacts(self, scene: ConstraintScene) -> list[tuple[int, int]]:
        """Return the links of points on the ground, which may have bristles, and then of the contacts of parts."""
        sources = sources_without_memory(scene)
        others = [(source.link, source.other) for source in sources for _ in range(source.count)]
        return possible_ground_contacts(scene) + others

    def point_forces(self, scene: StepScene, state: Kinematics, memory: ContactMemory) -> list[PointForce]:
        """Return the contacts of possible_contacts() with their forces."""
        others = points_by_law(scene, state, memory, sources_without_memory(scene), self.law)
        return ground_point_forces(scene, state, memory, link_scales(scene)) + others

    def normal_forces(
        self, scene: StepScene, state: Kinematics, memory: ContactMemory, links: Sequence[int]
    ) -> dict[int, Scalar]:
        """Return the normal force of compliant ground on links [N], by index. links: indices of the links."""
        if has_anisotropic_friction(scene.figure):
            return SmoothMethod.normal_forces(self, scene, state, memory, links)
        return {i: f.normal_force for i, f in _scaled(scene, ground_reactions_on(scene, state, memory, links)).items()}

    def after_step(
        self, scene: StepScene, state: Kinematics, memory: ContactMemory, stance_of: Callable[[str], Scalar]
    ) -> tuple[ContactMemory, Scalar]:
        """Return the bristles after an accepted step, and the energy that they released [J]."""
        return updated_grips(scene, state, memory, stance_of, link_scales(scene))


def link_scales(scene: StepScene) -> Mapping[str, Scalar]:
    """Return the factors of contact forces on links, by name; the factor of others is 1."""
    return scene.inputs.method.get("scales", {})


def _scaled(scene: StepScene, reactions: dict[int, ContactForce]) -> dict[int, ContactForce]:
    """Return the reactions of the ground on links, by index, times the factors of the links."""
    if not (scales := link_scales(scene)):
        return reactions
    factors = {i: scales.get(scene.figure.links[i - 1].name, 1.0) for i in reactions}
    return {i: scaled_contact(reaction, factors[i]) for i, reaction in reactions.items()}


def scaled_contact(reaction: ContactForce, factor: Scalar) -> ContactForce:
    """Return a force of the ground, with its energy and losses, times a factor."""
    return ContactForce(
        reaction.force * factor,
        reaction.normal_force * factor,
        reaction.energy * factor,
        reaction.normal_loss * factor,
        reaction.sliding_loss * factor,
    )
