"""Body plans of animals: they stand, keep their mass and looks in files and archives, and are refused with reasons."""

import json
import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gambol.dynamics import centre_of_mass, kinematics
from gambol.errors import EvolveError, GambolError
from gambol.evolve.evaluate.batch_world import limb_numbers
from gambol.evolve.evaluate.options import search_space, task_of
from gambol.evolve.genotype import Body, Genotype, check_body, grow, of_json, plan_named, read_genotype, to_json
from gambol.evolve.genotype import write_genotype as write
from gambol.evolve.genotype.anatomy import mass_of
from gambol.evolve.genotype.body import Limb, Mark, Segment, Trunk
from gambol.evolve.genotype.breeding import GenotypeSpace
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.plain_data import fast_genotype
from gambol.evolve.genotype.plans import ANIMALS
from gambol.evolve.genotype.standing import check_stands
from gambol.evolve.genotype.template_arrays.slots import link_slots
from gambol.evolve.runs import Settings
from gambol.figure import Figure
from gambol.spatial import Vector

MASSES = {
    "beetle": 0.05,
    "spider": 0.06,
    "crab": 0.12,
    "dog": 15.0,
    "cat": 4.5,
    "horse": 300.0,
    "lizard": 1.6,
    "bird": 5.5,
    "dinosaur": 60.0,
    "monkey": 8.0,
    "centipede": 0.03,
    "oculus": 12.0,
}
FILES = Path(__file__).parents[3] / "src/gambol/evolve/genotype/animals"


def genotype_of(name: str) -> Genotype:
    return with_neutral_control(Genotype(plan_named(name)))


def test_each_animal_has_a_file_and_a_mass():
    assert set(ANIMALS) == set(MASSES) == {path.stem for path in FILES.glob("*.toml")}


@pytest.mark.parametrize("name", ANIMALS)
def test_an_animal_has_its_mass_stands_and_can_evolve(name: str):
    body = plan_named(name)
    assert float(mass_of(body)) == pytest.approx(MASSES[name], rel=1e-12)
    check_stands(body, name)
    assert any("head" in limb.name or limb.name in ("stalk", "abdomen", "claw") for limb in body.limbs)
    creature = grow(genotype_of(name))
    assert creature.figure.mass == pytest.approx(MASSES[name], rel=1e-9)
    assert len(creature.standing_feet) == sum(len(limb.sides) for limb in body.limbs if limb.foot)
    assert all(link.parts[0].color for link in creature.figure.links if link.parts)
    settings = Settings(task="natural", body=name, options={"motor": "hill", "frequencies": "walk"})
    space = search_space(settings)
    assert isinstance(space, GenotypeSpace)
    assert space.plan.control.fastest == pytest.approx(1.6 * 1.62 * MASSES[name] ** -0.15)
    assert len(task_of(settings).terms) >= 24


@pytest.mark.parametrize("name", ["dog", "crab"])
def test_files_and_archives_keep_names_colours_and_marks(name: str, tmp_path: Path):
    genotype = genotype_of(name)
    stored = json.loads(json.dumps(to_json(genotype)))
    assert of_json(stored) == genotype
    assert fast_genotype(stored) == genotype
    write(genotype, tmp_path / "a.toml")
    assert read_genotype(tmp_path / "a.toml") == genotype
    plain = to_json(with_neutral_control(Genotype(plan_named("quadruped"))))
    assert set(plain) == {"format", "trunk", "limbs", "control"}
    assert set(plain["trunk"]) == {"length", "width", "height", "density"}
    assert set(plain["limbs"][0]) == {"at", "mirrored", "segments"}


def test_marks_have_no_mass_and_twins_have_mirrored_ones():
    dog = plan_named("dog")
    bare = replace(dog, marks=())
    with_marks, without = (grow(with_neutral_control(Genotype(body))).figure for body in (dog, bare))
    assert with_marks.mass == without.mass
    assert [link.contact_points() for link in with_marks.links] == [link.contact_points() for link in without.links]
    eyes = [part for part in with_marks.link("head middle 2").parts if part.shape.sizes == (0.013, 0.013, 0.013)]
    assert sorted(part.position[1] for part in eyes) == pytest.approx([-0.55 * 0.062, 0.55 * 0.062])
    left, right = (with_marks.link(f"fore {side} 3").parts[-1] for side in ("left", "right"))
    assert left.position == right.position == (0.3 * 0.02, 0.0, -0.6 * 0.045)


