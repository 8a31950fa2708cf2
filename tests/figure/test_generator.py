"""Random figures: with the requested properties, and physically possible."""

import numpy as np
import pytest

from gambol.errors import FigureError
from gambol.figure import JOINTS, random_figure, random_state


def test_the_same_seed_makes_the_same_figure():
    assert random_figure(3, 9, rotors=0.5) == random_figure(3, 9, rotors=0.5)
    assert random_figure(3, 9) != random_figure(4, 9)


def test_shares_and_kinds_are_the_requested_ones():
    chain = random_figure(1, 12, branching=0.0, kinds=("revolute", "helical"), root="free", rotors=1.0)
    assert [link.parent_index for link in chain.links] == list(range(12))
    assert {link.joint.kind for link in chain.links[1:]} == {"revolute", "helical"}
    assert chain.root.joint.kind == "free"
    assert [link.joint.armature > 0.0 for link in chain.links] == [False] + [True] * 11
    bush = random_figure(1, 40, branching=1.0)
    assert len({link.parent_index for link in bush.links}) < 35
    assert {link.joint.kind for link in bush.links} == set(JOINTS) - {"axial", "rolling"}


def test_taper_shrinks_links_by_its_powers():
    """Lengths by the taper, masses by its cube: the same seed gives the same clouds of points."""
    full, half = (random_figure(5, 6, branching=0.0, taper=taper) for taper in (1.0, 0.5))
    for n, (a, b) in enumerate(zip(full.links, half.links, strict=True)):
        np.testing.assert_allclose(b.mass_properties.mass, a.mass_properties.mass / 8.0**n)
        np.testing.assert_allclose(b.mass_properties.com, np.array(a.mass_properties.com) / 2.0**n)


def test_states_have_unit_quaternions():
    figure = random_figure(8, 20, kinds=("spherical", "free"))
    q, v = random_state(figure, 1)
    assert (len(q), len(v)) == (figure.nq, figure.nv)
    for link in figure.links:
        assert abs(np.linalg.norm(q[link.q.start : link.q.start + 4]) - 1.0) < 1e-15


@pytest.mark.parametrize(
    "wrong", [{"links": 0}, {"taper": 0.0}, {"branching": 2.0}, {"kinds": ("rotatory",)}, {"rotors": -1.0}]
)
def test_impossible_arguments_are_refused(wrong: dict):
    with pytest.raises(FigureError):
        random_figure(1, **wrong)
