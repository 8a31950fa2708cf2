"""The inputs of contact generation: parts, ground and joints of a world, and their numbers while a step is traced."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from gambol.collide import Ground
from gambol.collide.broad import Pair
from gambol.contact.penalty.patch import GroundContact, GroundPrograms
from gambol.figure import Figure, JointSpring
from gambol.lanes import Scalar, minimum


@dataclass(frozen=True)
class SceneNumbers:
    """The inputs of a step that contact methods read.

    ground_contact: the ground with its numbers. programs: the functions of the ground, each traced once. springs:
    springs of joints, by link name. limits: lower and upper ends of the same springs; None for compliant methods, which
    have springs as limits. method: numbers of the contact method. fractions: the remaining fraction of each link that
    can be cut off, by its index: 1, or below 0.5 if it is cut off.
    """

    ground_contact: GroundContact
    programs: GroundPrograms
    springs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    limits: Mapping[str, Any] | None = None
    method: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])
    fractions: Mapping[int, Scalar] = field(default_factory=dict[int, Scalar])


@dataclass(frozen=True)
class ConstraintScene:
    """The parts, ground and joints of a world from which contacts and joint constraints are generated.

    figure: the figure with its parts. springs: springs of its joints, by link name. ground: shape of the ground;
    has_ground: False if no part may touch the ground. pairs: parts that may touch each other. feet: names of the links
    that may hold on to the ground. sticky: True if contacts of feet may stick under pull. gripping: names of the links
    that hold a compliant ground by bristles or as sticky feet, feet first. bounces: True if contacts with the ground
    have restitution. capacity: largest number of simultaneous contacts. size: length scale [m]. tree_contacts: that of
    each tree of a forest with the ground; None: all contacts share the capacity.
    """

    figure: Figure
    springs: Mapping[str, tuple[JointSpring, ...]]
    ground: Ground
    has_ground: bool
    pairs: tuple[Pair, ...]
    feet: tuple[str, ...]
    sticky: bool
    gripping: tuple[str, ...]
    bounces: bool
    capacity: int
    size: Scalar
    tree_contacts: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class StepScene(ConstraintScene):
    """A scene in a step that is traced; inputs: inputs of the step."""

    inputs: SceneNumbers

    def least_fraction(self, *links: int) -> Scalar:
        """Return the least of 1 and the fractions of some links, given by their indices."""
        fractions = [self.inputs.fractions[link] for link in links if link in self.inputs.fractions]
        return reduce(minimum, fractions) if fractions else 1.0

    def if_attached(self, condition: Scalar, *links: int) -> Scalar:
        """Return a condition, but False if one of some links, given by their indices, is cut off."""
        for link in self.inputs.fractions.keys() & set(links):
            condition = condition & (self.inputs.fractions[link] > 0.5)
        return condition
