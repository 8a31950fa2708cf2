"""Contact generation: contacts of parts with the ground and with parts, limits of joints, dry friction and loops."""

from gambol.contact.generation.scene import ConstraintScene, SceneNumbers, StepScene

__all__ = ["ConstraintScene", "SceneNumbers", "StepScene"]
