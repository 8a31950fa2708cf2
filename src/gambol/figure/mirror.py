"""Mirror images of joints and parts in the plane y = 0, which exchange left and right.

A point p becomes M p and an orientation R becomes M R M, with M = diag(1, -1, 1). The axis a of a revolute joint
becomes M a, and the mirrored joint angle has the opposite sign. The axis of a prismatic joint becomes M a, and its
coordinate keeps its sign. The pitch of a helical joint and the second slide of a planar joint change their signs.
"""

from dataclasses import replace

import numpy as np

from gambol.errors import FigureError
from gambol.figure.joint import JOINTS, Joint, Matrix3, Triple
from gambol.figure.link import Part
from gambol.figure.rotation import matrix
from gambol.figure.shapes import BallHull, HeightField, Hull

M = np.diag([1.0, -1.0, 1.0])


def mirrored_joint(joint: Joint) -> Joint:
    """Return the mirror image of a joint, for a parent that is symmetric or mirrored, too.

    Raises FigureError for an axial joint that both turns and slides, because its mirror image is not an axial joint,
    and for a kind whose row of JOINTS has no `mirrored`.
    """
    mirrored = JOINTS[joint.kind].mirrored
    if mirrored is None:
        raise FigureError(f'a "{joint.kind}" joint has no mirror image; its row of JOINTS lacks the field "mirrored"')
    return replace(
        joint,
        axis=_mirrored_point(joint.axis),
        rotation=_mirrored_rotation(joint.rotation),
        position=_mirrored_point(joint.position),
        across=None if joint.across is None else _mirrored_point(joint.across),
        **mirrored(joint),
    )


def mirrored_part(part: Part) -> Part:
    """Return the mirror image of a part; shapes other than hulls and height fields are symmetric."""
    shape = part.shape
    if isinstance(shape, Hull):
        shape = Hull(tuple(_mirrored_point(vertex) for vertex in shape.vertices))
    if isinstance(shape, HeightField):
        shape = replace(shape, heights=tuple(row[::-1] for row in shape.heights))
    if isinstance(shape, BallHull):
        shape = shape.mirrored()
    friction = part.anisotropic_friction
    return replace(
        part,
        shape=shape,
        rotation=_mirrored_rotation(part.rotation),
        position=_mirrored_point(part.position),
        anisotropic_friction=friction and replace(friction, axis=_mirrored_point(friction.axis)),
    )


def _mirrored_point(p: Triple) -> Triple:
    return (p[0], 0.0 - p[1], p[2])


def _mirrored_rotation(R: Matrix3) -> Matrix3:
    return matrix(M @ np.array(R) @ M)
