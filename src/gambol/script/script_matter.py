"""Cloth, ropes, meshes and particles in the world of a script."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats.matter_tables import MatterTables
from gambol.matter.motion import MeshState
from gambol.matter.particles import ParticleState
from gambol.matter.scene import Scene, SceneState, Tether
from gambol.matter.scene.film import scene_film, scene_matter
from gambol.matter.scene.run import scene_states
from gambol.matter.scene_file import scene_of_tables
from gambol.world import Film, State, World
from gambol.world.film_attachments import film_attachments
from gambol.world.run import Progress, marked_interrupted

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MatterState:
    """The state of the matter of a script.

    meshes: by name. exchange: impulses on the links in the last control step (links, 6), see SceneState. particles:
    None without emitters. tethers: tethers of each mesh, with the positions in the links that hold the mesh.
    """

    meshes: Mapping[str, MeshState]
    exchange: Array
    particles: ParticleState | None
    tethers: Mapping[str, tuple[Tether, ...]]

    def content(self) -> dict[str, Any]:
        """Return the state as a mapping for JSON; matter_state() returns the same bits from it."""
        return {
            "meshes": {name: _lists(mesh.arrays()) for name, mesh in self.meshes.items()},
            "exchange": self.exchange.tolist(),
            "particles": None if self.particles is None else _lists(self.particles.arrays()),
            "tethers": {name: [tether.at for tether in held] for name, held in self.tethers.items()},
        }


def matter_state(content: Any, scene: Scene) -> MatterState:
    """Return the state of the matter of a scene from MatterState.content(). Raises GambolError for another content."""
    try:
        meshes = {
            name: MeshState.from_arrays(_arrays(content["meshes"][name]), part.mesh)
            for name, part in scene.parts.items()
        }
        exchange, particles = _array(content["exchange"]).reshape(-1, 6), None
        if scene.particles is not None:
            particles = ParticleState.from_arrays(_arrays(content["particles"]), len(scene.particles.emitters))
        tethers = {
            name: tuple(
                replace(tether, at=_array(at).reshape(len(tether.points), 3).tolist())
                for tether, at in zip(part.tethers, content["tethers"][name], strict=True)
            )
            for name, part in scene.parts.items()
        }
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError) as error:
        raise GambolError(f"it holds no state of this matter ({error})") from error
    return MatterState(meshes, exchange, particles, tethers)


def _lists(arrays: Mapping[str, Array]) -> dict[str, Any]:
    return {name: array.tolist() for name, array in arrays.items()}


def _arrays(content: Mapping[str, Any]) -> dict[str, Array]:
    return {str(name): _array(rows) for name, rows in content.items()}


def _array(rows: Any) -> Array:
    array = np.array(rows, float)
    if not np.isfinite(array).all():
        raise ValueError("a number is not finite")
    return array


@dataclass(slots=True)
class ScriptMatter:
    """The matter of a script.

    tables: tables of its figure file. scene: the last scene. last: the last state, None at the start. recorded: states
    of the last film. shown: states of the frames in the film of the script.
    """

    tables: MatterTables
    scene: Scene | None = None
    last: MatterState | None = None
    recorded: list[SceneState] = field(default_factory=list[SceneState])
    shown: list[SceneState] = field(default_factory=list[SceneState])

    def check(self, world: World) -> None:
        """Raise GambolError for matter that a world cannot have, such as a cloth held by a link that does not exist."""
        scene_of_tables(self.tables, world)

    def simulate(self, state: State, count: int, interval: int, progress: Progress) -> Film:
        """Return the film of `count` control steps, a frame every `interval` of them; the state is moved on in place.

        progress(done, frames): called after every frame.
        """
        world, step, last = state.world, state.world.timing.control_step, self.last
        scene = scene_of_tables(self.tables, world, tethers=last.tethers if last else None)
        begin = scene.start(state, last.meshes if last else None)
        if last is not None:
            same_links = last.exchange.shape == begin.exchange.shape
            exchange = last.exchange if same_links else begin.exchange
            begin = replace(begin, particles=last.particles, exchange=exchange)
        rate = 1.0 / (interval * step)
        self.recorded, completed = scene_states(scene, begin, count * step, rate=rate, progress=progress)
        self.scene, end = scene, self.recorded[-1]
        self.last = MatterState(end.meshes, end.exchange, end.particles, scene.held_tethers())
        state.rows[:] = self.recorded[-1].figure.rows
        film = scene_film(scene, self.recorded)
        film = replace(film, matter=film_attachments(world, film))
        return film if completed else marked_interrupted(film, count * step)

    def load(self, content: Any, world: World) -> None:
        """Set the state from MatterState.content(); None: the initial state. Raises GambolError for other content."""
        self.last = None if content is None else matter_state(content, scene_of_tables(self.tables, world))

    def show(self, frames: Sequence[int]) -> None:
        """Add frames of the last film to the film of the script, without its first frame if the script has frames."""
        self.shown += [self.recorded[k] for k in frames if k > 0 or not self.shown]

    def in_film(self, film: Film) -> Film:
        """Return the film of the script with its matter."""
        if self.scene is None:
            return film
        return replace(film, matter=(*film.matter, *scene_matter(self.scene, self.shown)))
