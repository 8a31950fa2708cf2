"""Soft ground: springs, dampers and bristles at contact points, and forces between parts that lie in each other."""

from gambol.contact.penalty.anchor import Anchor
from gambol.contact.penalty.bristle import Bristle
from gambol.contact.penalty.hunt_crossley import HuntCrossley, hertz_push, smooth_pull
from gambol.contact.penalty.law import Stick, Touch, checked_stick, checked_touch, normal_push, skid_pull
from gambol.contact.penalty.patch import Felt, GroundTouch, total_felt, touched

__all__ = [
    "Anchor",
    "Bristle",
    "Felt",
    "GroundTouch",
    "HuntCrossley",
    "Stick",
    "Touch",
    "checked_stick",
    "checked_touch",
    "hertz_push",
    "normal_push",
    "skid_pull",
    "smooth_pull",
    "total_felt",
    "touched",
]
