"""The memory of contact methods: their state from one step to the next."""

from dataclasses import dataclass, field
from typing import Any

from gambol.contact.penalty.anchor import Anchor
from gambol.contact.penalty.bristle import Bristle
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class ContactCache:
    """The contact cache: results of a contact method in the last step, for warm starts and for reports.

    impulses: impulses of contacts (normal, two tangents), joint limits and dry frictions [N s or N m s]. indices:
    indices of the cached contacts among all possible ones; empty if the capacity holds all. step_size: size of the last
    step [s]. residual: largest violation of the laws of contact [m/s or rad/s]. unsolved: number of steps in which the
    residual was too large. sticking: 1 for contacts that hold under pull, such as those of sticky feet; empty if there
    are no sticky feet. over_capacity: number of steps with more near contacts than the capacity; empty if this cannot
    happen. restitution_limited: number of steps in which impulses were reduced because restitution would have added
    energy; empty if this cannot happen. speeds: speeds of the contact rows after the step [m/s]; empty if the method
    does not need them. next_landing: time from the end of the step to the next landing, 0 if none is expected in the
    next step [s]; empty if the method does not need it. had_event: 1 if a contact or limit landed or bounced in the
    step, else 0. acceleration: mean acceleration of the step (nv) [rad/s2 or m/s2]. changed: 1 if a contact or limit
    began or ceased to push in the step, else 0; all three are empty if the method does not need them.
    """

    impulses: list[list[Scalar]]
    indices: list[Scalar]
    step_size: Scalar = 0.0
    residual: Scalar = 0.0
    unsolved: Scalar = 0.0
    sticking: list[Scalar] = field(default_factory=list[Scalar])
    over_capacity: list[Scalar] = field(default_factory=list[Scalar])
    restitution_limited: list[Scalar] = field(default_factory=list[Scalar])
    speeds: list[list[Scalar]] = field(default_factory=list[list[Scalar]])
    next_landing: list[Scalar] = field(default_factory=list[Scalar])
    had_event: list[Scalar] = field(default_factory=list[Scalar])
    acceleration: list[Scalar] = field(default_factory=list[Scalar])
    changed: list[Scalar] = field(default_factory=list[Scalar])


@dataclass(frozen=True, slots=True)
class ContactMemory:
    """The memory of a contact method between two steps.

    anchors: anchors of the corners of each gripping link, see ConstraintScene. bristles: bristles of the round parts of
    each such link; empty if none has round parts. cache: cache of a method that solves for impulses, else None. own:
    further state of a method from outside the package: any pytree of scalars, or None.
    """

    anchors: list[list[Anchor]] = field(default_factory=list[list[Anchor]])
    bristles: list[list[Bristle]] = field(default_factory=list[list[Bristle]])
    cache: ContactCache | None = None
    own: Any = None
