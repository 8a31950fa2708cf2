"""Ground forces of pairs of legs: on films drawn with known forces, and on a walk whose momentum they must explain."""

import math
from dataclasses import asdict, replace

import numpy as np
import pytest

from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.ground_forces import leg_forces, measure_ground_forces
from gambol.errors import WorldError
from gambol.world import Film, run

CREATURE = roach()
WORLD = world_of(CREATURE)
LEGS = CREATURE.legs
WEIGHT = CREATURE.figure.mass * 9.81
RATE, CYCLE, SECONDS = 1200.0, 0.1, 1.0
FRAMES = round(CYCLE * RATE)
FORE_AFT, MEDIAL, VERTICAL = (-0.1, 0.0, 0.1), (0.05, 0.2, 0.1), (0.3, 0.4, 0.3)  # peaks of front, middle, back
SPEED = 0.1  # m/s


def waves(time):
    """Return for each leg half a sine in its stance, and a whole one: zero while the leg is in the air (legs, F)."""
    lift = np.array([0.5 * ((leg.rank + (leg.side == "right")) % 2) for leg in LEGS])
    phase = (time / CYCLE - lift[:, None] + 1e-9) % 1.0
    stands = phase >= 0.5
    half = np.where(stands, np.sin(2.0 * math.pi * (phase - 0.5)), 0.0)
    return stands, half, np.where(stands, -np.sin(4.0 * math.pi * (phase - 0.5)), 0.0)


def drawn(heading=0.0, others=0.0):
    """Return a film of a tripod gait with known forces. heading: of the body [rad]; others: force on the head [N]."""
    time = np.arange(round(SECONDS * RATE) + 1) / RATE
    stands, half, whole = waves(time)
    names = tuple(link.name for link in CREATURE.figure.links)
    force = np.zeros((len(time), 1, 7, 3))
    links = np.full((len(time), 1, 7, 2), -1.0)
    for k, leg in enumerate(LEGS):
        side = -1.0 if leg.side == "left" else 1.0
        fore_aft = 0.2 * whole[k] if leg.rank == 1 else FORE_AFT[leg.rank] * half[k]
        local = np.stack([fore_aft, side * MEDIAL[leg.rank] * half[k], VERTICAL[leg.rank] * half[k]], -1)
        force[:, 0, k] = WEIGHT * local
        links[:, 0, k, 0] = np.where(stands[k], names.index(leg.foot), -1)
    force[:, 0, 6, 2], links[:, 0, 6, 0] = others, names.index("head")
    c, s = math.cos(heading), math.sin(heading)
    force = force @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    force[links[..., 0] < 0.0] = np.nan
    turn = np.array([math.cos(heading / 2), 0.0, 0.0, math.sin(heading / 2)])
    centre = SPEED * time[:, None] * np.array([c, s, 0.0])
    signals = {
        "stepping": (~stands).T[:, None].astype(float),
        "centre": centre[:, None],
        "contact_force": force,
        "contact_links": links,
        "motors": 5.0 * time[:, None],
        "positive_power": np.full((len(time), 1), 7.0),
        "damping": 4.0 * time[:, None],
        "sliding": 1.0 * time[:, None],
        "stored": np.abs(np.sin(2.0 * math.pi * time / CYCLE))[:, None],
        "status": np.zeros((len(time), 1)),
    }
    quaternion = np.broadcast_to(turn, (len(time), 1, len(names), 4)).copy()
    limbs = tuple(leg.name for leg in LEGS)
    return Film("drawn", time, np.zeros((len(time), 1, len(names), 3)), quaternion, names, (), limbs, signals=signals)


