"""Recording of particles for films."""

import numpy as np
from numpy.typing import NDArray

from gambol.matter.particles.emitter import Emitter
from gambol.matter.particles.state import ROWS, ParticleState
from gambol.matter.particles.system import ParticleSystem
from gambol.world.film import FilmParticles

MIN_LIFE = 1e-9
"""Minimum lifetime in a fraction of life [s], so that no divisor is 0."""


class ParticleRecorder:
    """Records the states of a particle system, one for each frame of a film."""

    def __init__(self, system: ParticleSystem) -> None:
        self._emitters = list(system.emitters.items())
        self._frames: list[ParticleState] = []

    def add(self, state: ParticleState) -> None:
        """Record a frame."""
        self._frames.append(state)

    def matter(self, world: int = 0) -> tuple[FilmParticles, ...]:
        """Return the particles of all frames, an entry for each emitter that has some. world: index in the film."""
        recorded = (_of_kind(name, each, k, self._frames, world) for k, (name, each) in enumerate(self._emitters))
        return tuple(each for each in recorded if len(each.points))


def _of_kind(name: str, emitter: Emitter, kind: int, frames: list[ParticleState], world: int) -> FilmParticles:
    """Return the particles of one emitter in all frames."""
    rows = [state.rows[:, state.kind == kind] for state in frames]
    counts = [part.shape[1] for part in rows]
    whole = np.concatenate(rows, axis=1)
    life = np.clip(whole[ROWS["age"]] / np.maximum(whole[ROWS["lifetime"]], MIN_LIFE), 0.0, 1.0)
    look = emitter.look
    colors: NDArray[np.uint8] = np.rint(255.0 * look.color(life)).astype(np.uint8)
    return FilmParticles(
        name,
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        whole[ROWS["position"]].T.astype(np.float32),
        whole[ROWS["velocity"]].T.astype(np.float32),
        colors,
        (whole[ROWS["radius"]] * look.size(life)).astype(np.float32),
        whole[ROWS["number"]].astype(np.int64),
        look.streak,
        look.glow,
        world,
    )
