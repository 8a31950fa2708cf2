"""Limbs that lie in each other are seen: distances of segments against a dense search, and legs that cross."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.evolve.genotype import Genotype, plan_named
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.life import Herds, Sorting
from gambol.evolve.life.tangle import distance
from gambol.evolve.tasks import task_named


def test_the_distance_of_segments_is_that_of_their_nearest_points():
    """Against the smallest of all distances between points 1/200 of each apart: off by half a part of both."""
    rng, parts = np.random.default_rng(0), np.linspace(0.0, 1.0, 201)
    ends = rng.normal(size=(4, 50, 3))
    found = distance(*ends)
    for k in range(50):
        p, p_end, q, q_end = ends[:, k]
        on_one, on_other = p + parts[:, None] * (p_end - p), q + parts[:, None] * (q_end - q)
        least = np.linalg.norm(on_one[:, None] - on_other[None], axis=-1).min()
        step = (np.linalg.norm(p_end - p) + np.linalg.norm(q_end - q)) / 400.0
        assert least - step <= found[k] <= least + 1e-12


def test_parallel_and_pointlike_segments_have_a_distance():
    o, x, y = np.zeros(3), np.eye(3)[0], np.eye(3)[1]
    assert distance(o, x, y, x + y) == pytest.approx(1.0)
    assert distance(o, x, 3.0 * x, 4.0 * x) == pytest.approx(2.0)
    assert distance(o, o, y, y) == pytest.approx(1.0)


@pytest.mark.parametrize("bodies", ["fixed", "measured", "told"])
def test_fore_and_hind_legs_that_stand_in_one_place_are_tangled(bodies):
    """Hind legs hung where the fore legs hang lie in them all the time; the plan's own legs never do at rest."""
    body = plan_named("quadruped")
    fore, hind = body.limbs
    crossed = replace(body, limbs=(fore, replace(hind, at=(0.75, 1.0, -0.5))))
    task = task_named("walk", seconds=0.5, settling=0.0)
    for plan, tangled in ((body, False), (crossed, True)):
        space = space_of(plan, fixed=True)
        still = space.of_vector(np.where([gene.name.endswith("frequency") for gene in space.genes], 0.5, 0.0))
        genotype = Genotype(plan, still.control)
        ((herd, _),) = Herds(task, Sorting(bodies)).of([genotype])
        track = herd.lived([genotype])
        assert bool((track.tangled[0] > 0.25).all()) is tangled
        assert np.isfinite(track.tangled).all()
