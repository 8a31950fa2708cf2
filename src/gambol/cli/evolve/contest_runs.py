"""Runs of contests in the commands: replay and lineage show both creatures of a contest."""

from collections.abc import Callable, Mapping
from typing import Any

from gambol.cli.evolve.genes import GeneValues, gene_info_reader
from gambol.cli.pages import first_state
from gambol.cli.session import Session
from gambol.cli.targets import Targets
from gambol.creatures.contests import (
    checked_contest,
    contest_world,
    evaluate_contests,
    film_contest,
    is_contest,
    pair_of,
    policy_genes,
)
from gambol.evolve.evaluate import evaluate_genotypes
from gambol.evolve.genotype import of_json
from gambol.evolve.runs import Settings
from gambol.evolve.runs.search_setup import Evaluator
from gambol.view.lineage import GeneInfo
from gambol.world import start


def evaluator_of(settings: Settings) -> Evaluator:
    """Return the evaluator of the genotypes of a run."""
    return evaluate_contests if is_contest(settings) else evaluate_genotypes


def check_stored(settings: Settings, genotype: Mapping[str, Any], name: str) -> None:
    """Raise GambolError, which names a stored genotype, if it is invalid."""
    check: Callable[[Mapping[str, Any], str], Any] = checked_contest if is_contest(settings) else of_json
    check(genotype, name)


def genes_reader_of(settings: Settings) -> Callable[[Mapping[str, Any]], GeneValues]:
    """Return a function that reads the genes of a run's genotypes; of a contest those of its own creature."""
    if not is_contest(settings):
        return gene_info_reader(settings)
    infos = tuple(GeneInfo(gene.name, gene.unit, gene.lower, gene.upper) for gene in policy_genes())
    return lambda data: (infos, tuple(data["own"]))


def write_contest(
    settings: Settings, genotype: Mapping[str, Any], trial: int, targets: Targets, session: Session
) -> None:
    """Write the page, the picture and the other files of a contest; its page is simulated."""
    film = film_contest(settings, genotype, trial)
    world = contest_world(settings, trial, pair_of(genotype))
    session.write_files(film, {"contest": dict(genotype), "trial": trial}, targets, first_state(start(world)))
