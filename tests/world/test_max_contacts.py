"""Capacity for contacts: as the figure and the ground require, and more in control steps that need it."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.contact.generation.contact_set import contact_count
from gambol.contact.generation.max_contacts import default_max_contacts
from gambol.creatures import roach
from gambol.creatures.creature_world import world_of
from gambol.creatures.models import initial_state, world_of_model
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere, make_forest
from gambol.formats import Model
from gambol.integrate import ConvergenceWarning
from gambol.world import Film, State, World, run
from gambol.world.capacity import resized
from gambol.world.context import ContactCache

EDGE = 0.2
BLOCK = Figure("block", (Link("block", None, Joint("free"), (Part(Box((EDGE,) * 3)),)),))


def stack(blocks: int, max_contacts: int | None = None) -> tuple[Model, World]:
    """Return blocks stacked with small offsets, and their world of large steps."""
    places = ((1.0, 0.0, 0.0, 0.0, 0.003 * k, 0.002 * k, EDGE * (k + 0.5)) for k in range(blocks))
    model = Model(make_forest("stack", [BLOCK] * blocks), q=tuple(x for place in places for x in place), ground=True)
    world = world_of_model(model, contact="stepping")
    return model, replace(world, contact=replace(world.method, max_contacts=max_contacts))


def filmed(model: Model, world: World, *seconds: float, rate: float = 240.0) -> tuple[Film, State]:
    """Return the film of the last of some runs, each of which continues the one before, and the final state."""
    state = initial_state(model, world)
    *_, film = [run(world, state, time, rate=rate) for time in seconds]
    return film, state


def test_the_capacity_follows_from_feet_and_pairs_of_parts():
    feet = [Link(f"foot{k}", "trunk", Joint("revolute"), (Part(Box((0.1,) * 3)), Part(Sphere(0.1)))) for k in range(5)]
    spider = Figure("spider", (Link("trunk", None, Joint("free"), (Part(Sphere(0.1)),)), *feet))
    assert default_max_contacts(spider, (), True) == 20
    assert (
        default_max_contacts(replace(spider, given_links=spider.given_links[:3]), (), True) == 11
    )  # every possible contact
    assert default_max_contacts(replace(spider, given_links=spider.given_links[:4]), (), True) == 12
    assert default_max_contacts(spider, (), False) == 1  # without a ground there is nothing to touch
    assert [stack(blocks)[1].contact_capacity for blocks in (1, 2, 5)] == [4, 16, 44]
    assert stack(5, max_contacts=7)[1].contact_capacity == 7
    assert world_of(roach(), contact="stepping").contact_capacity == 12  # the value of its stored walks


def test_a_stack_of_three_boxes_stands():
    film, _ = filmed(*stack(3), 0.5)
    np.testing.assert_allclose(film.position[-1, 0, 1:, 2], EDGE * (np.arange(3) + 0.5), atol=1e-4)
    assert film.signals["unsolved"][-1, 0] <= 0.01 * film.signals["taken"][-1, 0]


def test_control_steps_over_capacity_are_repeated_with_more():
    few, enough = (filmed(*stack(2, max_contacts=max_contacts), 0.25)[0] for max_contacts in (3, 12))
    np.testing.assert_allclose(few.position, enough.position, atol=1e-6)
    assert few.signals["unsolved"][-1, 0] <= enough.signals["unsolved"][-1, 0] + 1.0


def test_results_over_capacity_do_not_depend_on_how_a_run_is_divided():
    _, full = filmed(*stack(2, max_contacts=5), 0.2)
    _, halves = filmed(*stack(2, max_contacts=5), 0.1, 0.1)
    _, seldom = filmed(*stack(2, max_contacts=5), 0.2, rate=60.0)
    np.testing.assert_array_equal(full.rows, halves.rows)
    np.testing.assert_array_equal(full.rows, seldom.rows)


def test_a_capacity_that_cannot_grow_causes_a_warning_with_its_option():
    model, world = stack(2, max_contacts=3)
    state = initial_state(model, world)
    with pytest.warns(
        ConvergenceWarning, match=r"more contacts near than max_contacts \(3\).*Stepping\(max_contacts=6\)"
    ):
        run(world, state, 0.1, rate=240.0, events={"falls": lambda q, v: v[5] + 1.0})


def test_impulses_of_a_state_survive_changes_of_the_capacity():
    model, world = stack(2)
    assert contact_count(world.scene) == 16
    world = replace(world, contact=replace(world.method, max_contacts=12))
    _, state = filmed(model, world, 0.1)
    cache = state.step_state.memory.contact_cache
    assert cache is not None
    pushing = sum(float(impulse[0][0]) > 0.0 for impulse in cache.impulses)
    assert pushing >= 6
    for max_contacts in (14, 16):
        wide = resized(state, replace(world, contact=replace(world.method, max_contacts=max_contacts)))
        back = resized(wide, world).step_state.memory.contact_cache
        assert back is not None
        assert _remembered(back) == _remembered(cache)
        np.testing.assert_array_equal(wide.q, state.q)


def _remembered(cache: ContactCache) -> dict[int, list[float]]:
    """Return the impulses of the active contacts in the first world, by their indices."""
    each = zip(cache.indices, cache.impulses, strict=True)
    return {int(number[0]): [x[0] for x in impulse] for number, impulse in each if impulse[0][0]}
