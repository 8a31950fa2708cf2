"""A film of a walk whose period, travel and gap are known."""

import numpy as np

from gambol.world import Film

PERIOD, SPEED, TURN = 0.5, 0.4, 0.3


def walker(drift: float = 0.0) -> Film:
    """Return a film of a root that walks along a circle, and a foot that swings; drift: of the foot in a second [m]."""
    t = np.arange(401) / 100.0
    heading = TURN * t
    radius = SPEED / TURN
    x, y = radius * np.sin(heading), radius * (1.0 - np.cos(heading))
    bob = 0.5 + 0.02 * np.sin(2.0 * np.pi * t / PERIOD)
    swing = 0.1 * np.sin(2.0 * np.pi * t / PERIOD) + drift * t
    root = np.stack([x, y, bob], axis=-1)
    foot = root + np.stack([swing * np.cos(heading), swing * np.sin(heading), -bob], axis=-1)
    turn = np.stack([np.cos(heading / 2), 0 * t, 0 * t, np.sin(heading / 2)], axis=-1)
    stepping = (np.sin(2.0 * np.pi * t / PERIOD + 0.1) > 0.0).astype(float)
    return Film(
        "walker",
        t,
        np.stack([root, foot], axis=1)[:, None],
        np.stack([turn, turn], axis=1)[:, None],
        ("trunk", "foot"),
        (),
        ("foot",),
        signals={"stepping": stepping[:, None, None]},
        parents=(-1, 0),
    )
