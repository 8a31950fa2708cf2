"""Muscles as genes: their numbers in the body that grows, in files, in arrays of many, and in MuJoCo."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gambol.actuation.actuator import ActuatorInput
from gambol.actuation.muscle import AntagonistPair
from gambol.cli.figures.creatures import read_creature
from gambol.control import Drive
from gambol.errors import EvolveError, GambolError
from gambol.evolve.genotype import (
    Freedom,
    Genotype,
    MusclePair,
    Phenotype,
    check_body,
    genotype_text,
    grow,
    muscled,
    of_json,
    plan_named,
    read_genotype,
    to_json,
    topology_arrays,
    write_genotype,
)
from gambol.evolve.genotype.body import Body, Limb, Segment, Trunk, driven_by
from gambol.evolve.genotype.breeding import space_of, topology
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.servos import MAX_SERVO_FREQUENCY, joint_inertias
from gambol.evolve.genotype.template_arrays import template_arrays
from gambol.figure.template import any_tree
from gambol.formats import read_mjcf, write_mjcf
from gambol.world import Engine, Timing, World

COUNT = 5


def creatures(body: str, seed: int = 0, count: int = COUNT) -> list[Genotype]:
    space, rng = space_of(body, muscles=True), np.random.default_rng(seed)
    return [space.random(rng) for _ in range(count)]


def world_of(creature: Phenotype) -> World:
    drive = Drive(creature.pattern, creature.actuators, creature.feet)
    return World(creature.figure, creature.springs, controller=drive, contact="stepping", timing=Timing(0.01, 0.002))


def pull(pair: AntagonistPair, q: float, positive: float, negative: float = 0.0, v: float = 0.0) -> float:
    """Return the force of a pair on its joint [N m or N]."""
    at = ActuatorInput(0.0, [q], [v], [q], {"positive": positive, "negative": negative})
    return pair.force(pair.numbers(), at)[0]


def slide(pair: MusclePair | None = None) -> Body:
    """A body with a leg that turns and slides."""
    hip = Freedom(strength=0.5, middle=0.3, reach=0.4, muscles=pair or MusclePair(7.0, 0.1))
    knee = Freedom("prismatic", elevation=1.57, reach=0.5, strength=0.3, muscles=MusclePair(5.0, 0.3))
    return Body(Trunk(), (Limb((0.5, 1.0, -1.0), True, (Segment(freedoms=(hip,)), Segment(0.1, freedoms=(knee,)))),))


def test_the_strength_of_a_muscle_is_that_of_its_gene():
    """The strength is the torque over weight and length from the joint to the end of the limb: 0.3 m and 0.1 m."""
    creature = grow(with_neutral_control(Genotype(slide())))
    weight = creature.figure.mass * 9.81
    hip, knee = (creature.actuators[f"limb1 left {k}"] for k in (1, 2))
    assert isinstance(hip, AntagonistPair)
    assert isinstance(knee, AntagonistPair)
    assert pull(hip, 0.3, 1.0) == pytest.approx(0.5 * weight * 0.3, rel=1e-12)
    assert pull(hip, 0.3, 0.0, 1.0) == pytest.approx(-0.5 * weight * 0.3, rel=1e-12)
    assert pull(knee, 0.0, 1.0) == pytest.approx(0.3 * weight / 0.3, rel=1e-12)  # a unit of a slide is 0.3 lengths


def test_fibres_and_stiffness_follow_from_the_genes():
    """In the middle A = 0.5 and A' = 4; a fibre of 7 times 0.5 rad changes by 1 / 3.5 of its length in a radian."""
    creature = grow(with_neutral_control(Genotype(slide())))
    hip = creature.actuators["limb1 left 1"]
    assert isinstance(hip, AntagonistPair)
    assert hip.optimal_length / hip.radius == pytest.approx(7.0 * 0.5, rel=1e-12)
    stiffness = 2.0 * 0.1 * 4.0 * hip.max_force * hip.radius / 3.5
    step = 1e-4
    slope = (pull(hip, 0.3 + step, 0.1, 0.1) - pull(hip, 0.3 - step, 0.1, 0.1)) / (2.0 * step)
    assert -slope == pytest.approx(stiffness, rel=1e-3)
    armature = creature.figure.link("limb1 left 1").joint.armature
    assert armature == pytest.approx(stiffness / MAX_SERVO_FREQUENCY**2, rel=1e-12)
    assert joint_inertias(creature.figure)["limb1 left 1"] > armature
    spring = creature.springs["limb1 left 1"]
    assert (spring.lower, spring.upper) == pytest.approx((0.3 - 0.5, 0.3 + 0.5))


def test_fibres_stay_on_the_rise_of_their_curve_up_to_the_stops():
    for genotype in creatures("free", count=20):
        for link, pair in (creature := grow(genotype)).actuators.items():
            assert isinstance(pair, AntagonistPair)
            spring = creature.springs[link]
            for q in (spring.lower, spring.upper):
                lengths = [0.75 - s * pair.radius * (q - 0.5 * (pair.lower + pair.upper)) for s in (1.0, -1.0)]
                ends = [0.75 + (x - 0.75) / pair.optimal_length for x in lengths]
                assert 0.55 - 1e-12 <= min(ends) <= max(ends) <= 0.95 + 1e-12


def test_files_and_archives_preserve_every_bit(tmp_path: Path):
    for genotype in creatures("free"):
        assert of_json(json.loads(json.dumps(to_json(genotype)))) == genotype
        write_genotype(genotype, tmp_path / "a.toml")
        assert read_genotype(tmp_path / "a.toml") == genotype


