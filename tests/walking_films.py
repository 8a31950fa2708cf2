"""Films of a walking machine without physics, whose measures are known: a trunk, and feet that stand and swing."""

import math

import numpy as np

from gambol.dynamics import STANDARD_GRAVITY
from gambol.world.film import Film

FEET = ("front left", "front right", "hind left", "hind right")
PLACES = {"front left": (0.3, 0.1), "front right": (0.3, -0.1), "hind left": (-0.3, 0.1), "hind right": (-0.3, -0.1)}
TROT = {"front left": 0.5, "front right": 0.0, "hind left": 0.0, "hind right": 0.5}
MASS, HEIGHT = 20.0, 0.5


def walking_film(
    *,
    speed=1.0,
    period=0.5,
    duty=0.6,
    offsets=None,
    bob=0.01,
    lift=0.05,
    slide=0.0,
    heading=0.0,
    strides=12,
    rate=200.0,
):
    """A film of a trunk that moves at constant speed and bobs twice a stride, on four feet.

    slide: speed of standing feet over that of the trunk. heading: of the way, to the left [rad].
    """
    time = np.arange(round(strides * period * rate) + 1) / rate
    phase = time / period
    F = len(time)
    position = np.zeros((F, 1, 5, 3))
    position[:, 0, 0, 0] = speed * time
    position[:, 0, 0, 2] = HEIGHT + bob * np.cos(4.0 * math.pi * phase)
    push = np.zeros((F, 1, 4))
    for k, foot in enumerate(FEET):
        x, y = PLACES[foot]
        offset = (offsets or TROT)[foot]
        cycle = np.floor(phase - offset)
        own = phase - offset - cycle
        stands = own < duty
        ground = (cycle + offset) * period * speed + x + 0.5 * duty * period * speed
        swing = np.clip((own - duty) / (1.0 - duty), 0.0, 1.0)
        moved = np.minimum(own, duty) * period * speed * slide
        stride = period * speed
        position[:, 0, 1 + k, 0] = ground + moved + swing * (stride - duty * stride * slide)
        position[:, 0, 1 + k, 1] = y
        position[:, 0, 1 + k, 2] = lift * np.sin(math.pi * swing)
        push[:, 0, k] = stands
    push *= MASS * STANDARD_GRAVITY / np.maximum(push.sum(axis=2, keepdims=True), 1.0)
    c, s = math.cos(heading), math.sin(heading)
    position = position @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    quaternion = np.zeros((F, 1, 5, 4))
    quaternion[..., 0], quaternion[..., 3] = math.cos(0.5 * heading), math.sin(0.5 * heading)
    centre = position[:, :, 0]
    signals = {
        "centre": centre,
        "feet": position[:, :, 1:],
        "push": push,
        "potential": MASS * STANDARD_GRAVITY * centre[..., 2],
        "positive_power": np.full((F, 1), 40.0),
    }
    return Film(
        "machine",
        time,
        position,
        quaternion,
        ("trunk", *FEET),
        (),
        signals=signals,
        parents=(-1, 0, 0, 0, 0),
        axes={"feet": FEET},
    )
