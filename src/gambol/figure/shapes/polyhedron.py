"""Convex polyhedra: the hull of points with merged coplanar faces, and volume integrals.

Over the tetrahedron from the origin to a triangle a, b, c, with d = a . (b x c) and s = a + b + c,

    int 1 = d / 6        int x = d s / 24        int x x^T = d (s s^T + a a^T + b b^T + c c^T) / 120

Their sums over the surface are the integrals of the body, by the divergence theorem [Mirtich 1996; Eberly 2002].
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FigureError
from gambol.figure.joint.joint import Triple

Array = NDArray[np.float64]
Faces = tuple[tuple[int, ...], ...]

MIN_THICKNESS = 1e-6  # of a hull, as a fraction of its length; a thinner hull is flat
COPLANAR_TOLERANCES = (1e-6, 1e-9, -1.0)
"""Tolerances of coplanar faces, as fractions of the thickness; rounding in files of single precision is 1e-7. On a
finely rounded hull a tolerance may merge faces around a corner; then the next tolerance is used. With the last
tolerance, every face is a triangle."""
MIN_POINTS = 4
MAX_POINTS, MAX_TRIANGLES = 200_000, 60_000  # these take seconds; hulls of robots' meshes have a tenth


def convex_hull(cloud: Sequence[Sequence[float]]) -> tuple[tuple[Triple, ...], Faces]:
    """Return the corners of the hull of points (n, 3), in ascending order, and its faces.

    cloud: the points [m]. Raises FigureError as Hull does.
    """
    points, thickness = _checked(cloud)
    hull = _qhull(points)
    if len(hull.simplices) > MAX_TRIANGLES:
        raise FigureError(
            f"the hull of the points has {len(hull.simplices)} triangles; the maximum is {MAX_TRIANGLES}, so give "
            "fewer points"
        )
    corners, faces = list[int](), list[tuple[int, ...]]()
    for tolerance in COPLANAR_TOLERANCES:
        corners, faces = _merged_faces(points, hull, tolerance * thickness)
        if _closed(faces):
            break
    return tuple((float(x), float(y), float(z)) for x, y, z in points[corners]), tuple(faces)


def _merged_faces(points: Array, hull: Any, tolerance: float) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the numbers of the corners, and the faces, merging triangles within `tolerance` [m] of a plane."""
    groups, normals = _planes(points, hull, tolerance)
    face_counts = Counter(number for group in groups for number in group)
    # Points of fewer than three faces are not corners: they lie on an edge, or within a face.
    corners = sorted(number for number, count in face_counts.items() if count >= 3)
    rank = {number: k for k, number in enumerate(corners)}
    ordered_faces = (
        _ordered_corners(points, [n for n in group if n in rank], n) for group, n in zip(groups, normals, strict=True)
    )
    return corners, sorted(tuple(rank[number] for number in face) for face in ordered_faces if len(face) >= 3)


def _closed(faces: Sequence[Sequence[int]]) -> bool:
    """Return True if every edge of a face is an edge of exactly one other face, in the opposite direction."""
    edges = Counter(edge for face in faces for edge in zip(face, (*face[1:], face[0]), strict=True))
    return all(count == 1 and (b, a) in edges for (a, b), count in edges.items())


def integrals(vertices: Sequence[Triple], triangles: Sequence[Sequence[int]]) -> tuple[float, Array, Array]:
    """Return volume, centre, and second moments about the centre, int x x^T (3, 3) [m5], inside a closed surface.

    vertices: positions [m]. triangles: numbers of vertices, anticlockwise seen from outside.
    """
    positions = np.array(vertices)
    mean = positions.mean(axis=0)  # near the centre, to avoid cancellation of large moments
    a, b, c = (positions[np.array(triangles)] - mean).transpose(1, 0, 2)
    d = np.einsum("ti,ti->t", a, np.cross(b, c))
    s = a + b + c
    volume = float(d.sum()) / 6.0
    centre = d @ s / 24.0 / volume
    moments = sum(np.einsum("t,ti,tj->ij", d, x, x) for x in (s, a, b, c)) / 120.0
    return volume, mean + centre, moments - volume * np.outer(centre, centre)


