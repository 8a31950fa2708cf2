"""The kept creatures do what they are kept for: clean books, feet that hold, and a film that shows it."""

import numpy as np
import pytest

from gambol.errors import EvolveError
from gambol.evolve.gallery import KEPT, kept
from gambol.evolve.genotype import to_json
from gambol.evolve.life import filmed, lives

DOES: dict[str, dict[str, tuple[float, float]]] = {
    "walker": {"speed": (2.0, 9.0), "slip": (0.0, 0.1), "dragging": (0.0, 0.0), "tangle": (0.0, 0.0)},
    "hopper": {"flight": (0.4, 1.0), "speed": (0.5, 9.0), "slip": (-0.01, 0.1), "dragging": (0.0, 0.0)},
    "jumper": {"leap": (0.3, 3.0), "landed": (0.5, 1.0), "tangle": (0.0, 0.05)},
    "crawler": {"crawl": (1.0, 9.0), "flight": (0.0, 0.1), "upright": (0.9, 1.0), "tangle": (0.0, 0.0)},
    "swimmer": {"speed": (0.5, 9.0), "straightness": (0.9, 1.0), "tangle": (0.0, 0.0)},
    "rower": {"speed": (1.0, 9.0), "tangle": (0.0, 0.05)},
}
"""Bounds of what they are measured by: speeds in body lengths a second, a walk of at least two of them."""


@pytest.mark.parametrize("name", KEPT)
def test_it_does_what_it_is_kept_for(name: str):
    """In four trials that no search has seen, besides the one that nothing disturbs."""
    one = kept(name)
    for outcome in lives(one.settings, [to_json(one.genotype)] * 4, [1, 2, 3, 4]):
        assert outcome.marked == ""
        for term, (least, most) in DOES[name].items():
            assert least <= outcome.terms[term] <= most, f"{term} {outcome.terms[term]}"


@pytest.mark.parametrize("name", ["walker", "crawler", "rower"])
def test_its_film_shows_no_limb_in_the_ground(name: str):
    """The lowest point of every foot, while it is pressed on: no deeper than a hundredth of the creature."""
    one = kept(name)
    film = filmed(one.settings, to_json(one.genotype), seconds=3.0)
    lowest = film.signals["feet"][..., 2].min()
    assert lowest > -0.01 * 0.5
    assert np.isfinite(film.position).all()


def test_who_is_not_kept_is_told():
    with pytest.raises(EvolveError, match='no creature called "waker" is kept; did you mean "walker"'):
        kept("waker")
