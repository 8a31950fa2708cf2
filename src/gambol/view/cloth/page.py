"""A page that simulates cloth: one .html file whose steps by points run as WebAssembly, see motion/point_steps.py.

A lane of the module is a point. The worker, `worker.js`, runs it for all blocks of points, several steps in a control
step. A block of the state has the rows of its points, each with a number for each lane; the state is also the table
from which the program reads other points, so that slots name them by the place of their first row in it. Hinges and
pairs that may touch have programs of their own, whose lanes are elements, see motion/point_elements.py.
"""

import html
import math
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, NoGround
from gambol.errors import printable
from gambol.formats import atomic_write
from gambol.lanes.tree import leaves
from gambol.lanes.wasm import WasmModule, wasm_module
from gambol.matter.film import matter_film
from gambol.matter.forces import Surroundings
from gambol.matter.forces.field import Conditions, ForceField
from gambol.matter.forces.layout import Array
from gambol.matter.mesh import SpringMesh, joined
from gambol.matter.motion.balls import Ball, with_balls
from gambol.matter.motion.explicit import highest_frequency, longest_step
from gambol.matter.motion.point_elements import (
    EXTRA_ROWS,
    HINGES,
    MARGIN,
    TRIANGLES_AT_POINT,
    PointElements,
    element_spec,
)
from gambol.matter.motion.point_steps import LEDGER, METHOD, Inputs, PointSteps
from gambol.matter.motion.state import MeshState, start_state
from gambol.matter.motion.step_frame import Frame
from gambol.matter.scene.film import COLORS, film_mesh
from gambol.view.live.numbers import number_names
from gambol.view.page import encode_arrays, encode_film
from gambol.view.scene import look
from gambol.view.scene.meshes import shape_mesh
from gambol.view.template import WORKER_SOURCES, fill_template
from gambol.world import Film
from gambol.world.film import FilmMesh
from gambol.world.film.shapes import FilmShape

CONTROL_STEP = 1.0 / 60.0
"""Length of a control step [s]: the page draws, and keeps states, not more often."""

STABLE_PART = 0.9
"""Length of a step as a part of the longest stable one: stretched springs that turn are a little stiffer."""

SCRIPTS = ("live/history.js", "cloth/elements.js", "cloth/worker.js")
"""Scripts of the worker, besides the loader of programs."""

SETTINGS = (
    ("gravity", "gravity", "m/s2", 0.0, 25.0, "gravity.z", -1.0),
    ("wind", "wind", "m/s", -12.0, 12.0, "wind.velocity.x", 1.0),
    ("side wind", "side wind", "m/s", -12.0, 12.0, "wind.velocity.y", 1.0),
    ("held", "held at its pins", "", 0.0, 1.0, "held", 1.0),
)
"""Settings: name, label, unit, lowest and highest value, number that it sets, and sign."""


