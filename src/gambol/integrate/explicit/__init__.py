"""Explicit Runge-Kutta methods, which need only evaluations of the derivatives."""
