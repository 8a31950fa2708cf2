"""A page that simulates a world: one .html file with the world's programs as WebAssembly, which needs no network.

Its programs compute control steps of the world, with and without disturbances, poses and contacts, and the response of
bodies to the force of the hand that grabs them. A worker runs them, in `worker.js`. The page draws with the player of
films, to which it gives a film of one frame.
"""

import html
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.lanes import Precision
from gambol.lanes.wasm import stored_module
from gambol.view.live.disturbance import live_world
from gambol.view.live.encoded import encoded_segments, encoded_world, worker_script
from gambol.view.live.gene_settings import NO_GENES, GeneSettings
from gambol.view.live.interaction import interaction_data, playback
from gambol.view.live.segments import LiveSegment, placed_segments
from gambol.view.live.template_film import film_of_world
from gambol.view.page import encode_film
from gambol.view.scene.framing import frame_film
from gambol.view.still import posture_film
from gambol.view.template import WORKER_SOURCES, fill_template
from gambol.world import Engine, Film, State, World, start
from gambol.world.film import FilmMatter, FilmMuscle
from gambol.world.film_attachments import film_attachments
from gambol.world.film_paths import film_muscles, film_paths
from gambol.world.record import film_ground


def write_live_page(
    world: World,
    path: str | Path,
    *,
    state: State | None = None,
    numbers: NDArray[Any] | None = None,
    speed: float | None = None,
    grab: bool = True,
    hills: bool = True,
    film: Film | None = None,
    source: Mapping[str, Any] | None = None,
    genes: GeneSettings = NO_GENES,
    note: str = "",
    repeats: bool = True,
    segments: Sequence[LiveSegment] = (),
) -> Path:
    """Write one .html file that simulates a world: the page itself computes the motion. Returns the path.

    world: the world; path: path of the file; state: the first state, of one world (None: the result of start());
    numbers: inputs of the world, (rows, 1), see Engine.numbers() (None: the default inputs); speed: 1 for real time,
    0.1 for ten times slower (None: from the figure's size); grab: True if bodies can be grabbed and the ground tilted:
    then the page has a second program with a wrench on every link, see External.wrenches, and gravity as a vector,
    which is used while a body is grabbed or the ground is tilted; hills: True for a third program, of the world on
    hills, if it stands on level ground at height 0; film: film of a run of the world from this state,
    whose first world can be shown over the figure or played alone; the page uses its name, shapes and ground; source:
    origin of the world, which is stored in the files of changed numbers that the page saves, see number_file.py; genes:
    further sliders, see gene_setting(); note: a caption about what the page simulates; repeats: True if
    control steps with more contacts than the capacity are repeated with twice the capacity, as run() does; segments:
    parts of a run whose world a script changed, the first of which begins with `state`, see segments.py. The page
    computes in the precision of the state, with the same bits as a run on a processor. Scripts can drive it, see
    docs/use/live.md.
    Raises GambolError for a speed that is not positive, for several worlds, for numbers of another shape, for a film of
    other links, for a figure with nothing to draw, and for a folder that cannot be written to.
    """
    if speed is not None and not speed > 0.0:
        raise GambolError(f"speed is {speed}; it must be positive (1 is real time)")
    first = start(world) if state is None else State(world, state.rows.copy())
    live = live_world(first, numbers, grab, hills=hills, parameters=genes.parameters)
    film = None if film is None else film_of_world(film, live.state, live.numbers)
    _check_scene(first, film)
    posture = first_posture(first, film, [each.state.world for each in segments[1:]])
    size = frame_film(posture).size
    placed = placed_segments(segments, hills=hills) if len(segments) > 1 else []
    about: dict[str, Any] = {
        **playback(size, speed),
        **interaction_data(live.numbered_world, size, grab),
        "source": source,
        "note": note,
    }
    parts = {
        "film": encode_film(posture, speed=about["speed"]),
        "recording": "" if film is None else encode_film(film, [0]),
        "live": encoded_segments(placed, size, about) if placed else encoded_world(live, about, genes, repeats=repeats),
        "worker": worker_script(),
    }
    text = fill_template("live", {"title": html.escape(printable(posture.name)), **parts}, WORKER_SOURCES)
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return Path(path)


def step_operations(world: World, precision: Precision = "float64") -> int:
    """Return the number of operations of a control step of a world: the number for the largest program of its page."""
    return stored_module(Engine(world, precision).advance_spec, precision).operations


def first_posture(state: State, film: Film | None, later: Sequence[World] = ()) -> Film:
    """Return a film of one frame: the first frame of the film's first world, or else the state.

    It has the name of the film, if there is one, the muscles of the state, and all attachments, also those of later
    worlds with the same links.
    """
    if film is None:
        posture = posture_film(state.world.figure, state.q[0].tolist())
        posture = replace(posture, ground=film_ground(state.world.ground))
    else:
        posture = film.of_worlds([0]).at_times(film.time[:1])
    attachments: dict[str, FilmMatter] = {}
    for world in (state.world, *later):
        intact = {"intact": np.ones((1, 1, len(world.external.attachments)))}
        attachments |= {each.name: each for each in film_attachments(world, replace(posture, signals=intact))}
    return replace(posture, signals={}, events=(), matter=(*_muscles(state), *attachments.values()))


def _muscles(state: State) -> tuple[FilmMuscle, ...]:
    """Return the muscles of a state of one world, as a film of one frame has them."""
    if not film_paths(state.world):
        return ()
    paths = Engine(state.world, state.precision).observe(state).paths
    return film_muscles(state.world, np.array(paths)[:, 0].reshape(1, 1, -1))


def _check_scene(state: State, film: Film | None) -> None:
    """Raise GambolError for a state of several worlds, and for a film of other links than those of its world."""
    if state.rows.shape[1] != 1:
        raise GambolError(f"a live page has one world; this state has {state.rows.shape[1]}")
    links = tuple(link.name for link in state.world.figure.links)
    if film is not None and film.link_names != links:
        raise GambolError(f"the film shows {', '.join(film.link_names)}; the links of the world are {', '.join(links)}")
