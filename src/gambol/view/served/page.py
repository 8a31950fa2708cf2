"""The page of a live view: a live page whose world is in the program that serves the page."""

import html
from typing import Any

import numpy as np

from gambol.errors import printable
from gambol.view.live.interaction import playback
from gambol.view.page import encode_arrays, encode_film
from gambol.view.served.simulation import Simulation
from gambol.view.template import SERVER_SOURCES, fill_template


def shown_page(simulation: Simulation, speed: float | None) -> tuple[str, float]:
    """Return the text of the page, and its speed in multiples of real time.

    speed: the speed; None: a speed that follows from the figure's size.
    """
    world, posture, hills = simulation.engine.world, simulation.posture, simulation.programs.hills
    simulation.description |= (about := playback(simulation.size, speed))
    description: dict[str, Any] = {
        **simulation.description,
        "programs": [],
        "facts": f"computed by the program that shows it: {world.figure.nv} degrees of freedom",
        "served": True,
        "grid": None if hills is None else hills.grid,
    }
    numbers = np.ascontiguousarray(simulation.numbers[:, 0], "<f8").tobytes()
    content = {"numbers": numbers, "heights": b"" if hills is None else hills.heights}
    parts = {
        "film": encode_film(posture, speed=about["speed"]),
        "recording": "",
        "live": encode_arrays(description, content),
        "worker": "",
    }
    return fill_template("live", {"title": html.escape(printable(posture.name)), **parts}, SERVER_SOURCES), about[
        "speed"
    ]
