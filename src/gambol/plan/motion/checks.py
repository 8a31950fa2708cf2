"""Checks of a plan before any work."""

from gambol.plan.motion.plan import Plan


def check_plan(plan: Plan) -> None:
    """Raise PlanError for a plan that cannot be."""