def test_bodies_with_servos_are_written_as_before():
    text = genotype_text(with_neutral_control(Genotype(plan_named("quadruped"))))
    assert "muscles" not in text
    assert "muscles" in genotype_text(with_neutral_control(Genotype(muscled(plan_named("quadruped")))))
    assert topology(Genotype(muscled(plan_named("quadruped")))) != topology(Genotype(plan_named("quadruped")))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{ fibre = 4.0 }", "fibre = 4, outside of the bounds 5 to 16; the nearest valid value is 5"),
        ("{ tone = 0.5 }", "tone = 0.5, outside of the bounds 0.05 to 0.3"),
        ("{ fiber = 6.0 }", '"fiber".*did you mean "fibre"'),
        ("3", "muscles is 3; it should be a table"),
    ],
)
def test_impossible_muscles_are_refused_in_files(tmp_path: Path, line: str, message: str):
    text = genotype_text(with_neutral_control(Genotype(slide())))
    start = text.index("muscles = {")
    (tmp_path / "a.toml").write_text(text[:start] + f"muscles = {line}" + text[text.index("}", start) + 1 :])
    with pytest.raises(GambolError, match=message):
        read_genotype(tmp_path / "a.toml")
    with pytest.raises(EvolveError, match="limb1 segment1 freedom1 muscles has tone = 2"):
        check_body(slide(MusclePair(6.0, 2.0)))


@pytest.mark.parametrize("body", ["quadruped", "free"])
def test_search_preserves_muscles_and_changes_their_genes(body: str):
    space, rng = space_of(body, muscles=True), np.random.default_rng(4)
    parents = [space.random(rng) for _ in range(6)]
    for _ in range(60):
        a, b = (parents[int(k)] for k in rng.integers(6, size=2))
        child = space.mutated(space.crossed(a, b, rng), 1.0, rng)
        check_body(child.body)
        assert driven_by(child.body) == "muscles"
        parents[int(rng.integers(6))] = child
    tones = {f.muscles.tone for one in parents for limb in one.body.limbs for f in limb.freedoms if f.muscles}
    assert len(tones) > 6


def test_arrays_of_a_topology_have_the_numbers_of_each_creature():
    genotypes = creatures("quadruped")
    arrays, alone = topology_arrays(genotypes), [grow(genotype) for genotype in genotypes]
    for k, creature in enumerate(alone):
        for link, pair in creature.actuators.items():
            for name, value in pair.numbers().items():
                assert np.broadcast_to(arrays.servos[link][name], COUNT)[k] == pytest.approx(value, rel=1e-13)
            spring = arrays.springs[link]
            damping = np.broadcast_to(spring.damping, COUNT)[k]
            assert damping == pytest.approx(creature.springs[link].damping, rel=1e-12)
    world = world_of(alone[0])
    fixed = topology_arrays(genotypes[:1], alone[0])
    assert Engine(world).numbers(**replace(fixed, figure=alone[0].figure).numbers(world)).shape[1] == 1


def test_arrays_of_a_template_have_the_numbers_of_each_creature():
    genotypes = creatures("free", seed=2)
    template = any_tree(10, balls=1, root_balls=4)
    arrays = template_arrays(genotypes, template)
    links = [link.name for link in template.links[1:]]
    for k, genotype in enumerate(genotypes):
        pairs = list(grow(genotype).actuators.values())
        for link, pair in zip(links, pairs, strict=False):
            for name, value in pair.numbers().items():
                assert np.broadcast_to(arrays.servos[link][name], COUNT)[k] == pytest.approx(value, rel=1e-12), name
    mixed = [*genotypes, space_of("free").random(np.random.default_rng(0))]
    with pytest.raises(EvolveError, match="must have the same kind of actuator"):
        template_arrays(mixed, template)


def test_mujoco_gives_the_torques_of_an_exported_body(tmp_path: Path):
    mujoco = pytest.importorskip("mujoco")
    write_genotype(with_neutral_control(Genotype(slide())), tmp_path / "a.toml")
    write_mjcf(read_creature(tmp_path / "a.toml").model(), tmp_path / "a.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    data, rng, creature = mujoco.MjData(model), np.random.default_rng(0), grow(read_genotype(tmp_path / "a.toml"))
    assert model.nu == 2 * len(creature.actuators)
    assert len(read_mjcf(tmp_path / "a.xml").motors) == model.nu
    for _ in range(20):
        data.qpos[7:], data.qvel[:], data.act[:] = (
            rng.uniform(-0.1, 0.6, model.nv - 6) * np.tile([1.0, 0.03], 2),
            rng.normal(0.0, 2.0, model.nv),
            rng.uniform(size=model.na),
        )
        mujoco.mj_forward(model, data)
        for link, pair in creature.actuators.items():
            joint = next(j for j in range(model.njnt) if model.body(model.jnt_bodyid[j]).name == link)
            q, v = data.qpos[model.jnt_qposadr[joint]], data.qvel[model.jnt_dofadr[joint]]
            acts = [data.act[model.actuator(f"{link} {name}").actadr[0]] for name in ("positive", "negative")]
            assert isinstance(pair, AntagonistPair)
            expected = pull(pair, q, *acts, v=v)
            actual = data.qfrc_actuator[model.jnt_dofadr[joint]]
            assert actual == pytest.approx(expected, rel=1e-9, abs=1e-9 * pair.max_force * pair.radius)
