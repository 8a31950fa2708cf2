"""Parts assemble themselves from any start: a chain and a closed linkage by descent of energies, and by forces."""

import sys
from pathlib import Path

import numpy as np

import gambol
from gambol.plan.assembly import Assembly, AssemblyOptions, assemble_by_energy, assemble_by_forces, loose_parts
from gambol.plan.pose import Goal

STARTS, TIME_CONSTANT = 8, 0.4  # s
HEIGHT = 3.0  # of the middle of the starts, and of the nails [m]
ROD = (gambol.Part(gambol.Capsule(0.06, 0.88), (0.5, 0.0, 0.0), ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))),)


def random_starts(parts: int, seed: int) -> np.ndarray:
    """Return coordinates (STARTS, 7 parts) of parts anywhere in some metres, with any orientation."""
    q = np.random.default_rng(seed).normal(size=(STARTS, parts, 7)) * 1.2
    q[..., 6] += HEIGHT
    q[..., :4] /= np.linalg.norm(q[..., :4], axis=-1, keepdims=True)
    return q.reshape(STARTS, -1)


def rod(name: str, parent: str | None, joint: str, x: float, z: float = 0.0) -> gambol.Link:
    """Return a rod of 1 m along x, on a joint at (x, 0, z) in its parent; hinges turn about y."""
    return gambol.Link(name, parent, gambol.Joint(joint, (0.0, 1.0, 0.0), position=(x, 0.0, z)), ROD)


def chain() -> Assembly:
    """Return the descent of six rods into a chain."""
    rods = [rod("rod 0", None, "free", 0.0), *(rod(f"rod {k}", f"rod {k - 1}", "spherical", 1.0) for k in range(1, 6))]
    figure, constraints = loose_parts(gambol.Figure("chain", tuple(rods)))
    return assemble_by_energy(figure, random_starts(6, 1), constraints, duration=60.0)


def linkage_parts() -> tuple[gambol.Figure, list[Goal]]:
    """Return three loose rods, and the constraints of their closed linkage at two nails 0.8 m apart."""
    rods = (
        rod("left", None, "revolute", 0.0, HEIGHT),
        rod("middle", "left", "revolute", 1.0),
        rod("right", "middle", "revolute", 1.0),
    )
    nail = gambol.Closure("point", "right", None, position=(1.0, 0.0, 0.0), other_position=(0.8, 0.0, HEIGHT))
    figure = gambol.Figure("linkage", rods, constraints=(nail,))
    return loose_parts(figure, gambol.assembled(figure, [1.2, 0.9, 1.9]))


def pulled_linkage() -> Assembly:
    """Return the descent of three rods into the linkage; some pass near a straight line of rods, where it is slow."""
    parts, constraints = linkage_parts()
    return assemble_by_energy(parts, random_starts(3, 2), constraints, duration=2000.0, frames=1000)


def linkage() -> Assembly:
    """Return the flight of three rods into the linkage, under gravity, by constraint forces."""
    parts, constraints = linkage_parts()
    options = AssemblyOptions(gravity=9.81)
    return assemble_by_forces(
        parts, random_starts(3, 2), constraints, seconds=6.0, time_constant=TIME_CONSTANT, options=options
    )


def main(folder: str = "") -> None:
    descents, flight = {"chain": chain(), "pulled-linkage": pulled_linkage()}, linkage()
    assemblies = descents | {"linkage": flight}
    for name, assembly in assemblies.items():
        print(f"{name}: {assembly}")
        assert assembly.assembled.all(), assembly.unmet(int(np.argmin(assembly.assembled)))
    for descent in descents.values():
        assert (np.diff(descent.energies.sum(axis=2), axis=0) < 1e-5).all(), "energy rose"  # by errors of steps of 1e-4
    weight = 9.81 * flight.figure.mass
    print(f"the largest constraint force is {flight.forces.max() / weight:.3g} weights on its way")
    if folder:
        for name, assembly in assemblies.items():
            film = assembly.film().of_worlds(range(4)).between(0.0, 6.0)
            gambol.write_page(film, Path(folder) / f"{name}.html")
            gambol.write_picture(film, Path(folder) / f"{name}.png", whole=True)


if __name__ == "__main__":
    main(*sys.argv[1:2])
