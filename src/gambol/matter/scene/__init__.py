"""A figure's world, spring meshes and particles in one scene: each acts on the other."""

from gambol.matter.scene.events import ParticleEvent
from gambol.matter.scene.film import film_mesh, meshes_film, scene_film
from gambol.matter.scene.part import MeshPart
from gambol.matter.scene.run import run_scene
from gambol.matter.scene.scene import Scene, load_scene_state
from gambol.matter.scene.state import SceneState
from gambol.matter.touch.tether import Tether

__all__ = [
    "MeshPart",
    "ParticleEvent",
    "Scene",
    "SceneState",
    "Tether",
    "film_mesh",
    "load_scene_state",
    "meshes_film",
    "run_scene",
    "scene_film",
]
