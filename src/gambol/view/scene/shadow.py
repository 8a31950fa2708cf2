"""Shadows as flat meshes on the ground: every triangle of a figure is projected along the sun's rays.

VTK's shadow maps store exponentials in half floats, so shadows fade where the distance from the figure to the lit
ground is large. The projection is exact on flat ground, sharp at any scale, and needs no render pass.
"""

import numpy as np
from numpy.typing import NDArray

from gambol.view.scene.meshes import shape_mesh
from gambol.view.scene.pose import is_cut_off, rotation
from gambol.view.scene.reduced import reduced
from gambol.view.scene.tube import tube, tube_triangles
from gambol.world.film import Film, FilmGround, FilmMesh, FilmMuscle, FilmShape

Array = NDArray[np.float64]
SUBDIVISIONS = 2  # how often a triangle is divided into four on uneven ground, so that its shadow follows the hills
SHADOW_CELLS = 64  # number of cells along a mesh's extent; the error of its outline is at most one cell
MIN_OPACITY = 0.5  # of a shape that casts a shadow
ITERATIONS = 6  # of the intersection with the ground; each reduces the error by a factor of slope x tan(sun's tilt)


class Shadow:
    """The shadow of the figure of one world, as triangles on the ground."""

    def __init__(self, film: Film, world: int) -> None:
        self._film, self._world = film, world
        self._meshes = [m for m in film.matter if isinstance(m, FilmMesh) and m.world == world]
        self._muscles = [m for m in film.matter if isinstance(m, FilmMuscle) and m.world == world]
        subdivisions = SUBDIVISIONS if level_of(film.ground) is None else 0
        self._shapes = [(s.link, _corners_in_link(s, subdivisions)) for s in film.drawn if s.opacity >= MIN_OPACITY]

    def corners(self, frame: int, sun: Array) -> Array:
        """Return the corners of the triangles (N, 3) in a frame [m]. sun: direction to the light, with a positive z."""
        p, q = self._film.position[frame, self._world], self._film.quaternion[frame, self._world]
        shown = [(link, x if not is_cut_off(self._film, frame, link) else 0.0 * x) for link, x in self._shapes]
        parts = [x @ rotation(q[link]).T + p[link] for link, x in shown]  # corners in one point cast no shadow
        parts += [_mesh_corners(mesh, frame) for mesh in self._meshes]
        parts += [_muscle_corners(muscle, frame) for muscle in self._muscles]
        points = np.concatenate([np.zeros((0, 3)), *parts])
        if not len(points):  # a renderer needs a triangle, also for a film of lines or particles only
            points = np.zeros((3, 3))
        ray = -sun / sun[2]  # its z component is -1, so that distance is the height above the shadow
        distance = np.zeros(len(points))
        for _ in range(ITERATIONS if level_of(self._film.ground) is None else 1):
            points_xy = points[:, :2] + distance[:, None] * ray[:2]
            distance = np.maximum(points[:, 2] - heights_at(self._film.ground, points_xy), 0.0)
        on_ground = points[:, :2] + distance[:, None] * ray[:2]
        return np.column_stack([on_ground, heights_at(self._film.ground, on_ground)])


def _mesh_corners(mesh: FilmMesh, frame: int) -> Array:
    """Return the corners of a mesh's triangles (3 T, 3) [m].

    The corners of torn triangles coincide, so that these cast no shadow.
    """
    corners = mesh.points[frame].astype(float)[mesh.triangles]
    if mesh.visible is not None and not mesh.lines_tear:
        torn = ~mesh.visible[frame]
        corners[torn] = corners[torn, :1]
    return corners.reshape(-1, 3)


def _muscle_corners(muscle: FilmMuscle, frame: int) -> Array:
    """Return the corners of the triangles of a muscle's tube [m]."""
    corners, _ = tube(muscle.points[frame].astype(float), muscle.width, float(muscle.force[frame]))
    return corners.reshape(-1, 3)[tube_triangles()].reshape(-1, 3)


def level_of(ground: FilmGround) -> float | None:
    """Return the height of a level ground [m]; None if it is not level."""
    if ground.heights is None:
        return 0.0
    return float(ground.heights[0, 0]) if np.ptp(ground.heights) == 0.0 else None


def heights_at(ground: FilmGround, points: Array) -> Array:
    """Return ground heights [m] at points (N, 2): bilinear within the grid, constant beyond its edges."""
    H, level = ground.heights, level_of(ground)
    if H is None or level is not None:
        return np.full(len(points), level)
    u = np.clip((points[:, 0] - ground.x0) / ground.spacing, 0.0, H.shape[0] - 1.0)
    v = np.clip((points[:, 1] - ground.y0) / ground.spacing, 0.0, H.shape[1] - 1.0)
    i, j = np.minimum(u.astype(int), H.shape[0] - 2), np.minimum(v.astype(int), H.shape[1] - 2)
    a, b = u - i, v - j
    near = (1.0 - b) * H[i, j] + b * H[i, j + 1]
    far = (1.0 - b) * H[i + 1, j] + b * H[i + 1, j + 1]
    return (1.0 - a) * near + a * far


def _corners_in_link(shape: FilmShape, subdivisions: int) -> Array:
    """Return corners of a shape's triangles in its link's frame, after subdivisions of each triangle into four."""
    if shape.mesh is not None:
        mesh = reduced(shape.mesh, float(np.ptp(shape.mesh.points, axis=0).max()) / SHADOW_CELLS)
        triangles = mesh.points[mesh.triangles].astype(float)
    else:
        triangles = shape_mesh(shape).corners.reshape(-1, 3, 3)
    for _ in range(subdivisions):
        triangles = _subdivided(triangles)
    return triangles.reshape(-1, 3) @ rotation(np.array(shape.quaternion)).T + np.array(shape.position)


def _subdivided(triangles: Array) -> Array:
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    ab, bc, ca = (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0
    children = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.concatenate([np.stack(child, axis=1) for child in children])
