"""Impacts: one collision integrated through compression and restitution, several at once, and those of figures."""

from gambol.contact.impulse.collision import Impact, collision

__all__ = ["Impact", "collision"]