def test_strength_falls_with_the_cube_root_of_mass(tmp_path: Path):
    text = (FILES / "dog.toml").read_text()
    strengths: list[float] = []
    for mass in (8.0, 16.0):
        (tmp_path / "a.toml").write_text(text.replace("mass = 15.0", f"mass = {mass}"))
        strengths.append(read_genotype(tmp_path / "a.toml").body.limbs[1].segments[0].freedoms[0].strength)
    assert strengths[0] / strengths[1] == pytest.approx(2.0 ** (1.0 / 3.0))
    assert strengths[0] == pytest.approx(0.5 * 0.8 ** (-1.0 / 3.0))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "mass = 15.0",
            "mass = 90.0",
            r"a.toml, line 3: mass: .*weighs 90 kg has \d+ kg/m3, which no animal has; give",
        ),
        ("mass = 15.0", "mass = 2.0", r"weighs 2 kg has \d+ kg/m3, which no animal has"),
        ("mass = 15.0", "mass = -1.0", "a mass of -1 kg is not possible"),
        ('name = "hind"', 'name = "fore"', 'two limbs have the name "fore"; give each its own'),
        ('name = "hind"', 'name = "trunk"', 'cannot have the name "trunk"'),
        ('on = "head 2"', 'on = "haed 2"', 'a mark is on "haed 2"; did you mean "head 2"'),
        ("[0.018, 0.02, 0.016]", "[0.0, 0.02, 0.016]", "give three numbers between 0 and 1 m"),
        ('color = "#1c1614"', 'color = "black"', 'has the colour "black"; give one such as "#8a4a1c"'),
        ("foot = false", "feet = false", "feet"),
        ('on = "spine 2"', 'on = "spin 2"', '"hind" is on "spin 2"; did you mean "spine 2".*without a twin, a foot'),
        ('on = "spine 2"', 'on = "fore 1"', '"hind" is on "fore 1"; .*without a twin, a foot'),
        ('on = "spine 2"', 'on = "spine 3"', '"hind" is on "spine 3"; did you mean "spine'),
    ],
)
def test_a_wrong_file_is_refused(old: str, new: str, message: str, tmp_path: Path):
    text = (FILES / "dog.toml").read_text()
    assert old in text
    (tmp_path / "a.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(GambolError, match=message):
        read_genotype(tmp_path / "a.toml")


def test_a_body_that_cannot_stand_is_refused_before_work():
    started = time.process_time()
    legs = Limb((0.9, 1.0, -1.0), True, (Segment(0.2),))
    body = Body(Trunk(), (legs,))
    with pytest.raises(
        EvolveError, match=r'"nose up" cannot stand: at rest its centre of mass is \d+ cm behind its feet'
    ):
        check_stands(body, "nose up")
    with pytest.raises(EvolveError, match="cannot stand"):
        task_of(Settings(task="natural", body="x", options={"plan": to_json(with_neutral_control(Genotype(body)))}))
    with pytest.raises(EvolveError, match="a body without a foot cannot stand"):
        check_body(Body(Trunk(), (replace(legs, foot=False),)))
    with pytest.raises(EvolveError, match='a mark is on "limb2 1"'):
        check_body(Body(Trunk(), (legs,), (Mark("limb2 1", (0.0, 0.0, 0.0), (0.1, 0.1, 0.1)),)))
    assert time.process_time() - started < 5.0


def with_strength(body: Body, strength: float, names: tuple[str, ...]) -> Body:
    """Return a body whose limbs of these names have motors of this strength."""
    limbs = list[Limb]()
    for limb in body.limbs:
        segments = tuple(
            replace(part, freedoms=tuple(replace(freedom, strength=strength) for freedom in part.freedoms))
            for part in limb.segments
        )
        limbs.append(replace(limb, segments=segments) if limb.name in names else limb)
    return replace(body, limbs=tuple(limbs))


def test_a_body_whose_legs_are_too_weak_to_stand_is_refused():
    """The needed torque of the elbow is the load times its horizontal distance from the foot, by the figure at rest."""
    dog = with_strength(plan_named("dog"), 0.02, ("fore",))
    with pytest.raises(EvolveError, match='its joint "fore left 2" is too weak, with a torque of') as raised:
        check_stands(dog, "weak")
    needed = float(re.search(r"needs ([\d.]+);", str(raised.value))[1])  # type: ignore[index]
    figure = grow(with_neutral_control(Genotype(dog))).figure
    state = kinematics(figure, rest_of(figure), [0.0] * figure.nv)

    def at(link: str, offset: float = 0.0) -> float:
        return float((state.poses[figure.link(link).index] @ Vector(0.0, 0.0, -offset)).x)

    hind, fore = at("hind left 4", 0.045), at("fore left 3", 0.045)
    load = 0.5 * 15.0 * 9.80665 * (float(centre_of_mass(state)[0]) - hind) / (fore - hind)
    assert needed == pytest.approx(load * abs(fore - at("fore left 2")), rel=0.05)
    check_stands(with_strength(plan_named("dog"), 0.1, ("fore",)), "strong enough")


def test_a_leg_with_a_flat_foot_needs_one_place_of_its_load_for_all_joints():
    """Knee and ankle of the dinosaur each have a place of the load without torque, but not the same place."""
    dinosaur = plan_named("dinosaur")
    creature = grow(with_neutral_control(Genotype(dinosaur)))
    figure = creature.figure
    state = kinematics(figure, list(creature.q), [0.0] * figure.nv)
    knee, heel, toe = (
        float((state.poses[figure.link(link).index] @ Vector(0.0, 0.0, -along)).x)
        for link, along in (("leg left 2", 0.0), ("leg left 3", 0.0), ("leg left 3", 0.24))
    )
    assert heel < knee < toe  # so a load below the knee turns the ankle, and one below the ankle turns the knee
    weight = 0.5 * 60.0 * 9.80665
    check_stands(with_strength(dinosaur, 0.3, ("leg",)), "strong enough")
    with pytest.raises(EvolveError, match="too weak") as raised:
        check_stands(with_strength(dinosaur, 0.05, ("leg",)), "weak")
    joint, torque = re.search(r'joint "(.*)" is .* needs ([\d.]+);', str(raised.value)).groups()  # type: ignore[union-attr]
    assert joint in ("leg left 1", "leg left 2", "leg left 3")
    assert 0.0 < float(torque) < weight * (toe - heel)


def test_a_body_with_many_legs_stands_on_those_that_are_strong():
    crab, legs = plan_named("crab"), ("front leg", "middle leg", "hind leg")
    check_stands(with_strength(crab, 0.02, legs[:1]), "strong behind")
    with pytest.raises(EvolveError, match="too weak"):
        check_stands(with_strength(crab, 0.02, legs), "weak")


def test_a_limb_on_a_spine_has_the_axes_of_the_trunk_and_its_twin_is_a_mirror_image():
    """Its hips are where the spine has them, and its links at rest are those of the same limb on the trunk."""
    dog = plan_named("dog")
    on_trunk = replace(dog, limbs=tuple(replace(limb, on="trunk") for limb in dog.limbs))
    figures = [grow(with_neutral_control(Genotype(body))).figure for body in (dog, on_trunk)]
    states = [kinematics(figure, rest_of(figure), [0.0] * figure.nv) for figure in figures]
    for name in ("hind left 1 joint1", "hind left 1", "hind right 2", "tail middle 1"):
        poses = [state.poses[figure.link(name).index] for state, figure in zip(states, figures, strict=True)]
        np.testing.assert_allclose(poses[0].rotation.rows, poses[1].rotation.rows, atol=1e-12)
    left, right = (states[0].poses[figures[0].link(f"hind {side} 1").index].position for side in ("left", "right"))
    spine, (x, y, z) = dog.limbs[0], dog.limbs[2].at
    first, second = spine.segments
    ahead = -0.75 * dog.trunk.length / 2 - first.length + z * second.length
    hip = (ahead, y * second.upper_radius, 0.05 * dog.trunk.height - x * second.upper_radius)
    assert tuple(left) == pytest.approx(hip, abs=2e-6)  # the file gives a quarter turn as 1.5708
    assert tuple(right) == pytest.approx((left.x, -left.y, left.z))


def rest_of(figure: Figure) -> list[float]:
    """Return the coordinates of a figure with all joints at 0."""
    return [1.0, *[0.0] * (figure.nq - 1)]


def test_links_of_a_spine_belong_to_no_limb():
    numbers = limb_numbers(grow(genotype_of("dog")).figure)
    assert {name for name, number in numbers.items() if number == 0} == {
        name for name in numbers if name.startswith("spine")
    }
    assert len(set(numbers.values())) == 1 + 6  # fore and hind legs, head, tail


def test_a_body_with_a_spine_does_not_fit_in_slots():
    with pytest.raises(EvolveError, match="limbs on a spine does not fit in slots; set the option bodies"):
        link_slots([plan_named("dog")], 40)
