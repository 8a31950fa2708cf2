"""Contact slots of each tree of a forest, against one pool of slots."""

from dataclasses import replace

import numpy as np

import gambol
from gambol.collide.broad import Pair
from gambol.contact.generation.sources import slot_count, slot_groups
from gambol.world.capacity import resized

EDGE = 0.2


def two_boxes() -> gambol.World:
    """Two boxes that fall on an edge beside each other, lean over and meet."""
    part = gambol.Part(gambol.Box((EDGE, EDGE, 2.0 * EDGE)), density=500.0, friction=0.4)
    box = gambol.Figure("box", (gambol.Link("box", None, gambol.Joint("free"), (part,)),))
    forest = gambol.make_forest("two", [box, box])
    c, s = np.cos(0.3), np.sin(0.3)
    pairs = (Pair(2, 0, 3, 0),)
    world = gambol.make_world(forest, pairs=pairs, contact=gambol.Stepping(16, 40))
    q = (c, 0.0, s, 0.0, -0.3, 0.0, 0.45, c, 0.0, -s, 0.0, 0.3, 0.02, 0.45)
    return replace(world, initial=gambol.InitialState(q))


def split(world: gambol.World, tree: int, between: int) -> gambol.World:
    return replace(world, contact=gambol.Stepping(between, 40, tree_contacts=tree))


def test_trees_have_slots_of_their_own_and_pairs_further_ones():
    world = split(two_boxes(), 4, 3)
    groups = slot_groups(world.scene)
    assert [(group.count, sorted(group.links)) for group in groups] == [(4, [2]), (4, [3]), (3, [1, 2, 3])]
    assert slot_count(world.scene) == world.contact_capacity == 11
    assert [group.count for group in slot_groups(two_boxes().scene)] == [16]


def test_slots_by_tree_give_the_motion_of_one_pool():
    pooled = two_boxes()
    films = [gambol.run(w, gambol.start(w), 1.0, rate=60.0, coordinates=True) for w in (pooled, split(pooled, 8, 8))]
    q, other = (film.signals["q"][:, 0] for film in films)
    assert abs(q[-1, 4] - q[0, 4]) > 0.01  # they fell and met
    # the order of contacts differs, so sweeps end within the tolerance of 1 mm/s of the same motion
    np.testing.assert_allclose(q, other, atol=2e-3)


def test_a_state_keeps_its_impulses_when_trees_get_more_slots():
    world = split(two_boxes(), 4, 3)
    state = gambol.start(world)
    gambol.run(world, state, 0.5, rate=60.0)
    larger = resized(state, split(world, 8, 6))
    back = resized(larger, world)
    found, kept = (sorted(float(p[0][0]) for p in x.step_state.memory.contact_cache.impulses) for x in (state, back))
    assert max(found) > 0.0
    assert kept == found
