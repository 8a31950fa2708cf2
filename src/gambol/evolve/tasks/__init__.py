"""Tasks: the goals of creatures, and their scores."""

from gambol.evolve.tasks.task import (
    MAX_SECONDS,
    MIN_SECONDS,
    TASKS,
    Task,
    default_body,
    default_options,
    default_settings,
    task_named,
)

__all__ = [
    "MAX_SECONDS",
    "MIN_SECONDS",
    "TASKS",
    "Task",
    "default_body",
    "default_options",
    "default_settings",
    "task_named",
]
