"""Beer's insect on courses: rates of turn in all gaits, paths, and what it cannot do."""

import numpy as np
import pytest

from gambol import make_world, run, start
from gambol.creatures.beer import Steering
from gambol.creatures.beer.entry import GAITS, insect_law, steered_law
from gambol.creatures.steered import steerable_course
from gambol.errors import WorldError
from gambol.gait.course import Course
from gambol.gait.steering import heading_of
from gambol.world import Film

RATE = 50.0


def headings(film: Film) -> np.ndarray:
    return np.unwrap([float(heading_of(q, 1.0)) for q in film.quaternion[:, 0, 0]])


@pytest.mark.parametrize("gait", list(GAITS))
@pytest.mark.parametrize("share", [1.0, -0.5])
def test_it_turns_as_commanded_up_to_its_largest_rate(gait, share):
    """Legs slip by 45 %, which the heading corrects; the rate is measured over whole cycles, to a tenth."""
    turn = share * steered_law(GAITS[gait], 0.0, None).course.limits.turn
    world = make_world("beer", gait=gait, turn=turn)
    film = run(world, start(world), 16.0, rate=RATE)
    late = film.time > 4.0
    assert np.polyfit(film.time[late], headings(film)[late], 1)[0] == pytest.approx(turn, rel=0.1)
    assert film.position[:, 0, 0, 2].min() > 0.08  # it stands at 0.096 m


def test_it_follows_a_path_and_stops_at_its_end():
    path = np.array([[0.2, 0.1], [0.7, 0.1], [1.2, 0.4], [1.7, 0.4]])
    world = make_world("beer", gait="tetrapod", path=path)
    film = run(world, start(world), 20.0, rate=RATE)
    place = film.position[:, 0, 0, :2]
    assert place[0] == pytest.approx(path[0])
    following = world.controller.law.course.following
    assert np.linalg.norm(place[:, None] - following.path.points(), axis=-1).min(axis=1).max() < 0.06  # 2 foot lengths
    assert np.hypot(*(place[-1] - path[-1])) < 0.05
    assert np.ptp(place[film.time > 19.0], axis=0).max() < 0.005


def test_an_insect_that_can_be_steered_walks_as_before_until_it_is_steered():
    world = make_world("beer")
    steered = steerable_course(world)
    assert steered.controller.law.course.steerable
    films = [run(each, start(each), 3.0, rate=RATE) for each in (world, steered)]
    np.testing.assert_allclose(films[1].position, films[0].position, rtol=0.0, atol=1e-9)


def test_impossible_courses_are_refused():
    with pytest.raises(WorldError, match=r"a turn of 0\.5 rad/s is not possible; give -0\.134 to 0\.134"):
        make_world("beer", turn=0.5)
    law = insect_law(1.0, steering=Steering(bias=0.1))
    with pytest.raises(WorldError, match="by its sensors or by a course"):
        law.with_course(Course(0.1))
