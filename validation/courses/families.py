"""All families of courses, in the order of the table."""

from validation.courses.course import Family
from validation.courses.steering import FAMILIES as STEERING

FAMILIES: tuple[Family, ...] = (*STEERING,)
"""The families of courses."""
