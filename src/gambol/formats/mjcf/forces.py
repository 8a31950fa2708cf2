"""Joint forces of a compiled MJCF model: springs, dampers, friction, limits."""

import math
from typing import Any

from gambol.figure import JointSpring, Springs
from gambol.formats.export_report import UNLIMITED
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.tree import BALL, FREE, HINGE, SLIDE, Names


def springs_of(mjcf: CompiledMjcf, names: Names) -> dict[str, Springs]:
    """Return the springs of the joints that have any, by link name; joint limits have no stiffness."""
    springs: dict[str, Springs] = {}
    for joint in range(mjcf.model.njnt):
        spring = _spring(mjcf, joint)
        if spring == JointSpring():
            continue
        count = 4 if int(mjcf.model.jnt_type[joint]) == FREE else 1  # an orientation and x, y, z
        springs[names.joints[joint]] = (spring,) * count if count > 1 else spring
    return springs


def _spring(mjcf: CompiledMjcf, joint: int) -> JointSpring:
    """Return a joint's spring, damper, friction and limits, except those that the model disables."""
    model, kind, dof = mjcf.model, int(mjcf.model.jnt_type[joint]), int(mjcf.model.jnt_dofadr[joint])
    no_constraints = mjcf.is_disabled("CONSTRAINT")
    k = 0.0 if mjcf.is_disabled("SPRING") or kind == FREE else float(model.jnt_stiffness[joint])
    b = 0.0 if mjcf.is_disabled("DAMPER") else float(model.dof_damping[dof])
    friction = 0.0 if mjcf.is_disabled("FRICTIONLOSS") or no_constraints else float(model.dof_frictionloss[dof])
    rest = float(model.qpos_spring[model.jnt_qposadr[joint]]) if k and kind in (HINGE, SLIDE) else 0.0
    lower, upper = -math.inf, math.inf
    if model.jnt_limited[joint] and not mjcf.is_disabled("LIMIT") and not no_constraints:
        lower, upper = limits_of(True, model.jnt_range[joint])
        lower = -math.inf if kind == BALL else lower
    return JointSpring(stiffness=k, rest=rest, damping=b, friction=friction, lower=lower, upper=upper)


def limits_of(limited: Any, bounds: Any) -> tuple[float, float]:
    """Return the lower and upper limit; infinite if there is no limit."""
    low, high = (float(bounds[0]), float(bounds[1])) if limited else (-UNLIMITED, UNLIMITED)
    return (low if low > -UNLIMITED else -math.inf, high if high < UNLIMITED else math.inf)
