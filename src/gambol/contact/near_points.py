"""The contacts of a source in one state, for films and sensors: computed only where they may have closed."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gambol.collide.gap import FAR
from gambol.contact.generation.scene import StepScene
from gambol.contact.generation.sources import ContactSource
from gambol.contact.memory import ContactMemory
from gambol.contact.penalty.patch import PointForce
from gambol.contact.penalty.point_forces import PointLaw, part_force
from gambol.contact.stepping.anisotropy import contact_frame
from gambol.contact.stepping.contact import Candidate
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, Subprogram, when
from gambol.spatial.vector import ZERO

PointOf: TypeAlias = Callable[[ContactSource, Candidate], PointForce]
"""Returns a contact of a source with its force."""


def near_points(
    scene: StepScene, state: Kinematics, memory: ContactMemory, source: ContactSource, point_of: PointOf
) -> list[PointForce]:
    """Return the contacts of a source that may have closed in the last step; for others zeros and the gap FAR."""
    h: Scalar = 0.0 if memory.cache is None else memory.cache.step_size

    def at_points() -> list[PointForce]:
        return [point_of(source, contact) for contact in source.contacts(scene, state)]

    absent = [PointForce(ZERO, ZERO, FAR, ZERO)] * source.count
    return when(source.may_close(scene, state, h), Subprogram(at_points), otherwise=absent)


def with_first_tangent(source: ContactSource, contact: Candidate) -> PointForce:
    """Return a contact with its first tangent in place of a force, so that the directions of impulses are known."""
    assert contact.normal is not None
    return PointForce(contact.point, contact.normal, contact.gap, contact_frame(contact.normal, contact.anisotropy)[1])


def points_by_law(
    scene: StepScene,
    state: Kinematics,
    memory: ContactMemory,
    sources: Sequence[ContactSource],
    law_of: Callable[[StepScene, ContactSource], PointLaw],
) -> list[PointForce]:
    """Return the contacts of sources with their forces; law_of: returns the law of a source."""

    def point_of(source: ContactSource, contact: Candidate) -> PointForce:
        return part_force(state, law_of(scene, source), source, contact)[0]

    return [x for source in sources for x in near_points(scene, state, memory, source, point_of)]
