"""Cloth, ropes, meshes and particles in the world of a script."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gambol.formats.matter_tables import MatterTables
from gambol.matter.scene import Scene, SceneState
from gambol.matter.scene.film import scene_film, scene_matter
from gambol.matter.scene.run import scene_states
from gambol.matter.scene_file import scene_of_tables
from gambol.world import Film, State, World
from gambol.world.run import Progress, marked_interrupted


@dataclass(slots=True)
class ScriptMatter:
    """The matter of a script.

    tables: of its figure file. scene: the last one. recorded: states of the last film; shown: those that are in the
    film of the script.
    """

    tables: MatterTables
    scene: Scene | None = None
    recorded: list[SceneState] = field(default_factory=list[SceneState])
    shown: list[SceneState] = field(default_factory=list[SceneState])

    def check(self, world: World) -> None:
        """Raise GambolError for matter that a world cannot have, such as a cloth held by a link that does not exist."""
        scene_of_tables(self.tables, world)

    def simulate(self, state: State, count: int, interval: int, progress: Progress) -> Film:
        """Return the film of `count` control steps, a frame every `interval` of them; the state is moved on in place.

        progress(done, frames): called after every frame.
        """
        world, step = state.world, state.world.timing.control_step
        scene = scene_of_tables(self.tables, world)
        last = self.recorded[-1] if self.recorded else None
        begin = scene.start(state, last.meshes if last else None)
        if last is not None:
            same_links = last.exchange.shape == begin.exchange.shape
            exchange = last.exchange if same_links else begin.exchange
            begin = replace(begin, particles=last.particles, exchange=exchange)
        rate = 1.0 / (interval * step)
        self.recorded, completed = scene_states(scene, begin, count * step, rate=rate, progress=progress)
        self.scene = scene
        state.rows[:] = self.recorded[-1].figure.rows
        film = replace(scene_film(scene, self.recorded), matter=())
        return film if completed else marked_interrupted(film, count * step)

    def show(self, frames: Sequence[int]) -> None:
        """Add frames of the last film to those of the script, without the first one where a film goes on."""
        self.shown += [self.recorded[k] for k in frames if k > 0 or not self.shown]

    def in_film(self, film: Film) -> Film:
        """Return the film of the script with its matter."""
        if self.scene is None:
            return film
        return replace(film, matter=(*film.matter, *scene_matter(self.scene, self.shown)))