def _checked(cloud: Sequence[Sequence[float]]) -> tuple[Array, float]:
    """Return the unique points (n, 3) in ascending order, and the minimum thickness of their cloud [m]."""
    if any(len(point) != 3 for point in cloud):
        raise FigureError("a hull has a point that is not made of three numbers; give x, y and z of each [m]")
    points = np.array(cloud, float).reshape(-1, 3)
    if not np.isfinite(points).all():
        raise FigureError(f"a hull has a point that is not finite: {points[~np.isfinite(points).all(axis=1)][0]}")
    points = _unique(points + 0.0)
    if not MIN_POINTS <= len(points) <= MAX_POINTS:
        raise FigureError(f"a hull is made of {len(points)} different points; it takes {MIN_POINTS} to {MAX_POINTS}")
    axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2]
    length, _, thickness = (float(extent) for extent in np.ptp(points @ axes.T, axis=0))
    if thickness <= MIN_THICKNESS * length:
        raise FigureError("the points of a hull lie in a plane; give a point off the plane, or use a thin box")
    return points, thickness


def _unique(points: Array) -> Array:
    """Return unique points in ascending order; five times faster than np.unique(points, axis=0)."""
    ordered = points[np.lexsort(points.T[::-1])]
    return ordered[np.r_[True, (ordered[1:] != ordered[:-1]).any(axis=1)][: len(ordered)]]


def _planes(points: Array, hull: Any, tolerance: float) -> tuple[list[list[int]], list[Array]]:
    """Return the point numbers and outward normal of each face of a hull; coplanar triangles are merged.

    hull: hull of scipy. tolerance: tolerance of the distance of a face's points from its plane [m].
    """
    planes = hull.equations
    a, b, c = points[hull.simplices].transpose(1, 0, 2)
    largest_first = np.lexsort((np.arange(len(a)), -np.linalg.norm(np.cross(b - a, c - a), axis=1))).tolist()
    unmerged = set(largest_first)
    distances = np.einsum("tksi,ti->tks", points[hull.simplices[hull.neighbors]], planes[:, :3])
    is_off_plane = np.abs(distances + planes[:, 3, None, None]).max(axis=2) > tolerance
    is_isolated = is_off_plane.all(axis=1).tolist()  # has no coplanar neighbours, like most triangles of a rounded hull
    groups: list[list[int]] = []
    normals: list[Array] = []
    for seed in largest_first:
        if seed not in unmerged:
            continue
        unmerged.remove(seed)
        merged, queue = [seed], [] if is_isolated[seed] else [seed]
        while queue:
            for neighbor in hull.neighbors[queue.pop()].tolist():
                offsets = points[hull.simplices[neighbor]] @ planes[seed, :3] + planes[seed, 3]
                if neighbor in unmerged and np.abs(offsets).max() <= tolerance:
                    unmerged.remove(neighbor)
                    merged.append(neighbor)
                    queue.append(neighbor)
        groups.append(sorted({int(number) for k in merged for number in hull.simplices[k]}))
        normals.append(planes[seed, :3])
    return groups, normals


def _qhull(points: Array) -> Any:
    """Return the hull of points, computed by scipy."""
    from scipy.spatial import ConvexHull, QhullError  # pyright: ignore[reportMissingTypeStubs]

    try:
        return ConvexHull(points)
    except QhullError as error:
        raise FigureError(f"no convex hull can be found of these points: {str(error).splitlines()[0]}") from error


def _ordered_corners(points: Array, numbers: list[int], normal: Array) -> list[int]:
    """Return the corners of a face in order, anticlockwise seen from outside, the lowest first."""
    if len(numbers) < 3:
        return numbers
    if len(numbers) == 3:
        first, second, third = numbers
        a, b, c = points[numbers].tolist()
        x, y, z = (end - start for start, end in zip(a, b, strict=True))
        X, Y, Z = (end - start for start, end in zip(a, c, strict=True))
        p, q, r = normal.tolist()
        orientation = (y * Z - z * Y) * p + (z * X - x * Z) * q + (x * Y - y * X) * r
        return [first, second, third] if orientation > 0.0 else [first, third, second]
    offsets = points[numbers] - points[numbers].mean(axis=0)
    x_axis = offsets[0] - (offsets[0] @ normal) * normal
    angles = np.arctan2(offsets @ np.cross(normal, x_axis), offsets @ x_axis)
    ordered: list[int] = [numbers[k] for k in np.argsort(angles, kind="stable").tolist()]
    first = ordered.index(min(ordered))
    return ordered[first:] + ordered[:first]
