"""The option --term of `gambol evolve`: terms that are added to the fitness of the task, or have another weight."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gambol.errors import EvolveError, GambolError
from gambol.evolve.evaluate.options import left_out_terms, task_of
from gambol.evolve.fitness import WeightedTerm
from gambol.evolve.fitness.natural import NATURAL_TERMS
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import Task


def term_changes(words: Sequence[str], settings: Settings) -> dict[str, Any]:
    """Return the changes of the task of a run, as in options["task"] of its settings; empty without words.

    words: such as "animal foot slide=0.5", a term and its weight. settings: settings of the run. A term that compares
    with animals has the class of gait of the task. Raises GambolError for unknown terms, for words without a weight,
    and for terms that the body cannot have.
    """
    if not words:
        return {}
    task = task_of(settings)
    terms = task.terms
    for name, weight in map(_term_and_weight, words):
        if name in {term.term for term in terms}:
            terms = tuple(replace(term, weight=weight) if term.term == name else term for term in terms)
            continue
        try:
            terms = (*terms, _new_term(task, name, weight))
        except EvolveError as error:
            raise GambolError(f"--term: {error}") from error
    changes = {"terms": [term.as_data() for term in terms]}
    options = {**settings.options, "task": {**settings.options.get("task", {}), **changes}}
    given = {_term_and_weight(word)[0] for word in words}
    for term, needed in left_out_terms(replace(settings, options=options)).items():
        if term in given:
            raise GambolError(f'--term: "{settings.body}" cannot have the term {term} (needs {needed}); leave it out')
    return changes


def _term_and_weight(word: str) -> tuple[str, float]:
    """Return the term and the weight of a word "TERM=WEIGHT"."""
    name, _, text = word.rpartition("=")
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not name or not math.isfinite(weight):
        hint = 'give a term and its weight, such as "animal foot slide=0.5"'
        raise GambolError(f'--term: "{word}" is not possible; {hint}')
    return name.strip(), weight


def _new_term(task: Task, name: str, weight: float) -> WeightedTerm:
    """Return a term; one that compares with animals has the class of gait of the task's terms, if they have one."""
    gaits = [term.options["gait"] for term in task.terms if term.term in NATURAL_TERMS and "gait" in term.options]
    return WeightedTerm(name, weight, options={"gait": gaits[0]} if gaits and name in NATURAL_TERMS else {})
