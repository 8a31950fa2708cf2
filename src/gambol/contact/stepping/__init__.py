"""Velocity steps of fixed length: friction, bounces, limits and loops as one problem on velocities."""

from gambol.contact.stepping.blocks import Constraints, DryFriction, Impulses, Limit
from gambol.contact.stepping.contact import Contact, contact_signs
from gambol.contact.stepping.fixed_axes import displaced, re_expressed
from gambol.contact.stepping.position_correction import depth_correction
from gambol.contact.stepping.rows import Axis
from gambol.contact.stepping.selection import (
    Candidate,
    compacted,
    contacts_at,
    depth_first,
    empty_slots,
    insert_nearest,
    matched_values,
)
from gambol.contact.stepping.step import (
    ITERATIONS,
    Forces,
    ImpulseProblem,
    ImpulseSolver,
    SolverOptions,
    StepResult,
    sweep_impulses,
    velocity_step,
)
from gambol.contact.stepping.trees import trees

__all__ = [
    "ITERATIONS",
    "Axis",
    "Candidate",
    "Constraints",
    "Contact",
    "DryFriction",
    "Forces",
    "ImpulseProblem",
    "ImpulseSolver",
    "Impulses",
    "Limit",
    "SolverOptions",
    "StepResult",
    "compacted",
    "contact_signs",
    "contacts_at",
    "depth_correction",
    "depth_first",
    "displaced",
    "empty_slots",
    "insert_nearest",
    "matched_values",
    "re_expressed",
    "sweep_impulses",
    "trees",
    "velocity_step",
]
