"""Plans as TOML files. docs/use/plans.md lists all keys."""

from gambol.plan.file.reading import FORMAT, FigureLoader, PlanFile, parse_plan, read_plan
from gambol.plan.file.starting import StartOptions
from gambol.plan.file.tracking import TrackingOptions

__all__ = ["FORMAT", "FigureLoader", "PlanFile", "StartOptions", "TrackingOptions", "parse_plan", "read_plan"]
