"""Walks by inverse kinematics: the body moves along a path, and the legs reach from it to exact places on the ground.

[Zeltzer 1982; Girard and Maciejewski 1985; McKenna 1990, section 2]. Forces are not computed; gambol.walk simulates
walks with forces.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.collide import Ground, Plane
from gambol.contact.generation.ground_points import ground_points
from gambol.dynamics import kinematics
from gambol.errors import GambolError, did_you_mean
from gambol.figure import Figure, Triple
from gambol.formats import Model
from gambol.plan.path import PacedCurve
from gambol.plan.pose import PointGoal, inverse_kinematics, pose_film
from gambol.plan.walk.body import BodyPath
from gambol.plan.walk.footfalls import Footfalls, foot_motion
from gambol.plan.walk.terrain import Height, Terrain
from gambol.spatial import Vector
from gambol.spatial.conversions import matrix_from_quaternion, quaternion_from_matrix
from gambol.world import Film, World

Array = NDArray[np.float64]

POSITION_TOLERANCE = 1e-10
"""Largest error of a foot's point, divided by the largest coordinate of the standing root, but at least by 1 m."""


@dataclass(frozen=True)
class Foot:
    """A foot of a walker.

    link: its name. points: points of the link that are placed on the ground, in link coordinates [m]. One point leaves
    the foot free to turn; three that are not in a line hold its sole. height: height of the points above the ground
    while the foot stands [m], such as the radius of a ball with its centre at the point.
    """

    link: str
    points: tuple[Triple, ...]
    height: float = 0.0


@dataclass(frozen=True)
class KinematicWalk:
    """A walk. film: with the signals "stepping" (F, 1, feet), 0 while a foot stands, and "lean" (F, 1) [rad].

    q (F, nq): coordinates. footholds: requested positions of the feet's points (F, feet, points, 3) [m], nan beyond a
    foot's points. error: largest distance of a point from there [m].
    """

    film: Film
    q: Array
    footholds: Array
    error: float


def lowest_points(world: Figure | World | Model, q: ArrayLike, links: Sequence[str]) -> dict[str, Foot]:
    """Return the feet of links that touch the ground with one point each: the lowest one at coordinates q (nq).

    Raises GambolError for an unknown link, and one without contact points.
    """
    figure = world if isinstance(world, Figure) else world.figure
    known = [link.name for link in figure.links]
    if unknown := [name for name in links if name not in known]:
        raise GambolError(f'figure "{figure.name}" has no link "{unknown[0]}"; {did_you_mean(unknown[0], known)}')
    state, feet = kinematics(figure, [float(x) for x in np.asarray(q, float)], [0.0] * figure.nv), dict[str, Foot]()
    for name in links:
        link = figure.link(name)
        points = [((state.poses[link.index] @ p).z - radius, p, radius) for p, radius in ground_points(link)]
        if not points:
            raise GambolError(f'link "{name}" has no contact points to stand on; give a Foot with points')
        _, (x, y, z), radius = min(points, key=lambda row: float(row[0]))
        feet[name] = Foot(name, ((float(x), float(y), float(z)),), float(radius))
    return feet


