"""Contact: soft ground, impulses, complementarity, velocity steps; attachments; drag of a medium."""

from gambol.contact.attach import Attachment, attachment_force
from gambol.contact.medium import DragBox, Medium
from gambol.contact.penalty import (
    Anchor,
    Bristle,
    ContactForce,
    ContactParameters,
    GroundContact,
    HuntCrossley,
    StickyFoot,
    checked_parameters,
    checked_sticky_foot,
    total_contact_force,
)
from gambol.contact.spring_damper import SpringDamper

__all__ = [
    "Anchor",
    "Attachment",
    "Bristle",
    "ContactForce",
    "ContactParameters",
    "DragBox",
    "GroundContact",
    "HuntCrossley",
    "Medium",
    "SpringDamper",
    "StickyFoot",
    "attachment_force",
    "checked_parameters",
    "checked_sticky_foot",
    "total_contact_force",
]
