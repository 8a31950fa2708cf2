"""Evaluation of genotypes: growth of creatures, simulation in batches by compiled programs, and scores."""

from gambol.evolve.evaluate.batch_world import check_trial
from gambol.evolve.evaluate.batching import Batches, Batching
from gambol.evolve.evaluate.filming import film_rollout, start_of_rollout
from gambol.evolve.evaluate.genes import gene_reader
from gambol.evolve.evaluate.rollout import evaluate_genotypes, outcomes_of, search_setup

__all__ = [
    "Batches",
    "Batching",
    "check_trial",
    "evaluate_genotypes",
    "film_rollout",
    "gene_reader",
    "outcomes_of",
    "search_setup",
    "start_of_rollout",
]
