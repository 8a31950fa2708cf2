"""Options of the roach's walk on the command line reach its world, or are refused with a remedy."""

import pytest

from gambol.cli.walk.roach import RoachRequest, prepare_roach_walk
from gambol.creatures import roach, world_of
from gambol.errors import WorldError


def test_the_law_of_the_thesis_is_that_of_its_world():
    walk = prepare_roach_walk(RoachRequest(parameters="thesis", law="thesis", seconds=0.1))
    expected = world_of(roach("thesis"), law="thesis")
    assert walk.world.surface == expected.surface
    assert walk.world.surface.grip == "none"
    assert walk.world.timing.step == expected.timing.step != world_of(roach("thesis")).timing.step


@pytest.mark.parametrize(
    ("options", "message"),
    [({"grip": "all"}, "leave grip out"), ({"contact": "stepping"}, 'choose the contact method "penalty"')],
)
def test_the_law_of_the_thesis_is_refused_where_it_is_no_law(options, message):
    with pytest.raises(WorldError, match=message):
        prepare_roach_walk(RoachRequest(law="thesis", seconds=0.1, **options))
