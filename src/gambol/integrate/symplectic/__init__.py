"""Symplectic methods, whose energy error stays bounded, and methods of the same construction."""
