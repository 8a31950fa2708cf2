"""Impacts: changes of velocities by collisions.

collision: one contact, integrated through compression and restitution. sequential_impacts, simultaneous_impacts and
reflection_impacts: laws for several collisions. resolve_impacts: impacts of a figure. by_collisions: an impulse solver
of time steps in which arriving contacts collide. collision_course, SlipFlow: how a collision proceeds, and the flow of
the slip, for plots; contact_collision: their inputs, the collision matrix and velocity of a figure's contact.
"""

from gambol.contact.impulse.collision import Impact, collision
from gambol.contact.impulse.collision_course import CollisionCourse, collision_course
from gambol.contact.impulse.contact_collision import contact_collision
from gambol.contact.impulse.figure_impacts import FigureImpacts, resolve_impacts
from gambol.contact.impulse.flow import InvariantDirection, SlipFlow, SlipTrajectory
from gambol.contact.impulse.sequence import sequential_impacts
from gambol.contact.impulse.several import Collisions, Impacts
from gambol.contact.impulse.simultaneous import reflection_impacts, simultaneous_impacts
from gambol.contact.impulse.step_solver import by_collisions

__all__ = [
    "CollisionCourse",
    "Collisions",
    "FigureImpacts",
    "Impact",
    "Impacts",
    "InvariantDirection",
    "SlipFlow",
    "SlipTrajectory",
    "by_collisions",
    "collision",
    "collision_course",
    "contact_collision",
    "reflection_impacts",
    "resolve_impacts",
    "sequential_impacts",
    "simultaneous_impacts",
]
