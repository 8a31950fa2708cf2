"""Room for contacts: as much as the figure and the ground ask for, and more in frames that need it."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.creatures import roach
from gambol.creatures.home import world_of
from gambol.creatures.specimens import set_out, world_of_specimen
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere, gathered
from gambol.formats import Specimen
from gambol.integrate import ConvergenceWarning
from gambol.world import Film, State, World, run
from gambol.world.encounters.touchable import contacts_of
from gambol.world.growing import refitted
from gambol.world.laws import Pressed
from gambol.world.room import room_for

EDGE = 0.2
BLOCK = Figure("block", (Link("block", None, Joint("free"), (Part(Box((EDGE,) * 3)),)),))


def stack(blocks: int, **how: int) -> tuple[Specimen, World]:
    """Blocks one on the other, each a little aside, and their world of large steps."""
    places = ((1.0, 0.0, 0.0, 0.0, 0.003 * k, 0.002 * k, EDGE * (k + 0.5)) for k in range(blocks))
    specimen = Specimen(gathered("stack", [BLOCK] * blocks), q=tuple(x for place in places for x in place), ground=True)
    return specimen, replace(world_of_specimen(specimen, contact="stepping"), **how)


def filmed(specimen: Specimen, world: World, *seconds: float, rate: float = 240.0) -> tuple[Film, State]:
    """The film of the last of some runs, each of which goes on where the one before ended, and the final state."""
    state = set_out(specimen, world)
    *_, film = [run(world, state, time, rate=rate) for time in seconds]
    return film, state


def test_room_follows_from_feet_and_from_what_may_lie_on_what():
    feet = [Link(f"foot{k}", "trunk", Joint("rotary"), (Part(Box((0.1,) * 3)), Part(Sphere(0.1)))) for k in range(5)]
    spider = Figure("spider", (Link("trunk", None, Joint("free"), (Part(Sphere(0.1)),)), *feet))
    assert room_for(spider, (), True) == 20
    assert room_for(replace(spider, given=spider.given[:3]), (), True) == 11  # all that there may be
    assert room_for(replace(spider, given=spider.given[:4]), (), True) == 12
    assert room_for(spider, (), False) == 1  # without a ground there is nothing to touch
    assert [stack(blocks)[1].most_contacts for blocks in (1, 2, 5)] == [4, 16, 44]
    assert stack(5, room=7)[1].most_contacts == 7
    assert world_of(roach(), contact="stepping").most_contacts == 12  # what its kept walks were made with


def test_a_stack_of_three_boxes_stands():
    film, _ = filmed(*stack(3), 0.5)
    np.testing.assert_allclose(film.position[-1, 0, 1:, 2], EDGE * (np.arange(3) + 0.5), atol=1e-4)
    assert film.signals["unsolved"][-1, 0] <= 0.01 * film.signals["taken"][-1, 0]


def test_frames_with_too_little_room_are_made_again_with_more():
    few, enough = (filmed(*stack(2, room=room), 0.25)[0] for room in (3, 12))
    np.testing.assert_allclose(few.position, enough.position, atol=1e-6)
    assert few.signals["unsolved"][-1, 0] <= enough.signals["unsolved"][-1, 0] + 1.0


def test_what_comes_of_too_little_room_does_not_depend_on_how_a_run_is_cut():
    _, whole = filmed(*stack(2, room=5), 0.2)
    _, halves = filmed(*stack(2, room=5), 0.1, 0.1)
    _, seldom = filmed(*stack(2, room=5), 0.2, rate=60.0)
    np.testing.assert_array_equal(whole.rows, halves.rows)
    np.testing.assert_array_equal(whole.rows, seldom.rows)


def test_too_little_room_that_cannot_grow_is_told_by_its_name():
    specimen, world = stack(2, room=3)
    state = set_out(specimen, world)
    with pytest.warns(ConvergenceWarning, match=r"more contacts near than there is room for \(3\).*World\(room=6\)"):
        run(world, state, 0.1, rate=240.0, events={"falls": lambda q, v: v[5] + 1.0})


def test_a_state_keeps_its_impulses_where_room_grows_and_shrinks():
    specimen, world = stack(2)
    assert contacts_of(world) == 16
    world = replace(world, room=12)
    _, state = filmed(specimen, world, 0.1)
    pressed = state.living.memory.pressed
    assert pressed is not None
    pushing = sum(float(impulse[0][0]) > 0.0 for impulse in pressed.impulses)
    assert pushing >= 6
    for room in (14, 16):
        wide = refitted(state, replace(world, room=room))
        back = refitted(wide, world).living.memory.pressed
        assert back is not None
        assert _remembered(back) == _remembered(pressed)
        np.testing.assert_array_equal(wide.q, state.q)


def _remembered(pressed: Pressed) -> dict[int, list[float]]:
    """The impulses of the contacts that push in the first world, by their numbers."""
    each = zip(pressed.numbers, pressed.impulses, strict=True)
    return {int(number[0]): [x[0] for x in impulse] for number, impulse in each if impulse[0][0]}
