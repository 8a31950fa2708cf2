"""Tasks: what creatures shall do, and how that is scored."""

from gambol.evolve.tasks.table import TASKS, task_named, usual_body
from gambol.evolve.tasks.task import LONGEST, SHORTEST, Task

__all__ = ["LONGEST", "SHORTEST", "TASKS", "Task", "task_named", "usual_body"]
