"""A page in which a world lives: one .html file with the world's programs as WebAssembly, which needs no network.

Two programs are in it: one takes control steps, the other one observes poses. A worker runs them, in `worker.js`; the
page draws them with the player of films, to which it gives a film of one frame.
"""

import html
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.lanes import Precision
from gambol.lanes.wasm import WasmModule, wasm_module
from gambol.view.live.numbers import number_names, sliders
from gambol.view.page import encode_arrays, encode_film
from gambol.view.scene import look
from gambol.view.scene.framing import frame_film
from gambol.view.still import posture_film
from gambol.view.template import fill_template
from gambol.world import Engine, State, World, start
from gambol.world.capacity import GrowingCapacity
from gambol.world.loop_closure import close_loops
from gambol.world.observe import snapshot_rows
from gambol.world.record import film_ground


def write_live_page(
    world: World,
    path: str | Path,
    *,
    state: State | None = None,
    numbers: NDArray[Any] | None = None,
    speed: float | None = None,
) -> Path:
    """Write one .html file in which a world lives: the page itself computes the motion. Returns the path.

    world: one that can be run; path: of the file; state: the first state, of one world (None: that of start());
    numbers: its inputs, (rows, 1), see Engine.numbers() (None: those of the world); speed: 1 for real time, 0.1 for ten
    times slower (None: from the figure's size). The page computes in the precision of the state, with the bits that the
    same world has on a processor. Scripts can drive it, see docs/use/live.md.
    Raises GambolError for a speed that is not positive, for several worlds, for numbers of another shape, for a figure
    with nothing to draw, and for a folder that cannot be written to.
    """
    if speed is not None and not speed > 0.0:
        raise GambolError(f"speed is {speed}; it must be positive (1 is real time)")
    first = start(world) if state is None else State(world, state.rows.copy())
    if first.rows.shape[1] != 1:
        raise GambolError(f"a live page has one world; this state has {first.rows.shape[1]}")
    film = replace(posture_film(world.figure, first.q[0].tolist()), ground=film_ground(world.ground))
    playback = speed or look.playback_rate(frame_film(film).size)
    worker = ((files("gambol.lanes.wasm") / "program.js"), (files("gambol.view") / "live" / "worker.js"))
    text = fill_template(
        "live",
        {
            "title": html.escape(printable(world.figure.name)),
            "film": encode_film(film, speed=playback),
            "live": _encoded_world(first, numbers, playback),
            "worker": "\n".join(script.read_text(encoding="utf-8") for script in worker),
        },
    )
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return Path(path)


def _encoded_world(state: State, given: NDArray[Any] | None, speed: float) -> str:
    """Return the programs of a state's world, the state and the world's numbers as text for the page.

    given: the numbers, (rows, 1); None: those of the world.
    """
    precision: Precision = "float32" if state.rows.dtype == np.float32 else "float64"
    world = state.world
    engine = Engine(world, precision)
    numbers = engine.numbers() if given is None else given
    if numbers.shape != engine.numbers().shape:
        raise GambolError(f"the numbers of this world have shape {engine.numbers().shape}, not {numbers.shape}")
    close_loops(world, state, numbers)
    advance, observe = (wasm_module(spec, precision) for spec in (engine.advance_spec, engine.observe_spec))
    names = list(number_names(engine.numbers_template))
    values = dict(zip(names, numbers[:, 0].tolist(), strict=True))
    description: dict[str, Any] = {
        "advance": advance.description(),
        "observe": observe.description(),
        "dt": world.timing.control_step,
        "speed": speed,
        "speeds": sorted({*look.PLAYBACK_RATES, speed}),
        "numbers": {name: row for row, name in enumerate(names)},
        "sliders": sliders(world, values),
        "facts": _facts(world, advance),
    }
    table = engine.tables[0] if engine.tables else np.empty(0)
    arrays = {"state": state.rows[:, 0], "numbers": numbers[:, 0], "table": np.asarray(table)}
    content = {name: array.astype("<f8").tobytes() for name, array in arrays.items()}
    programs = {"advance": advance.code, "observe": observe.code}
    return encode_arrays(description | _rows(engine, state), content | programs)


def _rows(engine: Engine, state: State) -> dict[str, int | None]:
    """Return the rows of a state and of a snapshot that the page reads, by name."""
    rows: NDArray[np.float64] = np.arange(float(len(state.rows)))[:, None]
    clock = State(engine.world, rows).step_state.clock  # each number is that of its row
    places = {"controlSteps": clock.control_steps, "elapsed": clock.elapsed, "status": clock.status}
    seen = snapshot_rows(engine.world)
    firsts = {name: seen[name] for name in ("positions", "quaternions", "centre")}
    return {
        **{name: int(np.ravel(value)[0]) for name, value in places.items()},
        **{name: rows.start for name, rows in firsts.items() if isinstance(rows, slice)},
        "overCapacity": GrowingCapacity(engine, engine.numbers()).counter_row,
    }


def _facts(world: World, advance: WasmModule) -> str:
    """Return a caption: what lives in the page."""
    size = f"{world.figure.nv} degrees of freedom, {advance.operations:,} operations a step"
    return f"computed in this page: {size}, {len(advance.code) / 1e3:,.0f} kB of WebAssembly"
