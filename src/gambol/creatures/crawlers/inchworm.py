"""The inchworm: its body arches and flattens, and the hooks of its feet hold it backward. [Miller 1988]

All joints bend together, more in the middle, so that only the ends stand: the rear end is drawn forward while the arch
rises, and the front end is pushed forward while it sinks. Form, friction and servos are not from a source.
"""

from dataclasses import replace

from gambol.creatures.colors import INCHWORM_COLORS
from gambol.creatures.crawlers.body import Body, profile
from gambol.creatures.crawlers.crawler_entry import crawler_entry
from gambol.creatures.crawlers.crawler_world import Strength, Surroundings, crawler_world, period_at
from gambol.creatures.crawlers.waves import Wave, WaveLaw
from gambol.figure import AnisotropicFriction
from gambol.world import World

SEGMENTS, LENGTH, RADIUS = 10, 0.03, 0.0018
"""Number of segments, length [m] and radius [m]: a caterpillar of 0.3 g."""

HOOKS = AnisotropicFriction(forward=0.2, backward=1.0, sideways=1.0)
"""Friction of the belly: the hooks of a caterpillar's feet point backward."""

OUTLINE = profile([(0.0, 0.8 * RADIUS), (0.15, RADIUS), (0.85, RADIUS), (1.0, 0.8 * RADIUS)])

BODY = Body(
    SEGMENTS,
    LENGTH,
    OUTLINE,
    HOOKS,
    joints=("pitch",),
    head=(1.1 * RADIUS, RADIUS, 0.9 * RADIUS),
    feet=(0, 1, SEGMENTS - 2, SEGMENTS - 1),
    colors=INCHWORM_COLORS,
)
"""Pairs of feet at both ends, as a caterpillar has: on a line of balls the arch would fall over."""

WAVE = Wave("pitch", 0.9, 0.0, form="arch")
"""Joints in the middle bend by up to 0.9 rad, joints at the ends as much in the other direction."""

PERIOD = 1.5
STRIDE = 0.0103
"""Period [s], and distance per period, measured by us [m]."""

SERVOS = {"pitch": Strength(2e-3, 1e-5)}


def inchworm_world(
    *,
    speed: float | None = None,
    amplitude: float | None = None,
    surroundings: Surroundings | None = None,
    body: Body = BODY,
) -> World:
    """Return the world of an inchworm.

    speed: requested speed [m/s], which sets the period; None: PERIOD. amplitude: greatest angle between segments [rad];
    None: the amplitude of WAVE. surroundings: None for level ground. Raises WorldError for impossible numbers.
    """
    wave = WAVE if amplitude is None else replace(WAVE, amplitude=amplitude)
    law = WaveLaw((wave,), body.segments - 1, period_at(speed, PERIOD, STRIDE))
    return crawler_world("inchworm", body, law, SERVOS, surroundings or Surroundings())


INCHWORM = crawler_entry(
    "inchworm",
    "an inchworm of 10 segments with hooked feet: its body arches and flattens, after Miller",
    inchworm_world,
    BODY,
    straight="its joints bend only up and down",
)
"""The row of the inchworm."""
