"""The data with which a visitor of a page acts on a figure, and the speed at which the page shows it."""

from typing import Any

from gambol.view.live.hand import hand_of, push_of, weight_of
from gambol.view.live.posing import posing
from gambol.view.scene import look
from gambol.world import World


def playback(size: float, speed: float | None) -> dict[str, Any]:
    """Return the playback speed of a page in multiples of real time, and the speeds to choose from.

    size: size of the figure [m]; speed: the speed; None: a speed that follows from the size.
    """
    chosen = speed or look.playback_rate(size)
    return {"speed": chosen, "speeds": sorted({*look.PLAYBACK_RATES, chosen})}


def interaction_data(world: World, size: float, grab: bool) -> dict[str, Any]:
    """Return the data with which a visitor acts on a figure: name, weight and size, joints, hand and push.

    size: size of the figure [m]; grab: True if bodies can be grabbed.
    """
    hand = hand_of(world, size) if grab else None
    basics = {"name": world.figure.name, "weight": weight_of(world), "size": size}
    return {**basics, "hand": hand, "pose": posing(world) if grab else None, "push": push_of(world, size)}
