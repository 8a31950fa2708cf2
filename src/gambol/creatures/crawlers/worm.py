"""The worm: waves of stretching along its body, by peristalsis, with bristles that hold it backward. [Miller 1988]

Miller's worm shortens the rest lengths of springs between its masses in turn. The worm here has prismatic joints
between rigid rings, with servos whose targets follow this wave. A ring that stretches away from its neighbours slips
forward, where friction is least, and the other rings hold. Form, friction and servos are not from a source.
"""

from dataclasses import replace

from gambol.creatures.colors import WORM_COLORS
from gambol.creatures.crawlers.body import Body, profile
from gambol.creatures.crawlers.crawler_entry import crawler_entry
from gambol.creatures.crawlers.crawler_world import Strength, Surroundings, crawler_world, period_at
from gambol.creatures.crawlers.waves import Wave, WaveLaw
from gambol.figure import AnisotropicFriction
from gambol.world import World

RINGS, LENGTH, RADIUS = 14, 0.14, 0.0055
"""Number of rings, length of the shortened body [m] and radius [m]: an earthworm of 9 g."""

BRISTLES = AnisotropicFriction(forward=0.2, backward=0.8, sideways=0.8)
"""Friction of the belly: the bristles of an earthworm point backward."""

OUTLINE = profile([(0.0, 0.5 * RADIUS), (0.12, RADIUS), (0.9, RADIUS), (1.0, 0.45 * RADIUS)])

BODY = Body(RINGS, LENGTH, OUTLINE, BRISTLES, joints=("stretch",), waist=0.82, colors=WORM_COLORS)

WAVE = Wave("stretch", 0.5 * LENGTH / RINGS, -1.0, form="raised")
"""Joints stretch by up to half a ring; one wave of stretching lies on the body and travels towards the head."""

PERIOD = 1.0
STRIDE = 0.0121
"""Period [s], and distance per period, measured by us [m]."""

SERVOS = {"stretch": Strength(400.0, 0.4)}


def worm_world(
    *,
    speed: float | None = None,
    amplitude: float | None = None,
    waves: float | None = None,
    surroundings: Surroundings | None = None,
    body: Body = BODY,
) -> World:
    """Return the world of a worm.

    speed: requested speed [m/s], which sets the period; None: PERIOD. amplitude: distance by which joints stretch [m];
    waves: number of waves on the body, positive towards the tail; None: the values of WAVE. surroundings: None for
    level ground. Raises WorldError for impossible numbers.
    """
    amplitude, waves = WAVE.amplitude if amplitude is None else amplitude, WAVE.waves if waves is None else waves
    law = WaveLaw(
        (replace(WAVE, amplitude=amplitude, waves=waves),), body.segments - 1, period_at(speed, PERIOD, STRIDE)
    )
    return crawler_world("worm", body, law, SERVOS, surroundings or Surroundings())


WORM = crawler_entry(
    "worm",
    "a worm of 14 rings with bristles: a wave of stretching along its body, after Miller",
    worm_world,
    BODY,
    straight="its joints only stretch",
)
"""The row of the worm."""
