"""Every pair of shapes: the gaps between them, with points, normals and sizes."""

from gambol.collide.pairs.ground import ground_gaps
from gambol.collide.pairs.rolling import ROLLING_SLOTS, rolling_gaps
from gambol.collide.pairs.table import PAIRS, Pair, gaps, slots

__all__ = ["PAIRS", "ROLLING_SLOTS", "Pair", "gaps", "ground_gaps", "rolling_gaps", "slots"]
