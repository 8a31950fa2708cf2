"""The roach's six feet stay where they stand while its body circles above them, by inverse kinematics."""

import sys
from pathlib import Path

import numpy as np

import gambol
from gambol.dynamics import kinematics
from gambol.plan.pose import pose_film
from gambol.spatial import Vector

FRAMES, SECONDS = 240, 2.0
RADIUS = 1.5e-3  # of the circle of the body [m]; the roach is 29 mm long


def circling() -> tuple[gambol.World, np.ndarray, gambol.PoseSolution]:
    """Return the roach's world, the times of frames, and its poses."""
    creature = gambol.roach()
    world = gambol.make_world(creature)
    q = gambol.start(world).q[0]
    state = kinematics(creature.figure, q.tolist(), [0.0] * creature.figure.nv)
    goals: list[gambol.PointGoal | gambol.OrientationGoal] = []
    for leg in creature.legs:
        foot = creature.figure.link(leg.links[-1])
        tip = min(foot.contact_points(), key=lambda p: state.point_position(foot.index, Vector(*p.position)).z).position
        place = [*state.point_position(foot.index, Vector(*tip))]
        goals.append(gambol.PointGoal(foot.name, place, tip))
    turns = np.linspace(0.0, 2.0 * np.pi, FRAMES)
    body = np.array([*state.poses[1].position])
    ahead, up = RADIUS * np.sin(turns), RADIUS * (np.cos(turns) - 1.0)
    goals.append(gambol.PointGoal(creature.figure.root.name, body + np.stack([ahead, 0.0 * turns, up], axis=1)))
    goals.append(gambol.OrientationGoal(creature.figure.root.name, q[:4]))
    return world, np.linspace(0.0, SECONDS, FRAMES), gambol.inverse_kinematics(world, q, goals)


def main(folder: str = "") -> None:
    world, times, poses = circling()
    assert poses.reached.all(), poses
    print(f"{FRAMES} poses of six feet and a body: the largest distance from a goal is {poses.residuals.max():.1e}")
    springs = world.resolved_springs
    for link in world.figure.links:
        for spring, angle in zip(springs.get(link.name, ()), poses.q[:, link.q].T, strict=False):
            assert (angle >= spring.lower).all(), "a joint is below its limit"
            assert (angle <= spring.upper).all(), "a joint is above its limit"
    if folder:
        film = pose_film(world.figure, times, poses.q, ground=world.ground)
        gambol.write_page(film, Path(folder) / "feet.html")
        gambol.write_picture(film, Path(folder) / "feet.png", whole=True)


if __name__ == "__main__":
    main(*sys.argv[1:2])
