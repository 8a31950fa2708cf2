"""Films of rollouts, recorded with the program of the batch: a film shows exactly the rollout that was evaluated."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground
from gambol.contact.generation.ground_points import ground_points
from gambol.dynamics import kinematics
from gambol.evolve.evaluate.batch import Batch, initial_state
from gambol.evolve.evaluate.batch_world import Array, BatchInputs, inputs_of_trial
from gambol.evolve.evaluate.film_muscles import with_creature_actuators
from gambol.evolve.evaluate.placement import surface_at
from gambol.evolve.evaluate.rollout import batches_of
from gambol.evolve.genotype import Genotype, Phenotype, grow, of_json
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.drawn_figure import drawn_links
from gambol.evolve.runs import Settings
from gambol.figure import Link, PlacedLink
from gambol.spatial import Transform
from gambol.spatial.rotation import quaternion_of
from gambol.world import Film, FilmGround, State, World
from gambol.world.film.axes import film_axes
from gambol.world.observe import MAX_CLEARANCE
from gambol.world.record import Recorder, film_shapes, film_visuals

BED_EDGE = 20.0
"""The edge of the drawn square bed (sea floor) below a floating creature, in addition to the extent of its path [m]."""

BED_DEPTH = 0.3
"""The depth of the bed below the lowest position of centre of mass and feet, as a fraction of the body length."""


def film_rollout(
    settings: Settings, genotype: Mapping[str, Any], seed: int = 0, trial: int = 0, *, seconds: float | None = None
) -> Film:
    """Return the film of one trial of a genotype's rollout.

    settings: settings of the run. genotype: plain data. seed: seed of the rollout; trial 0 does not use it. trial: from
    0. seconds: duration of the film; None for the complete rollout. Every second control step gives one picture. Raises
    EvolveError for data that is not a genotype, and for a trial that does not exist.
    """
    parsed = of_json(genotype)
    batch, inputs = _batch_of(settings, parsed, seed, trial)
    return film_of(batch, parsed, inputs, batch.task.seconds if seconds is None else seconds)


def start_of_rollout(
    settings: Settings, genotype: Mapping[str, Any], seed: int = 0, trial: int = 0
) -> tuple[State, NDArray[Any]]:
    """Return the first state of a rollout, and the inputs of its world, (rows, 1). Arguments: see film_rollout()."""
    batch, inputs = _batch_of(settings, of_json(genotype), seed, trial)
    return initial_state(batch.engine.world, inputs.q), inputs.numbers


def batch_of(settings: Settings, genotype: Genotype) -> Batch:
    """Return the batch of a single genotype."""
    ((batch, _),) = batches_of(settings).split([genotype])
    return batch


def _batch_of(settings: Settings, genotype: Genotype, seed: int, trial: int) -> tuple[Batch, BatchInputs]:
    """Return the batch of a single genotype, and its inputs in a trial."""
    batch = batch_of(settings, genotype)
    return batch, inputs_of_trial(batch.batch_world.batch_inputs(batch.engine, [genotype]), batch.task, [seed], trial)


def film_of(batch: Batch, genotype: Genotype, inputs: BatchInputs, seconds: float, *, every: int = 2) -> Film:
    """Return the film of a single creature.

    batch: batch of the genotype. inputs: inputs of its batch world, for one creature. seconds: duration. every: number
    of control steps from one picture to the next.
    """
    state = initial_state(batch.engine.world, inputs.q)
    frames = range(0, round(seconds / batch.task.frame) + 1, every)
    recorder, coordinates, speeds, wall = Recorder(state, len(frames)), list[Array](), list[Array](), 0.0
    recorder.prepare(inputs.numbers)
    for frame in frames:
        started = perf_counter()
        batch.engine.advance(state, frame, inputs.numbers)
        wall += perf_counter() - started
        recorder.add(state, frame, wall)
        coordinates.append(batch.batch_world.figure_coordinates(genotype, state.q[0].astype(float)))
        speeds.append(state.v[0].astype(float))
    film = _with_creature_feet(recorder.film(), list(inputs.feet[0]))
    film = film if batch.engine.world.has_ground else _with_bed(film, float(inputs.length[0]))
    creature = grow(genotype)
    links = drawn_links_of(batch.engine.world, creature.figure.given_links, genotype.body)
    drawn = replace(creature.figure, given_links=links)
    shapes = tuple(chain.from_iterable(film_visuals(link) or film_shapes(link) for link in drawn.links))
    film = replace(film, shapes=())  # the template's shapes: it may have more links than the creature
    q, v = np.array(coordinates), np.array(speeds)[:, : creature.figure.nv]  # links of a template keep their order
    film = _with_creature_links(film, creature, q, batch.engine.world.ground)
    film = with_creature_actuators(film, creature, list(batch.engine.world.actuators), q, v)
    return replace(film, shapes=shapes)


def drawn_links_of(world: World, links: Sequence[Link], body: Body) -> tuple[Link, ...]:
    """Return the links of a body as films show them; numbers may be traced."""
    return drawn_links(links, body) if world.has_ground else tuple(links)


def _with_creature_feet(film: Film, feet: list[int]) -> Film:
    """Return the film with the signals of a creature's feet only; feet: their indices among the world's feet.

    Loads on all other feet of the world are added to the signal "elsewhere".
    """
    push = film.signals["push"]
    feet_signals = {name: film.signals[name][:, :, feet] for name in ("push", "feet")}
    elsewhere = film.signals["elsewhere"] + np.delete(push, feet, axis=2).sum(axis=2)
    return replace(film, signals={**film.signals, **feet_signals, "elsewhere": elsewhere})


def _with_bed(film: Film, length: float) -> Film:
    """Return the film of a floating creature with a level bed below its path; length: length of the creature [m]."""
    path = film.signals["centre"][:, 0]
    low, high = path.min(axis=0), path.max(axis=0)
    edge = BED_EDGE + float(np.max(high - low))
    x0, y0 = (low[:2] + high[:2] - edge) / 2.0
    depth = min(low[2], film.signals["feet"][..., 2].min()) - BED_DEPTH * length
    return replace(film, ground=FilmGround(np.full((2, 2), depth), float(x0), float(y0), edge))


def _with_creature_links(film: Film, creature: Phenotype, q: Array, ground: Ground) -> Film:
    """Return the film with a creature's links at coordinates q (F, nq), and the clearance of links without feet."""
    figure = creature.figure
    poses = kinematics(figure, list(q.T), [0.0] * figure.nv).poses[1:]
    count = len(q)
    heights_of_links = [
        _point_heights(link, poses[link.index - 1], count, ground)
        for link in figure.links
        if link.name not in creature.standing_feet
    ]
    clearance = np.min([height for heights in heights_of_links for height in heights], axis=0, initial=MAX_CLEARANCE)
    positions = [[np.broadcast_to(x, count) for x in pose.position] for pose in poses]
    quaternions = [[np.broadcast_to(x, count) for x in quaternion_of(pose.rotation)] for pose in poses]
    return replace(
        film,
        name=figure.name,
        position=np.moveaxis(np.array(positions), -1, 0)[:, None],
        quaternion=np.moveaxis(np.array(quaternions), -1, 0)[:, None],
        link_names=tuple(link.name for link in figure.links),
        parents=tuple(link.parent_index - 1 for link in figure.links),
        signals={**film.signals, "clearance": clearance[:, None], "q": q[:, None]},
        axes=film_axes(figure, creature.standing_feet),
    )


def _point_heights(link: PlacedLink, pose: Transform, count: int, ground: Ground) -> list[Array]:
    """Return the heights of a link's contact points above the ground in each picture [m]."""
    heights: list[Array] = []
    for position, radius in ground_points(link):
        x, y, z = (np.broadcast_to(c, count) for c in pose @ position)
        heights.append(z - radius - surface_at(ground, x, y).height)
    return heights
