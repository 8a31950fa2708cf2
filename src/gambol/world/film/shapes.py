"""Drawn objects of a film: the shapes of links, and the ground."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.collide.convex import SIZES
from gambol.collide.convex.ball_hull import BALL_HULLS
from gambol.errors import GambolError
from gambol.figure import SHAPES, Finish, Submesh, Texture
from gambol.figure.visual import PLAIN_FINISH


@dataclass(frozen=True)
class FilmShape:
    """A drawable shape fixed to a link.

    link: index of the link. kind: a kind of shape, or "slab". size [m]: box (x, y, z edge lengths); sphere (r,);
    ellipsoid (radii along x, y, z); capsule (r, length between centres along z); cylinder (r, length along z); frustum
    (r at -z end, r at +z end, length along z); hull (x, y, z of each vertex, one vertex after the other); pipe (inner
    r, outer r, length along z); height_field (spacing, thickness, rows, columns, heights); slab, the hull of four balls
    with centres at z = 0 (x and y between the centres, r); mesh (), the triangles of mesh. position [m], quaternion (w,
    x, y, z): pose in the link. color: a colour such as "#8a4a1c" (sRGB); None: the colour of the view, or white below a
    texture. opacity: from 0 to 1. mesh: the mesh of a shape of kind "mesh"; texture: an image on this mesh. finish: how
    it reflects and emits light. Shapes that differ only in their meshes are equal.
    """

    link: int
    kind: str
    size: tuple[float, ...]
    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]
    color: str | None = None
    opacity: float = 1.0
    mesh: Submesh | None = field(default=None, compare=False, repr=False)
    texture: Texture | None = None
    finish: Finish = PLAIN_FINISH


def film_balls(kind: str, size: tuple[float, ...]) -> list[tuple[tuple[float, ...], float]]:
    """Return centre [m] and radius [m] of each ball of a shape of an added kind, see collide.add_shape().

    kind, size: kind and size of the shape. Raises GambolError for an unknown kind, and for a wrong number of sizes.
    """
    if kind not in BALL_HULLS:
        raise GambolError(f'cannot draw a shape of kind "{kind}"; the kinds are {", ".join(SHAPES)}, slab')
    if len(size) != SIZES[kind]:
        raise GambolError(f"a {kind} is drawn from {SIZES[kind]} sizes; this one has {size}")
    return [(tuple(map(float, centre)), float(radius)) for centre, radius in BALL_HULLS[kind](size)]


@dataclass(frozen=True)
class FilmGround:
    """The ground of a film.

    heights: heights[i, j] is the height at x0 + i spacing, y0 + j spacing [m]; None: level ground at z = 0. x0, y0,
    spacing [m]. Raises GambolError for fewer than 2 x 2 heights, and for a spacing of 0 or less.
    """

    heights: NDArray[np.float64] | None = None
    x0: float = 0.0
    y0: float = 0.0
    spacing: float = 1.0

    def __post_init__(self) -> None:
        if self.heights is not None and (np.ndim(self.heights) != 2 or min(np.shape(self.heights)) < 2):
            raise GambolError(f"the ground of a film has heights of shape {np.shape(self.heights)}; give 2 x 2 or more")
        if not self.spacing > 0.0:
            raise GambolError(f"the ground of a film has a spacing of {self.spacing} m; give more than 0")
