"""Measurements of the creatures by name, and what is stored of them."""
