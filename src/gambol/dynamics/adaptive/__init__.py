"""Adaptive dynamics: figures of any size, of which only the joints that matter move."""

from gambol.dynamics.adaptive.simulation import ActiveJoints, AdaptiveDynamics

__all__ = ["ActiveJoints", "AdaptiveDynamics"]
