"""Framing of a film for a camera: size, path and heading of its figures, and offsets between many worlds."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure.shapes.hollow import height_field_from_sizes
from gambol.view.scene.look import link_looks, playback_rate
from gambol.view.scene.matter import matter_bounds, mesh_bounds
from gambol.view.scene.pose import rotation
from gambol.world.film import Film, FilmGround, FilmShape
from gambol.world.film.shapes import film_balls

Array = NDArray[np.float64]
MAX_SMOOTHING_FRACTION = 0.1  # of the film: largest half width of the window in which the camera's target is averaged
SMOOTHING_TIME = 1.2  # [s] of playback, for a long film: about one stride, so that sway does not shake the camera

SAMPLES = 24  # number of frames from which the bounding box of a figure's motion is found
MAX_SIZE_WITH_MESHES = 4.0  # largest size of a scene with meshes, in sizes of its figure
LANE_MARGIN = 1.2  # of uneven ground on either side of a world's lane, in figure sizes


@dataclass(frozen=True)
class Framing:
    """The framing of a film for a camera.

    size: longest side of the bounding box of the figure with its legs in the first frame [m], or in the whole motion if
    its root does not move; larger if there are meshes around the figure; length: longest side of its trunk [m]; path
    (F, W, 3): its smoothed centre [m]; offsets (W, 3): added to the positions of each world so that no two figures
    overlap [m]; heading: unit vector of the first figure's forward direction, in the ground plane.
    """

    size: float
    length: float
    path: Array
    offsets: Array
    heading: Array


def frame_film(film: Film) -> Framing:
    """Return the framing of a film. Raises GambolError for a film with nothing to draw or with non-finite poses."""
    require_drawable(film)
    all_links = range(len(film.link_names))
    trunk = [i for i, link_look in enumerate(link_looks(film)) if link_look.leg is None]
    root_is_fixed = len(film.time) > 1 and not np.ptp(film.position[:, :, 0], axis=0).any()
    low, high = _bounds(
        film, all_links, np.linspace(0, len(film.time) - 1, SAMPLES).astype(int) if root_is_fixed else (0,)
    )
    if not film.drawn:
        low, high = matter_bounds(film)
    size, length = _longest(low, high), _longest(*_bounds(film, trunk or all_links))
    size = max(size, min(_longest(*mesh_bounds(film)), MAX_SIZE_WITH_MESHES * size))
    forward = rotation(film.quaternion[0, 0, 0])[:, 0].copy()
    forward[2] = 0.0
    norm = float(np.linalg.norm(forward))
    heading = forward / norm if norm > 1e-6 else np.array([1.0, 0.0, 0.0])
    middle = (low + high) / 2.0
    centres = np.broadcast_to(middle, film.position[:, :, 0].shape) if root_is_fixed else _middle_paths(film, middle)
    path = _smoothed(centres, film.duration, SMOOTHING_TIME * playback_rate(size))
    return Framing(size, length or size, path, _offsets(film, path, size), heading)


def require_drawable(film: Film) -> None:
    """Raise GambolError if there is nothing to draw, or if a pose is not finite (with the world and the time)."""
    drawable_count = len(film.drawn) + sum(bool(each.points.size) for each in film.matter)
    if not len(film.time) or not film.worlds or not film.link_names or not drawable_count:
        raise GambolError(
            f'film "{film.name}" has {len(film.time)} frames, {film.worlds} worlds, {len(film.link_names)} links and '
            f"{len(film.drawn)} shapes; a picture needs at least one of each"
        )
    not_finite = ~(np.isfinite(film.position).all(axis=(2, 3)) & np.isfinite(film.quaternion).all(axis=(2, 3)))
    if not_finite.any():
        frame, world = np.argwhere(not_finite)[0]
        raise GambolError(
            f'film "{film.name}": world {world} is not finite from t = {film.time[frame]:.6g} s on; '
            "cut it off with film.between(start, end) or draw others with film.of_worlds([...])"
        )


def near_path(ground: FilmGround, framing: Framing, max_distance: float) -> FilmGround:
    """Return the part of a height grid near the paths of the figures; all of it if the paths are off the grid.

    max_distance: distance from the paths [figure sizes].
    """
    if ground.heights is None:
        return ground
    margin = max_distance * framing.size
    spans: list[slice] = []
    for axis, start in enumerate((ground.x0, ground.y0)):
        bounds = (framing.path[..., axis].min() - margin - start, framing.path[..., axis].max() + margin - start)
        first, last = np.clip(np.array(bounds) / ground.spacing, 0, ground.heights.shape[axis] - 1)
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
    """Return the lowest and highest corner of the bounding box of links in some frames of the first world [m]."""
    low, high, link_set = np.full(3, np.inf), np.full(3, -np.inf), set(links)
    boxes = [(shape.link, *shape_box(shape)) for shape in film.drawn if shape.link in link_set]
    for frame, (link, middle, axes, half) in product(frames, boxes):
        R = rotation(film.quaternion[frame, 0, link])
        centre = film.position[frame, 0, link] + R @ middle
        extent = np.abs(R @ axes) @ half
        low, high = np.minimum(low, centre - extent), np.maximum(high, centre + extent)
    return low, high


def lowest_height(film: Film) -> float:
    """Return the lowest height of any shape, mesh, particle or muscle in any frame of any world [m]."""
    heights: list[float] = []
    for shape in film.drawn:
        # (3, F, W): the z components of the link's axes
        R = rotation(np.moveaxis(film.quaternion[:, :, shape.link], -1, 0))[2]
        middle, axes, half = shape_box(shape)
        height = film.position[:, :, shape.link, 2] + np.tensordot(middle, R, 1)
        extent = np.tensordot(half, np.abs(np.tensordot(axes.T, R, 1)), 1)
        heights.append(float((height - extent).min()))
    heights += [float(each.points[..., 2].min()) for each in film.matter if each.points.size]
    return min(heights)


def shape_box(shape: FilmShape) -> tuple[Array, Array, Array]:
    """Return the bounding box of a shape in its link: its middle (3,) [m], its axes (3, 3) and half edges (3,) [m]."""
    axes, position = rotation(np.array(shape.quaternion)), np.array(shape.position)
    if shape.mesh is None:
        return position, axes, half_extent(shape.kind, shape.size)
    low, high = (np.array(f(shape.mesh.points, axis=0), float) for f in (np.min, np.max))
    return position + axes @ (low + high) / 2.0, axes, (high - low) / 2.0


def half_extent(kind: str, size: tuple[float, ...]) -> Array:
    """Return the half edges of the bounding box of a shape, centred at and aligned with the frame of the shape [m]."""
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
            low, high = height_field_from_sizes(size).bounds
            return np.abs([low, high]).max(axis=0)
        case "capsule":
            return np.array([size[0], size[0], size[0] + size[1] / 2.0])
        case "slab":
            return np.array([size[0] / 2.0, size[1] / 2.0, 0.0]) + size[2]
        case "cylinder" | "frustum" | "pipe":
            r = max(size[:-1])
            return np.array([r, r, size[-1] / 2.0])
        case _:
            return np.max([np.abs(centre) + radius for centre, radius in film_balls(kind, size)], axis=0)


def _middle_paths(film: Film, middle: Array) -> Array:
    """Return the paths (F, W, 3) [m] of a point of the root link.

    The point is at `middle` in the first frame of the first world.
    """
    middle_L = rotation(film.quaternion[0, 0, 0]).T @ (middle - film.position[0, 0, 0])
    rotations = rotation(np.moveaxis(film.quaternion[:, :, 0], -1, 0))  # (3, 3, F, W)
    offsets: Array = np.einsum("ij...,j->...i", rotations, middle_L)
    return film.position[:, :, 0] + offsets


def _smoothed(path: Array, duration: float, half_width: float) -> Array:
    """Return a path (F, W, 3) averaged in a triangular window.

    duration: duration of the path; half_width: half width of the window [s].
    """
    if len(path) < 3 or not duration:
        return path
    half_frames = int(min(half_width, MAX_SMOOTHING_FRACTION * duration) / duration * (len(path) - 1))
    if half_frames < 1:
        return path
    weights = np.bartlett(2 * half_frames + 3)[1:-1]
    weights /= weights.sum()
    slope = (path[-1] - path[0]) / (len(path) - 1)  # extends the ends, so that the camera does not lag
    ends = slope * np.arange(1, half_frames + 1)[:, None, None]
    padded = np.concatenate([path[0] - ends[::-1], path, path[-1] + ends])
    smoothed = np.empty_like(path)
    for world, axis in np.ndindex(path.shape[1:]):
        smoothed[:, world, axis] = np.convolve(padded[:, world, axis], weights, mode="valid")
    return smoothed


def _offsets(film: Film, path: Array, size: float) -> Array:
    """Return offsets along y, a lane for each world (W, 3) [m]; zeros if no figures overlap at the start."""
    W = film.worlds
    offsets = np.zeros((W, 3))
    distances = np.linalg.norm(path[0, :, None] - path[0, None], axis=-1) + np.diag(np.full(W, np.inf))
    if W > 1 and distances.min() < size:
        width = 1.5 * size if film.ground.heights is None else float(np.ptp(path[..., 1])) + 2.0 * LANE_MARGIN * size
        offsets[:, 1] = width * (np.arange(W) - (W - 1) // 2)
    return offsets
