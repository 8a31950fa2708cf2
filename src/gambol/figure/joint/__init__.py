"""Joints: their data, the table of joint kinds, and their placement at given coordinates.

no_travel: value of `travel` in a row of the table, for joints that do not move the link's origin.
"""

from gambol.figure.joint.joint import IDENTITY, OLD_KINDS, Joint, Matrix3, Placement, SubspaceDerivative, Triple
from gambol.figure.joint.kind import JointKind, SeriesJoint, TurningAxes, no_travel
from gambol.figure.joint.kinds import JOINTS, place, q_dot, subspace, transform

__all__ = [
    "IDENTITY",
    "JOINTS",
    "OLD_KINDS",
    "Joint",
    "JointKind",
    "Matrix3",
    "Placement",
    "SeriesJoint",
    "SubspaceDerivative",
    "Triple",
    "TurningAxes",
    "no_travel",
    "place",
    "q_dot",
    "subspace",
    "transform",
]
