"""The forces on all points of a mesh: formulas of elements as programs with one element per lane, and ordered sums."""

from gambol.matter.elements.contact import Touch
from gambol.matter.forces.field import ForceField, Forces
from gambol.matter.forces.surroundings import Air, SelfTouch, Surroundings

__all__ = ["Air", "ForceField", "Forces", "SelfTouch", "Surroundings", "Touch"]
