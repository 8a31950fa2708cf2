"""The worlds of a page as text: their programs as WebAssembly, first states, numbers and descriptions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes.program_spec import ProgramSpec
from gambol.lanes.wasm import WasmModule, stored_module, wasm_module
from gambol.view.live.capacity import cache_layouts, larger_engines
from gambol.view.live.description import world_description
from gambol.view.live.disturbance import LiveWorld, live_world
from gambol.view.live.gene_settings import NO_GENES, GeneSettings
from gambol.view.live.hills import HILLS, hills_data
from gambol.view.live.interaction import interaction_data, playback
from gambol.view.live.segments import PlacedSegment
from gambol.view.page import encode_arrays
from gambol.view.scene.framing import frame_film
from gambol.world import Engine, Film, State, World
from gambol.world.contact_points import contact_points
from gambol.world.observe import observe_wrench_accelerations

SCRIPTS = ("hand.js", "posing.js", "history.js", "capacity.js", "heights.js", "world.js", "segments.js", "worker.js")
"""Scripts of the worker, besides the loader of programs."""


def worker_script() -> str:
    """Return the text of the worker: the loader of programs, the hand, the history of states, and the messages."""
    scripts = [files("gambol.lanes.wasm") / "program.js", *(files("gambol.view") / "live" / name for name in SCRIPTS)]
    return "\n".join(script.read_text(encoding="utf-8") for script in scripts)


def encoded_world(live: LiveWorld, about: Mapping[str, Any], genes: GeneSettings, *, repeats: bool = True) -> str:
    """Return the programs of a page's worlds, the state and the numbers as text.

    about: further data that describe the page; genes: see GeneSettings; repeats: True if steps over the contact
    capacity are repeated, see capacity.py.
    """
    description, arrays, modules = _world_data(live, about, genes, repeats=repeats)
    return encode_arrays(description, arrays | {name: module.code for name, module in modules.items()})


def encoded_segments(placed: Sequence[PlacedSegment], size: float, about: Mapping[str, Any]) -> str:
    """Return the segments of a run as text, with the programs of all their worlds, of which equal ones are stored once.

    placed: the segments; size: size of the figure [m]; about: data that describe the whole page.
    """
    firsts = [next(each for each in placed if each.world == k) for k in range(max(each.world for each in placed) + 1)]
    codes, descriptions, arrays = dict[str, bytes](), list[dict[str, Any]](), dict[str, bytes]()
    for k, first in enumerate(firsts):
        own = interaction_data(first.live.numbered_world, size, grab=True)
        description, content, modules = _world_data(first.live, own, NO_GENES, repeats=True)
        digests = {name: sha256(module.code).hexdigest() for name, module in modules.items()}
        codes |= {digests[name]: module.code for name, module in modules.items()}
        descriptions.append({**description, "codes": digests})
        arrays |= {f"table{k}": content["table"], "heights": content["heights"]}
    shared = [descriptions[each.world] for each in placed]
    missing = [len(data["numbers"]) - len(each.live.numbers) for data, each in zip(shared, placed, strict=True)]
    numbers = [np.append(each.live.numbers[:, 0], np.zeros(n)) for each, n in zip(placed, missing, strict=True)]
    arrays["state"] = np.concatenate([each.live.state.rows[:, 0] for each in placed]).astype("<f8").tobytes()
    arrays["numbers"] = np.concatenate(numbers).astype("<f8").tobytes()
    segments = [
        each.data(data, is_last=each is placed[-1]) | {"rows": len(each.live.state.rows)}
        for each, data in zip(placed, shared, strict=True)
    ]
    page = {**descriptions[0], "worlds": descriptions, "segments": segments, **about}
    return encode_arrays(page, arrays | codes)


@dataclass(frozen=True)
class SharedPrograms:
    """The programs of several worlds in one page, and the heights of their hills, each by a digest of it."""

    codes: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def encoded_world(
        self, state: State, numbers: NDArray[Any], film: Film, speed: float | None, genes: GeneSettings = NO_GENES
    ) -> str:
        """Return a world as text without its programs, which are added to these.

        state: its first state; numbers: its inputs (rows, 1); film: film of its run; speed: in multiples of real time;
        None: a speed that follows from the size of the figure; genes: see GeneSettings.
        """
        size, first = frame_film(film).size, State(state.world, state.rows.copy())
        live = live_world(first, numbers, grab=True, parameters=genes.parameters)
        return self.encoded_live(
            live, playback(size, speed) | interaction_data(live.numbered_world, size, grab=True), genes
        )

    def encoded_live(self, live: LiveWorld, about: Mapping[str, Any], genes: GeneSettings = NO_GENES) -> str:
        """Return worlds as text without their programs, which are added to these.

        about: further data that describe the page, as interaction_data() returns; genes: see GeneSettings.
        """
        description, arrays, modules = _world_data(live, about, genes, sees_contacts=False, repeats=False)
        shared = {name: module.code for name, module in modules.items()} | {"heights": arrays.pop("heights")}
        digests = {name: sha256(code).hexdigest() for name, code in shared.items()}
        self.codes.update({digests[name]: code for name, code in shared.items()})
        return encode_arrays({**description, "codes": digests}, arrays)

    def text(self) -> str:
        """Return all programs as text."""
        return encode_arrays({}, self.codes)


def _world_data(
    live: LiveWorld, about: Mapping[str, Any], genes: GeneSettings, *, sees_contacts: bool = True, repeats: bool
) -> tuple[dict[str, Any], dict[str, bytes], dict[str, WasmModule]]:
    """Return the description of a page's worlds, their arrays, and their programs.

    sees_contacts: True for a program that observes contacts. Others: see encoded_world().
    """
    state = live.state
    more = dict.fromkeys(live.number_names[len(live.numbers) :], 0.0)
    world_data = world_description(live.engine, state, live.numbers, genes.sliders, more)
    sees_contacts = sees_contacts and bool(world_data["contactsOf"]["links"])
    programs = _programs(live, pulled=bool(about["hand"]), sees_contacts=sees_contacts, repeats=repeats)
    modules = {name: stored_module(spec, live.engine.precision) for name, (_, spec) in programs.items()}
    if genes.growth is not None:  # in float64, whose results have the rounding of the numbers in Python
        modules["genes"] = wasm_module(genes.growth.spec, uniform=True)
    grid, heights = (None, b"") if live.hilly is None else hills_data(live.engine.world, state, live.size)
    description: dict[str, Any] = {
        **{name: module.description() for name, module in modules.items()},
        "programs": list(modules),
        **world_data,
        "facts": _facts(live.engine.world, modules["advance"]),
        "inputSources": {"genes": [], **{name: live.input_sources(engine) for name, (engine, _) in programs.items()}},
        "growth": None if genes.growth is None else genes.growth.data(),
        "disturbing": live.disturbing,
        "hilly": [name for name, (engine, _) in programs.items() if live.is_hilly(engine)],
        "layouts": cache_layouts(live.undisturbed),
        "grid": grid,
        **about,
    }
    tables = live.engine.tables
    arrays = {
        "state": state.rows[:, 0],
        "numbers": [*live.numbers[:, 0], *more.values()],
        "table": tables[0] if tables else [],
    }
    content = {name: np.asarray(array, "<f8").tobytes() for name, array in arrays.items()}
    return description, {**content, "heights": heights}, modules


def _programs(
    live: LiveWorld, *, pulled: bool, sees_contacts: bool, repeats: bool
) -> dict[str, tuple[Engine, ProgramSpec]]:
    """Return the programs of a page by name, each with its engine.

    pulled: True for a program with the response to the hand. Others: see _world_data().
    """
    engines = {"advance": live.undisturbed}
    if live.engine is not live.undisturbed:
        engines["disturbed"] = live.engine
    if live.hilly is not None:
        engines[HILLS] = live.hilly
    engines |= larger_engines(engines) if repeats else {}
    programs = {name: (engine, engine.advance_spec) for name, engine in engines.items()}
    programs["observe"] = (live.observed, live.observed.observe_spec)
    if pulled:
        spec = live.engine.observer_spec("wrench accelerations", observe_wrench_accelerations, ())
        programs["respond"] = (live.engine, spec)
    if sees_contacts:
        programs["contacts"] = (live.observed, live.observed.observer_spec("contacts", contact_points, ()))
    return programs


def _facts(world: World, advance: WasmModule) -> str:
    """Return a caption about the world in the page."""
    size = f"{world.figure.nv} degrees of freedom, {advance.operations:,} operations a step"
    return f"computed in this page: {size}, {len(advance.code) / 1e3:,.0f} kB of WebAssembly"
