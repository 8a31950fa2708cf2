"""Several poses of a motion beside each other, as one frame of a film."""

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gambol.view.page import ARROW_LENGTH
from gambol.view.scene.framing import frame_film
from gambol.world.film import Film, FilmShape

Array = NDArray[np.float64]

MIN_POSE_DISTANCE = 1.1
"""Minimum distance between neighbouring poses, in sizes of the figure, so that limbs do not overlap."""

SHAFT, HEAD, HEAD_LENGTH = 0.012, 0.035, 0.1
"""Radii of the shaft and the head of an arrow, and the length of the head, in sizes of the figure."""

FORCE = "force"
"""The leg to which links of arrows belong: links of a stepping leg have a special colour."""


def strobe(film: Film, poses: int = 8, world: int = 0) -> Film:
    """Return a film of one frame with several poses of a world, evenly spaced in time, with their contact forces.

    Poses have the distances along x that they have in the motion, and larger distances if they would overlap. Forces
    come from the signals "contact_points" and "contact_forces", see write_page().
    """
    source = film.of_worlds([world])
    frames = np.unique(np.linspace(0, len(source.time) - 1, poses).astype(int))
    size = frame_film(replace(source, signals={})).size
    shifts = _shifts(source, frames, MIN_POSE_DISTANCE * size)
    links, shapes = len(source.link_names), [replace(s) for s in source.shapes]
    position = np.concatenate([source.position[k, 0] + shift for k, shift in zip(frames, shifts, strict=True)])
    quaternion = np.concatenate([source.quaternion[k, 0] for k in frames])
    copies = [replace(shape, link=shape.link + links * k) for k in range(len(frames)) for shape in shapes]
    names = [f"{name} {k}" for k in range(len(frames)) for name in source.link_names]
    arrows = _arrows(source, frames, shifts, size)
    for k, (start, orientation, _) in enumerate(arrows):
        position, quaternion = np.vstack([position, start]), np.vstack([quaternion, orientation])
        names.append(f"{FORCE} {k}")
    first = links * len(frames)
    copies += [replace(s, link=first + k) for k, (_, _, parts) in enumerate(arrows) for s in parts]
    return Film(
        source.name,
        np.zeros(1),
        position[None, None],
        quaternion[None, None],
        tuple(names),
        tuple(copies),
        (FORCE,) if arrows else (),
        source.ground,
        {"stepping": np.ones((1, 1, 1))} if arrows else {},
    )


def _shifts(film: Film, frames: NDArray[np.intp], apart: float) -> Array:
    """Return offsets of the positions of each pose (poses, 3) [m] that separate them along x."""
    x = film.position[frames, 0].mean(axis=1)[:, 0]
    shifts = np.zeros((len(frames), 3))
    for k in range(1, len(frames)):
        shifts[k, 0] = shifts[k - 1, 0] + max(0.0, apart - (x[k] - x[k - 1]))
    return shifts


def _arrows(
    film: Film, frames: NDArray[np.intp], shifts: Array, size: float
) -> list[tuple[Array, Array, tuple[FilmShape, ...]]]:
    """Return start, quaternion and shapes of the arrow of each force; size: size of the figure [m]."""
    points, forces = film.signals.get("contact_points"), film.signals.get("contact_forces")
    if points is None or forces is None or not forces.size or not forces.any():
        return []
    largest = float(np.linalg.norm(forces, axis=-1).max())
    arrows: list[tuple[Array, Array, tuple[FilmShape, ...]]] = []
    for (k, frame), contact in product(enumerate(frames), range(forces.shape[2])):
        force = forces[frame, 0, contact]
        length = ARROW_LENGTH * size * float(np.linalg.norm(force)) / largest
        if length > HEAD_LENGTH * size / 4:
            start = points[frame, 0, contact] + shifts[k]
            arrows.append((start, _towards(force), _arrow(length, size)))
    return arrows


def _arrow(length: float, size: float) -> tuple[FilmShape, ...]:
    """Return the shapes of an arrow along z [m]."""
    head = min(HEAD_LENGTH * size, 0.5 * length)
    shaft, unrotated = length - head, (1.0, 0.0, 0.0, 0.0)
    return (
        FilmShape(0, "cylinder", (SHAFT * size, shaft), (0.0, 0.0, shaft / 2), unrotated),
        FilmShape(0, "frustum", (HEAD * size, 1e-3 * HEAD * size, head), (0.0, 0.0, shaft + head / 2), unrotated),
    )


def _towards(direction: Array) -> Array:
    """Return a quaternion that turns z to a direction."""
    z = direction / np.linalg.norm(direction)
    w = np.sqrt(max(0.0, 0.5 * (1.0 + z[2])))
    if w < 1e-6:
        return np.array([0.0, 1.0, 0.0, 0.0])
    return np.array([w, -0.5 * z[1] / w, 0.5 * z[0] / w, 0.0])
