"""Framing of a film for a camera: size, path and heading of its figures, and offsets between many worlds."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure.shapes.hollow import height_field_of
from gambol.view.scene.look import link_looks, playback_rate
from gambol.view.scene.pose import rotation
from gambol.world.film import Film, FilmGround

Array = NDArray[np.float64]
MAX_SMOOTHING_SHARE = (
    0.1  # the camera's target is averaged over this share of the film to either side, at most SMOOTHING_TIME
)
SMOOTHING_TIME = 1.2  # [s] of playback time: about one stride, so that sway does not shake the camera

SAMPLES = 24  # number of frames sampled to find the space that a figure moves in
LANE = 1.2  # sizes of hilly ground drawn to either side of a world that is offset beside others


@dataclass(frozen=True)
class Framing:
    """The framing of a film for a camera.

    size: longest side of the figure with its legs in the first frame, or, if its root does not move, of the space that
    it moves in [m]; length: longest side of its trunk [m];
    path (F, W, 3): its smoothed centre [m];
    offsets (W, 3): to be added to each world's positions [m] so that no two figures overlap;
    heading: unit vector of the first figure's forward direction, in the ground plane.
    """

    size: float
    length: float
    path: Array
    offsets: Array
    heading: Array


def frame_film(film: Film) -> Framing:
    """Return the framing of a film. Raises GambolError for a film with nothing to draw or with non-finite poses."""
    require_drawable(film)
    whole = range(len(film.link_names))
    trunk = [i for i, each in enumerate(link_looks(film)) if each.leg is None]
    anchored = len(film.time) > 1 and not np.ptp(film.position[:, :, 0], axis=0).any()
    low, high = _bounds(film, whole, np.linspace(0, len(film.time) - 1, SAMPLES).astype(int) if anchored else (0,))
    size, length = _longest(low, high), _longest(*_bounds(film, trunk or whole))
    forward = rotation(film.quaternion[0, 0, 0])[:, 0].copy()
    forward[2] = 0.0
    norm = float(np.linalg.norm(forward))
    heading = forward / norm if norm > 1e-6 else np.array([1.0, 0.0, 0.0])
    middle = (low + high) / 2.0
    moving = np.broadcast_to(middle, film.position[:, :, 0].shape) if anchored else _middles(film, middle)
    path = _smoothed(moving, film.duration, SMOOTHING_TIME * playback_rate(size))
    return Framing(size, length or size, path, _offsets(film, path, size), heading)


def require_drawable(film: Film) -> None:
    """Raise GambolError if there is nothing to draw, or if a pose is not finite (with the world and the time)."""
    if not len(film.time) or not film.worlds or not film.link_names or not film.shapes:
        raise GambolError(
            f'film "{film.name}" has {len(film.time)} frames, {film.worlds} worlds, {len(film.link_names)} links and '
            f"{len(film.shapes)} shapes; a picture needs at least one of each"
        )
    bad = ~(np.isfinite(film.position).all(axis=(2, 3)) & np.isfinite(film.quaternion).all(axis=(2, 3)))
    if bad.any():
        frame, world = np.argwhere(bad)[0]
        raise GambolError(
            f'film "{film.name}": world {world} is not finite from t = {film.time[frame]:.6g} s on; '
            "cut it off with film.between(start, end) or draw others with film.of_worlds([...])"
        )


def near_path(ground: FilmGround, framing: Framing, reach: float) -> FilmGround:
    """Return the part of a height grid within reach figure sizes of the paths; all of it if they are off the grid."""
    if ground.heights is None:
        return ground
    margin = reach * framing.size
    spans: list[slice] = []
    for axis, start in enumerate((ground.x0, ground.y0)):
        cells = (framing.path[..., axis].min() - margin - start, framing.path[..., axis].max() + margin - start)
        first, last = np.clip(np.array(cells) / ground.spacing, 0, ground.heights.shape[axis] - 1)
        spans.append(slice(int(first), int(np.ceil(last)) + 1))
    heights = ground.heights[spans[0], spans[1]]
    if min(heights.shape) < 2:
        return ground
    x0, y0 = (start + ground.spacing * span.start for start, span in zip((ground.x0, ground.y0), spans, strict=True))
    return FilmGround(heights, x0, y0, ground.spacing)


def _longest(low: Array, high: Array) -> float:
    """Return the longest side of a box [m]; 0 for an empty box."""
    return float(np.max(high - low)) if np.isfinite(low).all() else 0.0


def _bounds(film: Film, links: Iterable[int], frames: Iterable[int] = (0,)) -> tuple[Array, Array]:
    """Return the lowest and highest corner of the bounding box of these links in some frames of the first world [m]."""
    low, high, chosen = np.full(3, np.inf), np.full(3, -np.inf), set(links)
    for frame, shape in product(frames, film.shapes):
        if shape.link in chosen:
            R = rotation(film.quaternion[frame, 0, shape.link])
            centre = film.position[frame, 0, shape.link] + R @ np.array(shape.position)
            reach = np.abs(R @ rotation(np.array(shape.quaternion))) @ half_extent(shape.kind, shape.size)
            low, high = np.minimum(low, centre - reach), np.maximum(high, centre + reach)
    return low, high


def lowest(film: Film) -> float:
    """Return the lowest height of any shape in any frame of any world [m]."""
    heights: list[float] = []
    for shape in film.shapes:
        R = rotation(np.moveaxis(film.quaternion[:, :, shape.link], -1, 0))[2]  # (3, F, W): how high each axis points
        inside = rotation(np.array(shape.quaternion))
        middle = film.position[:, :, shape.link, 2] + np.tensordot(np.array(shape.position), R, 1)
        reach = np.tensordot(half_extent(shape.kind, shape.size), np.abs(np.tensordot(inside.T, R, 1)), 1)
        heights.append(float((middle - reach).min()))
    return min(heights)


def half_extent(kind: str, size: tuple[float, ...]) -> Array:
    """Return half the edges [m] of the bounding box of a shape that is centred at, and aligned with, its frame."""
    match kind:
        case "box":
            return np.array(size) / 2.0
        case "sphere":
            return np.full(3, size[0])
        case "ellipsoid":
            return np.array(size)
        case "hull":
            return np.abs(np.reshape(size, (-1, 3))).max(axis=0)
        case "height_field":
            low, high = height_field_of(size).bounds
            return np.abs([low, high]).max(axis=0)
        case "capsule":
            return np.array([size[0], size[0], size[0] + size[1] / 2.0])
        case "slab":
            return np.array([size[0] / 2.0, size[1] / 2.0, 0.0]) + size[2]
        case _:
            r = max(size[:-1])
            return np.array([r, r, size[-1] / 2.0])


def _middles(film: Film, middle: Array) -> Array:
    """Return the paths (F, W, 3) of the point of the root link that is at the given middle in the first frame."""
    inside = rotation(film.quaternion[0, 0, 0]).T @ (middle - film.position[0, 0, 0])
    turns = rotation(np.moveaxis(film.quaternion[:, :, 0], -1, 0))  # (3, 3, F, W)
    arms: Array = np.einsum("ij...,j->...i", turns, inside)
    return film.position[:, :, 0] + arms


def _smoothed(path: Array, duration: float, time: float) -> Array:
    """Return a path (F, W, 3) averaged over some time [s] to either side with a triangular window."""
    if len(path) < 3 or not duration:
        return path
    window = int(min(time, MAX_SMOOTHING_SHARE * duration) / duration * (len(path) - 1))
    if window < 1:
        return path
    weights = np.bartlett(2 * window + 3)[1:-1]
    weights /= weights.sum()
    slope = (path[-1] - path[0]) / (len(path) - 1)  # extend the ends at mean speed, lest the camera lag there
    ends = slope * np.arange(1, window + 1)[:, None, None]
    padded = np.concatenate([path[0] - ends[::-1], path, path[-1] + ends])
    smoothed = np.empty_like(path)
    for world, axis in np.ndindex(path.shape[1:]):
        smoothed[:, world, axis] = np.convolve(padded[:, world, axis], weights, mode="valid")
    return smoothed


def _offsets(film: Film, path: Array, size: float) -> Array:
    """Return zeros if the worlds start at a distance from each other; else offsets along y, a lane for each world."""
    W = film.worlds
    offsets = np.zeros((W, 3))
    apart = np.linalg.norm(path[0, :, None] - path[0, None], axis=-1) + np.diag(np.full(W, np.inf))
    if W > 1 and apart.min() < size:
        width = 1.5 * size if film.ground.heights is None else float(np.ptp(path[..., 1])) + 2.0 * LANE * size
        offsets[:, 1] = width * (np.arange(W) - (W - 1) // 2)
    return offsets
