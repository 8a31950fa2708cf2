"""Adaptive dynamics of a world: its film, and the worlds that it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from gambol import (
    Box,
    Capsule,
    ContactParameters,
    Figure,
    Film,
    Joint,
    JointSpring,
    Link,
    NoGround,
    Part,
    Push,
    SurfaceProperties,
    Timing,
    World,
    WorldError,
    adaptive_dynamics,
    adaptive_film,
    run,
    start,
)
from gambol.collide.broad import Pair
from gambol.errors import GambolError
from gambol.view.scene.look import highlighted_links, link_looks
from gambol.world.external import External

LINKS, H = 20, 1e-3
GROUND = ContactParameters(4e3, 0.0, 1.0, 10.0, 0.05, 0.5, 0.05, 0.5, 1.0, 0.0, 20.0)


def rope() -> World:
    """A rope of capsules that hangs from a fixed point, with springs."""
    part = Part(Capsule(0.03, 0.06), position=(0.0, 0.0, -0.05))
    joints = [Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -0.1 if k else 0.0)) for k in range(LINKS)]
    links = [Link(f"{k}", f"{k - 1}" if k else None, joint, (part,)) for k, joint in enumerate(joints)]
    springs = {link.name: JointSpring(stiffness=0.1, damping=2e-3) for link in links}
    timing = Timing(H, H, "semi-implicit euler")
    return World(Figure("rope", tuple(links)), springs, NoGround(), contact="penalty", timing=timing)


def film_of(world: World, **options: float) -> Film:
    motion = adaptive_dynamics(world, **options)  # type: ignore[arg-type]
    q = np.zeros(LINKS)
    q[LINKS // 2 :] = 0.1
    motion.start(q, np.zeros(LINKS))
    return adaptive_film(motion, 0.5, step=H, rate=50.0)


def test_the_film_with_all_joints_active_is_that_of_the_world() -> None:
    world, film = rope(), film_of(rope())
    state = start(world)
    state.q[0, LINKS // 2 :] = 0.1
    expected = run(world, state, 0.5, rate=50.0)
    np.testing.assert_allclose(film.time, expected.time, rtol=0, atol=1e-12)
    np.testing.assert_allclose(film.position, expected.position, rtol=0, atol=1e-9)
    assert (film.signals["active"][:, 0, 1:] == 1.0).all()


def test_the_signals_of_a_film_tell_the_active_joints_and_the_error() -> None:
    film = film_of(rope(), joints=4)
    active, count = film.signals["active"][:, 0], film.signals["active_joints"][:, 0]
    np.testing.assert_array_equal(active[1:].sum(axis=1), count[1:])
    assert (count[1:] <= 4).all()
    turned = np.diff(film.quaternion[:, 0], axis=0)
    relative = np.abs(turned[:, 1:] - turned[:, :-1]).max(axis=2) > 1e-6  # a joint moved between two frames
    assert relative.any(axis=1).all()
    assert (film.signals["held_error"][1:] > 0.0).all()


def test_active_links_have_the_colour_of_a_step() -> None:
    film = film_of(rope(), joints=4)
    frame = len(film.time) - 1
    expected = set(np.flatnonzero(film.signals["active"][frame, 0]).tolist())
    assert highlighted_links(film, link_looks(film), frame) == expected


def test_what_a_world_has_that_is_not_simulated_is_refused() -> None:
    world = rope()
    with pytest.raises(WorldError, match="it has no external actions"):
        adaptive_dynamics(replace(world, external=External(push=Push((1.0, 0.0, 0.0), 0.0, 1.0))))
    with pytest.raises(WorldError, match="it has no contacts between links"):
        adaptive_dynamics(replace(world, pairs=(Pair(1, 0, 6, 0),), surface=SurfaceProperties(GROUND)))
    box = Part(Box((0.1, 0.1, 0.1)))
    links = (
        Link("a", None, Joint("free"), (box,)),
        Link("b", "a", Joint("revolute", position=(0.2, 0.0, 0.0)), (box,)),
    )
    figure = Figure("pair", links)
    with pytest.raises(WorldError, match='no contact method "impulse"; take contact="penalty"'):
        adaptive_dynamics(World(figure, surface=SurfaceProperties(GROUND), contact="impulse"))
    with pytest.raises(WorldError, match="links cannot grip the ground; take SurfaceProperties"):
        adaptive_dynamics(World(figure, surface=SurfaceProperties(GROUND, grip="all"), contact="penalty"))
    with pytest.raises(GambolError, match="2 joints cannot be active; the figure has 1"):
        adaptive_dynamics(World(figure, surface=SurfaceProperties(GROUND, grip="none"), contact="penalty"), joints=2)
    motion = adaptive_dynamics(world)
    motion.start(np.zeros(LINKS), np.zeros(LINKS))
    with pytest.raises(GambolError, match="cannot be made"):
        adaptive_film(motion, 1.0, step=0.0)


def test_a_world_with_stepping_has_rigid_contacts_and_hard_limits() -> None:
    """A falling pair of boxes: the world's own large steps, and those of adaptive dynamics with all joints active."""
    box = Part(Box((0.1, 0.1, 0.1)))
    links = (
        Link("a", None, Joint("free"), (box,)),
        Link("b", "a", Joint("revolute", (0.0, 1.0, 0.0), position=(0.15, 0.0, 0.0)), (box,)),
    )
    springs = {"b": JointSpring(lower=-0.05, upper=0.05)}
    surface = SurfaceProperties(replace(GROUND, restitution=0.0))
    world = World(Figure("pair", links), springs, surface=surface, contact="stepping", timing=Timing(H, H))
    state = start(world)
    state.q[0, 6] = 0.08
    state.v[0, 4], state.v[0, 6] = 0.2, 1.0
    motion = adaptive_dynamics(world)
    motion.start(state.q[0], state.v[0])
    film, adaptive = run(world, state, 0.5, rate=50.0), adaptive_film(motion, 0.5, step=H, rate=50.0)
    angle = motion.q[7]
    assert -0.05 - 1e-4 <= angle <= 0.05 + 1e-4
    # impacts are a step earlier or later, and both methods hold the speeds of a fall of 3 cm (0.8 m/s) in it
    assert np.abs(film.position - adaptive.position).max() < 5e-3
    np.testing.assert_allclose(adaptive.position[-1, ..., 2], 0.05, rtol=0, atol=1e-3)
