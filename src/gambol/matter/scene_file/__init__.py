"""Scenes of figure files: cloth, ropes, meshes and particles and a figure, which act on each other."""

from collections.abc import Mapping
from dataclasses import replace

from gambol.errors import WorldError
from gambol.formats import Model
from gambol.formats.matter_tables import MatterTables
from gambol.matter.scene import Scene
from gambol.matter.scene_file.located import located
from gambol.matter.scene_file.part_rows import read_parts
from gambol.matter.scene_file.particle_rows import read_events, read_particles
from gambol.matter.touch.tether import Tether
from gambol.world import World

__all__ = ["scene_of_model", "scene_of_tables"]


def scene_of_model(model: Model, world: World, *, seed: int = 0) -> Scene:
    """Return the scene of a model from a figure file: its world with the cloth, ropes, meshes and particles in it.

    world: world of the model, see make_world(). seed: seed of the particles' random numbers. Raises WorldError for a
    model without any of these and, with file and line, for errors in one of them.
    """
    tables = model.matter
    if tables is None:
        raise WorldError(f'"{model.figure.name}" has no cloths, ropes, meshes or emitters; run its world instead')
    return scene_of_tables(tables, world, seed=seed)


def scene_of_tables(
    tables: MatterTables, world: World, *, seed: int = 0, tethers: Mapping[str, tuple[Tether, ...]] | None = None
) -> Scene:
    """Return the scene of a world with the cloth, ropes, meshes and particles of tables.

    tables, world, seed, errors: as for scene_of_model(). tethers: tethers of each mesh, see Scene.held_tethers(); None:
    the tethers of the tables.
    """
    parts, particles = read_parts(tables, world), read_particles(tables, world, seed)
    if tethers is not None:
        parts = {name: replace(part, tethers=tethers[name]) for name, part in parts.items()}
    with located(tables.table):
        return Scene(world, parts, particles=particles, events=read_events(tables))
