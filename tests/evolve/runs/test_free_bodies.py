"""A run of free bodies ends with several kinds of them, each of which moves forward."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import film_rollout, search_setup
from gambol.evolve.evaluate.options import FREE_BODY_SEARCH
from gambol.evolve.genotype import grow
from gambol.evolve.runs import Settings, begin_run, make_worker_pool
from gambol.figure import Figure
from gambol.world import Film

SEARCH, OPTIONS = FREE_BODY_SEARCH
SETTINGS = Settings(body="free", search=SEARCH, options={"search": OPTIONS}, generations=60, seconds=4.0)

LAST = 2.0
"""The end of a rollout in which it must move forward [s]: a creature that only falls over lies by then."""


def body_plan(figure: Figure) -> tuple[int, str]:
    """Return the number of legs of a creature, and the topology of its links, independent of their order.

    Each link is a pair of brackets around its children, which are sorted. [Aho, Hopcroft, Ullman 1974, 3.2]
    """
    hanging = defaultdict[int, list[int]](list)
    for link in figure.links:
        hanging[link.parent_index].append(link.index)

    def form(index: int) -> str:
        return "(" + "".join(sorted(map(form, hanging[index]))) + ")"

    (trunk,) = hanging[0]
    return len(hanging[trunk]), form(trunk)


def distance_covered(film: Film) -> float:
    """Return the straight distance that a creature's trunk covers at the end of its rollout [m]."""
    begin = int(np.searchsorted(film.time, film.time[-1] - LAST))
    return float(np.linalg.norm(film.position[-1, 0, 0, :2] - film.position[begin, 0, 0, :2]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_free_bodies_end_as_three_plans_that_move(tmp_path, seed):
    """Of 256 x 60 rollouts. A plan counts if one of it covers more than its trunk's length in the last two seconds."""
    settings = replace(SETTINGS, seed=seed)
    with Archive(tmp_path / "evolve.db") as archive, make_worker_pool("threads") as pool:
        run = begin_run(archive, settings, search_setup)
        run.execute(pool)
        plans = set[tuple[int, str]]()
        for one in run.setup.search.population:
            film = film_rollout(settings, run.setup.to_plain(one.genotype))
            if one.outcome.valid and distance_covered(film) > one.genotype.body.trunk.length:
                plans.add(body_plan(grow(one.genotype).figure))
    assert len(plans) >= 3
    assert len({legs for legs, _ in plans}) >= 2
