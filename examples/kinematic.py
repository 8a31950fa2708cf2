"""A dog and a roach walk around curves: inverse kinematics places feet exactly, and bodies lean into turns."""

import sys
from pathlib import Path

import numpy as np

import gambol
from gambol.plan.path import Ease, PacedCurve
from gambol.plan.walk import Footfalls, KinematicWalk, kinematic_walk, lowest_points
from gambol.spatial import interpolating

TRIPOD = (0.0, 0.5, 0.5, 0.0, 0.0, 0.5)  # front left, front right, middle left, middle right, hind left, hind right
TROT = (0.0, 0.5, 0.5, 0.0)  # hind left, front left, hind right, front right


def slalom(length: float, width: float) -> list[tuple[float, float, float]]:
    """Return points of a slalom of one wave along x, which begins and ends straight."""
    x = np.linspace(0.0, 1.0, 17)
    return [(length * a, width * np.sin(2.0 * np.pi * a) * np.sin(np.pi * a) ** 2, 0.0) for a in x]


def dog() -> KinematicWalk:
    """Return a trot of six seconds, at up to 1.3 m/s."""
    world = gambol.creature_entry("dog").world()
    q = gambol.start(world, drop=0.0).q[0]
    feet = lowest_points(world, q, world.surface.feet)
    path = PacedCurve(interpolating(slalom(6.0, 0.9)), 6.0, Ease(0.2, 0.2))
    return kinematic_walk(world, q, feet, path, Footfalls(0.4, 0.55, TROT, 0.06))


def roach() -> KinematicWalk:
    """Return a tripod walk of two seconds, at up to 12 cm/s."""
    world = gambol.make_world(gambol.roach(), speed=1.0)
    q = gambol.start(world, drop=0.0).q[0]
    q[6] -= 0.0015  # its fore and middle feet hover until it walks
    feet = lowest_points(world, q, world.surface.feet)
    path = PacedCurve(interpolating(slalom(0.2, 0.02)), 2.0, Ease(0.1, 0.1))
    return kinematic_walk(world, q, feet, path, Footfalls(0.08, 0.55, TRIPOD, 0.002), rate=240.0)


def check(name: str, walk: KinematicWalk) -> None:
    """Assert that standing feet do not move, and that the body leans as it should."""
    stands, points = walk.film.signals["stepping"][:, 0] < 0.5, walk.footholds[:, :, 0]
    both = stands[1:] & stands[:-1]
    moved = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    held = both & (moved < 1e-12)  # one stance; a new one may begin between two frames
    assert held.sum() > 0.9 * both.sum()
    assert walk.error < 1e-9
    lean = walk.film.signals["lean"]
    print(
        f"{name}: feet within {walk.error:.1e} m of their places, lean up to {np.degrees(abs(lean).max()):.1f} degrees"
    )


def main(folder: str = "") -> None:
    for name, make in {"dog": dog, "roach": roach}.items():
        walk = make()
        check(name, walk)
        if folder:
            gambol.write_page(walk.film, Path(folder) / f"kinematic-{name}.html")
            gambol.write_picture(walk.film, Path(folder) / f"kinematic-{name}.png")


if __name__ == "__main__":
    main(*sys.argv[1:2])
