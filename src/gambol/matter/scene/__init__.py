"""A figure's world and spring meshes in one scene: each acts on the other."""

from gambol.matter.scene.film import film_mesh, meshes_film, scene_film
from gambol.matter.scene.scene import MeshPart, Scene, SceneState, load_scene_state
from gambol.matter.touch.tether import Tether

__all__ = ["MeshPart", "Scene", "SceneState", "Tether", "film_mesh", "load_scene_state", "meshes_film", "scene_film"]
