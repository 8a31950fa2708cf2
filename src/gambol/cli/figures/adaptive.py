"""The command `gambol run` of a figure with adaptive dynamics."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from gambol.cli.figures import results
from gambol.cli.figures.run_request import DEFAULT_SECONDS, PreparedRun, RunRequest, request_summary
from gambol.contact import Penalty, Stepping
from gambol.errors import GambolError
from gambol.world import Film, State
from gambol.world.adaptive import adaptive_dynamics, adaptive_film
from gambol.world.run import Progress

USED = ("file", "seconds", "step", "ground", "spacing", "seed", "reading", "adaptive", "active_joints")
"""The options that a run with adaptive dynamics uses."""

CONTACTS = (("contact", Penalty.name), ("contact", Stepping.name))
"""The contact methods: compliant contacts and soft joint limits, or rigid contacts and hard limits."""

FILM_RATE = 60.0  # frames/s
DEFAULT_STEP = 1e-3  # s
ALL_ACTIVE = "adaptive dynamics: all joints are active; to hold some, give a bound above 0, or fewer joints"
TOO_SMALL = (
    "adaptive dynamics: all joints are active, since the figure is so small that a bound would save no time; to hold "
    "some, give --active-joints"
)
NOTE = "adaptive dynamics: links do not touch each other, and do not grip the ground"


def check_adaptive_options(request: RunRequest) -> None:
    """Raise GambolError, with the name of the option, for options that adaptive dynamics does not use."""
    defaults = asdict(RunRequest(request.file))
    for key, value in asdict(request).items():
        if key not in USED and value != defaults[key] and (key, value) not in CONTACTS:
            raise GambolError(
                f"--{key.replace('_', '-')}: adaptive dynamics does not use it; leave it out, or leave out "
                "--adaptive and --active-joints"
            )


def prepare_adaptive(request: RunRequest, state: State, add_scenery: Callable[[Film], Film]) -> PreparedRun:
    """Return the run of a figure with adaptive dynamics.

    state: initial state of its world. add_scenery: returns a film with scenery. Raises GambolError for figures and
    numbers that do not suit.
    """
    grip = {} if isinstance(state.world.method, Stepping) else {"grip": "none"}
    surface = replace(state.world.surface, feet=(), **grip)
    world = replace(state.world, pairs=(), sensors={}, surface=surface)
    try:
        motion = adaptive_dynamics(world, error=request.adaptive, joints=request.active_joints)
    except GambolError as error:
        raise GambolError(f"{request.file.name}: {error}") from error
    motion.start(state.q[0], state.v[0])
    seconds, step = request.seconds or DEFAULT_SECONDS, request.step or DEFAULT_STEP
    ground = world.ground if world.has_ground else None

    def simulate(progress: Progress) -> Film:
        return add_scenery(adaptive_film(motion, seconds, step=step, rate=FILM_RATE, ground=ground, progress=progress))

    def summary(film: Film) -> dict[str, Any]:
        active, error = (film.signals[name][:, 0] for name in ("active_joints", "held_error"))
        told = {
            "joints": motion.joint_count,
            "mean_active_joints": float(np.mean(active)),
            "largest_held_error": float(error.max()),
        }
        return request_summary(request) | results.film_summary(film) | {"adaptive": told}

    all_active = TOO_SMALL if request.adaptive else ALL_ACTIVE
    notes = (NOTE,) if motion.adapts else (NOTE, all_active)
    reason = "adaptive dynamics is not computed in pages"
    return PreparedRun(request.file.stem, seconds, simulate, summary, reason, notes)
