"""Films of meshes, alone and with the figure of a scene."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, NoGround
from gambol.errors import WorldError, did_you_mean
from gambol.matter.film import matter_film
from gambol.matter.mesh import SpringMesh
from gambol.matter.motion import MeshState
from gambol.matter.particles.record import ParticleRecorder
from gambol.matter.particles.state import ParticleState
from gambol.matter.scene.scene import Scene
from gambol.matter.scene.state import SceneState
from gambol.world import Film
from gambol.world.film import FilmMatter, FilmMesh, FilmParticles
from gambol.world.record import Recorder

COLORS = ("#b23a48", "#3a6ea5", "#4f7f52", "#8a5fa8")
"""Default colours of meshes: red, blue, green, violet."""


def scene_film(
    scene: Scene,
    states: Sequence[SceneState],
    *,
    colors: Mapping[str, str] | None = None,
    threads: Collection[str] = (),
) -> Film:
    """Return the film of a scene: its figure with all signals of a run, its meshes and its particles.

    states: states of Scene.run(), a frame for each. colors: "#rrggbb" by name of the mesh; a mesh that is not named has
    its own colour, or else one of COLORS, in turn. threads: names of meshes, such as nets, of which threads are drawn
    instead of triangles. Raises WorldError for no states and for threads of an unknown mesh.
    """
    for name in threads:
        if name not in scene.parts:
            raise WorldError(f'the scene has no mesh "{name}" with threads; {did_you_mean(name, scene.parts)}')
    if not states:
        raise WorldError("a film needs one state of the scene or more")
    recorder = Recorder(states[0].figure, len(states))
    recorder.prepare(scene.engine.numbers())
    for state in states:
        recorder.add(state.figure, int(state.figure.step_state.clock.control_steps.max()), 0.0)
    film = recorder.film()
    return replace(film, matter=(*film.matter, *scene_matter(scene, states, colors, threads)))


def scene_matter(
    scene: Scene,
    states: Sequence[SceneState],
    colors: Mapping[str, str] | None = None,
    threads: Collection[str] = (),
) -> tuple[FilmMatter, ...]:
    """Return the meshes and particles of a scene in the frames of a film. Arguments: see scene_film()."""
    color_by_name = colors or {}
    meshes = tuple(
        film_mesh(
            name,
            part.mesh,
            [s.meshes[name] for s in states],
            color=color_by_name.get(name) or part.color or default,
            threads=name in threads,
        )
        for (name, part), default in zip(scene.parts.items(), _default_colors(len(scene.parts)), strict=True)
    )
    return *meshes, *_particles(scene, states)


def _particles(scene: Scene, states: Sequence[SceneState]) -> tuple[FilmParticles, ...]:
    if scene.particles is None:
        return ()
    recorder = ParticleRecorder(scene.particles)
    for state in states:
        recorder.add(state.particles or ParticleState())
    return recorder.matter()


def meshes_film(
    name: str, meshes: Mapping[str, tuple[SpringMesh, Sequence[MeshState]]], *, ground: Ground | None = None
) -> Film:
    """Return a film of meshes alone.

    meshes: (mesh, its states) by name, a frame for each state; ground: None without a ground. Raises WorldError for
    meshes of different numbers of frames.
    """
    counts = {len(states) for _, states in meshes.values()}
    if len(counts) != 1 or not min(counts, default=0):
        raise WorldError(
            f'film "{name}": its meshes have {sorted(counts)} states; give all the same number, one or more'
        )
    times = np.array([state.time for state in next(iter(meshes.values()))[1]])
    shown = [
        film_mesh(each, *meshes[each], color=color)
        for each, color in zip(meshes, _default_colors(len(meshes)), strict=True)
    ]
    return matter_film(name, times, ground or NoGround(), tuple(shown))


def film_mesh(
    name: str,
    mesh: SpringMesh,
    states: Sequence[MeshState],
    *,
    color: str,
    world: int = 0,
    threads: bool = False,
) -> FilmMesh:
    """Return a mesh in the frames of a film: triangles whose threads are all intact, or its intact springs without any.

    states: one for each frame. color: "#rrggbb". world: index of its world in the film. threads: True to draw warp and
    weft of a cloth, or the springs of another mesh, instead of triangles.
    """
    points = np.array([state.position for state in states], np.float32)
    intact = np.array([state.intact for state in states])
    if len(mesh.triangles) and not threads:
        visible = None if intact.all() else _whole_triangles(mesh, intact)
        lines = np.zeros((0, 2), np.int32)
        return FilmMesh(name, points, mesh.triangles.astype(np.int32), lines, color, visible, world=world)
    woven = np.isin(mesh.springs.kind, ("warp", "weft"))
    shown = woven if threads and woven.any() else np.ones(len(woven), bool)
    lines, visible = mesh.springs.ends[shown].astype(np.int32), None if intact.all() else intact[:, shown]
    return FilmMesh(name, points, np.zeros((0, 3), np.int32), lines, color, visible, world=world)


def _whole_triangles(mesh: SpringMesh, intact: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return True for triangles with unbroken edges (F, t). intact (F, m): True for intact springs."""
    number = {tuple(sorted(ends)): k for k, ends in enumerate(mesh.springs.ends.tolist())}
    whole = np.ones((len(intact), len(mesh.triangles)), bool)
    for t, (a, b, c) in enumerate(mesh.triangles.tolist()):
        edges = [number[edge] for edge in map(tuple, map(sorted, ((a, b), (b, c), (c, a)))) if edge in number]
        whole[:, t] = intact[:, edges].all(axis=1)
    return whole


def _default_colors(count: int) -> list[str]:
    return [COLORS[k % len(COLORS)] for k in range(count)]