@pytest.mark.parametrize("heading", [0.0, 2.5])
def test_forces_are_those_the_film_was_drawn_with(heading):
    """The mean of half a sine is 2 / pi, and its integral over the stance is that times the stance's time."""
    (one,) = measure_ground_forces(drawn(heading), WORLD)
    mean = 2.0 / math.pi
    grid = 2e-3  # 60 frames in a stance: the trapezoid rule is off by pi^2 / (12 * 60^2), the edges by a frame's force
    assert list(one.pairs) == ["front", "middle", "back"]
    for k, pair in enumerate(one.pairs.values()):
        assert pair.stance == pytest.approx(0.5, abs=1.01 * 2 / FRAMES)
        assert pair.medial == pytest.approx(MEDIAL[k] * mean, abs=0.04 * MEDIAL[k])
        assert pair.vertical == pytest.approx(VERTICAL[k] * mean, rel=0.04)
        assert pair.medial / pair.vertical == pytest.approx(MEDIAL[k] / VERTICAL[k], rel=1e-9)
        assert pair.most_vertical == pytest.approx(VERTICAL[k], rel=1e-9)
        assert pair.most_medial == pytest.approx(MEDIAL[k], rel=1e-9)
        assert pair.most_lateral == pytest.approx(0.0, abs=1e-12)
        impulse = WEIGHT * mean * CYCLE / 2.0
        assert pair.vertical_impulse_n_s == pytest.approx(VERTICAL[k] * impulse, rel=grid)
        assert pair.medial_impulse_n_s == pytest.approx(MEDIAL[k] * impulse, rel=grid)
    front, middle, back = one.pairs.values()
    assert front.braking_impulse_n_s == pytest.approx(FORE_AFT[0] * WEIGHT * mean * CYCLE / 2.0, rel=grid)
    assert front.driving_impulse_n_s == 0.0
    assert back.fore_aft == pytest.approx(-front.fore_aft, rel=1e-9)
    assert middle.fore_aft == pytest.approx(0.0, abs=1e-9)


def test_the_middle_leg_brakes_before_the_middle_of_its_stance_and_drives_after_it():
    """A whole sine of height 0.2 in the stance: the mean of each half is 0.4 / pi."""
    middle = measure_ground_forces(drawn(), WORLD)[0].pairs["middle"]
    assert middle.early_fore_aft == pytest.approx(-0.4 / math.pi, rel=0.05)
    assert middle.late_fore_aft == pytest.approx(0.4 / math.pi, rel=0.05)
    assert middle.most_aft == pytest.approx(-0.2, rel=1e-3)
    assert middle.most_fore == pytest.approx(0.2, rel=1e-3)


def test_the_sum_fluctuates_as_its_parts_do():
    """Two legs of one side bear medial forces of 0.05 + 0.1, the middle leg of the other side 0.2: 0.05 is left over.

    The side changes with the tripod, so the lateral force goes from -0.05 to 0.05, and the vertical one from 0 to 1.
    """
    (one,) = measure_ground_forces(drawn(), WORLD)
    assert one.lateral_fluctuation == pytest.approx(0.1, rel=1e-9)
    assert one.vertical_fluctuation == pytest.approx(1.0, rel=1e-7)  # waves() shifts the phase by 1e-9
    assert one.lateral_over_vertical == pytest.approx(0.1, rel=1e-7)
    spread = math.sqrt(0.5 - (2.0 / math.pi) ** 2)  # of |sin|; that of sin is sqrt(0.5)
    assert one.lateral_over_vertical_rms == pytest.approx(0.05 * math.sqrt(0.5) / spread, rel=2e-3)
    assert one.mean_vertical == pytest.approx(2.0 / math.pi, rel=2e-3)
    assert one.mean_lateral == pytest.approx(0.0, abs=1e-9)


def test_the_economy_is_that_of_the_signals():
    (one,) = measure_ground_forces(drawn(), WORLD)
    assert one.motor_cost == pytest.approx(5.0 / (WEIGHT * SPEED), rel=1e-9)
    assert one.positive_motor_cost == pytest.approx(7.0 / (WEIGHT * SPEED), rel=1e-9)
    assert one.damping_fraction == pytest.approx(0.8, rel=1e-9)
    assert one.sliding_fraction == pytest.approx(0.2, rel=1e-9)
    assert one.external_work_j_per_kg_m == pytest.approx(0.0, abs=1e-9)
    assert one.elastic_fraction == pytest.approx(2.0 / (5.0 * CYCLE), rel=1e-3)  # two rises of 1 J in a stride


