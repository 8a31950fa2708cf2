"""Parts assemble themselves from any start: a chain and a closed linkage by descent of energies, and by forces.

The legs of a table also find their lengths: it stands on stones of different heights.
"""

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


STONES, TOP, LEG = (0.05, 0.3, 0.15, 0.4), 1.2, 0.6  # heights of stones and of a table's top, first length of legs [m]


def table() -> Assembly:
    """Return the descent of four loose legs to the corners of a table's top, and down to the stones below them.

    A leg is a tube at its upper end and a rod at its foot, so that it is seen to grow.
    """
    slab = gambol.Part(gambol.Box((1.4, 1.4, 0.08)), (0.0, 0.0, 0.04))
    links = [gambol.Link("top", None, gambol.Joint("fixed", position=(0.0, 0.0, TOP)), (slab,))]
    goals: list[Goal] = []
    sizes: dict[str, tuple[str, ...]] = {}
    for k, height in enumerate(STONES):
        corner = (0.6 * (-1.0) ** k, 0.6 * (-1.0) ** (k // 2), 0.0)
        stone = gambol.Part(gambol.Box((0.35, 0.35, height)), (corner[0], corner[1], 0.5 * height - TOP))
        leg, foot = f"leg {k}", f"foot {k}"
        tube = gambol.Part(gambol.Capsule(0.06, LEG - 0.12), (0.0, 0.0, -0.5 * LEG))
        rod = gambol.Part(gambol.Capsule(0.03, LEG - 0.06), (0.0, 0.0, 0.5 * LEG))
        links += [
            gambol.Link(f"stone {k}", "top", gambol.Joint("fixed"), (stone,)),
            gambol.Link(leg, "top", gambol.Joint("free"), (tube,)),
            gambol.Link(foot, leg, gambol.Joint("fixed", position=(0.0, 0.0, -LEG)), (rod,)),
        ]
        goals += [
            gambol.PointGoal(leg, corner, other="top"),
            gambol.AxisGoal(leg, (0.0, 0.0, 1.0), (0.0, 0.0, 1.0)),
            gambol.PointGoal(foot, (0.0, 0.0, height), axes="z"),
        ]
        sizes[leg] = (f"{foot}.position.z",)
    starts = random_starts(4, 3)[:1]
    return assemble_by_energy(gambol.Figure("table", tuple(links)), starts, goals, sizes=sizes, duration=500.0)


def main(folder: str = "") -> None:
    descents, flight = {"chain": chain(), "pulled-linkage": pulled_linkage(), "table": table()}, linkage()
    assemblies = descents | {"linkage": flight}
    for name, assembly in assemblies.items():
        print(f"{name}: {assembly}")
        assert assembly.assembled.all(), assembly.unmet(int(np.argmin(assembly.assembled)))
    for descent in descents.values():
        assert (np.diff(descent.energies.sum(axis=2), axis=0) < 1e-5).all(), "energy rose"  # by errors of steps of 1e-4
    lengths = [LEG * float(factor[-1, 0]) for factor in descents["table"].factors.values()]
    print("the legs of the table are", ", ".join(f"{length:.3f}" for length in lengths), "m long")
    assert np.allclose(lengths, TOP - np.array(STONES), atol=2e-3)
    weight = 9.81 * flight.figure.mass
    print(f"the largest constraint force is {flight.forces.max() / weight:.3g} weights on its way")
    if folder:
        for name, assembly in assemblies.items():
            film = assembly.film()
            film = film.of_worlds(range(min(film.worlds, 4))).between(0.0, 30.0 if name == "table" else 6.0)
            gambol.write_page(film, Path(folder) / f"{name}.html")
            gambol.write_picture(film, Path(folder) / f"{name}.png", whole=True)


if __name__ == "__main__":
    main(*sys.argv[1:2])
