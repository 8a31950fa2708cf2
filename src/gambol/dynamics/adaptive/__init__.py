"""Adaptive dynamics: simulation of large figures in which only the important joints move."""

from gambol.dynamics.adaptive.simulation import ActiveJoints, AdaptiveDynamics

__all__ = ["ActiveJoints", "AdaptiveDynamics"]
