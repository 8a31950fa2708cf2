"""Every pair of shapes: the gaps between them, with points, normals and sizes."""

from gambol.collide.pairs.table import PAIRS, Pair, gaps, slots

__all__ = ["PAIRS", "Pair", "gaps", "slots"]
