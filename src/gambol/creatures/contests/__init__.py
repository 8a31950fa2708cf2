"""Contests of two creatures in one world, and the coevolution of their policies. [Sims 1994]"""

from gambol.creatures.contests.chase import (
    ROLES,
    TASK,
    checked_contest,
    contest_world,
    evaluate_contests,
    film_contest,
    is_contest,
    names_of,
    pair_of,
)
from gambol.creatures.contests.setup import CHASE, contest_setup, policy_genes

__all__ = [
    "CHASE",
    "ROLES",
    "TASK",
    "checked_contest",
    "contest_setup",
    "contest_world",
    "evaluate_contests",
    "film_contest",
    "is_contest",
    "names_of",
    "pair_of",
    "policy_genes",
]
