"""Velocity steps of fixed length: friction, bounces, limits and loops as one problem on velocities."""

from gambol.contact.stepping.blocks import Impulses
from gambol.contact.stepping.bounce import trees
from gambol.contact.stepping.compliance import CompliantRow, Endpoint, compliant_rows
from gambol.contact.stepping.constraints import Constraints, DryFriction, Limit
from gambol.contact.stepping.contact import (
    Candidate,
    Contact,
    contact_signs,
    contacts_at,
    depth_first,
    empty_slots,
    insert_nearest,
    matched_values,
)
from gambol.contact.stepping.corrections import CORRECTION_SWEEPS, correction_targets, deepest_overlap, depth_correction
from gambol.contact.stepping.free_motion import Extrapolation, Forces, evaluated, mean_acceleration, pushing_changed
from gambol.contact.stepping.implicit_part import ImplicitPart, implicit_part, midpoint_part
from gambol.contact.stepping.landing import ExpectedLanding, landing_horizon, step_near_landings
from gambol.contact.stepping.problem import ITERATIONS, ImpulseProblem, ImpulseSolver, SolverOptions, sweep_impulses
from gambol.contact.stepping.rows import Axis
from gambol.contact.stepping.softness import Softness
from gambol.contact.stepping.step import StepResult, velocity_step

__all__ = [
    "CORRECTION_SWEEPS",
    "ITERATIONS",
    "Axis",
    "Candidate",
    "CompliantRow",
    "Constraints",
    "Contact",
    "DryFriction",
    "Endpoint",
    "ExpectedLanding",
    "Extrapolation",
    "Forces",
    "ImplicitPart",
    "ImpulseProblem",
    "ImpulseSolver",
    "Impulses",
    "Limit",
    "Softness",
    "SolverOptions",
    "StepResult",
    "compliant_rows",
    "contact_signs",
    "contacts_at",
    "correction_targets",
    "deepest_overlap",
    "depth_correction",
    "depth_first",
    "empty_slots",
    "evaluated",
    "implicit_part",
    "insert_nearest",
    "landing_horizon",
    "matched_values",
    "mean_acceleration",
    "midpoint_part",
    "pushing_changed",
    "step_near_landings",
    "sweep_impulses",
    "trees",
    "velocity_step",
]
