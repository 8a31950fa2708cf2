"""Soft ground: springs, dampers and bristles at contact points, and forces between parts that penetrate each other."""

from gambol.contact.penalty.anchor import Anchor
from gambol.contact.penalty.bristle import Bristle
from gambol.contact.penalty.hunt_crossley import HuntCrossley, hertz_force, smooth_friction
from gambol.contact.penalty.law import (
    ContactParameters,
    StickyFoot,
    checked_parameters,
    checked_sticky_foot,
    regularised_friction,
    spring_damper_force,
)
from gambol.contact.penalty.patch import ContactForce, GroundContact, PointForce, point_contact, total_contact_force

__all__ = [
    "Anchor",
    "Bristle",
    "ContactForce",
    "ContactParameters",
    "GroundContact",
    "HuntCrossley",
    "PointForce",
    "StickyFoot",
    "checked_parameters",
    "checked_sticky_foot",
    "hertz_force",
    "point_contact",
    "regularised_friction",
    "smooth_friction",
    "spring_damper_force",
    "total_contact_force",
]
