"""Attachments in films: a line between the two ends of each, until it breaks."""

import numpy as np
from numpy.typing import NDArray

from gambol.contact import Attachment
from gambol.world.film import Film, FilmMatter, FilmMesh
from gambol.world.world import World

COLOR = "#3a6ea5"

PREFIX = "attachment "
"""The beginning of the name of each attachment in a film."""

THICKNESS = 0.01
"""Thickness of the line, as a fraction of the figure's size."""

LINE: NDArray[np.int32] = np.array([[0, 1]], np.int32)


def attachment_name(k: int, attachment: Attachment) -> str:
    """Return the name of a world's attachment in a film. k: its index in the world."""
    return f"{PREFIX}{k} of {attachment.link} to {attachment.other or 'the world'}"


def film_attachments(world: World, film: Film) -> tuple[FilmMesh, ...]:
    """Return the attachments of a world in its film, which has the signal "intact", for each world of the film.

    In frames of a world that became non-finite, they have their first position.
    """
    meshes: list[FilmMesh] = []
    for k, attachment in enumerate(world.external.attachments):
        name = attachment_name(k, attachment)
        ends = (attachment.link, attachment.point), (attachment.other, attachment.other_point)
        for w in range(film.worlds):
            points = np.stack([path_of_point(film, w, *end) for end in ends], axis=1)
            if np.isfinite(points[:1]).all():
                finite = np.isfinite(points).all(axis=(1, 2), keepdims=True)
                shown = np.where(finite, points, points[:1]).astype(np.float32)
                intact = film.signals["intact"][:, w, k : k + 1] > 0.5
                no_triangles = np.empty((0, 3), np.int32)
                thickness = THICKNESS * world.size
                meshes.append(FilmMesh(name, shown, no_triangles, LINE, COLOR, intact, thickness, w))
    return tuple(meshes)


def is_attachment(matter: FilmMatter) -> bool:
    """Return True for an attachment in a film."""
    return isinstance(matter, FilmMesh) and matter.name.startswith(PREFIX)


def path_of_point(film: Film, world: int, link: str | None, point: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return the positions of a point of a link, or of the world, in each frame (F, 3) [m].

    world: index of the world in the film. point: in axes of the link, or of the world if link is None [m].
    """
    if link is None:
        return np.broadcast_to(np.array(point), (len(film.time), 3))
    k, p = film.link_names.index(link), np.array(point)
    w, xyz = film.quaternion[:, world, k, :1], film.quaternion[:, world, k, 1:]
    t = 2.0 * np.cross(xyz, p)
    return film.position[:, world, k] + p + w * t + np.cross(xyz, t)
