"""Broad phase: bounding volumes, sweep and prune, and the pairs of parts that a figure allows to touch."""

from gambol.collide.broad.adjacent import Bodies, bodies_of
from gambol.collide.broad.allowed import RestOverlapWarning, allowed_pairs, exclusion_reasons, unexcluded_pairs
from gambol.collide.broad.at_rest import Overlap, Pair, overlapping, overlaps_at_rest, rest_poses
from gambol.collide.broad.balls import Ball, ball, ball_of_points, balls_meet
from gambol.collide.broad.boxes import AXES, DIAGONALS, AxisBox, axis_box, slabs, slabs_meet
from gambol.collide.broad.disjoint import always_disjoint
from gambol.collide.broad.near import near, near_ground, near_plane
from gambol.collide.broad.oriented import OrientedBox, oriented_box, oriented_boxes_meet
from gambol.collide.broad.segment import LineInterval, line_in_box, line_in_slabs
from gambol.collide.broad.support_extent import local_extent, support_extent
from gambol.collide.broad.sweep import Sweep

__all__ = [
    "AXES",
    "DIAGONALS",
    "AxisBox",
    "Ball",
    "Bodies",
    "LineInterval",
    "OrientedBox",
    "Overlap",
    "Pair",
    "RestOverlapWarning",
    "Sweep",
    "allowed_pairs",
    "always_disjoint",
    "axis_box",
    "ball",
    "ball_of_points",
    "balls_meet",
    "bodies_of",
    "exclusion_reasons",
    "line_in_box",
    "line_in_slabs",
    "local_extent",
    "near",
    "near_ground",
    "near_plane",
    "oriented_box",
    "oriented_boxes_meet",
    "overlapping",
    "overlaps_at_rest",
    "rest_poses",
    "slabs",
    "slabs_meet",
    "support_extent",
    "unexcluded_pairs",
]
