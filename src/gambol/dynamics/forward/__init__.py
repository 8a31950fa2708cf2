"""Joint forces to joint accelerations, by several routes that agree; one algorithm per file."""

from gambol.dynamics.forward.aba import aba

__all__ = ["aba"]
