"""Joints: how they are given, the table of their kinds, and where they put their links."""

from gambol.figure.joint.given import IDENTITY, Joint, Matrix3, Triple
from gambol.figure.joint.kinds import JOINTS, JointKind, place, rates, subspace, transform
from gambol.figure.joint.placement import Bend, Placement

__all__ = [
    "IDENTITY",
    "JOINTS",
    "Bend",
    "Joint",
    "JointKind",
    "Matrix3",
    "Placement",
    "Triple",
    "place",
    "rates",
    "subspace",
    "transform",
]
