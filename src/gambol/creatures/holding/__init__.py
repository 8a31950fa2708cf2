"""Holding a pose: the choice of the pose, the gains and the feet."""

from gambol.creatures.holding.gains import hold_gains
from gambol.creatures.holding.hold import HeldModel, Hold, held_model

__all__ = ["HeldModel", "Hold", "held_model", "hold_gains"]
