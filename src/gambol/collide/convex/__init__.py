"""Convex forms of any kind: their support points, how far two are apart or how deep they overlap."""

from gambol.collide.convex.contact import convex_convex, convex_slots
from gambol.collide.convex.form import PLANE, SIZES, Form, field_box, form_of

__all__ = ["PLANE", "SIZES", "Form", "convex_convex", "convex_slots", "field_box", "form_of"]
