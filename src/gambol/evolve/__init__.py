"""Breeding creatures: bodies and gaits that nobody designed."""
