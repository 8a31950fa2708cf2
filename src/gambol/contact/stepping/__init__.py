"""Large fixed steps: contact with friction, bounces and limits as one problem on velocities."""

from gambol.contact.stepping.axes_kept import moved, retold
from gambol.contact.stepping.blocks import Drag, Impulses, Stop, Touching
from gambol.contact.stepping.choice import Candidate, depth_first, empty, entered, followed, lined_up, met
from gambol.contact.stepping.meeting import Meeting, carried_by
from gambol.contact.stepping.rows import Axis
from gambol.contact.stepping.settle import parted
from gambol.contact.stepping.step import ROUNDS, Asked, Forces, Resolve, Solving, Stepped, stepped, swept
from gambol.contact.stepping.trees import trees

__all__ = [
    "ROUNDS",
    "Asked",
    "Axis",
    "Candidate",
    "Drag",
    "Forces",
    "Impulses",
    "Meeting",
    "Resolve",
    "Solving",
    "Stepped",
    "Stop",
    "Touching",
    "carried_by",
    "depth_first",
    "empty",
    "entered",
    "followed",
    "lined_up",
    "met",
    "moved",
    "parted",
    "retold",
    "stepped",
    "swept",
    "trees",
]
