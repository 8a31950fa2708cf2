"""A scene: one figure's world and any number of spring meshes, which act on each other.

A control step is staggered: meshes move first, in steps of their own, while links keep the velocities that they had as
it began; then the figure moves under the mean of what the meshes did to its links. Each impulse acts on both, so that
momentum is kept. In a second pass both start again, and links keep the mean of their velocities at both ends: the work
that meshes do on links is then what the links take, to second order in the control step.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError, did_you_mean
from gambol.matter.forces.surroundings import Surroundings
from gambol.matter.mesh import SpringMesh
from gambol.matter.motion import MeshState, MeshStepper
from gambol.matter.motion.implicit import VELOCITY
from gambol.matter.motion.state import load_arrays, save_arrays
from gambol.matter.motion.stepper import StepRule
from gambol.matter.particles.obstacles import Obstacles
from gambol.matter.scene.links import link_motions
from gambol.matter.touch.tether import Tether, Tethers
from gambol.world import Engine, State, World, start
from gambol.world.capacity import GrowingCapacity

Array = NDArray[np.float64]

FIGURE = "figure/"
"""Prefix of the figure's arrays in a file of a scene's state."""


@dataclass(frozen=True)
class MeshPart:
    """A mesh of a scene.

    mesh: it. surroundings: what acts on it; None: those of a mesh alone, with the gravity and the ground of the world.
    rule: how it moves; its step divides the control step. tethers: points that links hold. touches: names of links that
    it touches; None: all.
    """

    mesh: SpringMesh
    surroundings: Surroundings | None = None
    rule: StepRule = field(default_factory=StepRule)
    tethers: tuple[Tether, ...] = ()
    touches: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class SceneState:
    """The state of a scene: of the figure's world and of the meshes by name.

    exchange: impulses of the meshes on the links in the last control step (links, 6): moment about the link's origin
    and force, in world axes [N m s, N s].
    """

    figure: State
    meshes: Mapping[str, MeshState]
    exchange: Array

    def save(self, path: str | Path) -> None:
        """Write the state to a NumPy archive; load_scene_state() restores the same bits."""
        arrays = {FIGURE + "rows": np.asarray(self.figure.rows, float), FIGURE + "exchange": self.exchange}
        for name, mesh in self.meshes.items():
            arrays |= mesh.arrays(f"{name}/")
        save_arrays(path, arrays)


class Scene:
    """A figure's world with spring meshes.

    world: of the figure. parts: meshes by name. passes: of a control step, see above. lanes, threads: see Program; they
    change no bit of the result. Raises WorldError for a mesh's step that does not divide the control step, and for
    links that do not exist.
    """

    def __init__(
        self,
        world: World,
        parts: Mapping[str, MeshPart],
        *,
        passes: int = 2,
        lanes: int | None = None,
        threads: int = 1,
    ) -> None:
        if passes < 1:
            raise WorldError(f"a control step of {passes} passes is impossible; give 1 or more")
        self.passes = passes
        names = tuple(link.name for link in world.figure.links)
        self.parts, self.links, self.lanes, self.threads = dict(parts), names, lanes, threads
        acted_on = {name for part in parts.values() for name in self._links_of(part, world)}
        wrenches = tuple(name for name in names if name in acted_on)
        self.world = replace(world, external=replace(world.external, wrenches=wrenches))
        self.steps = {name: self._steps(name, part) for name, part in parts.items()}
        self.steppers: dict[str, MeshStepper] = {}
        self._engine: Engine | None = None

    def _steps(self, name: str, part: MeshPart) -> int:
        control, h = self.world.timing.control_step, part.rule.step
        steps = round(control / h)
        if steps < 1 or abs(steps * h - control) > 1e-9 * control:
            raise WorldError(
                f'the step of "{name}", {h:g} s, does not divide the control step of {control:g} s; give {control:g} s '
                "over a whole number"
            )
        return steps

    def _links_of(self, part: MeshPart, world: World) -> list[str]:
        """Return the names of the links that a mesh touches or is held by. Raises WorldError for unknown ones."""
        for link in part.touches or ():
            if link not in self.links:
                raise WorldError(f'a mesh cannot touch link "{link}"; {did_you_mean(link, self.links)}')
        colliding = [link.name for link in world.figure.links if any(p.colliding for p in link.parts)]
        held = [tether.link for tether in part.tethers if tether.link in self.links]
        return held + list(colliding if part.touches is None else part.touches)

    def _surroundings(self, part: MeshPart) -> Surroundings:
        if part.surroundings is not None:
            return part.surroundings
        g = self.world.gravity
        gravity = (0.0, 0.0, -g) if isinstance(g, (int, float)) else g
        return Surroundings(gravity=gravity, ground=self.world.ground if self.world.has_ground else None)

    def start(
        self,
        figure: State | None = None,
        meshes: Mapping[str, MeshState | tuple[Array, Array]] | None = None,
    ) -> SceneState:
        """Return the state at time 0.

        figure: of one world; None: as start() gives it. meshes: states, or positions and velocities (n, 3), by name; a
        mesh that is not given is at rest. Raises WorldError for a state of several worlds or in single precision.
        """
        given = figure or start(self.world)
        if given.rows.shape[1] != 1 or given.rows.dtype != np.float64:
            raise WorldError("a scene has one world in float64; give a state of start(world)")
        state = State(self.world, given.rows.copy())
        self._engine = Engine(self.world, "float64", lanes=1)
        motions = link_motions(self._engine, state)
        states = dict[str, MeshState]()
        for name, part in self.parts.items():
            placed = (meshes or {}).get(name)
            x = placed.position if isinstance(placed, MeshState) else part.mesh.points if placed is None else placed[0]
            stepper = self._stepper(name, part, np.asarray(x, float), motions)
            if isinstance(placed, MeshState):
                states[name] = placed
            else:
                states[name] = stepper.start(*(placed or ()))
        return SceneState(state, states, np.zeros((len(self.links), 6)))

    def _stepper(self, name: str, part: MeshPart, x: Array, motions: Array) -> MeshStepper:
        obstacles = Obstacles.of(None, self.world.figure)
        chosen = [s for s in obstacles.shapes if part.touches is None or self.links[s.link] in part.touches]
        self.steppers[name] = MeshStepper(
            part.mesh,
            self._surroundings(part),
            part.rule,
            shapes=chosen,
            tethers=Tethers.of(part.tethers, self.links, x, motions),
            lanes=self.lanes,
            threads=self.threads,
        )
        return self.steppers[name]

    @property
    def engine(self) -> Engine:
        """The compiled programs of the figure's world. Raises WorldError before start()."""
        if self._engine is None:
            raise WorldError("start the scene first: scene.start()")
        return self._engine

    def step(self, state: SceneState) -> SceneState:
        """Return the state one control step later."""
        motions = begin = link_motions(self.engine, state.figure)
        after = self._pass(state, motions)
        for _ in range(self.passes - 1):
            motions = begin.copy()
            motions[:, VELOCITY] = 0.5 * (begin + link_motions(self.engine, after.figure))[:, VELOCITY]
            after = self._pass(state, motions)
        return after

    def _pass(self, state: SceneState, motions: Array) -> SceneState:
        """Return the state one control step later, while links move with the given velocities."""
        engine, h = self.engine, self.world.timing.control_step
        exchange, meshes = np.zeros((len(self.links), 6)), dict[str, MeshState]()
        for name, stepper in self.steppers.items():
            meshes[name], impulses = stepper.advance_with_links(state.meshes[name], self.steps[name], motions)
            exchange += impulses
        acted_on = [(name, self.links.index(name)) for name in self.world.external.wrenches]
        wrenches = {name: (exchange[k] / h).tolist() for name, k in acted_on}
        after = state.figure.copied()
        until = int(after.step_state.clock.control_steps.max()) + 1
        GrowingCapacity(engine, engine.numbers(wrenches=wrenches)).advance(after, until)
        return SceneState(State(self.world, after.rows), meshes, exchange)

    def run(
        self,
        state: SceneState,
        seconds: float,
        *,
        every: int = 1,
        watch: Callable[[SceneState], None] | None = None,
    ) -> Sequence[SceneState]:
        """Return the states of a run, the given one first.

        seconds: time to simulate [s]. every: number of control steps between states. watch: called with every state.
        Raises WorldError for a time that is not above 0.
        """
        if not 0.0 < seconds < np.inf or every < 1:
            raise WorldError(f"a run of {seconds} s with a state every {every} control steps is not possible")
        states = [state]
        for _ in range(round(seconds / (every * self.world.timing.control_step))):
            for _ in range(every):
                state = self.step(state)
            states.append(state)
            if watch:
                watch(state)
        return states

    def mesh_energy(self, state: SceneState) -> float:
        """Return the energy of all meshes [J], see MeshStepper.energy()."""
        motions = link_motions(self.engine, state.figure)
        return sum((self.steppers[n].energy(mesh, motions) for n, mesh in state.meshes.items()), 0.0)

    def figure_energy(self, state: SceneState) -> float:
        """Return kinetic, potential and stored energy of the figure [J]."""
        snapshot = self.engine.observe(state.figure)
        return float(snapshot.kinetic[0] + snapshot.potential[0] + snapshot.stored[0])


def load_scene_state(path: str | Path, scene: Scene) -> SceneState:
    """Return the state of a scene from a file of SceneState.save(). Raises WorldError for another scene's file.

    The scene must have been started, since tethers hold where they held then.
    """
    arrays = load_arrays(path)
    if FIGURE + "rows" not in arrays:
        raise WorldError(f'"{Path(path).name}" is no state of a scene')
    rows = np.asarray(arrays[FIGURE + "rows"], float)
    expected = start(scene.world).rows.shape
    if rows.shape != expected:
        raise WorldError(f"a state of shape {rows.shape} is not one of this figure, whose states have {expected}")
    meshes = {name: MeshState.from_arrays(arrays, part.mesh, f"{name}/") for name, part in scene.parts.items()}
    return SceneState(State(scene.world, rows), meshes, np.asarray(arrays[FIGURE + "exchange"], float))
