"""Measures of a creature's motion, compared with animals of its mass."""

from gambol.creatures.natural.measures import MEASURES, Measure
from gambol.creatures.natural.report import NaturalReport, ReportRow, natural_report
from gambol.creatures.natural.steady_gait import SteadyGait, steady_gait

__all__ = ["MEASURES", "Measure", "NaturalReport", "ReportRow", "SteadyGait", "natural_report", "steady_gait"]
