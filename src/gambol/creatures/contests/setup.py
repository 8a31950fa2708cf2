"""The search of a run of contests: two populations of policies, each against the champion of the other."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from gambol.control.gene import Gene
from gambol.creatures.contests.chase import NUMBERS, ROLES, TASK, evaluate_contests, names_of
from gambol.evolve.runs import SearchSetup, Settings
from gambol.evolve.search import Search
from gambol.evolve.search.rivals import Rival, Rivals
from gambol.evolve.search.space import BoxSpace

STRAIGHT = {"chaser": 1.0, "runner": -1.0}
"""The weight "toward" of the first champions, which run straight to or away from each other."""

Policy = tuple[float, ...]


def policy_genes() -> tuple[Gene, ...]:
    """Return the genes of a policy, in the order of its numbers."""
    return tuple(Gene(name, *((0.3, 4.0, "m") if name == "range" else (-1.0, 1.0, ""))) for name in NUMBERS)


def first_policy(role: str) -> Policy:
    """Return the policy of the first champion of a role."""
    given = {"range": 1.0, "toward near": STRAIGHT[role], "toward far": STRAIGHT[role]}
    return tuple(given.get(name, 0.0) for name in NUMBERS)


CHASE = Settings(TASK, "cat, lizard", "policy", population=64, generations=20, seconds=10.0, trials=2)
"""The default settings of a chase."""


def contest_setup(settings: Settings, device: str = "cpu") -> SearchSetup[Rival[Policy]]:
    """Return the search setup of a run of contests. Raises EvolveError for invalid settings.

    device: the device that simulates, see evaluate_contests(); outcomes do not depend on it.
    """
    names_of(settings)
    space, first = BoxSpace(policy_genes()), (first_policy(ROLES[0]), first_policy(ROLES[1]))
    rivals = Rivals((space, space), first, settings.population, settings.search)
    steps = settings.trials * settings.seconds * 360.0
    evaluate = evaluate_contests if device == "cpu" else partial(evaluate_contests, device=device)
    return SearchSetup(Search(rivals, settings.seed), to_plain, evaluate, steps, genes=genes_of_contest)


def to_plain(rival: Rival[Policy]) -> dict[str, Any]:
    """Return a genotype as plain data."""
    return {"side": rival.side, "own": list(rival.own), "opponent": list(rival.opponent)}


def genes_of_contest(data: Mapping[str, Any]) -> dict[str, float]:
    """Return the genes of a contest's own creature by name."""
    return dict(zip(NUMBERS, data["own"], strict=True))
