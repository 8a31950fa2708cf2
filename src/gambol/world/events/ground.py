"""A warning of figures that fall through a ground which has no stiffness."""

import math
import warnings

from gambol.collide import NoGround
from gambol.world.observe import depth_of
from gambol.world.state import State

EXAMINED_LANES = 8
"""Number of worlds that are examined: nearly always all worlds of a run have the same mistake."""


class GroundWarning(UserWarning):
    """A figure fell through a ground without stiffness, or its world may stop at a ground that is too stiff for it."""


def warn_of_ground_without_stiffness(initial: State, final: State) -> None:
    """Warn of figures that were above the ground of their world and are below it now, if it has no stiffness.

    initial, final: the states before and after a run. There is no warning for World(ground=NoGround()), nor for a
    ground that has a stiffness and therefore supports figures.
    """
    world = final.world
    if world.has_ground or isinstance(world.ground, NoGround):
        return
    for lane in range(min(EXAMINED_LANES, final.q.shape[0])):
        before, after = (depth_of(world, state.q[lane].astype(float).tolist()) for state in (initial, final))
        if before <= 0.0 < after < math.inf:
            warnings.warn(
                f'"{world.figure.name}" fell through the ground in lane {lane}: its lowest point is {after:.3g} m '
                "below it, since the surface of this world has no stiffness: nothing touches it. make_world(figure, "
                f'contact="{world.method.name}") gives parameters that fit the figure; or give '
                "surface=SurfaceProperties(ContactParameters(...)), or ground=NoGround() for no ground",
                GroundWarning,
                stacklevel=3,
            )
            return
