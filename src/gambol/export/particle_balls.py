"""Particles of a clip as balls, for formats without particles: nodes that represent one particle after another.

A ball has the position and the radius of its particle. The radius is constant between two frames, and 0 without a
particle. So a particle that ends moves on at its velocity until the next frame, as in the film. Then the ball is unseen
for at least one frame, before it represents another particle elsewhere. A ball has one colour: a particle whose rounded
colour changes is another ball from that frame on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.world.film import FilmMatter, FilmParticles

Float32 = NDArray[np.float32]
Color = tuple[int, int, int, int]

MAX_BALLS = 2000
"""Maximum number of balls of a clip: each is a node, and programs that draw them become slow with more."""

MAX_NUMBERS = 16_000_000
"""Maximum size of the array of all balls in all frames: 64 MB."""

COLOR_STEPS, OPACITY_STEPS = 32, 64
"""Steps to which colour and opacity of a particle, 0 to 255, are rounded, since each needs a material."""


@dataclass(frozen=True)
class Ball:
    """A ball. color: red, green, blue, opacity, 0 to 255. positions (F, 3), radii (F,): 0 where it is unseen [m]."""

    name: str
    color: Color
    positions: Float32
    radii: Float32


def balls_of(matter: Sequence[FilmMatter], rate: float) -> list[Ball]:
    """Return the balls of all particles, at most MAX_BALLS. rate: frames per second."""
    balls = [ball for each in matter if isinstance(each, FilmParticles) for ball in _balls(each, rate)]
    frames = max((len(ball.radii) for ball in balls), default=1)
    return balls[: min(MAX_BALLS, MAX_NUMBERS // (4 * frames))]


def _balls(particles: FilmParticles, rate: float) -> Iterator[Ball]:
    """Yield the balls of some particles, those of one colour after another."""
    frame, colors = np.repeat(np.arange(particles.frames), np.diff(particles.starts)), _rounded(particles.colors)
    order = np.argsort(particles.numbers, kind="stable")
    lives_on = (np.diff(particles.numbers[order]) == 0) & (np.diff(frame[order]) == 1)
    after = (particles.points + particles.velocities / rate).astype(np.float32)  # position in the next frame
    after[order[:-1][lives_on]] = particles.points[order[1:][lives_on]]
    changes = (np.diff(colors[order], axis=0) != 0).any(axis=1)
    rows = np.split(order, np.flatnonzero(changes | ~lives_on) + 1) if len(order) else []
    chains: dict[Color, list[list[NDArray[np.intp]]]] = {}
    for particle in sorted(rows, key=lambda particle: int(frame[particle[0]])):
        red, green, blue, opacity = colors[particle[0]].tolist()
        of_color = chains.setdefault((red, green, blue, opacity), [])
        free = next((chain for chain in of_color if frame[chain[-1][-1]] + 2 <= frame[particle[0]]), None)
        if free is None:
            of_color.append([particle])
        else:
            free.append(particle)
    for color, of_color in chains.items():
        for chain in of_color:
            yield _ball(particles, frame, after, color, chain)


def _rounded(colors: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return colours and opacities (N, 4) rounded to steps."""
    steps = np.array([COLOR_STEPS] * 3 + [OPACITY_STEPS])
    return np.minimum(np.rint(colors / steps) * steps, 255).astype(np.intp)


def _ball(
    particles: FilmParticles, frame: NDArray[np.intp], after: Float32, color: Color, chain: list[NDArray[np.intp]]
) -> Ball:
    """Return the ball that represents the particles of a chain, one after another.

    frame (N,): frame of each row of the particles. after (N, 3): position of each row's particle in the next frame [m].
    chain: rows of each particle.
    """
    F = particles.frames
    positions, radii = np.zeros((F, 3), np.float32), np.zeros(F, np.float32)
    free = 0  # first frame in which the ball no longer represents the previous particle
    for rows in chain:
        first, last = int(frame[rows[0]]), int(frame[rows[-1]])
        positions[free:first] = particles.points[rows[0]]
        positions[frame[rows]], radii[frame[rows]] = particles.points[rows], particles.radii[rows]
        positions[last + 1 :] = after[rows[-1]]
        free = last + 2
    return Ball(particles.name, color, positions, radii)
