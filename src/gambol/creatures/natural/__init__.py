"""Measures of a filmed walk, compared with animals of its mass."""

from gambol.creatures.natural.report import NaturalReport, ReportRow, natural_report
from gambol.creatures.natural.steady_gait import steady_gait

__all__ = ["NaturalReport", "ReportRow", "natural_report", "steady_gait"]
