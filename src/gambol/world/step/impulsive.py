"""Large fixed steps whose contacts are collisions: what bounces is integrated in sequence, what rests is held by
collisions without rebound. Forces, limits, dry friction, ledger and clock are those of stepping.py.
"""

from collections.abc import Callable

from gambol.contact.impulse import by_collisions
from gambol.lanes import Scalar
from gambol.world.laws import Laws, Memory
from gambol.world.step.living import Living
from gambol.world.step.stepping import stepping


def colliding(laws: Laws) -> Callable[[Living, Memory, Scalar], Living]:
    """What takes the steps of a world with some laws, by collisions under its hypothesis of restitution."""
    return stepping(laws, by_collisions(laws.world.hypothesis))
