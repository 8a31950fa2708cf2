"""Runs of particle systems to films: alone, and together with the figures of a film."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.matter.film import matter_film
from gambol.matter.particles.obstacles import motion_between
from gambol.matter.particles.record import ParticleRecorder
from gambol.matter.particles.state import ParticleState
from gambol.matter.particles.step import ParticleStepper
from gambol.matter.particles.system import ParticleSystem
from gambol.spatial import Quaternion, Vector
from gambol.world.film import Film

Array = NDArray[np.float64]
Events = Callable[[int], Mapping[str, Array]]
"""A function of a frame's index that returns the points of events in it, (n, 3) [m] by name of the emitter."""


def run_particles(
    system: ParticleSystem, seconds: float, *, rate: float = 60.0, substeps: int = 2, name: str = "particles"
) -> tuple[Film, ParticleState]:
    """Return a film of particles alone, and their last state.

    system: the emitters. seconds: time to simulate [s]. rate: frames per second. substeps: steps per frame. name: name
    of the film. Raises WorldError for times that are not positive, and for a system with a figure.
    """
    if not (seconds > 0.0 and rate > 0.0 and substeps > 0):
        raise WorldError(f"a run of {seconds} s with {rate} frames/s of {substeps} steps is not possible")
    if system.figure is not None:
        raise WorldError("these particles collide with a figure; give its film to with_particles()")
    frames = int(seconds * rate + 1e-9) + 1
    stepper, state, recorder = ParticleStepper(system), ParticleState(), ParticleRecorder(system)
    recorder.add(state)
    for _ in range(frames - 1):
        for _ in range(substeps):
            state = stepper.step(state, 1.0 / (rate * substeps)).state
        recorder.add(state)
    return matter_film(name, np.arange(frames) / rate, system.ground, recorder.matter()), state


def with_particles(
    film: Film, system: ParticleSystem, *, world: int = 0, events: Events | None = None, substeps: int = 1
) -> Film:
    """Return a film with particles that its figure touches and emits.

    film: film of the figure of the system. world: index of the figure's world. events: events of each frame; particles
    are born at them. substeps: steps per frame. The figure moves as in the film: the particles do not act on it. Raises
    WorldError for a film of another figure.
    """
    stepper = ParticleStepper(system)
    if film.link_names != stepper.obstacles.links:
        raise WorldError(f'film "{film.name}" does not show the figure that its particles hit: their links differ')
    state, recorder = ParticleState(), ParticleRecorder(system)
    recorder.add(state)
    for frame in range(len(film.time) - 1):
        event_points: Mapping[str, Array] = events(frame) if events else {}
        for emitter, points in event_points.items():
            if len(points):
                state = stepper.emit(state, emitter, points)
        h = float(film.time[frame + 1] - film.time[frame]) / substeps
        motion = motion_between(film, world, frame)
        for k in range(substeps):
            state = stepper.step(state, h, _moved(motion, k * h)).state
        recorder.add(state)
    return replace(film, matter=(*film.matter, *recorder.matter(world)))


def _moved(motion: Array, elapsed: float) -> Array:
    """Return the motion of links after some time at constant velocities [s]. motion (links, 13): see LINK_NUMBERS."""
    moved = motion.copy()
    moved[:, :3] += motion[:, 10:] * elapsed
    for row in moved:
        turned = Quaternion.exponential(Vector(*(row[7:10] * elapsed).tolist())) @ Quaternion(*row[3:7].tolist())
        row[3:7] = turned.components()
    return moved
