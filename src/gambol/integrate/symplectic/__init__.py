"""Symplectic methods, with a bounded error of energy, and methods of the same construction."""
