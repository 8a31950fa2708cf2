"""BVH, the motion-capture file: a tree of joints with offsets, and a line of numbers for each frame.

Y is up: the axes of the world and of every link are turned by -90 degrees about x, so that the angles of a level trunk
are 0, far from +-90 degrees about x, where the other two angles are not determined. Every joint has six channels, since
links of a figure may slide: positions Xposition, Yposition, Zposition in the parent's frame, and angles Zrotation,
Xrotation, Yrotation [deg], R = Rz Rx Ry. BVH has no shapes: links become bones.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.export.clip import Y_UP, Clip, clip_of, conjugate, product, rotated
from gambol.formats import atomic_write, check_suffix
from gambol.world.film import Film

Array = NDArray[np.float64]

POSITIONS, ROTATIONS = "Xposition Yposition Zposition", "Zrotation Xrotation Yrotation"


def write_bvh(
    film: Film,
    path: str | Path,
    *,
    rate: float | None = None,
    scale: float = 1.0,
    rotations_only: bool = False,
) -> Path:
    """Write the motion of the first world of a film as .bvh. Returns the path.

    film: a film with the parents of its links. rate: frames per second; None: the rate of the film, at most 240. scale:
    scale of lengths; importers expect 100 for centimetres. rotations_only: True for joints with three channels, as some
    importers need; positions other than the root's are then constant, as in the first frame. Raises GambolError for a
    film without parents or with more than one root, another suffix, and as clip_of() does.
    """
    check_suffix(path, "BVH", ".bvh")
    clip = clip_of(film, rate=rate, scale=scale)
    if (roots := sum(parent < 0 for parent in film.parents)) != 1:
        reason = f"{roots} roots, and BVH holds one tree" if film.parents else "no parents of links"
        raise GambolError(f'film "{film.name}" has {reason}; write it as .glb, .usdc or .csv')
    positions, rotations = clip.local
    root = clip.parents.index(-1)
    lines, order = _hierarchy(clip, rotated(np.broadcast_to(Y_UP, rotations[0].shape), positions[0]), rotations_only)
    motion, angles = ["MOTION", f"Frames: {len(positions)}", f"Frame Time: {1.0 / clip.rate:.10g}"], None
    with atomic_write(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join([*lines, *motion]) + "\n")
        for piece in clip.pieces():
            up = np.broadcast_to(Y_UP, rotations[piece].shape)
            position, rotation = rotated(up, positions[piece]), product(product(up, rotations[piece]), conjugate(up))
            angles = zxy_angles(rotation, None if angles is None else angles[-1])
            columns = [
                angles[:, k] if rotations_only and k != root else np.concatenate([position[:, k], angles[:, k]], axis=1)
                for k in order
            ]
            rows = np.concatenate(columns, axis=1).tolist()
            file.writelines(" ".join([f"{value:.7g}" for value in row]) + "\n" for row in rows)
    return Path(path)


def zxy_angles(q: Array, before: Array | None = None) -> Array:
    """Return the angles [deg] about z, x and y of R = Rz Rx Ry, each near its value in the previous frame.

    q (F, ..., 4): unit quaternions. before (..., 3): the angles of the frame before the first, or None. The angles (z +
    180, 180 - x, y + 180) describe the same rotation as (z, x, y), and whole turns may be added to all of them.
    """
    w, x, y, z = np.moveaxis(q, -1, 0)
    about_z = np.arctan2(2.0 * (w * z - x * y), 1.0 - 2.0 * (x * x + z * z))
    about_x = np.arcsin(np.clip(2.0 * (y * z + w * x), -1.0, 1.0))
    about_y = np.arctan2(2.0 * (w * y - x * z), 1.0 - 2.0 * (x * x + y * y))
    angles = np.degrees(np.stack([about_z, about_x, about_y], axis=-1))
    for k in range(before is None, len(angles)):
        last = before if before is not None and k == 0 else angles[k - 1]
        first = last + _within_half_a_turn(angles[k] - last)
        second = last + _within_half_a_turn(angles[k] * (1.0, -1.0, 1.0) + 180.0 - last)
        nearer = np.abs(second - last).sum(axis=-1) < np.abs(first - last).sum(axis=-1)
        angles[k] = np.where(nearer[..., None], second, first)
    return angles


def _within_half_a_turn(angle: Array) -> Array:
    """Return angles [deg] without whole turns, from -180 to 180."""
    return (angle + 180.0) % 360.0 - 180.0


def _hierarchy(clip: Clip, offsets: Array, rotations_only: bool) -> tuple[list[str], list[int]]:
    """Return the lines that describe the tree of joints, and the indices of the links in the order of the file."""
    children: dict[int, list[int]] = {k: [] for k in range(-1, len(clip.links))}
    for k, parent in enumerate(clip.parents):
        children[parent].append(k)
    lines, order = ["HIERARCHY"], list[int]()

    def add_joint(k: int, depth: int) -> None:
        order.append(k)
        indent, is_root = "  " * depth, clip.parents[k] < 0
        channels = f"3 {ROTATIONS}" if rotations_only and not is_root else f"6 {POSITIONS} {ROTATIONS}"
        lines.append(f"{indent}{'ROOT' if is_root else 'JOINT'} {'_'.join(clip.links[k].split())}")
        lines.extend([indent + "{", f"{indent}  OFFSET {_numbers(offsets[k])}", f"{indent}  CHANNELS {channels}"])
        for child in children[k]:
            add_joint(child, depth + 1)
        if not children[k]:
            lines.extend([f"{indent}  End Site", indent + "  {", f"{indent}    OFFSET {_numbers(_end(clip, k))}"])
            lines.append(indent + "  }")
        lines.append(indent + "}")

    add_joint(clip.parents.index(-1), 0)
    return lines, order


def _end(clip: Clip, link: int) -> Array:
    """Return the end of a bone without children: twice the mean position of the link's shapes, in the joint's frame."""
    positions = [shape.position for shape in clip.shapes if shape.link == link]
    middle = np.mean(positions, axis=0) if positions else np.zeros(3)
    size = max((max(map(abs, shape.size)) for shape in clip.shapes if shape.link == link), default=0.01)
    far = 2.0 * middle if np.linalg.norm(middle) > 0.1 * size else np.array([0.0, 0.0, -size])
    return rotated(Y_UP, far) * clip.scale


def _numbers(x: Array) -> str:
    return " ".join(f"{value:.7g}" for value in x)
