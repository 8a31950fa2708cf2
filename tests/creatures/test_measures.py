"""Measures of films whose speed, strides, falls and costs are known."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol.collide import Plane
from gambol.contact import SurfaceProperties
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.measures import measure_creature, trunk_height, with_limbs
from gambol.creatures.models import world_of_model
from gambol.creatures.table import CREATURES, add_creature, creature_entry
from gambol.errors import WorldError
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.formats import Model
from gambol.world import Film, World, run, start

LENGTH, STRIDE, DUTY, RATE, SPEED = 8.0, 0.5, 0.6, 400.0, 1.5
FEET = ("left", "right")
SLIDING = (0.0, 0.0, 0.0, 0.1, 0.0, 0.0)  # m/s


def figure() -> Figure:
    trunk = Link("trunk", None, Joint("free"), (Part(Box((0.4, 0.2, 0.2)), position=(0.1, 0.0, 0.0)),))
    feet = [Link(foot, "trunk", Joint("fixed"), (Part(Box((0.1, 0.1, 0.1)), position=(0.1, y, -0.4)),))
            for foot, y in zip(FEET, (0.1, -0.1), strict=True)]  # fmt: skip
    return Figure("biped", (trunk, *feet))


def make_world(*, ground: Plane | None = None) -> World:
    return World(figure(), ground=ground or Plane(), surface=SurfaceProperties(feet=FEET))


ENTRY = CreatureEntry(
    name="biped", summary="a body with two feet", make_world=make_world, seconds=1.0,
    limbs={foot: (foot,) for foot in FEET}, trunk="trunk", fall_height=0.3, height=0.6, stride_limb="left",
)  # fmt: skip
WORLD = ENTRY.world()


def film(**changes: np.ndarray) -> Film:
    """A film of a body at constant speed whose feet stand in turn, with a chattering touchdown in every stride."""
    time = np.arange(round(LENGTH * RATE) + 1) / RATE
    F, L = len(time), 3
    position, quaternion = np.zeros((F, 1, L, 3)), np.zeros((F, 1, L, 4))
    position[..., 0], position[..., 2], quaternion[..., 0] = SPEED * time[:, None, None], 0.5, 1.0
    push = np.stack([((time / STRIDE + shift) % 1.0) < DUTY for shift in (0.0, 0.5)], axis=-1)[:, None] * 9.0
    bounce = ((time / STRIDE) % 1.0 > 0.02) & ((time / STRIDE) % 1.0 < 0.03)
    push[bounce, 0, 0] = 0.0  # 5 ms in the air
    zeros = np.zeros((F, 1))
    signals = dict.fromkeys(("outside", "damping", "impact", "sliding", "status"), zeros)
    signals |= {
        "centre": position[:, :, 0], "push": push, "motors": 20.0 * time[:, None],
        "positive_power": zeros + 30.0, "wall": 0.1 * time[:, None],
        "unaccounted": -0.2 * time[:, None],
    }  # fmt: skip
    return replace(Film("biped", time, position, quaternion, ("trunk", *FEET), (), signals=signals | changes))


def test_a_steady_walk_has_the_measures_that_it_was_made_of():
    (one,) = measure_creature(film(), WORLD, ENTRY)
    mass = sum(link.mass_properties.mass for link in WORLD.figure.links)
    frame = 1.0 / RATE
    assert not one.fell
    assert one.speed_m_per_s == pytest.approx(SPEED, rel=1e-12)
    assert one.stride_s == pytest.approx(STRIDE, rel=1e-12)
    assert one.stride_m == pytest.approx(SPEED * STRIDE, rel=1e-12)
    assert one.strides == 12  # from the touchdown at 2 s, a quarter of the film, to that at 8 s
    for foot, phase in (("left", 0.0), ("right", 0.5)):
        assert one.duty_factor[foot] == pytest.approx(DUTY, abs=1.01 * frame / STRIDE)
        assert one.phase[foot] == pytest.approx(phase, abs=1.01 * frame / STRIDE)
    assert one.flight == 0.0
    assert one.froude_number == pytest.approx(SPEED**2 / (9.81 * 0.6))
    assert one.cost_of_transport == pytest.approx(30.0 / (mass * 9.81 * SPEED))
    assert one.unaccounted_energy_fraction == pytest.approx(0.01)
    assert one.realtime_factor == pytest.approx(10.0)


def test_a_fall_has_its_time_and_the_last_standing_limb():
    """The trunk sinks from 5 s on; the measures end when its centre is lower than allowed."""
    walk = film()
    position = walk.position.copy()
    position[..., 2] -= np.clip(walk.time - 5.0, 0.0, None)[:, None, None]
    (one,) = measure_creature(replace(walk, position=position), WORLD, ENTRY)
    assert one.fell
    assert one.fell_at_s == pytest.approx(5.2, abs=1.01 / RATE)
    assert one.last_limb in FEET
    assert one.speed_m_per_s == pytest.approx(SPEED)


def test_the_height_of_the_trunk_is_that_of_its_centre_of_mass():
    """Turned by a right angle about y, a centre of mass 0.1 m ahead is 0.1 m below the origin."""
    walk = film()
    half = math.sqrt(0.5)
    turned = np.broadcast_to([half, 0.0, half, 0.0], walk.quaternion.shape)
    np.testing.assert_allclose(trunk_height(replace(walk, quaternion=turned), WORLD, ENTRY), 0.4, rtol=1e-12)


def test_films_have_limbs_and_a_stepping_pattern():
    shown = with_limbs(film(), WORLD, ENTRY)
    assert shown.limb_names == FEET
    np.testing.assert_allclose(shown.signals["stepping"].mean(axis=0)[0], 1.0 - DUTY, atol=2.0 * STRIDE / LENGTH)
    assert with_limbs(shown, WORLD, ENTRY) is shown


def test_a_real_film_has_the_signals_that_measures_need():
    """A body that slides on its feet: its kinetic energy goes into sliding."""
    world = world_of_model(Model(figure(), ground=True), contact="stepping")
    slippery = replace(world.surface.parameters, friction=0.1)  # less than 0.05 over 0.35, so it does not tip
    world = replace(world, surface=replace(world.surface, parameters=slippery, feet=FEET))
    entry = replace_period(ENTRY)
    (one,) = measure_creature(run(world, start(world, q=[1, 0, 0, 0, 0, 0, 0.45], v=SLIDING), 0.2), world, entry)
    mass = sum(link.mass_properties.mass for link in world.figure.links)
    assert one.sliding_loss_j == pytest.approx(0.5 * mass * 0.01, rel=0.05)
    assert not one.fell
    assert 0.0 < one.speed_m_per_s <= 0.1
    assert one.motor_work_j == 0.0


def replace_period(entry: CreatureEntry) -> CreatureEntry:
    return CreatureEntry(entry.name, entry.summary, entry.make_world, 1.0, entry.limbs, "trunk", 0.3, 0.6, "", 0.05)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"gait": "trot"}, "has no gait; its options are ground"), ({"speed": 1.0}, "has no speed")],
)
def test_options_that_a_creature_does_not_have_are_refused(options, words):
    with pytest.raises(WorldError, match=words):
        ENTRY.world(**options)


def test_rows_are_checked():
    with pytest.raises(WorldError, match='no limb "lift"'):
        CreatureEntry("a", "b", make_world, 1.0, {"left": ("left",)}, "trunk", 0.3, 0.6, "lift")
    with pytest.raises(WorldError, match='takes "pace"'):
        CreatureEntry("a", "b", lambda *, pace=1.0: WORLD, 1.0, {}, "trunk", 0.3, 0.6, "", 1.0)
    with pytest.raises(WorldError, match='"trunk" of the limb "left" is not among the feet'):
        CreatureEntry("a", "b", make_world, 1.0, {"left": ("trunk",)}, "trunk", 0.3, 0.6, "left").world()


def test_creatures_are_added_once_and_found_by_name():
    add_creature(ENTRY)
    try:
        assert creature_entry("biped") is ENTRY
        with pytest.raises(WorldError, match='there is a creature "biped" already'):
            add_creature(ENTRY)
        with pytest.raises(WorldError, match='did you mean "biped"'):
            creature_entry("bipedd")
    finally:
        del CREATURES["biped"]
