"""All families of courses, in the order of the table."""

from validation.courses.course import Family
from validation.courses.rough_ground import FAMILIES as ROUGH_GROUND
from validation.courses.steering import FAMILIES as STEERING

FAMILIES: tuple[Family, ...] = (*STEERING, *ROUGH_GROUND)
"""The families of courses."""
