"""What can touch what, cheaply: bounding volumes, sweep and prune, and the pairs that a figure allows."""

from gambol.collide.broad.adjacent import Bodies, bodies_of
from gambol.collide.broad.allowed import RestOverlapWarning, allowed_pairs, meeting, pair_reasons
from gambol.collide.broad.apart import never_meet
from gambol.collide.broad.at_rest import Overlap, Pair, overlapping, overlaps_at_rest, rest_poses
from gambol.collide.broad.balls import Ball, ball, ball_of_points, balls_meet
from gambol.collide.broad.boxes import AXES, DIAGONALS, AxisBox, axis_box, slabs, slabs_meet
from gambol.collide.broad.near import near, near_ground, near_plane
from gambol.collide.broad.oriented import OrientedBox, oriented_box, oriented_boxes_meet
from gambol.collide.broad.reach import own_reach, reach
from gambol.collide.broad.segment import Passage, passage, slab_passage
from gambol.collide.broad.sweep import Sweep

__all__ = [
    "AXES",
    "DIAGONALS",
    "AxisBox",
    "Ball",
    "Bodies",
    "OrientedBox",
    "Overlap",
    "Pair",
    "Passage",
    "RestOverlapWarning",
    "Sweep",
    "allowed_pairs",
    "axis_box",
    "ball",
    "ball_of_points",
    "balls_meet",
    "bodies_of",
    "meeting",
    "near",
    "near_ground",
    "near_plane",
    "never_meet",
    "oriented_box",
    "oriented_boxes_meet",
    "overlapping",
    "overlaps_at_rest",
    "own_reach",
    "pair_reasons",
    "passage",
    "reach",
    "rest_poses",
    "slab_passage",
    "slabs",
    "slabs_meet",
]
