"""What creatures are asked to do."""

from gambol.evolve.tasks.table import TASKS, task_named, usual_body
from gambol.evolve.tasks.task import LONGEST, SHORTEST, Task

__all__ = ["LONGEST", "SHORTEST", "TASKS", "Task", "task_named", "usual_body"]
