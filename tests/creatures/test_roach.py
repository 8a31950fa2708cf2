"""The roach as a whole: its size, its symmetry, where its feet are, and its sets of parameters."""

import math
from importlib.resources import files

import numpy as np
import pytest

from gambol.creatures import Creature, roach
from gambol.creatures.creature_file import read_creature
from gambol.errors import FigureError, GambolError
from gambol.figure import rotation_about
from gambol.gait.stroke import moved_feet

ROACH = roach("thesis")
TUNED = roach()
TEXT = files("gambol.creatures").joinpath("roach.toml").read_text(encoding="utf-8")


def poses(creature: Creature) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Rotation and origin of each link at the initial angles, in abdomen coordinates."""
    placed = [(np.eye(3), np.zeros(3))]
    for link in creature.figure.outward():
        R, p = placed[link.parent_index]
        turn = rotation_about(link.joint.axis, creature.angles.get(link.name, 0.0))
        placed.append((R @ np.array(link.joint.rotation) @ np.array(turn), p + R @ np.array(link.joint.position)))
    return {link.name: placed[link.index] for link in creature.figure.links}


def tip(creature: Creature, leg_name: str) -> np.ndarray:
    """Middle of the tarsus' far end, from the thorax joint in thorax axes [mm]."""
    leg, at = creature.leg(leg_name), poses(creature)
    part = creature.figure.link(leg.foot).parts[0]
    R, p = at[leg.foot]
    R_thorax, p_thorax = at["thorax"]
    return 1000 * R_thorax.T @ (p + R @ (2 * np.array(part.position)) - p_thorax)


def test_it_has_38_degrees_of_freedom_and_weighs_2_grams():
    assert (ROACH.figure.nv, ROACH.figure.nq, ROACH.figure.base) == (38, 39, "free")
    assert 2.1e-3 < ROACH.figure.mass < 2.2e-3


def test_it_is_three_centimetres_long():
    """2.9 cm by the text's "approximately"; its three boxes alone add up to 2.955 cm, and the head is tilted."""
    at = poses(ROACH)
    xs = [
        (at[name][0] @ np.array(point.position) + at[name][1])[0]
        for name in ("abdomen", "thorax", "head")
        for point in ROACH.figure.link(name).contact_points()
    ]
    assert 0.0285 < max(xs) - min(xs) < 0.030


@pytest.mark.parametrize(
    ("leg", "expected"),
    [("front left", (18.3, 9.9, -10.5)), ("middle left", (0.8, 18.2, -12.2)), ("back left", (-10.0, 18.3, -18.1))],
)
def test_tarsi_end_where_a_second_reading_puts_them(leg, expected):
    """The second reading leaves out the ankle, so its tips are short by 0.35 mm; given to 0.1 mm."""
    assert np.linalg.norm(tip(ROACH, leg) - expected) < 0.35 + 0.05 * math.sqrt(3)


@pytest.mark.parametrize("rank", ["front", "middle", "back"])
def test_feet_stand_in_mirror_pairs(rank):
    left, right = tip(ROACH, f"{rank} left"), tip(ROACH, f"{rank} right")
    np.testing.assert_allclose(left * [1, -1, 1], right, atol=1e-12)
    assert left[1] > 5.0