def test_the_work_on_the_centre_of_mass_is_that_of_its_rises():
    """A bounce of amplitude A, without change of speed: in a cycle of potential and kinetic energy the rise is 2 g A.

    The kinetic energy (A w cos)^2 / 2 is 1/40 of the potential one here, and is largest where it does not matter.
    """
    film, a, w = drawn(), 1e-5, 4.0 * math.pi / CYCLE
    film.signals["centre"][..., 2] = a * np.sin(w * film.time)[:, None]
    (one,) = measure_ground_forces(film, WORLD)
    fine = np.linspace(0.0, CYCLE, 100_001)
    energy = 9.81 * a * np.sin(w * fine) + 0.5 * (a * w * np.cos(w * fine)) ** 2
    expected = np.maximum(np.diff(energy), 0.0).sum() / (SPEED * CYCLE)
    assert one.external_work_j_per_kg_m == pytest.approx(expected, rel=0.01)  # 60 frames in a bounce: (2 pi / 60)^2


def test_other_links_are_distinguished_from_legs():
    (one,) = measure_ground_forces(drawn(others=0.25 * WEIGHT), WORLD)
    assert one.trunk_vertical == pytest.approx(0.25, rel=1e-12)
    assert one.pairs["front"].most_vertical == pytest.approx(VERTICAL[0], rel=1e-9)


def test_without_a_whole_stride_there_are_no_numbers():
    (one,) = measure_ground_forces(drawn().between(0.0, 0.25), WORLD)
    numbers = [x for pair in asdict(one)["pairs"].values() for x in pair.values()] + [one.lateral_over_vertical]
    assert all(math.isnan(x) for x in numbers)


def test_what_cannot_be_measured_is_refused():
    film = drawn()
    bare = replace(film, signals={k: x for k, x in film.signals.items() if not k.startswith("contact")})
    with pytest.raises(WorldError, match=r'film "drawn" has no contacts; record it by run\(..., contacts=True\)'):
        measure_ground_forces(bare, WORLD)
    with pytest.raises(WorldError, match="no gait with legs"):
        measure_ground_forces(film, replace(WORLD, controller=None))
    with pytest.raises(WorldError, match="no gravity"):
        measure_ground_forces(film, replace(WORLD, gravity=0.0))


def test_the_forces_of_a_walk_explain_the_motion_of_its_centre_of_mass():
    """Over any time the mean force is the weight and the change of momentum, by Newton; here over six strides.

    The velocities at both ends are central differences over two frames. Their error, and that of the sum over frames,
    are those of a jump by half the weight within a frame at landing, which happens at most twelve times a stride:
    0.5 * 12 * 6 frames of either sign in 720 add up to 0.5 * sqrt(72) / 720 = 0.6 % of the weight.
    """
    film = run(WORLD, standing_state(CREATURE, WORLD), 0.85, contacts=True)
    a, b = (round(t * RATE) for t in (0.2, 0.8))
    total = leg_forces(film, LEGS).sum(axis=0)
    world_axes = np.nan_to_num(film.signals["contact_force"][:, 0]).sum(axis=1)
    np.testing.assert_allclose(np.linalg.norm(total, axis=1), np.linalg.norm(world_axes, axis=1), atol=1e-12 * WEIGHT)
    centre, mass = film.signals["centre"][:, 0], CREATURE.figure.mass
    velocity = (centre[[a + 1, b + 1]] - centre[[a - 1, b - 1]]) * RATE / 2.0
    change = mass * (velocity[1] - velocity[0]) / (film.time[b] - film.time[a])
    mean = np.trapezoid(world_axes[a : b + 1], film.time[a : b + 1], axis=0) / (film.time[b] - film.time[a])
    np.testing.assert_allclose(mean - [0.0, 0.0, WEIGHT], change, atol=6e-3 * WEIGHT)
    feet = [film.link_names.index(leg.foot) for leg in LEGS]
    push = film.signals["push"][:, 0]  # the normal forces on feet, computed without contacts
    for k, leg in enumerate(LEGS):
        own = film.signals["contact_links"][:, 0, :, 0] == feet[k]
        vertical = (np.nan_to_num(film.signals["contact_force"][:, 0, :, 2]) * own).sum(axis=1)
        np.testing.assert_allclose(vertical, push[:, k], atol=1e-9 * WEIGHT, err_msg=leg.name)
