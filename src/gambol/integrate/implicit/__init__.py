"""Implicit and linearly implicit methods, for stiff systems."""