def test_femora_and_tibiae_point_as_in_the_drawing():
    """At zero angles the front femur points forward and the hind one back, and every tibia outward and down."""
    at = poses(roach_at_zero())
    along = {name: R @ np.array([0.0, 1.0, 0.0]) for name, (R, _) in at.items()}
    np.testing.assert_allclose(along["leg_fl1"], [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(along["leg_bl1"], [-1, 0, 0], atol=1e-12)
    for letter in "fmb":
        np.testing.assert_allclose(along[f"leg_{letter}l2"], [0, math.sqrt(0.5), -math.sqrt(0.5)], atol=1e-12)


def roach_at_zero() -> Creature:
    return Creature(**{**vars(ROACH), "angles": dict.fromkeys(ROACH.angles, 0.0)})


def test_right_angles_leave_exact_zeros():
    for name in ("leg_fl1", "leg_br1", "leg_ml2"):
        entries = [entry for row in ROACH.figure.link(name).joint.rotation for entry in row]
        assert all(entry in (-1.0, 0.0, 1.0) for entry in entries)


def test_legs_are_listed_from_the_front_left_first():
    assert [leg.name for leg in ROACH.legs] == [
        "front left", "front right", "middle left", "middle right", "back left", "back right",
    ]  # fmt: skip
    assert [leg.rank for leg in ROACH.legs] == [0, 0, 1, 1, 2, 2]
    assert ROACH.leg("middle right").foot == "leg_mr4"
    with pytest.raises(FigureError, match='no leg "midle right"; did you mean "middle right"'):
        ROACH.leg("midle right")


def test_springs_are_scaled_by_what_their_joint_carries():
    springs = ROACH.resolved_springs()
    carried = sum(ROACH.figure.link(f"leg_fl{n}").mass_properties.mass for n in range(5))
    assert springs["leg_fl0"].alpha == pytest.approx(1.0 * carried)
    assert springs["leg_fl0"].damping == pytest.approx(0.03 * carried)
    assert springs["head"].stiffness == pytest.approx(0.1 * 1000 * 0.00265 * 0.0025 * 0.00635)


def test_a_leg_can_be_lost():
    lame = ROACH.without_leg("middle left")
    assert (lame.figure.nv, len(lame.legs), len(lame.springs)) == (33, 5, 27)
    assert not [link for link in lame.figure.links if link.name.startswith("leg_ml")]


def test_a_set_changes_only_what_it_names():
    changes = "[sets.soft.legs.front.springs]\ncoxa = { alpha = 7 }\n[sets.soft.ground]\nfriction = 0.9\n"
    soft = read_creature(TEXT + changes, "roach.toml", "soft")
    assert soft.parameters == "soft"
    assert {name for name in soft.springs if soft.springs[name] != ROACH.springs[name]} == {"leg_fl0", "leg_fr0"}
    assert (soft.springs["leg_fl0"].alpha, soft.springs["leg_fl0"].beta) == (7.0, 6.0)
    assert (soft.ground.friction, soft.ground.alpha) == (0.9, 17.5)
    assert (soft.figure, soft.legs, soft.angles) == (ROACH.figure, ROACH.legs, ROACH.angles)


@pytest.mark.parametrize(
    ("printed", "written", "why"),
    [
        ("axis = [0, 1, 0]", "axes = [0, 1, 0]", 'trunk.thorax: the key "axes" is not known here; did you mean "axis"'),
        ("alpha = 0.024", 'alpha = "0.024"', "trunk.thorax.spring.alpha is '0.024'; it should be a finite number"),
        ("density = 1000.0", "density = -1.0", 'link "abdomen", part 1 .*density of -1'),
        ("axis = [0, 1, 0]", "axis = [0, 0, 0]", 'link "thorax" has the axis'),
        ('parent = "abdomen"', 'parent = "abdomin"', '"thorax" has the parent "abdomin".*did you mean "abdomen"'),
        ('["y", 10]', '["w", 10]', 'trunk.head.turn_deg.1.axis: "w" is not allowed'),
        ('joint = "coxa", target = -0.7', 'joint = "cox", target = -0.7', 'step.1.joint: "cox".*did you mean "coxa"'),
        ("begins = 0.5, target = -0.3", "begins = 0.6, target = -0.3", "legs.front.motor.step.3 begins at 0.6"),
    ],
)
def test_a_slip_in_the_file_is_named(printed, written, why):
    assert printed in TEXT
    with pytest.raises(GambolError, match=why):
        read_creature(TEXT.replace(printed, written, 1), "roach.toml", "thesis")


def test_an_unknown_set_is_named():
    with pytest.raises(GambolError, match=r'roach.toml has no set of parameters "thesys"; did you mean "thesis"'):
        roach("thesys")


def test_after_the_loss_of_a_hind_leg_feet_are_placed_towards_its_side():
    """Places follow from kinematics: the middle foot 8 mm back, all feet 2 mm aside; the right side is the mirror."""
    for side, sign in (("left", 1.0), ("right", -1.0)):
        plain, adapted = (TUNED.without_leg(f"back {side}", adapted=on) for on in (False, True))
        for before, after in zip(plain.legs, adapted.legs, strict=True):
            rest = {name: spring.rest for name, spring in plain.springs.items()}
            back = -0.008 if after.name == f"middle {side}" else 0.0
            (expected,) = moved_feet(TUNED.figure, [before], rest, {before.name: (back, 0.002 * sign, 0.0)})
            ends = ({c.joint: c.target for c in (*leg.step, *leg.stance)} for leg in (after, expected))
            assert next(ends) == pytest.approx(next(ends), abs=1e-12)
    with pytest.raises(FigureError, match='no placement of feet after the loss of "front left"'):
        TUNED.without_leg("front left", adapted=True)
