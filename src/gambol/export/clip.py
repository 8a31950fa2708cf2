"""A clip: the motion of one world of a film at the frame rate and in the unit of a file."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure.color import rgb_values
from gambol.view.scene.look import link_looks, shape_colors
from gambol.world.film import Film, FilmMatter, FilmShape
from gambol.world.film.large import large_array, pieces

Array = NDArray[np.float64]

MAX_RATE = 240.0
"""The default frame rate of a file [frames/s]; films with lower rates keep their rate."""


Y_UP = np.array([np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0])
"""The rotation from z up to y up, -90 degrees about x, as a quaternion (w, x, y, z)."""


@dataclass(frozen=True)
class Clip:
    """The motion of L links in F frames.

    name: name of the film. rate [frames/s]: frame k is exactly at the time k / rate. position (F, L, 3): position of
    each link in the world, z up, in the unit of the file. quaternion (F, L, 4): its orientation (w, x, y, z), of norm
    1, with signs that do not jump from frame to frame. links: unique names of the links. parents: index, or -1 for a
    root. shapes: shapes, with lengths in m. colors: colours of links, as (red, green, blue) in 0 to 1 (sRGB). drawn:
    drawn shapes, visuals first, see Film.drawn; drawn_colors: their colours; visuals: number of visuals among them.
    scale: scale of lengths. matter: meshes, particles and muscles in these frames, with lengths in m.
    """

    name: str
    rate: float
    position: Array
    quaternion: Array
    links: tuple[str, ...]
    parents: tuple[int, ...]
    shapes: tuple[FilmShape, ...]
    colors: tuple[tuple[float, float, float], ...]
    drawn: tuple[FilmShape, ...]
    visuals: int
    drawn_colors: tuple[tuple[float, float, float], ...]
    scale: float
    matter: tuple[FilmMatter, ...] = ()

    @property
    def time(self) -> Array:
        """The time of each frame, from 0 on [s]."""
        return np.arange(len(self.position)) / self.rate

    @cached_property
    def local(self) -> tuple[Array, Array]:
        """Position and quaternion of each link in its parent's frame; those of a root are in the world."""
        p, q = large_array(self.position.shape), large_array(self.quaternion.shape)
        for piece in self.pieces():
            position, quaternion = self.position[piece], self.quaternion[piece]
            p[piece], q[piece] = position, quaternion
            for k, parent in enumerate(self.parents):
                if parent >= 0:
                    back = conjugate(quaternion[:, parent])
                    p[piece, k] = rotated(back, position[:, k] - position[:, parent])
                    q[piece, k] = product(back, quaternion[:, k])
            q[piece] = steady(q[piece], q[piece.start - 1] if piece.start else None)
        return p, q

    def pieces(self) -> Iterator[slice]:
        """Yield slices of the frames, in order, each to be processed at once."""
        return pieces(len(self.position), 7 * len(self.links))


@dataclass(frozen=True)
class RootMotion:
    """The path of a creature on the ground.

    position (F, 3), with z = 0, in the file's unit; quaternion (F, 4) about z.
    """

    position: Array
    quaternion: Array


def split_root_motion(clip: Clip) -> tuple[Clip, RootMotion]:
    """Return a clip in which the root stays above the origin with its first heading, and the removed motion.

    The removed motion is that of the first link: its position on the ground, and its rotation about z since the first
    frame. A pose of the clip, moved and turned by the removed motion, equals the pose of the film.
    """
    travel, rotation = clip.position[:, 0] * (1.0, 1.0, 0.0), np.empty((len(clip.position), 4))
    position, quaternion = large_array(clip.position.shape), large_array(clip.quaternion.shape)
    for piece in clip.pieces():
        q, before = clip.quaternion[piece], piece.start - 1
        first = np.broadcast_to(conjugate(clip.quaternion[0, 0]), q[:, 0].shape)
        change = product(q[:, 0], first) * (1.0, 0.0, 0.0, 1.0)  # the rotation about z that is nearest to the change
        norm = np.linalg.norm(change, axis=-1, keepdims=True)
        unit = np.where(norm > 1e-9, change / np.maximum(norm, 1e-9), (1.0, 0.0, 0.0, 0.0))
        rotation[piece] = steady(unit, rotation[before] if piece.start else None)
        back = np.broadcast_to(conjugate(rotation[piece])[:, None], q.shape)
        position[piece] = rotated(back, clip.position[piece] - travel[piece, None])
        quaternion[piece] = steady(product(back, q), quaternion[before] if piece.start else None)
    return replace(clip, position=position, quaternion=quaternion), RootMotion(travel, rotation)


