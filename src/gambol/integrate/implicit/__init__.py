"""Implicit and linearly implicit methods: for forces that vary much faster than the motion of interest."""
