"""Runs of scenes to films."""

import warnings
from collections.abc import Callable

import numpy as np

from gambol.errors import WorldError
from gambol.matter.scene.film import scene_film
from gambol.matter.scene.scene import Scene
from gambol.matter.scene.state import SceneState
from gambol.world import Film
from gambol.world.run import StoppedWarning, marked_interrupted, stop_of
from gambol.world.step import RUNNING

RATE = 60.0
"""Frames per simulated second; each frame contains all points of meshes and all particles."""


def run_scene(
    scene: Scene,
    state: SceneState,
    seconds: float,
    *,
    rate: float = RATE,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Film, SceneState]:
    """Return the film of a scene, and its last state, from which it can be continued.

    scene: the scene. state: initial state, see Scene.start(). seconds: time to simulate [s]. rate: frames per second; a
    frame lasts a whole number of control steps, one or more. progress(done, frames): called after every frame. Ctrl-C
    ends the run early, with a StoppedWarning, see was_interrupted(). Raises WorldError for a time and a rate that are
    not above 0.
    """
    states, completed = scene_states(scene, state, seconds, rate=rate, progress=progress)
    film = scene_film(scene, states)
    return (film if completed else marked_interrupted(film, seconds)), states[-1]


def scene_states(
    scene: Scene,
    state: SceneState,
    seconds: float,
    *,
    rate: float = RATE,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[SceneState], bool]:
    """Return the states of a scene, one for each frame, and False if Ctrl-C ended the run; see run_scene()."""
    control_step = scene.world.timing.control_step
    if not (0.0 < seconds < np.inf and 0.0 < rate < np.inf):
        raise WorldError(f"a run of {seconds} s with {rate} frames per second is not possible")
    every = max(1, round(1.0 / (rate * control_step)))
    frames = max(1, round(seconds / (every * control_step)))
    states, completed = [state], True
    try:
        for done in range(1, frames + 1):
            for _ in range(every):
                state = scene.step(state)
            states.append(state)
            if progress:
                progress(done, frames)
            if state.figure.step_state.clock.status > RUNNING:
                warnings.warn(str(stop_of(state.figure, 0)), StoppedWarning, stacklevel=2)
                break
    except KeyboardInterrupt:
        completed = False
    return states, completed
