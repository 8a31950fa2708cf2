"""A life once more, on film: in the program of its herd, so that it moves as it did to the last bit."""

import math
from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.evolve.genotype import Body, Genotype, Grown, grown, of_json
from gambol.evolve.genotype.anatomy import segment_name
from gambol.evolve.life.herd import Herd, begun
from gambol.evolve.life.home import Lodged
from gambol.evolve.life.living import herds_of
from gambol.evolve.life.trials import in_trial
from gambol.evolve.run import Settings
from gambol.figure import PlacedLink
from gambol.spatial import Transform
from gambol.world import Film, FilmGround, FilmShape
from gambol.world.encounters.places import contact_places
from gambol.world.observe import FAR, quaternion_of
from gambol.world.record import Recorder, film_shapes

BED = 20.0
"""Edge of the bed that is drawn below what floats, beside how far it goes [m]."""

DEEP = 0.3
"""Of its length: how far the bed lies below its centre of mass and its limbs' ends."""

ORIGIN = (0.0, 0.0, 0.0)
UPRIGHT, ON_EDGE = (1.0, 0.0, 0.0, 0.0), (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
"""Quaternions: no turn, and a quarter about x, for the slab of a trunk that is higher than wide."""


def filmed(
    settings: Settings, genotype: Mapping[str, Any], seed: int = 0, trial: int = 0, *, seconds: float | None = None
) -> Film:
    """The film of a trial of a genotype's life, plain data, from its first moment on.

    seed: of the life, which trial 0 does not need. seconds: None: all of it. A picture for every second frame of the
    controller. Raises EvolveError for a genotype that is none, and for a trial that there is not.
    """
    made = of_json(genotype)
    ((herd, _),) = herds_of(settings).of([made])
    lodged = in_trial(herd.home.lodged(herd.engine, [made]), herd.task, [seed], trial)
    return film_of(herd, made, lodged, herd.task.seconds if seconds is None else seconds)


def film_of(herd: Herd, genotype: Genotype, lodged: Lodged, seconds: float, *, every: int = 2) -> Film:
    """The film of a creature in its herd, lodged alone. every: frames of the controller from picture to picture."""
    state = begun(herd.engine.world, lodged.q)
    frames = range(0, round(seconds / herd.task.frame) + 1, every)
    recorder, places, wall = Recorder(state, len(frames)), list[NDArray[Any]](), 0.0
    recorder.prepare(lodged.numbers)
    for frame in frames:
        started = perf_counter()
        herd.engine.move(state, frame, lodged.numbers)
        wall += perf_counter() - started
        recorder.add(state, frame, wall)
        places.append(herd.home.own_coordinates(genotype, state.q[0].astype(float)))
    film = _of_own_feet(recorder.film(), list(lodged.feet[0]))
    film = film if herd.engine.world.solid else _above_bed(film, float(lodged.length[0]))
    film = _of_own_links(film, grown(genotype), np.array(places))
    return _rounded(film, genotype.body) if herd.engine.world.solid else film


def _of_own_feet(film: Film, feet: list[int]) -> Film:
    """The film with the signals of a creature's own feet, by number; what presses on other feet is elsewhere."""
    push = film.signals["push"]
    own = {name: film.signals[name][:, :, feet] for name in ("push", "feet")}
    elsewhere = film.signals["elsewhere"] + np.delete(push, feet, axis=2).sum(axis=2)
    return replace(film, signals={**film.signals, **own, "elsewhere": elsewhere})


def _above_bed(film: Film, length: float) -> Film:
    """The film of what floats, of some length [m], with a level bed below all of its way, to see it move against."""
    way = film.signals["centre"][:, 0]
    low, high = way.min(axis=0), way.max(axis=0)
    edge = BED + float(np.max(high - low))
    x0, y0 = (low[:2] + high[:2] - edge) / 2.0
    depth = min(low[2], film.signals["feet"][..., 2].min()) - DEEP * length
    return replace(film, ground=FilmGround(np.full((2, 2), depth), float(x0), float(y0), edge))


def _of_own_links(film: Film, creature: Grown, q: NDArray[np.float64]) -> Film:
    """The film with the links of a creature that has these coordinates (F, nq), and the clearance of all but feet."""
    figure = creature.figure
    poses = kinematics(figure, list(q.T), [0.0] * figure.nv).poses[1:]
    count = len(q)
    low = [_heights(link, poses[link.index - 1], count) for link in figure.links if link.name not in creature.feet]
    clearance = np.min([height for heights in low for height in heights], axis=0, initial=FAR)
    positions = [[np.broadcast_to(x, count) for x in pose.position] for pose in poses]
    turns = [[np.broadcast_to(x, count) for x in quaternion_of(pose.rotation)] for pose in poses]
    return replace(
        film,
        name=figure.name,
        position=np.moveaxis(np.array(positions), -1, 0)[:, None],
        quaternion=np.moveaxis(np.array(turns), -1, 0)[:, None],
        link_names=tuple(link.name for link in figure.links),
        shapes=tuple(shape for link in figure.links for shape in film_shapes(link)),
        signals={**film.signals, "clearance": clearance[:, None]},
    )


def _heights(link: PlacedLink, pose: Transform, count: int) -> list[NDArray[np.float64]]:
    """How high the points of a link that may touch the ground are in each of some frames [m]."""
    return [np.broadcast_to((pose @ place).z - radius, count) for place, radius in contact_places(link)]


def _rounded(film: Film, body: Body) -> Film:
    """The film with its trunk as it touches the ground: the hull of its four balls, in place of its box and of these.

    The box has the mass, but touches nothing: its corners would be seen to dip into the ground. Limbs that hang beside
    the hull, where a corner of the box was, are seen to hang on it by a ball as thick as they are.
    """
    width, height = body.trunk.width, body.trunk.height
    radius = min(width, height) / 2
    size = (max(body.trunk.length - 2 * radius, 0.0), max(width, height) - 2 * radius, radius)
    slab = FilmShape(0, "slab", size, ORIGIN, UPRIGHT if width >= height else ON_EDGE)
    tops = {segment_name(chain, 0): limb.segments[0].upper_radius for chain, limb, _ in body.chains()}
    hips = (FilmShape(film.link_names.index(link), "sphere", (r,), ORIGIN, UPRIGHT) for link, r in tops.items())
    return replace(film, shapes=(slab, *hips, *(shape for shape in film.shapes if shape.link != 0)))
