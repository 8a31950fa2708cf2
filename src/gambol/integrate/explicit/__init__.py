"""Explicit methods: the new state by evaluations alone."""
