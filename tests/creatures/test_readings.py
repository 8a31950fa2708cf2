"""Readings of doubtful lines of the printed script: each changes the lines that it names, and nothing else."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from gambol.creatures import Creature, roach, world_of
from gambol.creatures.roach import roach_readings
from gambol.errors import GambolError

PLAIN = roach("thesis")


def differences(creature: Creature) -> dict[str, tuple[object, object]]:
    """Return the springs and angles that differ from those of the plain reading, by link, as (before, after)."""
    pairs = {name: (PLAIN.springs[name], PLAIN.angles.get(name)) for name in PLAIN.springs}
    others = {name: (creature.springs[name], creature.angles.get(name)) for name in creature.springs}
    return {name: (pairs[name], others[name]) for name in pairs if pairs[name] != others[name]}


def test_without_readings_it_is_the_roach_of_the_thesis():
    assert roach("thesis", ()) == PLAIN


def test_the_right_femur_as_printed_changes_one_joint():
    creature = roach("thesis", ["right-femur-printed"])
    assert list(differences(creature)) == ["leg_mr1"]
    assert (creature.angles["leg_mr1"], creature.springs["leg_mr1"].rest) == (0.5, 0.5)
    assert replace(creature, springs=PLAIN.springs, angles=PLAIN.angles) == PLAIN


def test_low_middle_femora_are_mirror_images():
    creature = roach("thesis", ["middle-femora-low"])
    assert sorted(differences(creature)) == ["leg_ml1", "leg_mr1"]
    assert (creature.angles["leg_ml1"], creature.angles["leg_mr1"]) == (-0.5, 0.5)
    assert (creature.springs["leg_ml1"].rest, creature.springs["leg_mr1"].rest) == (-0.5, 0.5)


def test_a_bare_axis_is_a_change_of_the_joint_coordinate():
    """With s = sqrt(2) u, an angle is sqrt(2) q, and the torque about u is Q / sqrt(2)."""
    creature, root = roach("thesis", ["bare-axes"]), 2.0**0.5
    tarsi = sorted(differences(creature))
    assert tarsi == sorted(name for name in PLAIN.springs if name.startswith("leg_") and name.endswith("4"))
    for name in tarsi:
        printed, bare = PLAIN.springs[name], creature.springs[name]
        for angle in (0.01, 0.2):
            assert bare.alpha * (2.718281828459045 ** (bare.beta * angle) - 1.0) == pytest.approx(
                printed.alpha * (2.718281828459045 ** (printed.beta * angle / root) - 1.0) / root
            )
        assert bare.damping * 1.0 == pytest.approx(printed.damping * (1.0 / root) / root)


def test_time_as_printed_leaves_out_one_command():
    creature = roach("thesis", ["time-as-printed"])
    before, after = PLAIN.leg("back right"), creature.leg("back right")
    assert [c for c in before.step if c not in after.step] == [before.step[2]]
    assert before.step[2].begins == 0.5
    assert [leg for leg in creature.legs if leg.name != "back right"] == [
        x for x in PLAIN.legs if x.name != "back right"
    ]


def test_the_head_turns_about_the_vertical():
    assert roach("thesis", ["head-turns"]).figure.link("head").joint.axis == (0.0, 0.0, 1.0)


def test_in_stance_from_the_start_every_leg_reaches_its_stance_before_the_first_step():
    """Rest angles move at constant speed and arrive after the time of a stance, 50 ms."""
    creature = roach("thesis", ["stance-from-the-start"])
    assert replace(creature, gait=PLAIN.gait) == PLAIN
    for standing, arrives in ((creature, True), (PLAIN, False)):
        controller = world_of(standing, begins=0.1).controller
        assert controller is not None
        memory, dt = controller.memory(), 1.0 / 2400.0
        senses = SimpleNamespace(
            time=0.0,
            joint_angles=dict.fromkeys(creature.springs, 0.0),
            spring_torques=dict.fromkeys(creature.springs, 0.0),
        )
        for k in range(round(0.06 / dt)):
            senses.time = k * dt
            memory = controller.advanced(controller.decide(controller.numbers(), memory, senses, dt), dt)
        goals = {c.joint: c.target for leg in creature.legs for c in leg.stance}
        rest = dict(zip(controller.joints, memory.rest, strict=True))
        assert all(rest[joint] == pytest.approx(goal, abs=1e-9) for joint, goal in goals.items()) == arrives


def test_readings_combine():
    creature = roach("thesis", ["middle-femora-low", "time-as-printed"])
    assert creature.angles["leg_ml1"] == -0.5
    assert len(creature.leg("back right").step) == 3


def test_every_reading_has_its_lines_page_and_reason():
    for name, reading in roach_readings().items():
        assert reading.printed, name
        assert reading.page[:2].isdigit(), name
        assert reading.reason.endswith("."), name


def test_an_unknown_reading_is_refused():
    with pytest.raises(GambolError, match='no reading "low-femora"'):
        roach("thesis", ["low-femora"])
