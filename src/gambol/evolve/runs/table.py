"""The individuals of a run as a table of pandas."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive, IndividualRecord

Genes = Callable[[Any], Mapping[str, float]]
"""A function that takes a genotype as plain data, and returns the values of its genes by name and unit."""


def no_genes(_: Any) -> Mapping[str, float]:
    """Return no genes, for genotypes without named genes."""
    return {}


def individuals_table(archive: Archive, run: int, genes: Genes = no_genes) -> Any:
    """Return a pandas.DataFrame with a row for each individual of a run, in order of their numbers.

    The index is the number, from 0. Columns: generation, place (index in the generation), parents (a tuple of numbers),
    origin (the name of the operator), fitness (NaN if it is not valid), marked (the reason why it scores nothing, or
    ""), seed; "term NAME" of the terms of the fitness; "measure 0" and so on, of the behaviour; "gene NAME [unit]", NaN
    for a gene that a body lacks. genes: function that returns the genes of a genotype. Raises EvolveError for an
    unknown run, a damaged archive, and without pandas.
    """
    try:
        pandas: Any = import_module("pandas")
    except ImportError as error:
        raise EvolveError("to_pandas() needs pandas; install it by: pip install 'gambol[tables]'") from error
    archive.run(run)
    rows = [
        _row(individual, genes)
        for generation in archive.generations(run)
        for individual in archive.individuals(run, generation.generation)
    ]
    return pandas.DataFrame(rows, index=pandas.RangeIndex(len(rows), name="number"))


def _row(individual: IndividualRecord, genes: Genes) -> dict[str, Any]:
    outcome = individual.outcome
    return {
        "generation": individual.generation,
        "place": individual.place,
        "parents": individual.parents,
        "origin": individual.origin,
        "fitness": outcome.fitness,
        "marked": outcome.marked,
        "seed": individual.seed,
        **{f"term {name}": value for name, value in outcome.terms.items()},
        **{f"measure {k}": value for k, value in enumerate(outcome.behaviour)},
        **{f"gene {name}": value for name, value in genes(individual.genotype).items()},
    }
