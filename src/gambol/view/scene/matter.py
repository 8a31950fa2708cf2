"""Meshes, particles and muscles of a film as data for the page and for pictures."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.view.scene.differences import encode_differences
from gambol.world.film import Film, FilmMesh, FilmMuscle, FilmParticles

Array = NDArray[np.float64]

MAX_PARTICLES = 600_000
"""Limit of particles in all frames of a page, 19 bytes each; if there are more, only some particles are shown, each
during its whole life."""

MAX_MESH_NUMBERS = 6_000_000
"""Limit of coordinates of mesh points in a page, about one byte each; above it, frames are left out."""

MAX_COORDINATE = 32767.0
"""Maximum stored coordinate of a particle."""


def matter_bounds(film: Film) -> tuple[Array, Array]:
    """Return the lowest and the highest corner of the box of all matter [m]; infinite without matter."""
    clouds = [each.points.reshape(-1, 3) for each in film.matter if each.points.size]
    if not clouds:
        return np.full(3, np.inf), np.full(3, -np.inf)
    low, high = (np.array([f(cloud, axis=0) for cloud in clouds]) for f in (np.min, np.max))
    return low.min(axis=0).astype(float), high.max(axis=0).astype(float)


def mesh_bounds(film: Film) -> tuple[Array, Array]:
    """Return the lowest and highest corner of the box of all meshes in the first frame [m]; infinite without meshes."""
    meshes = [each.points[:1] for each in film.matter if isinstance(each, FilmMesh)]
    points = np.concatenate([mesh.reshape(-1, 3) for mesh in meshes]) if meshes else np.zeros((0, 3))
    if not len(points):
        return np.full(3, np.inf), np.full(3, -np.inf)
    return points.min(axis=0).astype(float), points.max(axis=0).astype(float)


def page_matter(film: Film, unit: float, arrays: dict[str, bytes]) -> dict[str, Any]:
    """Return the description of all meshes, particles and muscles for the player; add their arrays.

    unit: resolution of points of meshes and muscles [m].
    """
    described: list[dict[str, Any]] = []
    for k, each in enumerate(film.matter):
        if isinstance(each, FilmMesh):
            described.append(_page_mesh(each, f"matter{k}", unit, arrays))
        elif isinstance(each, FilmMuscle):
            described.append(_page_muscle(each, f"matter{k}", unit, arrays))
        else:
            described.append(_page_particles(each, f"matter{k}", arrays))
    return {"matter": described}


def _page_mesh(mesh: FilmMesh, key: str, unit: float, arrays: dict[str, bytes]) -> dict[str, Any]:
    frames, n = mesh.points.shape[:2]
    every = max(1, -(-3 * frames * n // MAX_MESH_NUMBERS))
    shown = list(range(0, frames, every))
    arrays[key + "points"] = encode_differences(mesh.points[shown].reshape(len(shown), -1).astype(float) / unit)
    arrays[key + "triangles"] = mesh.triangles.astype("<u4").tobytes()
    arrays[key + "lines"] = mesh.lines.astype("<u4").tobytes()
    if mesh.visible is not None:
        arrays[key + "visible"] = np.packbits(mesh.visible[shown], axis=1, bitorder="little").tobytes()
    return {
        "kind": "mesh", "name": mesh.name, "key": key, "world": mesh.world, "count": n, "every": every,
        "frames": len(shown), "color": mesh.color, "tears": mesh.visible is not None,
    }  # fmt: skip


def _page_muscle(muscle: FilmMuscle, key: str, unit: float, arrays: dict[str, bytes]) -> dict[str, Any]:
    frames, n = muscle.points.shape[:2]
    levels = np.column_stack([muscle.activation, muscle.force])
    arrays[key + "points"] = encode_differences(muscle.points.reshape(frames, -1).astype(float) / unit)
    arrays[key + "levels"] = np.rint(255.0 * levels).astype(np.uint8).tobytes()
    return {"kind": "muscle", "key": key, "world": muscle.world, "count": n, "width": muscle.width}


def _page_particles(particles: FilmParticles, key: str, arrays: dict[str, bytes]) -> dict[str, Any]:
    """Return the description; points are stored as 16-bit numbers in their box, radii as fractions of the largest."""
    share = -(-len(particles.points) // MAX_PARTICLES)
    shown = particles.numbers % max(share, 1) == 0
    starts: NDArray[np.int64] = np.concatenate([[0], np.cumsum(shown)])[particles.starts]
    points, radii = particles.points[shown].astype(float), particles.radii[shown].astype(float)
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))
    middle, half = 0.5 * (low + high), max(float((high - low).max()) / 2.0, 1e-9)
    fastest = float(np.abs(particles.velocities[shown]).max()) if len(points) else 1.0
    velocities = particles.velocities[shown].astype(float) / max(fastest, 1e-9)
    largest = float(radii.max()) if len(radii) else 1.0
    arrays[key + "starts"] = starts.astype("<u4").tobytes()
    arrays[key + "points"] = np.rint((points - middle) / half * MAX_COORDINATE).astype("<i2").tobytes()
    arrays[key + "velocities"] = np.rint(velocities * MAX_COORDINATE).astype("<i2").tobytes()
    arrays[key + "colors"] = particles.colors[shown].tobytes()
    arrays[key + "radii"] = np.rint(255.0 * radii / largest).astype(np.uint8).tobytes()
    return {
        "kind": "particles", "key": key, "world": particles.world, "middle": middle.tolist(), "half": half,
        "fastest": fastest, "largest": largest, "streak": particles.streak, "glow": particles.glow,
        "maxCount": int(np.diff(starts).max()) if len(starts) > 1 else 0,
    }  # fmt: skip
