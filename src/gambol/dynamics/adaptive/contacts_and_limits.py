"""What acts on a hybrid body besides joints and gravity: contacts, compliant or rigid, and hard limits."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.contacts import GroupPoints, PlacedPoints, PointForces, point_program
from gambol.dynamics.adaptive.groups import Groups
from gambol.dynamics.adaptive.impulses import GroupImpulses, ImpulseMemory, RigidContacts, touch_program
from gambol.dynamics.adaptive.joint_limits import GroupLimits
from gambol.dynamics.adaptive.link_places import LinkPlaces
from gambol.dynamics.adaptive.parts import Parts
from gambol.figure import Triple

Array = NDArray[np.float64]


class ContactsAndLimits:
    """The contacts and hard limits of a figure, for whichever groups move.

    contact: law of contacts; None: nothing touches. limits (2, L): hard limits of joints; None: all limits are soft.
    links, nv: numbers of links and velocities of the figure.
    """

    def __init__(self, contact: PointForces | RigidContacts | None, limits: Array | None, links: int, nv: int) -> None:
        self._links, self._nv, self._limits = links, nv, limits
        touches = contact is not None and len(contact.points) > 0
        self._compliant = contact if touches and not isinstance(contact, RigidContacts) else None
        self._rigid = contact if touches and isinstance(contact, RigidContacts) else None
        self._program = None
        if self._compliant:
            self._program = point_program(self._compliant)
        elif self._rigid:
            self._program = touch_program(self._rigid)
        self._points: PlacedPoints | None = None
        self._places: LinkPlaces | None = None
        self.start()

    def start(self) -> None:
        """Forget the forces of the last step."""
        count = len(self._rigid.points) if self._rigid else 0
        self.memory = ImpulseMemory(np.zeros((count, 3)), np.zeros(self._nv))

    @property
    def present(self) -> bool:
        """True if something can touch, or a limit is hard."""
        return bool(self._compliant or self._rigid or self._limits is not None)

    def attach(self, groups: Groups, parts: Parts) -> None:
        """Let the hybrid body of new groups feel contacts and limits."""
        body = groups.body
        if self._compliant and self._program:
            places = self._placed(groups, parts, self._compliant.points)
            self._points = GroupPoints(self._program, self._compliant, places, body, groups.number)
            body.add_forces = self._points.apply
        elif self._rigid or self._limits is not None:
            law = self._rigid
            self._points = PlacedPoints(self._placed(groups, parts, law.points if law else ()), body, groups.number)
            limits = None if self._limits is None else GroupLimits(body, groups.links, self._limits)
            index = groups.velocity_index(parts)
            impulses = GroupImpulses(law, self._program, self._points, limits, self.memory, index)
            body.add_forces, body.impulses = impulses.apply, impulses.solve

    def _placed(self, groups: Groups, parts: Parts, points: Sequence[tuple[int, Triple, float]]) -> LinkPlaces:
        """Return the places of points in groups."""
        places = self._places or LinkPlaces(parts, points)
        places.update(groups.front, groups.nodes)
        self._places = places
        return places

    def link_forces(self) -> Array:
        """Return the contact forces (L, 6) on all links, in link coordinates, after the hybrid body is placed."""
        return self._points.link_forces(self._links) if self._points else np.zeros((self._links, 6))
