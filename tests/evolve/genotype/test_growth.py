"""Every genotype grows: with the mass of its shapes, mirror-symmetric, on its feet, and continuous in its genes."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.collide.broad import allowed_pairs
from gambol.dynamics import kinematics
from gambol.errors import EvolveError
from gambol.evolve.genotype import PLANS, Body, Freedom, Genotype, Limb, Phenotype, Segment, Trunk, grow, plan_named
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.growth import CLEARANCE
from gambol.figure.parameters import parameters
from gambol.spatial import Vector

MIRROR = np.diag([1.0, -1.0, 1.0])


def born(body: str, seed: int) -> Genotype:
    return space_of(body).random(np.random.default_rng(seed))


def resting(body: Body) -> Phenotype:
    return grow(with_neutral_control(Genotype(body)))


def bottoms(creature: Phenotype) -> dict[str, float]:
    """Return the initial height of the lowest point of each link that may touch [m]."""
    poses = kinematics(creature.figure, list(creature.q), [0.0] * creature.figure.nv).poses
    return {
        link.name: min((poses[link.index] @ Vector(*p.position)).z - p.radius for p in link.contact_points())
        for link in creature.figure.links
        if link.contact_points()
    }


@given(st.sampled_from([*PLANS, "free"]), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_every_genotype_grows(body, seed):
    genotype = born(body, seed)
    creature = grow(genotype)
    joints = [link.name for link in creature.figure.links[1:]]
    assert joints == [*creature.actuators] == [*creature.springs] == [*creature.angles]
    assert len(joints) == genotype.body.links == creature.pattern.shape.actuators
    assert len(creature.feet) == sum(len(limb.sides) for limb in genotype.body.limbs)
    assert min(bottoms(creature).values()) == pytest.approx(CLEARANCE / (1.0 + CLEARANCE) * creature.height)
    for name, actuator in creature.actuators.items():
        spring = creature.springs[name]
        assert spring.lower < actuator.lower < creature.angles[name] < actuator.upper < spring.upper


@pytest.mark.parametrize("body", [*PLANS, "free"])
def test_a_creature_weighs_what_its_flesh_does(body):
    genotype = born(body, 1)
    trunk = genotype.body.trunk
    mass = trunk.density * trunk.length * trunk.width * trunk.height
    for limb in genotype.body.limbs:
        for s in limb.segments:
            a, b = s.upper_radius, s.lower_radius
            mass += s.density * math.pi * s.length / 3.0 * (a * a + a * b + b * b) * (1 + limb.mirrored)
    assert grow(genotype).figure.mass == pytest.approx(mass, rel=1e-12)


@given(st.sampled_from(["quadruped", "hexapod", "biped", "free"]), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_twins_are_mirror_images_that_move_alike(body, seed):
    creature = grow(born(body, seed))
    figure, rng = creature.figure, np.random.default_rng(seed)
    moved = {name.replace("right", "left"): float(rng.uniform(-1.0, 1.0)) for name in creature.angles}
    q = [1.0, *[0.0] * 6, *(moved[name.replace("right", "left")] for name in creature.angles)]
    poses = kinematics(figure, q, [0.0] * figure.nv).poses
    for link in figure.links:
        if " right " in link.name:
            twin = figure.link(link.name.replace("right", "left"))
            one, other = link.mass_properties, twin.mass_properties
            assert one == other
            here, there = poses[link.index], poses[twin.index]
            np.testing.assert_allclose([*(here @ Vector(*one.com))], MIRROR @ [*(there @ Vector(*one.com))], atol=1e-12)
            R, L = np.array(here.rotation.rows), np.array(there.rotation.rows)
            I = np.array(one.inertia)
            np.testing.assert_allclose(R @ I @ R.T, MIRROR @ L @ I @ L.T @ MIRROR, atol=1e-12 * np.abs(I).max() + 1e-15)


@pytest.mark.parametrize("body", ["quadruped", "hexapod", "biped"])
def test_plans_stand_on_all_feet(body):
    creature = resting(plan_named(body))
    low = bottoms(creature)
    assert all(low[foot] < 0.02 * creature.height for foot in creature.feet)
    bodies = [(link.mass_properties, pose) for link, pose in _posed(creature)]
    moments = sum((body.mass * np.array([*(pose @ Vector(*body.com))]) for body, pose in bodies), np.zeros(3))
    centre = moments / creature.figure.mass
    feet = np.array([[*pose.position] for link, pose in _posed(creature) if link.name in creature.feet])
    reach = plan_named(body).limbs[0].segments[-1].length
    assert abs(centre[1]) < 1e-12
    assert feet[:, 0].min() - reach < centre[0] < feet[:, 0].max() + reach


def _posed(creature: Phenotype):
    poses = kinematics(creature.figure, list(creature.q), [0.0] * creature.figure.nv).poses
    return [(link, poses[link.index]) for link in creature.figure.links]


def test_a_snake_lies_on_the_ground_as_one_line():
    creature = resting(plan_named("snake"))
    places = np.array([[*pose.position] for _, pose in _posed(creature)])
    assert np.ptp(places[:, 1:]) < 0.15
    assert np.all(np.diff(places[:, 0]) < 0.0)


@given(st.sampled_from([*PLANS]), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_a_small_change_of_genes_is_a_small_change_of_the_figure(body, seed):
    """Every measure is Lipschitz in the genes: none moves by more than 100 SI units for a unit step along their vector.

    The steepest is a trunk's mass: three sizes that may change by 1.5 make 7 kg up to 24 kg, of which each adds at most
    14 kg per range, together sqrt(3) times that.
    """
    space, rng = space_of(body), np.random.default_rng(seed)
    x = space.vector(space.random(rng))
    way = rng.normal(size=space.size)
    way /= np.linalg.norm(way)
    for step in (1e-2, 1e-4):
        one, other = grow(space.of_vector(x)), grow(space.of_vector(np.clip(x + step * way, 0.0, 1.0)))
        before, after = parameters(one.figure), parameters(other.figure)
        assert max(abs(after[name] - before[name]) for name in before if "density" not in name) < 100.0 * step
        assert abs(one.height - other.height) < 100.0 * step


def test_axes_follow_from_their_angles():
    def axis(**angles: float) -> np.ndarray:
        limb = Limb((0.0, 0.0, 0.0), False, (Segment(freedoms=(Freedom(**angles),)),))
        return np.array(resting(Body(Trunk(), (limb,))).figure.links[1].joint.axis)

    quarter = math.pi / 2
    assert axis().tolist() == [0.0, 1.0, 0.0]
    assert axis(azimuth=quarter).tolist() == [-1.0, 0.0, 0.0]
    assert axis(elevation=quarter).tolist() == [0.0, 0.0, 1.0]
    level = math.cos(0.4)
    expected = [-math.sin(0.3) * level, math.cos(0.3) * level, math.sin(0.4)]
    np.testing.assert_allclose(axis(azimuth=0.3, elevation=0.4), expected)


def test_a_positive_turn_about_y_swings_a_leg_backwards():
    creature = resting(plan_named("quadruped"))
    q = [*creature.q[:7], *[0.0] * len(creature.angles)]
    q[7] = 0.5
    figure = creature.figure
    poses = kinematics(figure, q, [0.0] * figure.nv).poses
    hip, knee = (poses[figure.link(f"limb1 left {k}").index].position for k in (1, 2))
    assert knee.x == pytest.approx(hip.x - 0.2 * math.sin(0.5))
    assert knee.z == pytest.approx(hip.z - 0.2 * math.cos(0.5))


def test_a_joint_of_two_freedoms_has_a_link_without_mass():
    creature = resting(plan_named("biped"))
    between = creature.figure.link("limb1 left 1 joint1")
    assert between.mass_properties.mass == 0.0
    assert creature.figure.links[creature.figure.link("limb1 left 1").parent_index - 1] == between


def test_only_the_ground_is_touched():
    assert allowed_pairs(resting(plan_named("hexapod")).figure, overlap=None) == ()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (lambda b: replace(b, trunk=replace(b.trunk, length=9.0)), "trunk has length = 9 m.*0.02 to 1.5 m.*1.5"),
        (lambda b: replace(b, trunk=replace(b.trunk, width=math.nan)), "trunk has width = nan"),
        (lambda b: replace(b, limbs=()), "at least one limb"),
        (lambda b: replace(b, limbs=(replace(b.limbs[0], segments=()),)), "limb1 has no segments"),
        (
            lambda b: replace(b, limbs=(replace(b.limbs[0], at=(0.0, 0.0, 0.0)),)),
            "limb1 has y = 0.*of a mirrored limb.*0.3",
        ),
        (lambda b: _with_freedom(b, kind="revolut"), 'did you mean "revolute"'),
        (lambda b: _with_freedom(b, reach=0.0), "limb1 segment1 freedom1 has reach = 0 rad"),
    ],
)
def test_the_error_of_an_impossible_body_names_the_reason(changed, message):
    genotype = with_neutral_control(Genotype(plan_named("quadruped")))
    with pytest.raises(EvolveError, match=message):
        grow(replace(genotype, body=changed(genotype.body)))


def _with_freedom(body: Body, **changes) -> Body:
    limb = body.limbs[0]
    freedom = replace(limb.segments[0].freedoms[0], **changes)
    first = replace(limb.segments[0], freedoms=(freedom,))
    return replace(body, limbs=(replace(limb, segments=(first, *limb.segments[1:])), *body.limbs[1:]))


def test_the_error_of_unfitting_control_names_the_reason():
    genotype = with_neutral_control(Genotype(plan_named("biped")))
    for changes, message in (
        ({"values": genotype.control.values[:-1]}, "57|genes need as many values"),
        ({"values": (99.0, *genotype.control.values[1:])}, 'gene "frequency" is 99'),
        ({"shifts": ()}, "has 0 shifts; give 1"),
        ({"shifts": (1.5,)}, "limb1 has shift = 1.5"),
    ):
        with pytest.raises(EvolveError, match=message):
            grow(replace(genotype, control=replace(genotype.control, **changes)))
    with pytest.raises(EvolveError, match="version 7"):
        grow(replace(genotype, version=7))
