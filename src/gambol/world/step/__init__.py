"""The steps of a world, frame after frame, by the contact method of its name."""

from gambol.world.step.frames import MOVERS, advance, stride
from gambol.world.step.living import NOT_FINITE, RUNNING, UNDERFLOW, Clock, Living, entries

__all__ = ["MOVERS", "NOT_FINITE", "RUNNING", "UNDERFLOW", "Clock", "Living", "advance", "entries", "stride"]
