"""Makes scenes from figure files, or from their models."""

from pathlib import Path
from typing import Any

from gambol.creatures.make_world import make_world
from gambol.formats import Model, read_model
from gambol.matter.scene import Scene
from gambol.matter.scene_file import scene_of_model


def make_scene(source: Model | str | Path, *, seed: int = 0, **options: Any) -> Scene:
    """Return the scene of a figure file with cloths, ropes, meshes or emitters; Scene.start() gives its initial state.

    source: path of the file, or its model. seed: seed of the particles' random numbers. options: options of
    make_world(). Raises WorldError for a file without any of these, and GambolError, with file and line, for errors in
    them.
    """
    model = source if isinstance(source, Model) else read_model(Path(source))
    return scene_of_model(model, make_world(model, **options), seed=seed)
