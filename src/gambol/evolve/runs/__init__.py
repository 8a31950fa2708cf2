"""Runs of evolution: the loop of generations, worker pools, and resuming and replaying of archived runs."""

from gambol.evolve.runs.executors import EXECUTORS, make_worker_pool
from gambol.evolve.runs.replay import ArchivedIndividual, load_individual, replay
from gambol.evolve.runs.resume import VersionWarning, resume_run, settings_of
from gambol.evolve.runs.run import Progress, Run, RunResult, begin_run, versions
from gambol.evolve.runs.search_setup import Evaluator, SearchSetup, SetupFactory
from gambol.evolve.runs.settings import Settings
from gambol.evolve.runs.worker_pool import WaitingWarning, WorkerPool

__all__ = [
    "EXECUTORS",
    "ArchivedIndividual",
    "Evaluator",
    "Progress",
    "Run",
    "RunResult",
    "SearchSetup",
    "Settings",
    "SetupFactory",
    "VersionWarning",
    "WaitingWarning",
    "WorkerPool",
    "begin_run",
    "load_individual",
    "make_worker_pool",
    "replay",
    "resume_run",
    "settings_of",
    "versions",
]
