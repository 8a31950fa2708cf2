"""The creatures of the zoo do as their descriptions say: closed ledgers, feet that do not slip, and a film that shows
it.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.evaluate import evaluate_genotypes, film_rollout
from gambol.evolve.genotype import grow, to_json
from gambol.evolve.genotype.drawn_figure import MIN_EDGE
from gambol.evolve.tasks.task import STEP
from gambol.evolve.zoo import ANIMALS, CREATURES, zoo_creature
from gambol.view.scene.pose import rotation
from gambol.world import FilmShape

FRESH = 16
"""Rollouts of each, of two trials or three."""

WALKS = {"at_froude": (0.2, 1.0), "upright": (0.95, 1.0), "height": (0.8, 1.0), "slip": (0.0, 0.2)}
"""Bounds of an animal: it walks at a fifth or more of the speed at which animals of its size walk, on its feet."""

DOES: dict[str, dict[str, tuple[float, float]]] = {
    "walker": {"speed": (2.0, 9.0), "slip": (0.0, 0.1), "dragging": (0.0, 0.0), "tangle": (0.0, 0.0)},
    "hopper": {"flight": (0.4, 1.0), "speed": (0.5, 9.0), "slip": (-0.01, 0.1), "dragging": (0.0, 0.0)},
    "springer": {"flight": (0.35, 1.0), "bounce": (0.05, 1.0), "speed": (0.5, 9.0), "upright": (0.9, 1.0)},
    "jumper": {"leap": (0.3, 3.0), "landed": (0.5, 1.0), "tangle": (0.0, 0.05)},
    "crawler": {"crawl": (1.0, 9.0), "flight": (0.0, 0.1), "upright": (0.9, 1.0), "tangle": (0.0, 0.0)},
    "swimmer": {"speed": (0.5, 9.0), "straightness": (0.9, 1.0), "tangle": (0.0, 0.0)},
    "rower": {"speed": (1.0, 9.0), "tangle": (0.0, 0.05)},
    "strider": {"speed": (0.8, 9.0), "dragging": (0.0, 0.0), "tangle": (0.0, 0.05)},
    **dict.fromkeys(ANIMALS, WALKS),
}
"""Bounds of the measured values: speeds in body lengths a second, a walk of at least two of them."""

EACH = [pytest.param(name, marks=pytest.mark.slow if name in ANIMALS else ()) for name in CREATURES]
"""The creatures; programs of animals take 15 s each to compile."""


@pytest.mark.parametrize("name", EACH)
def test_its_motion_matches_its_description(name: str):
    """In more disturbed trials than any search has seen, and in steps half as long."""
    one = zoo_creature(name)
    task = {**one.settings.options.get("task", {}), "step": 0.5 * STEP}
    genes, finer = to_json(one.genotype), {**one.settings.options, "task": task}
    often = evaluate_genotypes(one.settings, [genes] * FRESH, range(FRESH))
    for outcome in often + evaluate_genotypes(replace(one.settings, options=finer), [genes], [0]):
        assert outcome.marked == ""
        for term, (least, most) in DOES[name].items():
            assert least <= outcome.terms[term] <= most, f"{term} {outcome.terms[term]}"


def flights(name: str) -> tuple[float, list[tuple[float, float]]]:
    """Return the length of a creature, and the duration [s] and rise [m] of each of its flights from 1 s to 6 s."""
    one = zoo_creature(name)
    film = film_rollout(one.settings, to_json(one.genotype), seconds=6.0)
    airborne = (film.signals["push"][:, 0].sum(axis=-1) + film.signals["elsewhere"][:, 0]) == 0.0
    height, time, found = film.signals["centre"][:, 0, 2], film.time, list[tuple[float, float]]()
    edges = np.flatnonzero(np.diff(airborne.astype(int)))
    for i, j in pairwise(edges):
        if airborne[i + 1] and time[i] > 1.0:
            found.append((float(time[j] - time[i]), float(height[i : j + 1].max() - max(height[i], height[j]))))
    return grow(one.genotype).length, found


def test_the_springer_hops_and_the_hopper_patters():
    """The springer spends most of its time in the air in flights of a quarter of a second or more.

    A flight of T seconds rises by g T^2 / 8: 0.08 m in a quarter of a second.
    """
    length, hops = flights("springer")
    total = sum(duration for duration, _ in hops)
    long = [(duration, rise) for duration, rise in hops if duration >= 0.25]
    assert sum(duration for duration, _ in long) > 0.5 * total
    assert np.median([rise for _, rise in long]) > 0.12 * length
    for duration, rise in long:  # ballistic, to the resolution of the film of 1/60 s, and half of a tilt
        assert rise < 9.81 * (duration + 2.0 / 60.0) ** 2 / 8.0 + 1e-3
    assert max(duration for duration, _ in flights("hopper")[1]) < 0.2


def depth_below(kind: str, size: tuple[float, ...], up: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the depth of a shape's lowest point below its origin; up (3, F): the vertical in the shape's own axes."""
    x, y, z = np.abs(up)
    match kind:
        case "box":
            return np.tensordot(size, np.abs(up), 1) / 2
        case "sphere":
            return np.full(x.shape, size[0])
        case "capsule":
            return size[0] + z * size[1] / 2
        case "slab":
            return size[2] + (x * size[0] + y * size[1]) / 2
        case "frustum":
            rim = np.sqrt(np.maximum(1 - z * z, 0.0))
            return np.maximum(size[0] * rim + up[2] * size[2] / 2, size[1] * rim - up[2] * size[2] / 2)
    raise AssertionError(f"how low does a {kind} reach?")


