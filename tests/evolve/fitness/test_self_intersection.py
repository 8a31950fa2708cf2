"""Detection of limbs that overlap: distances of segments against a dense search, and legs that cross."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.evolve.evaluate import Batches, Batching
from gambol.evolve.fitness.self_intersection import segment_distance
from gambol.evolve.genotype import Genotype, plan_named
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.tasks import task_named
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Vector

COMPILED = Program(
    ProgramSpec("apart", lambda p, d, q, e: ([segment_distance((p, d), (q, e))],), (Vector(0.0, 0.0, 0.0),) * 4),
    "float32",
)


def apart(*ends):
    """Return distances of segments by their ends (N, 3), in float64 and as rollouts compute them."""
    exact = segment_distance(*((Vector(*p.T), Vector(*q.T)) for p, q in (ends[:2], ends[2:])))
    seen = COMPILED(*(np.asarray(x, np.float32).T for x in ends))[0][0]
    return exact, seen


def test_the_distance_of_segments_is_that_of_their_nearest_points():
    """Against the smallest distance between points spaced by 1/200 of each: the error is half a spacing of both."""
    rng, parts = np.random.default_rng(0), np.linspace(0.0, 1.0, 201)
    ends = rng.normal(size=(4, 50, 3))
    found, seen = apart(*ends)
    for k in range(50):
        p, p_end, q, q_end = ends[:, k]
        on_one, on_other = p + parts[:, None] * (p_end - p), q + parts[:, None] * (q_end - q)
        least = np.linalg.norm(on_one[:, None] - on_other[None], axis=-1).min()
        step = (np.linalg.norm(p_end - p) + np.linalg.norm(q_end - q)) / 400.0
        assert least - step <= found[k] <= least + 1e-12
        assert seen[k] == pytest.approx(found[k], abs=1e-5)


def test_segments_that_are_all_but_parallel_have_the_distance_of_parallel_ones():
    """Turned by an angle t about their middles: segments of length 1 side by side stay 0.1 apart, but for t / 2."""
    angles = np.array([0.0, 1e-7, 1e-5, 1e-4, 1e-3, 3e-3])
    along = np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=-1)
    x, up = np.broadcast_to([1.0, 0.0, 0.0], along.shape), np.array([0.0, 0.0, 0.1])
    for shift in (0.0, 0.7):
        found = apart(-0.5 * x, 0.5 * x, up + shift * x - 0.5 * along, up + shift * x + 0.5 * along)
        for one in found:
            np.testing.assert_array_less(abs(one - 0.1), 0.5 * angles + 1e-6)


def test_parallel_and_pointlike_segments_have_a_distance():
    o, x, y = np.zeros((1, 3)), np.eye(3)[:1], np.eye(3)[1:2]
    for ends, far in (((o, x, y, x + y), 1.0), ((o, x, 3.0 * x, 4.0 * x), 2.0), ((o, o, y, y), 1.0)):
        for found in apart(*ends):
            assert found[0] == pytest.approx(far)


@pytest.mark.parametrize("bodies", ["fixed", "topology", "template"])
def test_fore_and_hind_legs_in_one_place_overlap(bodies):
    """Hind legs in the place of the fore legs overlap them all the time; the plan's own legs never do at rest."""
    body = plan_named("quadruped")
    fore, hind = body.limbs
    crossed = replace(body, limbs=(fore, replace(hind, at=(0.75, 1.0, -0.5))))
    task = task_named("walk", seconds=0.5, settling=0.0)
    for plan, tangled in ((body, False), (crossed, True)):
        space = space_of(plan, fixed=True)
        still = space.of_vector(np.where([gene.name.endswith("frequency") for gene in space.genes], 0.5, 0.0))
        genotype = Genotype(plan, still.control)
        ((batch, _),) = Batches(task, Batching(bodies)).split([genotype])
        trajectory = batch.simulate_first_trials([genotype])
        assert bool((trajectory.limb_overlap[0] > 0.25).all()) is tangled
        assert np.isfinite(trajectory.limb_overlap).all()
