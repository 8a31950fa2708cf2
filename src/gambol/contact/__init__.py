"""Contact: methods in one table, contact generation, breakable attachments, drag of a medium."""

from gambol.contact.attach import Attachment, attachment_force
from gambol.contact.complementarity.method import Constraint
from gambol.contact.impulse.method import Impulse
from gambol.contact.medium import DragBox, Medium
from gambol.contact.method import EVENT_DRIVEN, SMOOTH, TIME_STEPPING, ContactMethod, MethodUse, Scheme
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
from gambol.contact.penalty.compliant_ground import CompliantGround
from gambol.contact.penalty.method import Penalty
from gambol.contact.spring_damper import SpringDamper
from gambol.contact.stepping.method import Stepping
from gambol.contact.stepping.rigid_ground import RigidGround
from gambol.contact.stepping.softness import Softness
from gambol.contact.surface import SurfaceProperties
from gambol.contact.table import CONTACT_METHODS, add_contact_method, contact_method

__all__ = [
    "CONTACT_METHODS",
    "EVENT_DRIVEN",
    "SMOOTH",
    "TIME_STEPPING",
    "Anchor",
    "Attachment",
    "Bristle",
    "CompliantGround",
    "Constraint",
    "ContactForce",
    "ContactMethod",
    "ContactParameters",
    "DragBox",
    "GroundContact",
    "HuntCrossley",
    "Impulse",
    "Medium",
    "MethodUse",
    "Penalty",
    "RigidGround",
    "Scheme",
    "Softness",
    "SpringDamper",
    "Stepping",
    "StickyFoot",
    "SurfaceProperties",
    "add_contact_method",
    "attachment_force",
    "checked_parameters",
    "checked_sticky_foot",
    "contact_method",
    "total_contact_force",
]
