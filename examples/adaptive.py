"""A rope of 200 links swings with a quarter of its joints active at a time, beside its full motion."""

from pathlib import Path

import numpy as np

import gambol
from gambol.view import with_floor

LINKS, LENGTH = 200, 0.05
JOINTS = LINKS // 4
SECONDS = 1.0


def rope() -> gambol.World:
    """A rope of capsules that hangs from a fixed point, without ground; each joint has a damper."""
    part = gambol.Part(gambol.Capsule(0.06, LENGTH), position=(0.0, 0.0, -LENGTH / 2.0), color="#5b7c99")
    joints = [
        gambol.Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -LENGTH if k else 0.0)) for k in range(LINKS)
    ]
    links = [gambol.Link(f"{k}", f"{k - 1}" if k else None, joint, (part,)) for k, joint in enumerate(joints)]
    figure = gambol.Figure("rope", tuple(links))
    dampers = {link.name: gambol.JointSpring(damping=2e-3) for link in links}
    return gambol.World(figure, dampers, gambol.NoGround(), contact="penalty")


def filmed(joints: int | None) -> gambol.Film:
    """The lower third of the rope is bent aside, and let go."""
    motion = gambol.adaptive_dynamics(rope(), joints=joints)
    q = np.zeros(LINKS)
    q[2 * LINKS // 3 :] = 0.03
    motion.start(q, np.zeros(LINKS))
    return gambol.adaptive_film(motion, SECONDS, rate=30.0)


def main() -> None:
    full, adaptive = filmed(None), filmed(JOINTS)
    distance = np.linalg.norm(adaptive.position - full.position, axis=-1)
    moved = np.linalg.norm(full.position - full.position[:1], axis=-1).max()
    error = np.sqrt((distance**2).mean()) / moved
    print(f"{JOINTS} of {LINKS - 1} joints are active; their error is {100 * error:.2g} % of the end's path")
    assert error < 0.01
    path = Path("out/adaptive.png")
    path.parent.mkdir(exist_ok=True)
    print("wrote", gambol.write_picture(with_floor(adaptive), path))


if __name__ == "__main__":
    main()
