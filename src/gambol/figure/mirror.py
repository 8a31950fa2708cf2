"""The other side: a joint or a part seen in a mirror whose plane is y = 0, left for right.

A point p becomes M p and an orientation R becomes M R M, with M = diag(1, -1, 1). A rotary axis a becomes M a, so that
the mirror image of a joint angle is the same angle with the other sign; a sliding axis becomes M a and keeps its sign.
A screw changes hands: its pitch changes its sign.
So does the second slide of a planar joint.
"""

from dataclasses import replace

import numpy as np

from gambol.errors import FigureError
from gambol.figure.joint.given import Joint, Matrix3, Triple
from gambol.figure.link import Part
from gambol.figure.rotation import matrix
from gambol.figure.shapes import HeightField, Hull

M = np.diag([1.0, -1.0, 1.0])


def mirrored_joint(joint: Joint) -> Joint:
    """The joint on the other side, for a parent that is its own mirror image or is mirrored too.

    Raises FigureError for an axial joint that turns and slides: what it would do there, no axial joint does.
    """
    if joint.kind == "axial" and joint.slides not in (0.0, 1.0):
        raise FigureError(
            f"an axial joint with slides = {joint.slides:g} has no mirror image; make it helical, with the pitch "
            "slides / (1 - slides)"
        )
    return replace(
        joint,
        axis=_mirrored_point(joint.axis),
        rotation=_mirrored_rotation(joint.rotation),
        position=_mirrored_point(joint.position),
        across=None if joint.across is None else _mirrored_point(joint.across),
        pitch=0.0 - joint.pitch,
    )


def mirrored_part(part: Part) -> Part:
    """The part on the other side; every shape but two is its own mirror image in its frame."""
    shape = part.shape
    if isinstance(shape, Hull):
        shape = Hull(tuple(_mirrored_point(vertex) for vertex in shape.vertices))
    if isinstance(shape, HeightField):
        shape = replace(shape, heights=tuple(row[::-1] for row in shape.heights))
    return replace(
        part, shape=shape, rotation=_mirrored_rotation(part.rotation), position=_mirrored_point(part.position)
    )


def _mirrored_point(p: Triple) -> Triple:
    return (p[0], 0.0 - p[1], p[2])


def _mirrored_rotation(R: Matrix3) -> Matrix3:
    return matrix(M @ np.array(R) @ M)
