"""The key of the formulas of a plan: all that they contain besides the unknowns, constants and scales of elements."""

from collections.abc import Hashable

from gambol.collide import Plane
from gambol.dynamics.passive import Passive
from gambol.plan.motion.spec.plan import Plan


def plan_key(plan: Plan) -> Hashable:
    """Return a key; plans with equal keys have the same formulas at their nodes.

    A ground of another class than Plane may be code of the user, and springs may be functions: they are compared by
    identity, so that different plans with such objects have different keys.
    """
    ground: Hashable = plan.ground if type(plan.ground) is Plane else Identity(plan.ground)
    springs = tuple((name, tuple(each)) for name, each in Passive.of(plan.figure, plan.springs).springs.items())
    key = (plan.figure, plan.gravity, springs, ground, plan.friction, plan.cone, plan.mesh.dynamics)
    return key if _is_hashable(key) else Identity(plan)


class Identity:
    """An object that is equal only to itself. It is referenced here, so that no other object gets its id()."""

    def __init__(self, of: object) -> None:
        self._of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self._of is other._of

    def __hash__(self) -> int:
        return id(self._of)


def _is_hashable(key: Hashable) -> bool:
    try:
        hash(key)
    except TypeError:
        return False
    return True
