"""Checks of a plan before any work."""
