"""Bodies of people: the masses and lengths of their sources."""

import pytest

from gambol.creatures.people.body import APPLET
from gambol.creatures.people.person import LENGTHS, MASSES, hip_height, person
from gambol.creatures.people.planar_figure import planar_person
from gambol.dynamics import centre_of_mass, kinematics
from gambol.errors import FigureError

TWICE = ("upper arm", "forearm", "thigh", "shank", "foot")


def test_the_masses_of_all_segments_make_a_body():
    assert sum(share * (2 if name in TWICE else 1) for name, share in MASSES.items()) == pytest.approx(1.0, abs=1e-12)
    assert person(68.0, 1.7).mass == pytest.approx(68.0, abs=1e-9)
    assert person(68.0, 1.7, planar=True).mass == pytest.approx(68.0, abs=1e-9)


def test_the_biped_of_the_applet_has_90_kg_and_legs_of_94_cm():
    figure = planar_person("biped", APPLET)
    assert (figure.mass, figure.nv, len(figure.links)) == (90.0, 9, 7)
    assert APPLET.hip_height == pytest.approx(0.94)


def test_a_standing_person_has_the_given_height_and_a_human_centre_of_mass():
    """Textbooks have it at 0.55 to 0.57 of the height of a standing adult."""
    height = 1.8
    figure = person(80.0, height)
    q = [1.0, *[0.0] * 5, hip_height(height), *[0.0] * (figure.nq - 7)]
    state = kinematics(figure, q, [0.0] * figure.nv)
    assert float(centre_of_mass(state).z) / height == pytest.approx(0.56, abs=0.02)
    assert hip_height(height) + LENGTHS["crown"] * height == pytest.approx(height)


def test_the_same_person_in_the_plane_and_in_space_has_the_same_centre_of_mass():
    space, plane = person(), person(planar=True)
    q = [1.0, *[0.0] * (space.nq - 1)]
    inside = centre_of_mass(kinematics(space, q, [0.0] * space.nv))
    flat = centre_of_mass(kinematics(plane, [0.0] * plane.nq, [0.0] * plane.nv))
    assert [float(a - b) for a, b in zip(inside, flat, strict=True)] == pytest.approx([0.0] * 3, abs=1e-12)


@pytest.mark.parametrize(("mass", "height"), [(0.0, 1.7), (70.0, -1.0), (float("nan"), 1.7), (70.0, float("inf"))])
def test_impossible_people_are_refused(mass: float, height: float):
    with pytest.raises(FigureError, match="is impossible; both must be positive"):
        person(mass, height)
