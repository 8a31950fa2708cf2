"""Creatures that walk: their measures beside published ones."""
