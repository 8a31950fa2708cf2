"""A ground or parts without stiffness touch nothing, and the user learns it."""

import warnings

import pytest
from worlds import ball, touch

from gambol.collide import NoGround
from gambol.collide.broad import allowed_pairs
from gambol.contact import CONTACT_METHODS, Penalty, SurfaceProperties
from gambol.creatures.make_world import make_world
from gambol.errors import WorldError
from gambol.figure import make_forest
from gambol.world import Timing, World, run, start
from gambol.world.events.ground import GroundWarning

HEIGHT = 0.2
TIMING = Timing(0.01, 1e-3)


def fallen(world: World) -> float:
    """Return the height of a ball of 5 cm after a fall of half a second."""
    state = start(world, position=(0.0, 0.0, HEIGHT))
    run(world, state, 0.5, rate=10.0)
    return float(state.q[0, 6])


@pytest.mark.parametrize("contact", CONTACT_METHODS)
def test_a_fall_through_a_ground_without_stiffness_causes_a_warning(contact: str):
    advice = f'make_world\\(figure, contact="{contact}"\\)'
    with pytest.warns(GroundWarning, match=f'"ball" fell through the ground in lane 0.*{advice}'):
        assert fallen(World(ball(), contact=contact, timing=TIMING)) < 0.0


@pytest.mark.parametrize("contact", CONTACT_METHODS)
def test_the_advice_of_the_warning_is_right(contact: str):
    assert fallen(make_world(ball(), contact=contact)) > 0.0


def test_the_default_method_warns_as_well():
    with pytest.warns(GroundWarning, match='contact="penalty"'):
        fallen(World(ball(), timing=TIMING))


@pytest.mark.parametrize(
    "world",
    [
        World(ball(), ground=NoGround(), timing=TIMING),
        World(ball(), gravity=0.0, timing=TIMING),
        World(ball(), surface=SurfaceProperties(touch(damping=50.0)), contact="stepping", timing=TIMING),
    ],
    ids=["no ground", "no weight", "a ground"],
)
def test_nothing_warns_where_nothing_is_wrong(world: World):
    with warnings.catch_warnings():
        warnings.simplefilter("error", GroundWarning)
        fallen(world)


def test_pairs_that_would_pass_through_each_other_are_refused():
    two = make_forest("two", [ball(), ball()])
    pairs = allowed_pairs(two)
    with pytest.raises(WorldError, match=r"\(1 pairs\) would pass through each other"):
        World(two, pairs=pairs)
    assert World(two, pairs=pairs, contact=Penalty(parts=touch())).pairs
    assert World(two, pairs=pairs, surface=SurfaceProperties(touch())).pairs
    assert World(two, pairs=pairs, contact="stepping").pairs


def test_frictionless_collisions_of_balls_are_solved():
    """A contact without friction that opens was counted as unsolved, since its projection let it pull."""
    two = make_forest("two", [ball(), ball()])
    names = [link.name for link in two.links if link.joint.kind == "free"]
    world = World(two, pairs=allowed_pairs(two), contact="constraint", gravity=0.0, timing=TIMING)
    state = start(world, position={names[0]: (0.0, 0.0, 1.0), names[1]: (0.2, 0.0, 1.0)})
    state.v[0, 3] = 1.0
    run(world, state, 0.3, rate=100.0)
    assert state.step_state.memory.contact_cache.unsolved[0] == 0.0
    assert state.v[0, [3, 9]] == pytest.approx([0.0, 1.0], abs=1e-12)  # equal masses, elastic
