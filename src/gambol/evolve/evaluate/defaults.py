"""The default settings of a new run, which follow from its task and its body."""

from dataclasses import fields, replace
from typing import Any

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.evaluate.options import FREE_BODY_SEARCH, plan_of
from gambol.evolve.fitness.natural import NATURAL_TERMS
from gambol.evolve.genotype.breeding import FREE
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import default_body, default_options, default_settings, task_named
from gambol.evolve.tasks.natural import BIPED_TRIALS, BIPED_UNEVENNESS, is_biped

DEFAULTS = Settings()
"""Default settings: one or two minutes on two cores."""


def settings_for(task: str = DEFAULTS.task, body: str | None = None, **given: Any) -> Settings:
    """Return the settings of a new run as `gambol evolve TASK --body BODY` has them.

    The defaults of a task, such as its control, its motors and the size of its population, replace those of Settings.
    task: name of a task. body: name of a body plan, or "free"; None for the default body of the task. given: values of
    other fields of Settings; an option in given["options"] replaces the default of the same name. Raises EvolveError
    for an unknown task or field, and for invalid values.
    """
    allowed = [field.name for field in fields(Settings)]
    for name in given:
        if name not in allowed:
            raise EvolveError(f'there is no setting "{name}"; {did_you_mean(name, allowed)}')
    settings = with_defaults_of_task(task, body)
    if settings.body == FREE and "search" not in given:
        search, its_settings = FREE_BODY_SEARCH
        settings = replace(settings, search=search, options={**settings.options, "search": its_settings})
    options = {**settings.options, **given.pop("options", {})}
    settings = replace(settings, **given, options=options)
    return settings if "trials" in given else with_biped_trials(settings)


def with_defaults_of_task(task: str, body: str | None = None) -> Settings:
    """Return the settings of a new run with the defaults of a task; see settings_for().

    A free body has no default frequencies, since they follow from the mass of a plan, and no default control, since it
    may have no pair of legs. Raises EvolveError for an unknown task.
    """
    options, others = default_options(task), default_settings(task)
    if body == FREE:
        options.pop("frequencies", None)
        others.pop("control", None)
    plan = default_body(task) if body is None else body
    return replace(DEFAULTS, **{"seconds": task_named(task).seconds} | others, task=task, body=plan, options=options)


def with_biped_trials(settings: Settings) -> Settings:
    """Return settings with more and harder trials for a biped that is compared with animals; others are unchanged."""
    plan = plan_of(settings)
    compared = any(term.term in NATURAL_TERMS for term in task_named(settings.task).terms)
    if plan is None or not compared or not is_biped(plan):
        return settings
    task = {"unevenness": BIPED_UNEVENNESS, **settings.options.get("task", {})}
    return replace(settings, trials=BIPED_TRIALS, options={**settings.options, "task": task})
