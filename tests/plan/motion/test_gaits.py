"""Plans that start from the walk of an evolved creature: its coordinates, its phases, and a walk of least effort."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import gambol
from gambol.cli.plan.figures import FIGURES
from gambol.creatures.animals import animal_world
from gambol.creatures.directed import directed_creature, directed_world
from gambol.evolve.genotype import read_genotype
from gambol.evolve.runs import Settings
from gambol.plan import Cost, Cycle, Mesh, Plan, Point, Pose, phases_of_film, solve
from gambol.plan.motion.guesses.film_motion import trajectory_of_film
from gambol.plan.track import track
from gambol.world import Film, World

FEET = ("hind left 2", "hind right 2", "fore left 2", "fore right 2")
TOUCH, SPEED = 1e-3, 0.53  # m; m/s of the dog, as `gambol direct` measures it
DOG = Path("examples/genotypes/dog_without_toes.toml")


@cache
def dog() -> World:
    """Return the world of an evolved dog, whose legs have two links each, and whose back is stiff."""
    creature = directed_creature(read_genotype(DOG), Settings("natural", "dog", "stride"), "dog")
    return directed_world(lambda _: creature)


@cache
def walk() -> Film:
    world = dog()
    return gambol.run(world, gambol.start(world), 4.0, rate=120.0, coordinates=True)


def feet() -> tuple[Point, ...]:
    figure = dog().figure
    tips = {link: figure.link(link).contact_points()[0] for link in FEET}
    return tuple(Point(link, link, tip.position, tip.radius) for link, tip in tips.items())


def test_coordinates_of_an_evolved_walk_come_back_from_its_film():
    figure, film = dog().figure, walk()
    np.testing.assert_allclose(trajectory_of_film(figure, film).q, film.signals["q"][:, 0], atol=1e-12)


def test_phases_of_a_walk_are_the_times_its_feet_touch():
    """Heights of the feet from the poses in the film: rotated by quaternions, (0, 0, -0.2) of each last link."""
    figure, film = dog().figure, walk()
    phases = phases_of_film(figure, film, feet(), tolerance=TOUCH)
    ends = np.cumsum([phase.duration for phase in phases])
    assert ends[-1] == pytest.approx(film.time[-1], abs=1e-9)
    x, y = film.quaternion[:, 0, :, 1], film.quaternion[:, 0, :, 2]
    heights = film.position[:, 0, :, 2] - 0.2 * (1.0 - 2.0 * (x * x + y * y)) - 0.018
    for k, time in enumerate(film.time[:-1]):
        on = {link for link in FEET if heights[k, film.link_names.index(link)] < TOUCH}
        assert {*phases[int(np.searchsorted(ends, time + 1e-6))].contacts} == on
    assert all(a.contacts != b.contacts for a, b in pairwise(phases))


def half_stride() -> tuple[Plan, Film]:
    """Return the plan of half a stride of the dog, between two diagonal stances, and the part of its film."""
    world, film = dog(), walk()
    phases = phases_of_film(world.figure, film, feet(), tolerance=TOUCH)
    starts = np.cumsum([0.0, *(phase.duration for phase in phases)])
    first = next(k for k, p in enumerate(phases) if starts[k] > 2.0 and {*p.contacts} == {FEET[1], FEET[2]})
    last = next(k for k, p in enumerate(phases) if k > first and {*p.contacts} == {FEET[0], FEET[3]})
    part = film.between(starts[first] - 1e-9, starts[last] + 1e-9)
    motors = [link.name for link in world.figure.links if link.joint.kind == "revolute"]
    plan = Plan(
        world.figure,
        tuple(replace(p, landing="smooth", intervals=max(2, round(p.duration / 0.02))) for p in phases[first:last]),
        torques=dict.fromkeys(motors, 60.0),
        limits={name: (spring.lower, spring.upper) for name, spring in world.springs.items()},
        springs=world.springs,
        points=feet(),
        friction=1.0,
        clearance=0.01,
        start=Pose(positions={"trunk": (None, None, None, None, 0.0, None, None)}),
        cycle=Cycle(
            float(part.position[-1, 0, 0, 0] - part.position[0, 0, 0, 0]),
            mirrored=True,
            pairs=tuple((name, name.replace("left", "right")) for name in motors if "left" in name),
        ),
        costs=(Cost("effort"), Cost("acceleration", 1e-3)),
        mesh=Mesh(refinements=0),
    )
    return plan, part


@pytest.mark.slow
def test_an_evolved_walk_starts_a_plan_of_least_effort():
    """From the film it is solved; from the posture, it is not, in three times as many iterations."""
    plan, part = half_stride()
    found = solve(plan, start_from=part)
    assert found.solved, found.message
    travel = found.trajectory.q[-1, 4] - found.trajectory.q[0, 4]
    assert travel / found.trajectory.times[-1] == pytest.approx(SPEED, rel=0.05)
    cold = solve(plan, progress=lambda iteration, *_: iteration < 3 * found.iterations)
    assert not cold.solved
    assert track(found, cycles=3).error < 0.05


def test_a_plan_file_can_name_an_animal():
    model, world = FIGURES["hound"](), animal_world("hound")
    assert [link.name for link in model.figure.links] == [link.name for link in world.figure.links]
    assert model.q is not None
    np.testing.assert_allclose(model.q, world.initial.q, atol=1e-12)
