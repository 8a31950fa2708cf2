"""Creatures that evolution made and that are kept: what they do, their genes, and how they came to be."""

from gambol.evolve.gallery.kept import KEPT, Kept, kept

__all__ = ["KEPT", "Kept", "kept"]
