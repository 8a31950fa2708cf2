"""The state of a scene, and its files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.matter.mesh import SpringMesh
from gambol.matter.motion import MeshState
from gambol.matter.motion.state import load_arrays, save_arrays
from gambol.matter.particles.state import ParticleState
from gambol.world import State, World, start

Array = NDArray[np.float64]

FIGURE, PARTICLES = "figure/", "particles/"
"""Prefixes of the arrays of the figure and of the particles in a file of a scene's state."""


@dataclass(frozen=True, eq=False)
class SceneState:
    """The state of a scene: states of the figure's world, of the meshes by name, and of the particles.

    exchange: impulses of meshes and particles on the links in the last control step (links, 6): moment about the link's
    origin and force, in world axes [N m s, N s]. particles: None in a scene without any.
    """

    figure: State
    meshes: Mapping[str, MeshState]
    exchange: Array
    particles: ParticleState | None = None

    def save(self, path: str | Path) -> None:
        """Write the state to a NumPy archive; load_scene_state() restores the same bits."""
        arrays = {FIGURE + "rows": np.asarray(self.figure.rows, float), FIGURE + "exchange": self.exchange}
        for name, mesh in self.meshes.items():
            arrays |= mesh.arrays(f"{name}/")
        save_arrays(path, arrays | (self.particles.arrays(PARTICLES) if self.particles is not None else {}))


def read_scene_state(path: str | Path, world: World, meshes: Mapping[str, SpringMesh], emitters: int) -> SceneState:
    """Return the state of a scene from a file of SceneState.save().

    world: world of its figure. meshes: its meshes by name. emitters: number of emitters. Raises WorldError for another
    scene's file.
    """
    arrays, name = load_arrays(path), Path(path).name
    if FIGURE + "rows" not in arrays or FIGURE + "exchange" not in arrays:
        raise WorldError(f'"{name}" is not a state of a scene')
    rows, exchange = (np.asarray(arrays[FIGURE + key], float) for key in ("rows", "exchange"))
    expected = start(world).rows.shape
    if rows.shape != expected:
        raise WorldError(f"a state of shape {rows.shape} is not one of this figure, whose states have {expected}")
    if exchange.shape != (len(world.figure.links), 6):
        raise WorldError(f'"{name}" is a state of a scene with {len(exchange)} links, not {len(world.figure.links)}')
    states = {key: MeshState.from_arrays(arrays, mesh, f"{key}/") for key, mesh in meshes.items()}
    particles = ParticleState.from_arrays(arrays, emitters, PARTICLES) if emitters else None
    return SceneState(State(world, rows), states, exchange, particles)
