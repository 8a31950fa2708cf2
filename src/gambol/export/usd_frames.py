"""Frames and locked axes of joints in USD Physics. [OpenUSD, UsdPhysics: Joint, LimitAPI]"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gambol.export.usd_library import usd_modules
from gambol.figure.rotation import matrix
from gambol.spatial.rotation import Rotation, quaternion_of


def set_frame(joint: Any, side: int, position: Sequence[float], rotation: ArrayLike, scale: float) -> None:
    """Set the frame of a joint on one of its bodies.

    side: 0 or 1. position: in the body's frame [m]. rotation (3, 3). scale: scale of lengths.
    """
    (Gf,) = usd_modules("Gf")

    set_position, set_rotation = (getattr(joint, f"CreateLocal{name}{side}Attr") for name in ("Pos", "Rot"))
    set_position(Gf.Vec3f(*(scale * np.array(position, float)).tolist()))
    set_rotation(quaternion(rotation))


def lock_axes(joint: Any, axes: Iterable[str]) -> None:
    """Lock axes of a joint of six axes, such as "transX": a lower limit above the upper one locks an axis."""
    (UsdPhysics,) = usd_modules("UsdPhysics")

    for axis in axes:
        limit = UsdPhysics.LimitAPI.Apply(joint.GetPrim(), axis)
        limit.CreateLowAttr(1.0)
        limit.CreateHighAttr(-1.0)


def quaternion(rotation: ArrayLike) -> Any:
    """Return a rotation (3, 3) as a quaternion of OpenUSD."""
    (Gf,) = usd_modules("Gf")

    w, *v = quaternion_of(Rotation(matrix(np.array(rotation, float))))
    return Gf.Quatf(float(w), *(float(x) for x in v))
