"""A page of several creatures, each computed by programs of its own."""

from gambol.view.side_by_side.page import PlacedCreature, write_side_by_side

__all__ = ["PlacedCreature", "write_side_by_side"]
