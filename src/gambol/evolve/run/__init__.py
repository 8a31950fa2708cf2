"""Runs of evolution: the loop of generations, worker pools, and resuming and replaying of archived runs."""

from gambol.evolve.run.executors import EXECUTORS, make_worker_pool
from gambol.evolve.run.progress import Progress
from gambol.evolve.run.provenance import versions
from gambol.evolve.run.replay import ArchivedIndividual, load_individual, replay
from gambol.evolve.run.resume import VersionWarning, resume_run, settings_of
from gambol.evolve.run.run import Run, RunResult, begin_run
from gambol.evolve.run.search_setup import Evaluator, SearchSetup, SetupFactory
from gambol.evolve.run.settings import Settings
from gambol.evolve.run.worker_pool import WaitingWarning, WorkerPool

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
