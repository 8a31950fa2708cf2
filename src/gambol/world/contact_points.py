"""All possible contacts of a world in one state: points, normals and gaps, and the forces of compliant contact."""

from collections.abc import Mapping
from typing import Any

from gambol.contact.penalty import PointForce
from gambol.dynamics import Kinematics, kinematics
from gambol.lanes import Scalar
from gambol.world.context import Memory, StepContext, StepState
from gambol.world.world import World

NUMBERS_PER_CONTACT = 10
"""Numbers of a contact: point (3), normal (3), gap, force (3)."""


def possible_contacts(world: World) -> list[tuple[int, int]]:
    """Return the indices of both links of each possible contact, in the order of contact_points(); 0 is the ground."""
    return world.method.possible_contacts(world.scene)


def contact_points(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> list[list[Scalar]]:
    """Return NUMBERS_PER_CONTACT numbers of each possible contact, for distant ones zeros and the gap FAR.

    The force is that of a compliant contact method. Other methods store impulses in their contact cache; for these
    methods the first tangent of the contact is in place of the force, so that the directions of the impulses are known.
    numbers: inputs of the world; table: heights of its ground.
    """
    context = StepContext.of(world, numbers, table)
    state = kinematics(context.world.figure, step_state.q, step_state.v)
    forces = point_forces(context, state, step_state.memory)
    return [[*f.point, *f.normal, f.gap, *f.force] for f in forces]


def point_forces(context: StepContext, state: Kinematics, memory: Memory) -> list[PointForce]:
    """Return all possible contacts, in the order of possible_contacts(); force: as for contact_points()."""
    return context.world.method.point_forces(context.scene, state, memory.contact)
