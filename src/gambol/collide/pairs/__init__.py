"""Narrow phase: the gaps between every pair of shapes, with points, normals and sizes."""

from gambol.collide.pairs.ground import ground_gaps
from gambol.collide.pairs.rolling import ROLLING_SLOTS, rolling_gaps
from gambol.collide.pairs.round import smallest_gap
from gambol.collide.pairs.table import PAIRS, PairMethod, gaps, is_searched, slots

__all__ = [
    "PAIRS",
    "ROLLING_SLOTS",
    "PairMethod",
    "gaps",
    "ground_gaps",
    "is_searched",
    "rolling_gaps",
    "slots",
    "smallest_gap",
]