def write_cloth_page(
    mesh: SpringMesh | Mapping[str, SpringMesh],
    path: str | Path,
    *,
    surroundings: Surroundings | None = None,
    balls: Sequence[Ball] = (),
    state: MeshState | None = None,
    name: str = "",
    color: str | Mapping[str, str] = "",
    note: str = "",
) -> Path:
    """Write one .html file that simulates cloth, ropes and balls, which can be pulled. Returns the path.

    mesh: a mesh of springs, hinges and triangles, or several by name. surroundings: gravity, wind and a ground, see
    Surroundings; with self_touch of surfaces, several meshes touch each other. balls: balls that touch triangles and
    the ground. state: the first state of the mesh, or of all meshes in their order (None: at rest). name: title of the
    page ("": name of the mesh). color: "#rrggbb", or one for each mesh by name ("": colours of films). note: a caption
    about what the page simulates. The page takes semi-implicit Euler steps, each at most 0.9 times as long as the
    longest stable one. Its state has the bits of PointSteps.advance() on a processor. Scripts can drive it, see
    docs/use/live.md. Raises WorldError for what steps by points lack, see PointSteps, and GambolError for a folder that
    cannot be written to.
    """
    meshes = {mesh.name: mesh} if isinstance(mesh, SpringMesh) else dict(mesh)
    whole = joined(list(meshes.values()), " and ".join(meshes)) if len(meshes) > 1 else next(iter(meshes.values()))
    field = ForceField(with_balls(whole, balls), surroundings)
    steps, substeps = control_steps(field, tuple(balls))
    first = start_state(whole, None, None) if state is None else state
    colors = dict.fromkeys(meshes, color) if isinstance(color, str) else dict(color)
    film = _film(name or whole.name, meshes, first, field.surroundings.ground, colors, balls)
    module = wasm_module(steps.spec)
    position = np.concatenate([first.position, *([ball.position] for ball in balls)])
    velocity = np.concatenate([first.velocity, *([ball.velocity] for ball in balls)])
    description, arrays = _data(steps, substeps, module, steps.start(position, velocity))
    about = {
        **description,
        "name": whole.name,
        "note": note,
        "facts": _facts(whole, steps, module),
        "parts": [len(each.points) for each in meshes.values()],
        "balls": [ball.radius for ball in balls],
    }
    parts = {
        "film": encode_film(film, speed=1.0),
        "live": encode_arrays(about, arrays),
        "worker": _worker_script(),
    }
    text = fill_template("cloth", {"title": html.escape(printable(film.name)), **parts}, WORKER_SOURCES)
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return Path(path)


def control_steps(field: ForceField, balls: tuple[Ball, ...] = ()) -> tuple[PointSteps, int]:
    """Return the steps of a mesh by points, and their number in a control step of CONTROL_STEP.

    balls: the balls that are the last points of the mesh.
    """
    mesh, x = field.mesh, field.column_array(field.mesh.points)
    whole = Conditions(np.ones(len(mesh.springs)), np.ones(len(mesh.triangles)))
    frequency, decay = highest_frequency(field, Frame(x, np.zeros_like(x), whole))
    loose = np.setdiff1d(mesh.triangles.ravel(), mesh.pins)
    if balls and len(loose):
        touch, lightest = field.surroundings.touch, float(mesh.masses[loose].min())
        frequency = math.hypot(frequency, math.sqrt(TRIANGLES_AT_POINT * touch.stiffness / lightest))
        decay += TRIANGLES_AT_POINT * touch.damping / lightest
    count = max(1, math.ceil(CONTROL_STEP / (STABLE_PART * longest_step(METHOD, frequency, decay))))
    return PointSteps(field, CONTROL_STEP / count, balls, count), count


def _film(
    name: str,
    meshes: Mapping[str, SpringMesh],
    state: MeshState,
    ground: Ground | None,
    colors: Mapping[str, str],
    balls: Sequence[Ball],
) -> Film:
    """Return a film of one frame of meshes, then balls. colors: "#rrggbb" by name ("": those of films, in turn)."""
    matter, first = list[FilmMesh](), 0
    for k, (each, mesh) in enumerate(meshes.items()):
        rows = slice(first, first + len(mesh.points))
        whole = np.ones(len(mesh.springs), bool)
        part = MeshState(state.position[rows], state.velocity[rows], whole, state.time)
        matter.append(film_mesh(each, mesh, [part], color=colors.get(each) or COLORS[k % len(COLORS)]))
        first = rows.stop
    matter += [_ball_mesh(ball) for ball in balls]
    return matter_film(name, np.zeros(1), ground or NoGround(), tuple(matter))


def _ball_mesh(ball: Ball) -> FilmMesh:
    """Return a ball as a mesh of one frame."""
    still = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    soup = shape_mesh(FilmShape(0, "sphere", (ball.radius,), *still)).corners.reshape(-1, 3).round(9)
    points, corners = np.unique(soup, axis=0, return_inverse=True)
    lines = np.zeros((0, 2), np.int32)
    faces = corners.reshape(-1, 3).astype(np.int32)
    return FilmMesh(ball.name, (points + ball.position)[None].astype(np.float32), faces, lines, ball.color)


def blocked(rows: Array, lanes: int) -> Array:
    """Return rows (R, N) as blocks of points (N / lanes, R, lanes)."""
    return rows.reshape(len(rows), -1, lanes).transpose(1, 0, 2)