@pytest.mark.parametrize("name", [name for name in CREATURES if name != "swimmer" and name not in ANIMALS])
def test_its_film_shows_nothing_in_the_ground(name: str):
    """The lowest point of all that is drawn: no deeper than a hundredth of the creature.

    Balls yield under load; a trunk is drawn as it touches; a frustum's ends lie within balls, of which the hips do not
    touch: they may project below a trunk by their radius at most, and no weight presses them to the ground.
    """
    one = zoo_creature(name)
    film = film_rollout(one.settings, to_json(one.genotype), seconds=3.0)
    assert film.ground.heights is None  # level, at height 0
    for shape in film.shapes:
        turn = rotation(np.moveaxis(film.quaternion[:, 0, shape.link], -1, 0))  # (3, 3, F)
        middle = film.position[:, 0, shape.link, 2] + np.tensordot(np.array(shape.position), turn[2], 1)
        up = np.tensordot(rotation(np.array(shape.quaternion)).T, turn[2], 1)
        lowest = float((middle - depth_below(shape.kind, shape.size, up)).min())
        assert lowest > -0.01 * grow(one.genotype).length, f"{film.link_names[shape.link]}: {shape.kind} at {lowest} m"


def reach_of(shape: FilmShape, ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far a shape reaches along directions (3, N), from the origin of its link."""
    up = rotation(np.array(shape.quaternion)).T @ ways
    return depth_below(shape.kind, shape.size, up) + np.array(shape.position) @ ways


@pytest.mark.parametrize(("width", "height"), [(0.3, 0.1), (0.1, 0.3), (0.2, 0.2), (0.5, 0.5)])
def test_a_trunk_is_drawn_as_it_touches(width: float, height: float):
    """Its shapes together reach as far as the colliding balls, in every direction.

    An edge without length is drawn with MIN_EDGE, half of it on each side; three such edges reach sqrt(3) / 2 of it
    further.
    """
    one = zoo_creature("rower")
    trunk = replace(one.genotype.body.trunk, length=0.4, width=width, height=height)
    genotype = replace(one.genotype, body=replace(one.genotype.body, trunk=trunk))
    film = film_rollout(one.settings, to_json(genotype), seconds=0.0)
    shapes = [shape for shape in film.shapes if shape.link == 0]
    balls = [part for part in grow(genotype).figure.root.parts if part.colliding]
    ways = np.random.default_rng(1).normal(size=(3, 100))
    ways /= np.linalg.norm(ways, axis=0)
    touching = np.max([ball.shape.radius - np.array(ball.position) @ ways for ball in balls], axis=0)
    drawn = np.max([reach_of(shape, ways) for shape in shapes], axis=0)
    assert (drawn >= touching - 1e-12).all()
    assert (drawn <= touching + 0.87 * MIN_EDGE).all()


def test_an_unknown_creature_is_refused():
    with pytest.raises(EvolveError, match='there is no creature "waker" in the zoo; did you mean "walker"'):
        zoo_creature("waker")
