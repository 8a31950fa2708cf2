"""The locomotion tasks of gymnasium in worlds of gambol: half-cheetah, hopper, walker, ant and humanoid."""

from gambol.env.locomotion.locomotion_env import LocomotionEnv
from gambol.env.locomotion.task import LOCOMOTION, LocomotionTask, locomotion_task

__all__ = ["LOCOMOTION", "LocomotionEnv", "LocomotionTask", "locomotion_task"]
