"""The command `gambol run` of a figure file with cloth, ropes, meshes or particles."""

from collections.abc import Callable
from typing import Any

from gambol.cli.figures import results
from gambol.cli.figures.run_request import DEFAULT_SECONDS, PreparedRun, RunRequest, request_summary
from gambol.creatures.make_scene import make_scene
from gambol.errors import GambolError
from gambol.formats import Model
from gambol.matter.scene import Scene, SceneState, run_scene
from gambol.matter.scene_file import scene_of_model
from gambol.world import Film, State
from gambol.world.run import Progress

UNUSED = {
    "lanes": "has one world",
    "precision": "is computed in float64",
    "controller": "has no control function; --actuators, --control and --hold drive its motors",
}
"""The options that a run of a file with matter does not use, and the reasons."""


def check_scene_options(request: RunRequest) -> None:
    """Raise GambolError, with the name of the option, for options that a file with matter does not use."""
    default = RunRequest(request.file)
    for name, reason in UNUSED.items():
        if getattr(request, name) != getattr(default, name):
            raise GambolError(f'--{name}: "{request.file.name}" has cloth, ropes, meshes or emitters and {reason}')


def prepare_scene(request: RunRequest, model: Model, state: State, add_scenery: Callable[[Film], Film]) -> PreparedRun:
    """Return the run of a figure file with matter.

    state: initial state of the figure. add_scenery: returns a film with scenery. Raises GambolError for errors in
    the file.
    """
    try:
        scene = scene_of_model(model, state.world, seed=request.seed)
        first = scene.start(state)
    except GambolError as error:
        has_location = str(error).startswith(request.file.name)
        raise error if has_location else GambolError(f"{request.file.name}: {error}") from error
    seconds = request.seconds or DEFAULT_SECONDS
    last = first

    def simulate(progress: Progress) -> Film:
        nonlocal last
        film, last = run_scene(scene, first, seconds, progress=progress)
        return add_scenery(film)

    def summary(film: Film) -> dict[str, Any]:
        moves = any(model.figure.can_move(link.index) for link in model.figure.links)
        figure_results = (
            results.summary(film, model, first.figure, last.figure) if moves else results.film_summary(film)
        )
        return request_summary(request) | figure_results | {"matter": matter_summary(scene, last)}

    reason = "cloth, ropes, meshes and particles are not computed in pages"
    return PreparedRun(request.file.stem, seconds, simulate, summary, reason, tuple(model.notes))


def scene_lines(model: Model) -> list[str]:
    """Return a line for each mesh and each emitter of a model with matter. Raises GambolError for invalid ones."""
    scene = make_scene(model)
    lines = list[str]()
    for name, part in scene.parts.items():
        mesh, rule = part.mesh, part.rule
        sizes = f"{len(mesh.points)} points, {len(mesh.springs)} springs, {mesh.masses.sum():.4g} kg"
        held = [f"held by {tether.link} at {len(tether.points)} points" for tether in part.tethers]
        pinned = [f"{len(mesh.pins)} points pinned"] if len(mesh.pins) else []
        lines.append(", ".join([f"{name}: {sizes}", *pinned, *held, f"{rule.method}, steps of {rule.step:.4g} s"]))
    for name, emitter in scene.particles.emitters.items() if scene.particles else ():
        events = [f"born when {event.kind}" for event in scene.events if event.emitter == name]
        rate = [f"{emitter.rate:g} particles/s"] if emitter.rate else []
        lines.append(", ".join([f"{name}: emitter", *rate, *events]))
    return lines


def matter_summary(scene: Scene, state: SceneState) -> dict[str, Any]:
    """Return the results of meshes and particles of a scene: sizes, broken springs, energies, births."""
    rows = dict[str, Any]()
    for name, mesh in state.meshes.items():
        rows[name] = {
            "points": len(mesh.position),
            "springs": len(mesh.intact),
            "springs_broken": int((~mesh.intact).sum()),
            "lowest_m": float(mesh.position[:, 2].min()),
            "highest_m": float(mesh.position[:, 2].max()),
        }
    if state.particles is not None:
        kinds = state.particles.kind
        for k, name in enumerate(scene.particles.emitters if scene.particles else ()):
            rows[name] = {"particles": int((kinds == k).sum())}
        rows["particles_born"] = state.particles.born
    return rows