def _data(
    steps: PointSteps, substeps: int, module: WasmModule, state: Array
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the description of a page, and its arrays."""
    lanes, columns = module.lanes, steps.field.columns
    block, lane = np.divmod(np.arange(columns), lanes)
    place = block * steps.rows * lanes + lane  # of a point's first row in the state
    elements = steps.elements.copy()
    corners = steps.corner_rows
    elements[corners] = place[elements[corners].astype(int)]
    numbers = np.array(leaves(steps.inputs), float)
    names = {name: row for row, name in enumerate(number_names(steps.inputs))}
    numbers[names["stride"]] = lanes
    arrays: dict[str, NDArray[Any]] = {
        "state": blocked(state, lanes),
        "elements": blocked(elements, lanes),
        "points": blocked(steps.points, lanes),
        "numbers": numbers,
    }
    description = {
        "dt": CONTROL_STEP, "substeps": substeps, "count": steps.field.count, "columns": columns, "rows": steps.rows,
        "controlSteps": state.size, "elapsed": state.size + 1, "program": module.description(), "numbers": names,
        "settings": _settings(steps.inputs, names, numbers), "cuts": {}, "ledger": LEDGER, "overCapacity": None,
        "speed": 1.0, "speeds": look.PLAYBACK_RATES, "extraRows": EXTRA_ROWS if steps.turns else 0, "margin": MARGIN,
        "groups": [_group_data(group) for group in steps.groups], "bounds": steps.inverse_bounds.tolist(),
    }  # fmt: skip
    modules = {kind: wasm_module(element_spec(kind)) for kind in dict.fromkeys(group.kind for group in steps.groups)}
    description["elementPrograms"] = {kind: each.description() for kind, each in modules.items()}
    content = {name: np.ascontiguousarray(array, "<f8").tobytes() for name, array in arrays.items()}
    return description, {**content, "code": module.code, **{kind: each.code for kind, each in modules.items()}}


def _group_data(group: PointElements) -> dict[str, Any]:
    """Return hinges, or pairs that may touch, as data of the page."""
    law = group.law
    return {
        "kind": group.kind, "isStatic": group.kind == HINGES, "first": group.first.tolist(),
        "second": group.second.tolist(), "numbers": group.numbers.T.tolist(),
        "law": [law.stiffness, law.damping, law.friction, law.thickness],
    }  # fmt: skip


def _settings(inputs: Inputs, names: dict[str, int], numbers: Array) -> list[dict[str, Any]]:
    """Return the settings of a page; those of the wind only if there is air."""
    found = list[dict[str, Any]]()
    for name, label, unit, low, high, number, sign in SETTINGS:
        first = float(numbers[names[number]])
        if number.startswith("wind") and not inputs.wind.density > 0.0:
            continue
        value = sign * first
        entry = {"name": number, "first": first, "slope": sign}
        found.append(
            {"name": name, "label": label, "unit": unit, "low": min(low, value), "high": max(high, value),
             "value": value, "step": 1 if number == "held" else None, "group": None, "sets": [entry]}
        )  # fmt: skip
    return found


def _facts(mesh: SpringMesh, steps: PointSteps, module: WasmModule) -> str:
    """Return a caption about the cloth in the page."""
    size = f"{len(mesh.points)} points, {len(mesh.springs)} springs, {len(mesh.triangles)} triangles"
    size += f", {len(mesh.hinges.corners)} hinges" if len(mesh.hinges.corners) else ""
    h = float(steps.inputs.step)
    return (
        f"computed in this page: {size}, by semi-implicit Euler in steps of {1e3 * h:.3g} ms; {module.operations:,} "
        f"operations for a point, {len(module.code) / 1e3:,.0f} kB of WebAssembly"
    )


def _worker_script() -> str:
    """Return the text of the worker: the loader of programs, the history of states, and the messages."""
    scripts = [files("gambol.lanes.wasm") / "program.js", *(files("gambol.view") / name for name in SCRIPTS)]
    return "\n".join(script.read_text(encoding="utf-8") for script in scripts)
