"""A scene: one figure's world, any number of spring meshes, and particles, which act on each other.

A control step is staggered. First meshes move, in steps of their own, in which links respond to their impulses with the
inertia of the figure, see LinkResponse; then the figure moves under the mean forces of the meshes on its links. Each
impulse acts on both, so that momentum is conserved. In a second pass both start again, and in the meshes' steps links
also have the acceleration that other actions caused in the first pass.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.collide import NoGround
from gambol.errors import WorldError, did_you_mean
from gambol.matter.motion import MeshState, MeshStepper
from gambol.matter.motion.state import start_state
from gambol.matter.particles.obstacles import Obstacles
from gambol.matter.particles.state import ParticleState
from gambol.matter.particles.step import ParticleStepper
from gambol.matter.particles.system import ParticleSystem
from gambol.matter.scene.events import ParticleEvent, SceneStep, check_events
from gambol.matter.scene.links import link_factors, link_motions
from gambol.matter.scene.mesh_group import mesh_groups
from gambol.matter.scene.part import MeshPart, surroundings_of
from gambol.matter.scene.state import SceneState, read_scene_state
from gambol.matter.touch.link_response import VELOCITY, LinkResponse
from gambol.matter.touch.tether import Tether, Tethers, check_held
from gambol.world import Engine, State, World, start
from gambol.world.capacity import GrowingCapacity

Array = NDArray[np.float64]


class Scene:
    """A figure's world with spring meshes and particles.

    world: world of the figure. parts: meshes by name. particles: emitters and fields; particles touch the figure and
    the ground of the world, and push the figure. events: events at which particles are born. passes: passes of a
    control step, see the docstring of the module. lanes, threads: see Program; the bits of the result do not depend on
    them. Raises WorldError for a mesh's step that does not divide the control step, and for links, emitters and meshes
    that do not exist.
    """

    def __init__(
        self,
        world: World,
        parts: Mapping[str, MeshPart],
        *,
        particles: ParticleSystem | None = None,
        events: Sequence[ParticleEvent] = (),
        passes: int = 2,
        lanes: int | None = None,
        threads: int = 1,
    ) -> None:
        if passes < 1:
            raise WorldError(f"a control step of {passes} passes is impossible; give 1 or more")
        self.passes = passes
        names = tuple(link.name for link in world.figure.links)
        self.parts, self.links, self.lanes, self.threads = dict(parts), names, lanes, threads
        self.particles = None if particles is None else _in_world(particles, world)
        self.events = tuple(events)
        check_events(events, tuple(particles.emitters) if particles else (), tuple(parts), names)
        acted_on = {name for part in parts.values() for name in self._links_of(part, world)}
        acted_on |= set(_colliding(world)) if particles else set[str]()
        wrenches = tuple(name for name in names if name in acted_on)
        self.world = replace(world, external=replace(world.external, wrenches=wrenches))
        self.groups = mesh_groups(parts, surroundings_of(world))
        self.steps = {name: self._steps(name, group.whole) for name, group in self.groups.items()}
        self.steppers: dict[str, MeshStepper] = {}
        self.particle_stepper: ParticleStepper | None = None
        self._engine: Engine | None = None

    def _steps(self, name: str, part: MeshPart) -> int:
        control, h = self.world.timing.control_step, part.rule.step
        steps = round(control / h)
        if steps < 1 or abs(steps * h - control) > 1e-9 * control:
            raise WorldError(
                f'the step of "{name}", {h:g} s, does not divide the control step of {control:g} s; give {control:g} s '
                "divided by a whole number"
            )
        return steps

    def _links_of(self, part: MeshPart, world: World) -> list[str]:
        """Return the names of the links that touch or hold a mesh. Raises WorldError for unknown links."""
        for link in part.touches or ():
            if link not in self.links:
                raise WorldError(f'a mesh cannot touch link "{link}"; {did_you_mean(link, self.links)}')
        holding_links = [tether.link for tether in part.tethers]
        for link in holding_links:
            check_held(link, self.links)
        return holding_links + list(_colliding(world) if part.touches is None else part.touches)

    def start(
        self,
        figure: State | None = None,
        meshes: Mapping[str, MeshState | tuple[Array, Array]] | None = None,
    ) -> SceneState:
        """Return the state at time 0.

        figure: state of the figure, of one world; None: the result of start() for its world. meshes: states, or
        positions and velocities (n, 3), by name; a mesh that is not given is at rest. Raises WorldError for a state of
        several worlds or in single precision.
        """
        initial = figure or start(self.world)
        if initial.rows.shape[1] != 1 or initial.rows.dtype != np.float64:
            raise WorldError("a scene has one world in float64; give a state of start(world)")
        state = State(self.world, initial.rows.copy())
        self._engine = Engine(self.world, "float64", lanes=1)
        motions = link_motions(self._engine, state)
        states = dict[str, MeshState]()
        for name, part in self.parts.items():
            placed = (meshes or {}).get(name)
            given_arrays = placed if isinstance(placed, tuple) else (None, part.velocity)
            states[name] = placed if isinstance(placed, MeshState) else start_state(part.mesh, *given_arrays)
        for name, group in self.groups.items():
            self._make_stepper(name, group.whole, group.joined_state(states).position, motions)
        self.particle_stepper = None
        if self.particles:
            self.particle_stepper = ParticleStepper(self.particles, lanes=self.lanes, threads=self.threads)
        return SceneState(state, states, np.zeros((len(self.links), 6)), ParticleState() if self.particles else None)

    def _make_stepper(self, name: str, part: MeshPart, x: Array, motions: Array) -> None:
        obstacles = Obstacles.of(None, self.world.figure)
        chosen = [s for s in obstacles.shapes if part.touches is None or self.links[s.link] in part.touches]
        self.steppers[name] = MeshStepper(
            part.mesh,
            part.surroundings or surroundings_of(self.world),
            part.rule,
            shapes=chosen,
            tethers=Tethers.of(part.tethers, self.links, x, motions),
            lanes=self.lanes,
            threads=self.threads,
        )

    def held_tethers(self) -> dict[str, tuple[Tether, ...]]:
        """Return the tethers of each mesh, with the points of links that start() found for them.

        A scene that is made with these tethers can start from a later state, and then continues as this scene.
        """
        tethers_by_mesh = dict[str, tuple[Tether, ...]]()
        for name, group in self.groups.items():
            tethers_by_mesh |= group.held_tethers(self.steppers[name].field.tethers)
        return tethers_by_mesh

    @property
    def engine(self) -> Engine:
        """The compiled programs of the figure's world. Raises WorldError before start()."""
        if self._engine is None:
            raise WorldError("start the scene first: scene.start()")
        return self._engine

    def step(self, state: SceneState) -> SceneState:
        """Return the state one control step later."""
        begin, factors = link_motions(self.engine, state.figure), link_factors(self.engine, state.figure)
        responses = dict.fromkeys(self.steppers, self._expected(state, begin, factors))
        mesh_impulses, after = self._pass(state, begin, responses)
        for _ in range(self.passes - 1 if self.world.external.wrenches else 0):
            end = link_motions(self.engine, after.figure)[:, VELOCITY]
            responses = {
                name: self._response(factors, end - begin[:, VELOCITY], mesh_impulses[name]) for name in mesh_impulses
            }
            mesh_impulses, after = self._pass(state, begin, responses, mean=0.5 * (begin[:, VELOCITY] + end))
        return self._with_events(state, after)

    def _expected(self, state: SceneState, begin: Array, factors: Array | None) -> LinkResponse | None:
        """Return the response of links in the first pass.

        Their acceleration is that by the forces of joints, weight and ground. To find it, the figure takes the control
        step with the impulses of the previous control step, and the linear effect of the impulses is subtracted.
        """
        if factors is None or not self.steppers:
            return None
        after = self._moved(state.figure, state.exchange)
        change = link_motions(self.engine, after)[:, VELOCITY] - begin[:, VELOCITY]
        return self._response(factors, change, state.exchange)

    def _response(self, factors: Array | None, change: Array, impulses: Array) -> LinkResponse | None:
        """Return the response of links to a mesh; all other actions accelerate them uniformly.

        factors: see link_factors(). change: change of the links' velocities in the last pass; impulses: impulses of the
        mesh in that pass (links, 6).
        """
        response = LinkResponse.of(factors, np.zeros_like(change))
        if response is None:
            return None
        return replace(response, acceleration=(change - response.change(impulses)) / self.world.timing.control_step)

    def _pass(
        self,
        state: SceneState,
        motions: Array,
        responses: Mapping[str, LinkResponse | None],
        mean: Array | None = None,
    ) -> tuple[dict[str, Array], SceneState]:
        """Return the impulses of each mesh on links, and the state one control step later.

        motions: motions of links at the start of the step. responses: their responses to each mesh. mean: velocities of
        the links for particles; None: velocities at the start.
        """
        h = self.world.timing.control_step
        mesh_impulses, meshes = dict[str, Array](), dict[str, MeshState]()
        for name, stepper in self.steppers.items():
            group = self.groups[name]
            after, mesh_impulses[name] = stepper.advance_with_links(
                group.joined_state(state.meshes), self.steps[name], motions, responses[name]
            )
            meshes |= group.split_state(after)
        meshes = {name: meshes[name] for name in self.parts}
        exchange = sum(mesh_impulses.values(), np.zeros((len(self.links), 6)))
        if mean is not None:
            motions = np.concatenate([motions[:, : VELOCITY.start], mean], axis=1)
        particles = state.particles
        if particles is not None and self.particle_stepper is not None:
            moved = self.particle_stepper.step(particles, h, motions)
            particles = moved.state
            exchange += self.particle_stepper.obstacles.impulses(moved.touches, motions)
        return mesh_impulses, SceneState(self._moved(state.figure, exchange), meshes, exchange, particles)

    def _moved(self, figure: State, exchange: Array) -> State:
        """Return the figure one control step later. exchange: impulses on its links (links, 6)."""
        engine, h = self.engine, self.world.timing.control_step
        acted_on = [(name, self.links.index(name)) for name in self.world.external.wrenches]
        wrenches = {name: (exchange[k] / h).tolist() for name, k in acted_on}
        after = figure.copied()
        until = int(after.step_state.clock.control_steps.max()) + 1
        GrowingCapacity(engine, engine.numbers(wrenches=wrenches)).advance(after, until)
        return State(self.world, after.rows)

    def _with_events(self, before: SceneState, after: SceneState) -> SceneState:
        """Return a state with the particles that are born at the events of its control step."""
        particles = after.particles
        if not self.events or particles is None or self.particle_stepper is None:
            return after
        meshes = {name: part.mesh for name, part in self.parts.items()}
        change = SceneStep(self.engine, meshes, before, after, link_motions(self.engine, after.figure))
        for name in self.particle_stepper.system.emitters:
            points = [change.points(event) for event in self.events if event.emitter == name]
            if sum(map(len, points)):
                particles = self.particle_stepper.emit(particles, name, np.concatenate(points))
        return replace(after, particles=particles)

    def run(
        self,
        state: SceneState,
        seconds: float,
        *,
        every: int = 1,
        on_state: Callable[[SceneState], None] | None = None,
    ) -> Sequence[SceneState]:
        """Return the states of a run, the given one first.

        seconds: time to simulate [s]. every: number of control steps between states. on_state: called with every state.
        Raises WorldError for a time that is not above 0.
        """
        if not 0.0 < seconds < np.inf or every < 1:
            raise WorldError(f"a run of {seconds} s with a state every {every} control steps is not possible")
        states = [state]
        for _ in range(round(seconds / (every * self.world.timing.control_step))):
            for _ in range(every):
                state = self.step(state)
            states.append(state)
            if on_state:
                on_state(state)
        return states

    def mesh_energy(self, state: SceneState) -> float:
        """Return the energy of all meshes [J], see MeshStepper.energy()."""
        motions = link_motions(self.engine, state.figure)
        steppers = self.steppers.items()
        return sum((s.energy(self.groups[n].joined_state(state.meshes), motions) for n, s in steppers), 0.0)

    def figure_energy(self, state: SceneState) -> float:
        """Return kinetic, potential and stored energy of the figure [J]."""
        snapshot = self.engine.observe(state.figure)
        return float(snapshot.kinetic[0] + snapshot.potential[0] + snapshot.stored[0])


def _colliding(world: World) -> list[str]:
    return [link.name for link in world.figure.links if any(p.colliding for p in link.parts)]


def _in_world(particles: ParticleSystem, world: World) -> ParticleSystem:
    """Return particles that touch the figure and the ground of a world."""
    return replace(particles, figure=world.figure, ground=world.ground if world.has_ground else NoGround())


def load_scene_state(path: str | Path, scene: Scene) -> SceneState:
    """Return the state of a scene from a file of SceneState.save(). Raises WorldError for another scene's file.

    The scene must have been started, because start() determines the points where tethers hold.
    """
    meshes = {name: part.mesh for name, part in scene.parts.items()}
    return read_scene_state(path, scene.world, meshes, len(scene.particles.emitters) if scene.particles else 0)
