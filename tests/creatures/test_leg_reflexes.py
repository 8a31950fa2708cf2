"""The reflexes of a creature's legs by name: supports, thresholds, and none of them on level ground."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog

from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.leg_reflexes import checked_reflexes, reflex_modifiers, reflex_triggers, stable_supports
from gambol.errors import WorldError
from gambol.gait.reflex import UNREACHABLE
from gambol.world import Film, run

ROACH = roach()
NAMES = [leg.name for leg in ROACH.legs]


def standing_feet() -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of the feet, and those of the centre of mass, in a film's first frame."""
    world = world_of(ROACH)
    film = run(world, standing_state(ROACH, world), 1.0 / 1200.0)
    return film.signals["feet"][0, 0].reshape(-1, 3)[:, :2], film.signals["centre"][0, 0, :2]


def test_supports_are_the_least_sets_of_feet_around_the_centre_of_mass():
    feet, centre = standing_feet()

    def holds(legs: tuple[int, ...]) -> bool:
        """Return True if the centre is a convex combination of feet, by linear programming."""
        equations = np.vstack([feet[list(legs)].T, np.ones(len(legs))])
        return linprog(np.zeros(len(legs)), A_eq=equations, b_eq=[*centre, 1.0]).status == 0

    sets = [legs for size in range(1, 7) for legs in combinations(range(6), size) if holds(legs)]
    least = [legs for legs in sets if not any({*other} < {*legs} for other in sets)]
    assert sorted(stable_supports(ROACH)) == sorted(least)


def test_both_tripods_support_the_roach_and_mirror_images_alike():
    supports = {frozenset(NAMES[i] for i in legs) for legs in stable_supports(ROACH)}
    assert {"front left", "middle right", "back left"} in supports
    swap = {"left": "right", "right": "left"}
    assert supports == {frozenset(f"{pair} {swap[side]}" for pair, side in map(str.split, legs)) for legs in supports}


def test_a_creature_without_a_leg_has_the_supports_that_do_not_need_it():
    lame = ROACH.without_leg("middle left")
    kept = [i for i, name in enumerate(NAMES) if name != "middle left"]
    whole = {frozenset(NAMES[i] for i in legs) for legs in stable_supports(ROACH) if {*legs} <= {*kept}}
    assert whole <= {frozenset(NAMES[kept[i]] for i in legs) for legs in stable_supports(lame)}


def test_names_choose_reflexes():
    assert checked_reflexes(True) == ("step", "load")
    assert checked_reflexes(False) == ()
    assert checked_reflexes(["foothold", "step"]) == ("step", "foothold")
    both, step = reflex_triggers(ROACH, ("step", "load")), reflex_triggers(ROACH, ("step",))
    assert both == ROACH.reflexes
    assert all(t.load == UNREACHABLE and t.bent_back < 1.0 for t in step)
    assert reflex_triggers(ROACH, ("elevator",)) == ()
    assert all(t.load == UNREACHABLE for t in reflex_triggers(ROACH, ("step", "load", "stable")))
    with pytest.raises(WorldError, match='no reflex "elevators" of legs; did you mean "elevator"'):
        checked_reflexes(["elevators"])
    with pytest.raises(WorldError, match="as a collection"):
        checked_reflexes("stable")


def test_climbing_takes_the_place_of_elevator_and_foothold():
    kinds = [type(modifier).__name__ for modifier in reflex_modifiers(ROACH, ("stable", "elevator", "climb"))]
    assert kinds == ["StablePatterns", "HighSteps", "Elevator", "Foothold"]


def walk(*reflexes: str) -> Film:
    world = world_of(ROACH, reflexes=reflexes)
    return run(world, standing_state(ROACH, world), 0.45)


def test_on_level_ground_no_leg_strikes_and_none_is_held():
    plain, others = walk(), walk("step", "stable", "elevator")
    np.testing.assert_array_equal(plain.signals["feet"], others.signals["feet"])
