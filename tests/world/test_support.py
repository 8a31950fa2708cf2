"""Margins of films: those of a body that stands are by hand."""

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.world import Film, static_margins


def film(pushes: list[list[float]]) -> Film:
    """Return a film of a body over the middle of a square of feet; pushes: of each foot in each frame [N]."""
    F = len(pushes)
    feet = np.array([[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [1.0, -1.0, 0.0]])
    signals = {
        "feet": np.tile(feet, (F, 1, 1, 1)),
        "push": np.array(pushes)[:, None],
        "centre": np.tile([0.25, 0.0, 1.0], (F, 1, 1)),
    }
    rest = np.tile([1.0, 0.0, 0.0, 0.0], (F, 1, 1, 1))
    return Film("square", np.arange(F) * 0.1, np.zeros((F, 1, 1, 3)), rest, ("body",), (), signals=signals)


def test_margins_follow_the_feet_that_stand():
    margins = static_margins(film([[1, 1, 1, 1], [0, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0]]))
    diagonal = 0.25 / np.sqrt(2.0)
    assert margins == pytest.approx([0.75, -diagonal, -diagonal, -np.inf])


def test_a_film_without_feet_is_refused():
    bare = film([[1, 1, 1, 1]])
    del bare.signals["feet"]
    with pytest.raises(GambolError, match='no signal "feet"'):
        static_margins(bare)
