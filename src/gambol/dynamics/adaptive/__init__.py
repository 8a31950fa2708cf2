"""Adaptive dynamics: simulation of large figures in which only the important joints move."""

from gambol.dynamics.adaptive.choices import ActiveJoints
from gambol.dynamics.adaptive.simulation import AdaptiveDynamics

__all__ = ["ActiveJoints", "AdaptiveDynamics"]
