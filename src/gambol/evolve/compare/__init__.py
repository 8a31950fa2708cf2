"""Comparisons of searches: equal numbers of evaluations with the same seeds, statistics, and tables of them."""

from gambol.evolve.compare.comparison import CompareProgress, Comparison, compare, plan_of
from gambol.evolve.compare.curves import SearchRun, search_runs
from gambol.evolve.compare.statistics import PairTest, Summary, pair_tests, summaries
from gambol.evolve.compare.tables import TABLES, write_table

__all__ = [
    "TABLES",
    "CompareProgress",
    "Comparison",
    "PairTest",
    "SearchRun",
    "Summary",
    "compare",
    "pair_tests",
    "plan_of",
    "search_runs",
    "summaries",
    "write_table",
]
