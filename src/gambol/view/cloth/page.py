"""A page that simulates a cloth: one .html file whose steps by points run as WebAssembly, see motion/point_steps.py.

A lane of the module is a point. The worker, `worker.js`, runs it for all blocks of points, several steps in a control
step. A block of the state has the rows of its points, each with a number for each lane; the state is also the table
from which the program reads other points, so that slots name them by the place of their first row in it.
"""

import html
import math
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
from gambol.matter.mesh import SpringMesh
from gambol.matter.motion.explicit import highest_frequency, longest_step
from gambol.matter.motion.point_steps import LEDGER, METHOD, STATE_ROWS, Inputs, PointSteps
from gambol.matter.motion.state import MeshState, start_state
from gambol.matter.motion.step_frame import Frame
from gambol.matter.scene import meshes_film
from gambol.matter.scene.film import film_mesh
from gambol.view.live.numbers import number_names
from gambol.view.page import encode_arrays, encode_film
from gambol.view.scene import look
from gambol.view.template import WORKER_SOURCES, fill_template
from gambol.world import Film

CONTROL_STEP = 1.0 / 60.0
"""Length of a control step [s]: the page draws, and keeps states, not more often."""

STABLE_PART = 0.9
"""Length of a step as a part of the longest stable one: stretched springs that turn are a little stiffer."""

SCRIPTS = ("live/history.js", "cloth/worker.js")
"""Scripts of the worker, besides the loader of programs."""

SETTINGS = (
    ("gravity", "gravity", "m/s2", 0.0, 25.0, "gravity.z", -1.0),
    ("wind", "wind", "m/s", -12.0, 12.0, "wind.velocity.x", 1.0),
    ("side wind", "side wind", "m/s", -12.0, 12.0, "wind.velocity.y", 1.0),
    ("held", "held at its pins", "", 0.0, 1.0, "held", 1.0),
)
"""Settings: name, label, unit, lowest and highest value, number that it sets, and sign."""


def write_cloth_page(
    mesh: SpringMesh,
    path: str | Path,
    *,
    surroundings: Surroundings | None = None,
    state: MeshState | None = None,
    name: str = "",
    color: str = "",
    note: str = "",
) -> Path:
    """Write one .html file that simulates a cloth, which can be pulled at its points. Returns the path.

    mesh: a mesh of springs and triangles. surroundings: gravity, wind and a ground, see Surroundings. state: the first
    state (None: at rest). name: title of the page ("": name of the mesh). color: "#rrggbb" ("": the first of films).
    note: a caption about what the page simulates. The page takes semi-implicit Euler steps, each at most 0.9 times as
    long as the longest stable one. Its state has the bits of PointSteps.advance() on a processor. Scripts can drive it,
    see docs/use/live.md. Raises WorldError for a mesh with other elements than springs and triangles, see PointSteps,
    and GambolError for a folder that cannot be written to.
    """
    field = ForceField(mesh, surroundings)
    steps, substeps = control_steps(field)
    first = start_state(mesh, None, None) if state is None else state
    film = _film(name or mesh.name, mesh, first, field.surroundings.ground, color)
    module = wasm_module(steps.spec)
    description, arrays = _data(steps, substeps, module, steps.start(first.position, first.velocity))
    about = {**description, "name": mesh.name, "note": note, "facts": _facts(mesh, steps, module)}
    parts = {
        "film": encode_film(film, speed=1.0),
        "live": encode_arrays(about, arrays),
        "worker": _worker_script(),
    }
    text = fill_template("cloth", {"title": html.escape(printable(film.name)), **parts}, WORKER_SOURCES)
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return Path(path)


def control_steps(field: ForceField) -> tuple[PointSteps, int]:
    """Return the steps of a mesh by points, and their number in a control step of CONTROL_STEP."""
    mesh, x = field.mesh, field.column_array(field.mesh.points)
    whole = Conditions(np.ones(len(mesh.springs)), np.ones(len(mesh.triangles)))
    longest = STABLE_PART * longest_step(METHOD, *highest_frequency(field, Frame(x, np.zeros_like(x), whole)))
    count = max(1, math.ceil(CONTROL_STEP / longest))
    return PointSteps(field, CONTROL_STEP / count), count


def _film(name: str, mesh: SpringMesh, state: MeshState, ground: Ground | None, color: str) -> Film:
    """Return a film of one frame of a mesh. color: "#rrggbb", or "" for the first colour of films."""
    if not color:
        return meshes_film(name, {mesh.name: (mesh, [state])}, ground=ground)
    return matter_film(name, np.zeros(1), ground or NoGround(), (film_mesh(mesh.name, mesh, [state], color=color),))


def blocked(rows: Array, lanes: int) -> Array:
    """Return rows (R, N) as blocks of points (N / lanes, R, lanes)."""
    return rows.reshape(len(rows), -1, lanes).transpose(1, 0, 2)


def _data(
    steps: PointSteps, substeps: int, module: WasmModule, state: Array
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the description of a page, and its arrays."""
    lanes, columns = module.lanes, steps.field.columns
    block, lane = np.divmod(np.arange(columns), lanes)
    place = block * STATE_ROWS * lanes + lane  # of a point's first row in the state
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
        "dt": CONTROL_STEP, "substeps": substeps, "count": steps.field.count, "columns": columns, "rows": STATE_ROWS,
        "controlSteps": state.size, "elapsed": state.size + 1, "program": module.description(), "numbers": names,
        "settings": _settings(steps.inputs, names, numbers), "cuts": {}, "ledger": LEDGER, "overCapacity": None,
        "speed": 1.0, "speeds": look.PLAYBACK_RATES,
    }  # fmt: skip
    content = {name: np.ascontiguousarray(array, "<f8").tobytes() for name, array in arrays.items()}
    return description, {**content, "code": module.code}


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
    h = float(steps.inputs.step)
    return (
        f"computed in this page: {size}, by semi-implicit Euler in steps of {1e3 * h:.3g} ms; {module.operations:,} "
        f"operations for a point, {len(module.code) / 1e3:,.0f} kB of WebAssembly"
    )


def _worker_script() -> str:
    """Return the text of the worker: the loader of programs, the history of states, and the messages."""
    scripts = [files("gambol.lanes.wasm") / "program.js", *(files("gambol.view") / name for name in SCRIPTS)]
    return "\n".join(script.read_text(encoding="utf-8") for script in scripts)
