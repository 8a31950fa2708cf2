"""A page on which several creatures live side by side: each has a program of its own, and all are drawn in one scene.

A creature is drawn in a scale and at a place of its own. What it does is what it does alone: creatures do not touch
each other. To keep the page small, there is one program for each creature, that of its world with a wrench on every
link, see with_wrenches(); a page of one creature has a second program without wrenches.
"""

import base64
import gzip
import html
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gambol.collide import Plane
from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.view.live.disturbance import LiveWorld
from gambol.view.live.encoded import SharedPrograms, worker_script
from gambol.view.live.hand import with_wrenches
from gambol.view.live.interaction import interaction_data, playback
from gambol.view.page import encode_film
from gambol.view.scene.framing import frame_film
from gambol.view.still import posture_film
from gambol.view.template import WORKER_SOURCES, fill_template
from gambol.world import Engine, Film, State
from gambol.world.film.side_by_side import Place, scaled_film, side_by_side

HISTORY_BYTES = 2**23
"""Memory for the earlier states of each creature: 51 s of a hound; for a longer time, every second state is kept."""


@dataclass(frozen=True)
class PlacedCreature:
    """A creature of the page.

    state: its first state, of one world on level ground. scale: factor by which it is drawn larger. place: x and y of
    the origin of its world in the scene [m]. summary: a short text.
    """

    state: State
    scale: float
    place: Place
    summary: str = ""


def write_side_by_side(title: str, creatures: Mapping[str, PlacedCreature], path: str | Path) -> Path:
    """Write one .html file in which creatures live side by side. Returns the path.

    title: of the page. creatures: by name; their worlds have the same control step. Scripts can drive the page, see
    docs/use/live.md. Raises GambolError for no creature, states of several worlds, different control steps, a scale
    that is not positive, worlds that are not on level ground, and a folder that cannot be written to.
    """
    _check(creatures)
    programs = SharedPrograms()
    worlds = [_encoded(each, programs) for each in creatures.values()]
    data = [
        {"name": name, "scale": each.scale, "place": each.place, "summary": each.summary}
        for name, each in creatures.items()
    ]
    parts = {
        "title": html.escape(printable(title)),
        "creatures": base64.b64encode(gzip.compress(json.dumps(data).encode(), 6, mtime=0)).decode(),
        "film": encode_film(first_film(title, creatures), speed=1.0),
        "worlds": "\n".join(
            f'<script type="text/plain" id="world{k}">{text}</script>' for k, text in enumerate(worlds)
        ),
        "programs": programs.text(),
        "worker": worker_script(),
    }
    text = fill_template("side_by_side", parts, WORKER_SOURCES)
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return Path(path)


def first_film(title: str, creatures: Mapping[str, PlacedCreature]) -> Film:
    """Return the first states of all creatures as a film of one frame, each in its scale and at its place."""
    scaled = {name: scaled_film(_posture(each.state), each.scale) for name, each in creatures.items()}
    return side_by_side(title, scaled, [each.place for each in creatures.values()])


def _posture(state: State) -> Film:
    return posture_film(state.world.figure, state.q[0].tolist())


def _encoded(creature: PlacedCreature, programs: SharedPrograms) -> str:
    """Return the world of a creature as text; its programs are added to those of the page."""
    world = with_wrenches(creature.state.world)
    engine = Engine(world, creature.state.precision)
    live = LiveWorld(engine, engine, None, State(world, creature.state.rows.copy()), engine.numbers())
    size = frame_film(_posture(creature.state)).size
    about: dict[str, Any] = {**playback(size, 1.0), **interaction_data(world, size, grab=True), "pose": None}
    return programs.encoded_live(live, about | {"historyBytes": HISTORY_BYTES})


def _check(creatures: Mapping[str, PlacedCreature]) -> None:
    """Raise GambolError for creatures that cannot be on one page."""
    if not creatures:
        raise GambolError("a page of creatures side by side needs at least one creature")
    for name, each in creatures.items():
        if each.state.rows.shape[1] != 1:
            raise GambolError(f'"{name}" is a state of {each.state.rows.shape[1]} worlds; give one world for each')
        if each.state.world.ground != Plane():
            raise GambolError(f'"{name}" is not on level ground, so it cannot be beside others')
    steps = {name: each.state.world.timing.control_step for name, each in creatures.items()}
    if len(set(steps.values())) > 1:
        raise GambolError(f"creatures on one page need the same control step [s]; theirs are {steps}")
