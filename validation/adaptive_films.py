"""Films of adaptive beside full motion, active joints in amber: `python -m validation.adaptive_films [FOLDER [NAME]]`.

Writes a video and a page of each scene, and a picture of four moments with the full motion above the adaptive one.
Prints the error of all links: the root of the mean square of their distances, as a fraction of the largest displacement
of a link.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

import gambol
from gambol.view.camera import FixedCamera
from gambol.view.filmstrip import Filmstrip, filmstrip

Array = NDArray[np.float64]
PITCH, YAW = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
LENGTH, RADIUS = 0.1, 0.03  # of a link [m]
MOMENTS = 4
MAX_ERROR = 0.02
TOUCH = gambol.ContactParameters(4e4, 0.0, 1.0, 80.0, 0.04, 0.5, 0.05, 0.5, 1.0, 0.0, 100.0)


@dataclass(frozen=True)
class Scene:
    """A world with a start. joints: number of active joints; seconds: duration; camera: of the pictures."""

    world: gambol.World
    q: Array
    joints: int
    seconds: float
    camera: FixedCamera


def _strand(name: str, parent: str, count: int, x: float) -> list[gambol.Link]:
    """Return a strand of capsules that hangs from a place along its parent."""
    part = gambol.Part(gambol.Capsule(RADIUS, LENGTH), position=(0.0, 0.0, -LENGTH / 2.0), density=1e3, color="#5b7c99")
    links: list[gambol.Link] = []
    for k in range(count):
        joint = gambol.Joint("revolute", PITCH, position=(0.0, 0.0, -LENGTH) if k else (x, 0.0, 0.0))
        links.append(gambol.Link(f"{name} {k}", f"{name} {k - 1}" if k else parent, joint, (part,)))
    return links


def strands() -> Scene:
    """Sixteen strands of 24 links hang from a beam; the lower halves of three are bent aside and let go."""
    beam = gambol.Part(gambol.Box((8.6, 0.1, 0.1)), density=1e3, color="#7d6f5b")
    links = [gambol.Link("beam", None, gambol.Joint("fixed"), (beam,))]
    for i in range(16):
        links += _strand(f"s{i}", "beam", 24, 0.5 * i - 3.75)
    figure = gambol.Figure("strands", tuple(links))
    q = np.zeros(figure.nq)
    for i, bend in ((3, 0.09), (8, -0.07), (12, 0.05)):
        for k in range(12, 24):
            q[figure.link(f"s{i} {k}").q] = bend
    dampers = {link.name: gambol.JointSpring(damping=0.02) for link in figure.links[1:]}
    world = gambol.World(figure, dampers, gambol.NoGround(), contact="penalty")
    return Scene(world, q, 40, 1.5, FixedCamera((0.0, -12.5, -1.2), (0.0, 0.0, -1.2)))


def rope() -> Scene:
    """A rope of 100 links hangs; its lower third is bent aside and let go, and a wave runs up."""
    figure = gambol.Figure(
        "rope", (gambol.Link("holder", None, gambol.Joint("fixed")), *_strand("r", "holder", 100, 0.0))
    )
    q = np.zeros(figure.nq)
    q[66:] = 0.06
    dampers = {link.name: gambol.JointSpring(damping=0.05) for link in figure.links[1:]}
    world = gambol.World(figure, dampers, gambol.NoGround(), contact="penalty")
    return Scene(world, q, 30, 1.5, FixedCamera((0.0, -30.0, -5.0), (0.0, 0.0, -5.0)))


def snake() -> Scene:
    """A snake of 120 links lies on a ground with its front raised in an arch, which falls."""
    ball = gambol.Part(gambol.Sphere(0.05), density=2e3, color="#5b7c99")
    links = [gambol.Link("0", None, gambol.Joint("free"), (ball,))]
    for i in range(1, 120):
        joint = gambol.Joint("revolute", PITCH if i % 2 else YAW, position=(-LENGTH, 0.0, 0.0))
        links.append(gambol.Link(f"{i}", f"{i - 1}", joint, (ball,)))
    figure = gambol.Figure("snake", tuple(links))
    q = np.concatenate([[1.0], np.zeros(figure.nq - 1)])
    for i in range(1, 40, 2):
        q[figure.link(f"{i}").q] = -0.12 * np.sin(2.0 * np.pi * i / 40)
    resting = 0.05 - 9.81 * figure.root.mass_properties.mass / TOUCH.stiffness  # height of a link that rests [m]
    q[6] = resting - float(gambol.kinematics(figure, q).position[-1, 2])
    dampers = {link.name: gambol.JointSpring(damping=0.02) for link in figure.links[1:]}
    surface = gambol.SurfaceProperties(TOUCH, grip="none")
    world = gambol.World(figure, dampers, gambol.Plane(), surface, contact="penalty")
    return Scene(world, q, 40, 1.0, FixedCamera((-1.9, -5.5, 1.6), (-1.9, 0.0, 0.3)))


SCENES: dict[str, Callable[[], Scene]] = {each.__name__: each for each in (rope, strands, snake)}


def filmed(scene: Scene, joints: int | None) -> gambol.Film:
    """Return the film of a scene with a number of active joints; None: all."""
    motion = gambol.adaptive_dynamics(scene.world, joints=joints)
    motion.start(scene.q, np.zeros(scene.world.figure.nv))
    return gambol.adaptive_film(motion, scene.seconds, rate=30.0, ground=scene.world.ground)


def beside(full: gambol.Film, adaptive: gambol.Film) -> gambol.Film:
    """Return a film with both motions as worlds, which a page shows side by side."""
    position, quaternion = (
        np.concatenate([getattr(film, name) for film in (full, adaptive)], axis=1)
        for name in ("position", "quaternion")
    )
    signals = {name: np.concatenate([full.signals[name], adaptive.signals[name]], axis=1) for name in full.signals}
    return replace(adaptive, position=position, quaternion=quaternion, signals=signals)


def picture(strips: list[Filmstrip], path: Path) -> None:
    """Write the images of filmstrips, one strip below the other."""
    from PIL import Image

    rows = [np.concatenate(strip.images, axis=1) for strip in strips]
    Image.fromarray(np.concatenate(rows, axis=0)).save(path)


def main(folder: str = "out/adaptive", *names: str) -> int:
    """Write the videos and pictures of scenes (all without names) into a folder. Return 1 if an error is too large."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    console, failed = Console(soft_wrap=True, markup=False, highlight=False), 0
    for name in names or SCENES:
        scene = SCENES[name]()
        full, adaptive = filmed(scene, None), filmed(scene, scene.joints)
        distance = np.linalg.norm(adaptive.position - full.position, axis=-1)
        moved = np.linalg.norm(full.position - full.position[:1], axis=-1).max()
        error = float(np.sqrt((distance[-1] ** 2).mean()) / moved)
        count = len(scene.world.figure.links) - 1
        failed |= error > MAX_ERROR
        console.print(
            f"{name}: {scene.joints} of {count} joints are active; the error of all links is {100 * error:.2g} %"
        )
        strips = [filmstrip(film, frames=MOMENTS, whole=True, camera=scene.camera) for film in (full, adaptive)]
        picture(strips, Path(folder) / f"adaptive-{name}.png")
        gambol.write_page(beside(full, adaptive), Path(folder) / f"adaptive-{name}.html")
        gambol.write_video([full, adaptive], Path(folder) / f"adaptive-{name}.mp4", speed=1.0, camera=scene.camera)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
