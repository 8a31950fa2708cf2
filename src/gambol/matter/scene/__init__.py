"""A figure's world and spring meshes in one scene: each acts on the other."""

from gambol.matter.scene.scene import MeshPart, Scene, SceneState, load_scene_state

__all__ = ["MeshPart", "Scene", "SceneState", "load_scene_state"]
