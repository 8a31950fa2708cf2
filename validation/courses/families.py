"""All families of courses, in the order of the table."""

from validation.courses.course import Family
from validation.courses.other_creatures import FAMILIES as OTHER_CREATURES
from validation.courses.rough_ground import FAMILIES as ROUGH_GROUND
from validation.courses.steering import FAMILIES as STEERING

FAMILIES: tuple[Family, ...] = (*STEERING, *ROUGH_GROUND, *OTHER_CREATURES)
"""The families of courses."""
