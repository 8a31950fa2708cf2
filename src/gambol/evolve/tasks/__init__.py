"""What creatures are asked to do."""

from gambol.evolve.tasks.table import TASKS, task_named
from gambol.evolve.tasks.task import Task

__all__ = ["TASKS", "Task", "task_named"]
