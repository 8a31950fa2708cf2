"""Where the figures of a film are: their size, their path, their heading, and places side by side for many worlds."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.view.scene.look import link_looks, playback_rate
from gambol.view.scene.pose import rotation
from gambol.world.film import Film, FilmGround

Array = NDArray[np.float64]
CALM = 0.1  # the followed point is averaged over this share of the film to either side, and at most CALM_TIME
CALM_TIME = (
    1.2  # [s] as watched at the figure's playback rate: about one stride, so that sway does not shake the camera
)


@dataclass(frozen=True)
class Framing:
    """What a camera needs to know of a film.

    size: the figure's longest side on the ground in the first frame, legs and all [m]; length: of its trunk [m];
    path (F, W, 3): its calm centre [m];
    offsets (W, 3): what to add to each world's positions [m] so that no two figures stand inside each other;
    heading: unit vector along which the first figure looks, in the ground plane.
    """

    size: float
    length: float
    path: Array
    offsets: Array
    heading: Array


def frame_film(film: Film) -> Framing:
    """Measure a film. One without frames, worlds, links or shapes, or with a number that is not finite: GambolError."""
    require_drawable(film)
    whole = range(len(film.link_names))
    trunk = [i for i, each in enumerate(link_looks(film)) if each.leg is None]
    size, length = _longest(film, whole), _longest(film, trunk or whole)
    forward = rotation(film.quaternion[0, 0, 0])[:, 0].copy()
    forward[2] = 0.0
    norm = float(np.linalg.norm(forward))
    heading = forward / norm if norm > 1e-6 else np.array([1.0, 0.0, 0.0])
    return Framing(
        size, length or size, _calm_path(film, CALM_TIME * playback_rate(size)), _offsets(film, size), heading
    )


def require_drawable(film: Film) -> None:
    """Raise GambolError if there is nothing to draw, or if a pose is not finite (naming the world and the time)."""
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
    """The part of a height grid within some sizes of where the figures went; all of it if they never were there."""
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


def _longest(film: Film, links: Iterable[int]) -> float:
    """Longest side, on the ground, of the box round the shapes of these links of the first world at first [m]."""
    low, high, chosen = np.full(3, np.inf), np.full(3, -np.inf), set(links)
    for shape in film.shapes:
        if shape.link in chosen:
            R = rotation(film.quaternion[0, 0, shape.link])
            centre = film.position[0, 0, shape.link] + R @ np.array(shape.position)
            reach = np.abs(R @ rotation(np.array(shape.quaternion))) @ half_extent(shape.kind, shape.size)
            low, high = np.minimum(low, centre - reach), np.maximum(high, centre + reach)
    return float(np.max((high - low)[:2])) if np.isfinite(low).all() else 0.0


def half_extent(kind: str, size: tuple[float, ...]) -> Array:
    """Half the edges [m] of the box round a shape, in the shape's frame."""
    match kind:
        case "box":
            return np.array(size) / 2.0
        case "sphere":
            return np.full(3, size[0])
        case "capsule":
            return np.array([size[0], size[0], size[0] + size[1] / 2.0])
        case _:
            r = max(size[:-1])
            return np.array([r, r, size[-1] / 2.0])


def _calm_path(film: Film, time: float) -> Array:
    """The mean of the links' positions, averaged over some time [s] to either side with a triangular window."""
    path = film.position.mean(axis=2)
    if len(film.time) < 3:
        return path
    step = film.duration / (len(film.time) - 1)
    window = int(min(time, CALM * film.duration) / step)
    if window < 1:
        return path
    weights = np.bartlett(2 * window + 3)[1:-1]
    weights /= weights.sum()
    slope = (path[-1] - path[0]) / (len(path) - 1)  # extend the ends at mean speed, lest the camera lag there
    ends = slope * np.arange(1, window + 1)[:, None, None]
    padded = np.concatenate([path[0] - ends[::-1], path, path[-1] + ends])
    flat = padded.reshape(len(padded), -1)
    calm = np.stack([np.convolve(flat[:, i], weights, mode="valid") for i in range(flat.shape[1])], axis=-1)
    return calm.reshape(path.shape)


def _offsets(film: Film, size: float) -> Array:
    """Zeros if the worlds start apart from each other; else a row across y, one ground's width or 1.5 sizes apart."""
    W = film.worlds
    offsets = np.zeros((W, 3))
    start = film.position[0].mean(axis=1)
    apart = np.linalg.norm(start[:, None] - start[None], axis=-1) + np.diag(np.full(W, np.inf))
    if W > 1 and apart.min() < size:
        heights = film.ground.heights
        width = 1.5 * size if heights is None else (heights.shape[1] - 1) * film.ground.spacing
        offsets[:, 1] = width * (np.arange(W) - (W - 1) // 2)
    return offsets
