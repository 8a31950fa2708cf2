"""Contacts with friction cones: their problem, and how it is solved."""

from gambol.contact.complementarity.cones.one_contact import Give, one_contact

__all__ = ["Give", "one_contact"]
