"""The search for the surface of a skin by blocks beside the full grid."""

import numpy as np
import pytest

from gambol.export import skin
from gambol.export.clip import clip_of
from gambol.figure import Box, Capsule, Figure, Joint, Link, Part, Sphere
from gambol.plan.pose.film import pose_film
from gambol.world import Film

FIGURE = Figure(
    "limb",
    (
        # shapes inside each other, where the sign of the distance to all of them is not certain
        Link("trunk", None, Joint("free"), (Part(Box((0.4, 0.2, 0.1))), Part(Sphere(0.12)), Part(Capsule(0.03, 0.5)))),
        Link("leg", "trunk", Joint("revolute", (0, 1, 0), position=(0.2, 0, 0)), (Part(Capsule(0.03, 0.3)),)),
        Link("ball", "leg", Joint("spherical", position=(0, 0, -0.3)), (Part(Sphere(0.04)),)),
    ),
)


def test_blocks_leave_out_no_part_of_the_surface(monkeypatch: pytest.MonkeyPatch):
    """To the last bit: distances are computed in fewer points, and are the same there."""
    q = [1.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3, 0.7, 0.9, 0.1, 0.3, 0.3]
    film: Film = pose_film(FIGURE, [0.0], np.array([q]))
    clip = clip_of(film, scale=10.0)
    found = skin.skin_of(clip)
    evaluated: list[int] = []
    at = skin._Solid.at

    def counting(solid: skin._Solid, points: np.ndarray) -> np.ndarray:
        evaluated.append(len(points))
        return at(solid, points)

    monkeypatch.setattr(skin._Solid, "at", counting)
    skin.skin_of(clip)
    with_blocks = sum(evaluated)
    evaluated.clear()
    monkeypatch.setattr(skin, "BLOCKS", ())
    full = skin.skin_of(clip)
    for name in ("points", "normals", "indices"):
        np.testing.assert_array_equal(getattr(found.mesh, name), getattr(full.mesh, name))
    np.testing.assert_array_equal(found.weights, full.weights)
    assert 2 * with_blocks < sum(evaluated)