def clip_of(film: Film, *, rate: float | None = None, scale: float = 1.0) -> Clip:
    """Return a clip of the first world of a film.

    rate: frames per second of simulated time; None: the rate of the film, at most MAX_RATE. scale: scale of lengths.
    Raises GambolError for a film without frames, and for a rate or scale of 0 or less.
    """
    if not 0.0 < scale < np.inf:
        raise GambolError(f"a scale of {scale} is impossible; give more than 0, such as 100 for centimetres")
    if not len(film.time):
        raise GambolError(f'film "{film.name}" has no frames to export')
    if rate is not None and not 0.0 < rate < np.inf:
        raise GambolError(f"a file cannot have {rate} frames per second; give more than 0")
    first_world = replace(film.of_worlds([0]), signals={}, events=())
    own_rate = (len(film.time) - 1) / film.duration if film.duration else 1.0
    chosen = min(own_rate, MAX_RATE) if rate is None else rate
    sampled = first_world.at_rate(chosen)
    position, quaternion = large_array(sampled.position[:, 0].shape), large_array(sampled.quaternion[:, 0].shape)
    for piece in pieces(len(sampled.time), 7 * len(film.link_names)):
        q = sampled.quaternion[piece, 0]
        unit = q / np.linalg.norm(q, axis=-1, keepdims=True)
        position[piece] = sampled.position[piece, 0] * scale
        quaternion[piece] = steady(unit, quaternion[piece.start - 1] if piece.start else None)
    return Clip(
        name=film.name,
        rate=chosen,
        position=position,
        quaternion=quaternion,
        links=_distinct(film.link_names),
        parents=film.parents or (-1,) * len(film.link_names),
        shapes=film.shapes,
        colors=tuple(rgb_values(each.color) for each in link_looks(film)),
        drawn=film.drawn,
        visuals=len(film.visuals),
        drawn_colors=tuple(rgb_values(color) for color in shape_colors(film)),
        scale=scale,
        matter=sampled.matter,
    )


def steady(q: Array, before: Array | None = None) -> Array:
    """Return quaternions (F, ..., 4) with signs nearest to the previous frame; q and -q are the same rotation.

    before (..., 4): the frame before the first; None: the first keeps its signs.
    """
    last = q[:1] if before is None else before[None]
    turned = np.sum(q * np.concatenate([last, q[:-1]]), axis=-1, keepdims=True) < 0.0
    return np.where(np.cumsum(turned, axis=0) % 2 == 1, -q, q)


def conjugate(q: Array) -> Array:
    """Return the inverse of unit quaternions (..., 4)."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def product(a: Array, b: Array) -> Array:
    """Return the product of quaternions (..., 4): rotation by b, then by a."""
    aw, av, bw, bv = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    w = aw * bw - np.sum(av * bv, axis=-1, keepdims=True)
    return np.concatenate([w, aw * bv + bw * av + np.cross(av, bv)], axis=-1)


def rotated(q: Array, x: Array) -> Array:
    """Return vectors x (..., 3) rotated by unit quaternions q (..., 4)."""
    w, v = q[..., :1], q[..., 1:]
    t = 2.0 * np.cross(v, x)
    return x + w * t + np.cross(v, t)


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names; a number is added to names that are empty or were used before."""
    used: set[str] = set()
    result: list[str] = []
    for k, name in enumerate(names):
        own = name if name and name not in used else f"{name or 'link'}.{k}"
        used.add(own)
        result.append(own)
    return tuple(result)
