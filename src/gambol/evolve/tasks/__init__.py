"""Tasks: the goals of creatures, and their scores."""

from gambol.evolve.tasks.task import MAX_SECONDS, MIN_SECONDS, TASKS, Task, task_named, usual_body, usual_options

__all__ = ["MAX_SECONDS", "MIN_SECONDS", "TASKS", "Task", "task_named", "usual_body", "usual_options"]
