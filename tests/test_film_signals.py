"""Every signal of a film from every source, against an independent reading of its poses."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from readings import Reading
from worlds import ball, block, touch

import gambol
from gambol.cli.figures.run_request import RunRequest
from gambol.cli.figures.running import prepare_run
from gambol.contact import SurfaceProperties
from gambol.creatures.models import feet_of
from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.evaluate import film_rollout
from gambol.evolve.evaluate.filming import film_of
from gambol.evolve.evaluate.rollout import batches_of
from gambol.evolve.genotype import Genotype, grow, to_json
from gambol.evolve.genotype.breeding import FreeSpace
from gambol.evolve.runs import Settings
from gambol.evolve.zoo import ANIMALS, CREATURES, zoo_creature
from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties
from gambol.figure.forest import make_forest
from gambol.figure.springs import resolve_springs
from gambol.formats import read_figure
from gambol.script import read_script
from gambol.world import Film, State, World, run, start
from gambol.world.observe import MAX_CLEARANCE

Array = NDArray[np.float64]

EXAMPLES = Path(__file__).parent.parent / "examples"

UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

OFF = 1e-2
"""Rise of a foot that pushes off in the step in which it still presses [m]: at 3.6 m/s in 1/360 s."""

ROUNDING_TOLERANCE = 1e-6
"""Tolerance for rollouts, which are simulated in float32 [m]."""


def check_poses(
    film: Film, figure: Figure, feet: Sequence[str], gravity: float, limbs: Sequence[str] = (), exact: float = 1e-12
) -> None:
    """Check positions, heights and potential energies in every world; limbs: links that clearance leaves out, or feet.

    exact: the tolerance of lengths [m].
    """
    signals = film.signals
    for world in range(film.worlds):
        reading = Reading(film, figure, world)
        np.testing.assert_allclose(signals["centre"][:, world], reading.centre(), atol=exact)
        weight = figure.mass * max(gravity, STANDARD_GRAVITY)
        np.testing.assert_allclose(signals["potential"][:, world], reading.potential(gravity), atol=exact * weight)
        for number, foot in enumerate(feet):
            shown, bottoms = signals["feet"][:, world, number], reading.bottoms(foot)
            np.testing.assert_allclose(shown[:, 2], bottoms[..., 2].min(axis=1), atol=exact)
            assert np.linalg.norm(bottoms - shown[:, None], axis=2).min(axis=1).max() < 2 * exact
        others = [reading.bottoms(link.name)[..., 2] for link in figure.links if link.name not in (limbs or feet)]
        lowest = np.concatenate(others, axis=1).min(axis=1, initial=MAX_CLEARANCE)
        np.testing.assert_allclose(signals["clearance"][:, world], lowest, atol=exact)
    energy = signals["kinetic"] + signals["potential"] + signals["stored"]
    brought = signals["motors"] + signals["outside"] + signals["stabilisation"]
    losses = ("damping", "impact", "sliding", "numerical_damping")
    rest = energy - brought + sum(signals[name] for name in losses)
    np.testing.assert_allclose(signals["unaccounted"], rest - rest[0], atol=1e-12 * np.abs(energy).max())
    assert (np.diff(signals["taken"], axis=0) > 0).all()
    assert (np.diff(signals["wall"], axis=0) >= 0).all()
    assert (signals["status"] == 0).all()


def check_pushes(film: Film) -> None:
    """Only feet on the ground have a push; those above it have none."""
    signals = film.signals
    foot = signals["feet"][..., 2]
    assert (foot[signals["push"] > 0] < OFF).all()
    assert (signals["push"][foot > OFF] == 0).all()
    assert (signals["elsewhere"] >= 0).all()


def film_of_rollout(settings: Settings, genotype: Genotype, seed: int = 0, trial: int = 0) -> Film:
    return film_rollout(settings, to_json(genotype), seed, trial, seconds=1.0)


@pytest.mark.parametrize("trial", [0, 1])
@pytest.mark.parametrize("name", [name for name in CREATURES if name not in ANIMALS])
def test_signals_of_films_of_stored_creatures_match_their_poses(name, trial):
    one, creature = zoo_creature(name), grow(zoo_creature(name).genotype)
    film = film_of_rollout(one.settings, one.genotype, 3, trial)
    check_poses(
        film, creature.figure, creature.feet, 0.0 if name == "swimmer" else STANDARD_GRAVITY, exact=ROUNDING_TOLERANCE
    )
    check_pushes(film)


@pytest.mark.parametrize("seed", range(4))
def test_signals_of_films_of_random_free_bodies_match_their_poses(seed):
    settings = zoo_creature("rower").settings
    genotype = FreeSpace().random(np.random.default_rng(seed))
    creature, film = grow(genotype), film_of_rollout(settings, genotype)
    check_poses(film, creature.figure, creature.feet, STANDARD_GRAVITY, exact=ROUNDING_TOLERANCE)
    check_pushes(film)


def test_signals_of_films_of_bodies_with_one_program_match_their_poses():
    """The program is compiled for the first body, and the second has legs of another length."""
    one = zoo_creature("jumper")
    settings, body = replace(one.settings, seconds=5.5), one.genotype.body
    limbs = tuple(
        replace(limb, segments=tuple(replace(s, length=1.3 * s.length) for s in limb.segments)) for limb in body.limbs
    )
    for genotype in (one.genotype, replace(one.genotype, body=replace(body, limbs=limbs))):
        creature, film = grow(genotype), film_of_rollout(settings, genotype)
        check_poses(film, creature.figure, creature.feet, STANDARD_GRAVITY, exact=ROUNDING_TOLERANCE)
        check_pushes(film)


STEP = 1.0 / 1440.0


@pytest.mark.parametrize("name", ["walker", "jumper", "crawler", "rower", "strider", "swimmer"])
def test_kinetic_energies_and_foot_forces_of_rollouts_follow_from_the_motion(name):
    """If every step is a frame, the mean velocity between two frames is the mean of those at both.

    Except in steps with an impact on the ground: it removes velocity before the motion.
    """
    one = zoo_creature(name)
    task = {"step": STEP, "frame": STEP, "sample": 12 * STEP}
    settings = replace(one.settings, options={**one.settings.options, "task": task})
    ((batch, _),) = batches_of(settings).split([one.genotype])
    film = film_of(batch, one.genotype, batch.batch_world.batch_inputs(batch.engine, [one.genotype]), 0.6, every=1)
    figure, signals = grow(one.genotype).figure, {name: signal[:, 0] for name, signal in film.signals.items()}
    reading = Reading(film, figure)
    largest = signals["kinetic"].max()
    smooth = np.abs(np.diff(signals["impact"])) < 1e-6 * largest
    assert smooth.mean() > 0.5
    between = 0.5 * (signals["kinetic"][1:] + signals["kinetic"][:-1])
    np.testing.assert_allclose(reading.kinetic()[smooth], between[smooth], atol=5e-3 * largest)
    if name != "swimmer":
        last = int(np.flatnonzero(smooth[:-1] & smooth[1:])[-1]) + 1
        rise = np.diff(reading.centre()[:, 2])[last] / STEP  # in the middle of a step
        push = signals["push"].sum(axis=1) + signals["elsewhere"]
        pressed = (push[1 : last + 1].sum() + 0.5 * push[last + 1]) * STEP
        weight = figure.mass * STANDARD_GRAVITY * (last + 0.5) * STEP
        assert pressed == pytest.approx(weight + figure.mass * rise, abs=2e-3 * weight)


def test_signals_of_films_of_the_roach_match_their_poses():
    creature = gambol.roach()
    world = gambol.make_world(creature)
    state = gambol.start(world, 2)
    film, legs = run(world, state, 0.15, rate=1200.0), world.gait.legs
    check_poses(film, world.figure, world.surface.feet, world.gravity, [name for leg in legs for name in leg.links])
    check_pushes(film)
    assert set(np.unique(film.signals["stepping"])) == {0.0, 1.0}
    for lane in range(2):
        reading = Reading(film, world.figure, lane)
        for number, leg in enumerate(legs):
            upper = film.signals["upper"][:, lane, number]
            np.testing.assert_allclose(upper, reading.coordinate(leg.links[0]), atol=1e-9)
        check_loads(reading, world, state, lane)
        check_motion(reading, film.signals["kinetic"][:, lane])


def check_motion(reading: Reading, kinetic: Array) -> None:
    """In smooth motion, velocities between frames are those of the frames before and after, or between these."""
    middle, apart = (kinetic[1:] + kinetic[:-1]) / 2, np.abs(np.diff(kinetic)) / 2
    assert (np.abs(reading.kinetic() - middle) <= apart + 5e-3 * kinetic.max()).all()


def check_loads(reading: Reading, world: World, state: State, lane: int) -> None:
    """The last frame's torque of each leg's second joint, by its spring's law; the rest angle is the controller's."""
    memory = state.step_state.memory.control
    for number, leg in enumerate(world.gait.legs):
        (spring,) = resolve_springs(world.figure, world.springs)[leg.links[1]]
        rest, _ = world.controller.rest_angle(memory, leg.links[1], 0.0)
        off = reading.coordinate(leg.links[1])[-1] - np.broadcast_to(rest, state.rows.shape[1])[lane]
        pull = spring.stiffness * off + np.sign(off) * spring.alpha * np.expm1(spring.beta * abs(off))
        assert reading.film.signals["load"][-1, lane, number] == pytest.approx(-pull, rel=1e-6)


def film_of_file(name: str, seconds: float) -> Film:
    return prepare_run(RunRequest(EXAMPLES / "figures" / name, seconds), Path(), print).film(lambda done, frames: None)


@pytest.mark.filterwarnings("ignore:lane 0 had contacts that:gambol.integrate.solve.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:energy does not balance:gambol.world.events.ledger.LedgerWarning")  # of first order
def test_signals_of_films_of_files_match_their_poses():
    """A mechanism that oscillates, and a leg that falls on its foot, which bends its springs."""
    for name in ("four_bar.toml", "monopod.toml"):
        figure, film = read_figure(EXAMPLES / "figures" / name).figure, film_of_file(name, 0.45)
        check_poses(film, figure, feet_of(figure) if name == "monopod.toml" else (), STANDARD_GRAVITY)
        if name == "four_bar.toml":
            check_motion(Reading(film, figure), film.signals["kinetic"][:, 0])
        else:
            assert film.signals["push"].max() > figure.mass * STANDARD_GRAVITY


def test_signals_of_films_of_scripts_match_their_poses(tmp_path):
    script = read_script(EXAMPLES / "scripts" / "roach_tuned.corpus")
    film, world = script.run(tmp_path, 0.15, echo=lambda line: None), script.dry_run(seconds=0.15).build_world()
    legs = world.gait.legs
    check_poses(film, world.figure, world.surface.feet, world.gravity, [name for leg in legs for name in leg.links])
    check_pushes(film)
    for number, leg in enumerate(legs):
        upper = film.signals["upper"][:, 0, number]
        np.testing.assert_allclose(upper, Reading(film, world.figure).coordinate(leg.links[0]), atol=1e-9)


def test_signals_of_films_of_forests_match_their_poses():
    """A ball drops beside a block that slides; both are feet, so their pushes are separate."""
    figure = make_forest("two", {"a": ball(0.05, 2.0), "b": block((0.4, 0.2, 0.1), 3.0)})
    links = tuple(link.name for link in figure.links if link.mass_properties.mass)
    world = World(
        figure,
        surface=SurfaceProperties(touch(friction=0.4, restitution=0.0), feet=links),
        gravity=9.81,
        contact="stepping",
    )
    state = start(world)
    for link, place, speed in zip(links, ((0.0, 0.0, 0.2), (1.0, 0.0, 0.0499)), (0.0, 2.0), strict=True):
        state.q[0, figure.link(link).q.start + 4 : figure.link(link).q.stop] = place
        state.v[0, figure.link(link).v.start + 3] = speed
    film = run(world, state, 1.0, rate=120.0)
    check_poses(film, figure, links, 9.81, exact=1e-9)
    last = film.signals["push"][-1, 0]
    np.testing.assert_allclose(last, [2.0 * 9.81, 3.0 * 9.81], rtol=1e-6)


def test_the_ledger_accounts_for_the_energy():
    """A spring with a damper oscillates; a block slides to rest; a ball falls and stays; a push moves a block."""
    slide = Link("mass", None, Joint("prismatic", (1.0, 0.0, 0.0)), (), MassProperties(2.0, (0.0, 0.0, 0.0), UNIT))
    spring = JointSpring(stiffness=50.0, damping=3.0)
    world = World(Figure("swing", (slide,)), {"mass": spring}, gravity=0.0)
    state = start(world)
    state.q[0, 0] = 0.1
    swing = run(world, state, 1.0, rate=240.0)
    place, signals = swing.position[:, 0, 0, 0], {name: x[:, 0] for name, x in swing.signals.items()}
    np.testing.assert_allclose(signals["stored"], 0.5 * 50.0 * place**2, atol=1e-12)
    lost = 3.0 * (np.diff(place) * 240.0) ** 2 / 240.0
    np.testing.assert_allclose(signals["damping"][-1], lost.sum(), rtol=1e-3)

    world = World(
        block((0.4, 0.4, 0.1), 3.0), surface=SurfaceProperties(touch(restitution=0.0, friction=0.4)), contact="stepping"
    )
    state = start(world, position=np.array([[0.0, 0.0, 0.05]]))
    state.v[0, 3] = 1.0
    signals = {name: x[:, 0] for name, x in run(world, state, 1.0, rate=120.0).signals.items()}
    assert signals["sliding"][-1] == pytest.approx(0.5 * 3.0, rel=1e-3)

    world = World(ball(0.05, 2.0), surface=SurfaceProperties(touch(restitution=0.0)), contact="stepping")
    signals = run(world, start(world, position=np.array([[0.0, 0.0, 0.25]])), 1.0, rate=120.0).signals
    assert signals["impact"][-1, 0] == pytest.approx(2.0 * world.gravity * 0.2, rel=2e-2)