def kinematic_walk(
    world: Figure | World | Model,
    q: ArrayLike,
    feet: Mapping[str, Foot],
    path: PacedCurve,
    footfalls: Footfalls,
    *,
    bank: float = 1.0,
    rate: float = 60.0,
) -> KinematicWalk:
    """Return the walk of a figure along a path on the ground.

    world: a figure with a free root, or a world or model with limits of joints and a ground, which are then used. q
    (nq): its standing posture, heading along x, over the world's origin. feet: by the names of limbs. path: a level
    curve at a pace; the body's origin follows it. footfalls: with an offset for each foot. bank: fraction of the lean
    into turns, arctan(v^2 / (g r)), that is used, 0 to 1. rate: frames per second. Standing feet do not move. Raises
    GambolError for a figure without a free root, numbers that do not fit, and a place that a foot does not reach, with
    its time. [Girard and Maciejewski 1985]
    """
    figure = world if isinstance(world, Figure) else world.figure
    standing = np.asarray(q, float)
    _check(figure, standing, feet, footfalls, rate)
    body, count = BodyPath(path, bank), int(np.floor((path.start + path.duration) * rate + 1e-9)) + 1
    times = np.arange(count) / rate
    start = np.tile(standing, (count, 1))
    ground = world.ground if isinstance(world, World) else Plane()
    places, height = _standing_points(figure, standing, feet), _height_of(ground)
    below = np.array([points[:, :2].mean(axis=0) for points in places])
    poses = Terrain(height, below, footfalls.period).tilted(body, times)
    start[:, figure.root.q] = _root_coordinates(figure, standing, poses.matrices)
    motions = [
        foot_motion(footfalls, body, times, float(offset), points, height)
        for points, offset in zip(places, footfalls.offsets, strict=True)
    ]
    goals = [
        PointGoal(foot.link, motion.points[:, k], point, tolerance=POSITION_TOLERANCE)
        for foot, motion in zip(feet.values(), motions, strict=True)
        for k, point in enumerate(foot.points)
    ]
    solution = inverse_kinematics(world, start, goals, locked=(figure.root.name,), posture=start)
    residuals = np.asarray(solution.residuals, float)
    limit = POSITION_TOLERANCE * max(1.0, abs(standing[figure.root.q][4:]).max())
    if (worst := residuals.max()) > limit:
        frame, k = (int(x) for x in np.unravel_index(residuals.argmax(), residuals.shape))
        raise GambolError(
            f'at {times[frame]:.3g} s "{goals[k].link}" misses its place by {worst:.3g} m; take shorter or lower '
            "steps, a shorter period, a wider turn, or less bank"
        )
    signals = {
        "stepping": 1.0 - np.stack([m.stands for m in motions], axis=-1).astype(float)[:, None],
        "lean": body.lean(times)[:, None],
    }
    film = pose_film(figure, times, solution.q, signals=signals, ground=ground, name=f"{figure.name}, kinematic walk")
    film = replace(film, limb_names=tuple(feet))
    most = max(len(foot.points) for foot in feet.values())
    positions = np.full((count, len(feet), most, 3), np.nan)
    for k, motion in enumerate(motions):
        positions[:, k, : motion.points.shape[1]] = motion.points
    return KinematicWalk(film, solution.q, positions, float(worst))


def _check(figure: Figure, q: Array, feet: Mapping[str, Foot], footfalls: Footfalls, rate: float) -> None:
    if figure.root.joint.kind != "free":
        raise GambolError(
            f'the root of "{figure.name}" has a {figure.root.joint.kind} joint; a walker needs a free one'
        )
    if q.shape != (figure.nq,) or not np.isfinite(q).all():
        raise GambolError(f"the posture has shape {q.shape}; give {figure.nq} finite coordinates")
    if not feet or len(feet) != len(footfalls.offsets):
        raise GambolError(f"there are {len(feet)} feet and {len(footfalls.offsets)} offsets; give one for each foot")
    if not 0.0 < rate < np.inf:
        raise GambolError(f"the rate is {rate:g} frames per second; give a positive one")


def _root_coordinates(figure: Figure, q: Array, frames: Array) -> Array:
    """Return the coordinates (F, 7) of the free root: its standing pose, moved by frames (F, 4, 4)."""
    root, joint = figure.root, figure.root.joint
    to_joint, pose = np.eye(4), np.eye(4)
    to_joint[:3, :3], to_joint[:3, 3] = np.array(joint.rotation, float), np.array(joint.position, float)
    pose[:3, :3], pose[:3, 3] = matrix_from_quaternion(q[root.q][:4]), q[root.q][4:]
    moved = np.linalg.inv(to_joint) @ frames @ to_joint @ pose
    return np.concatenate([quaternion_from_matrix(moved[:, :3, :3]), moved[:, :3, 3]], axis=1)


def _standing_points(figure: Figure, q: Array, feet: Mapping[str, Foot]) -> list[Array]:
    """Return the points (n, 3) of each standing foot: x and y in the world, and its height above the ground [m]."""
    state = kinematics(figure, q.tolist(), [0.0] * figure.nv)
    places = list[Array]()
    for foot in feet.values():
        index = figure.link(foot.link).index
        positions = [state.point_position(index, Vector(*point)) for point in foot.points]
        places.append(np.array([[float(position.x), float(position.y), foot.height] for position in positions]))
    return places


def _height_of(ground: Ground) -> Height:
    """Return the function of the height of a ground."""
    numbers, table = ground.numbers(), ground.table()

    def height(x: Array, y: Array) -> Array:
        return np.broadcast_to(np.asarray(ground.surface(numbers, table, x, y).height, float), x.shape)

    return height
