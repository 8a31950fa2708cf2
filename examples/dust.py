"""Dust at footfalls: the roach walks, every foot that lands throws up dust, and the dust settles on the ground."""

from pathlib import Path

import numpy as np

import gambol
from gambol.matter.particles import Emitter, Gravity, Look, ParticleSystem, Spread, Wind, with_particles
from gambol.view.page import write_page

GRAINS = 30  # at each footfall
SIZE = 4e-4  # radius of the largest [m]
SAND = Look(colors=((0.0, (0.50, 0.38, 0.22, 0.9)), (1.0, (0.65, 0.55, 0.40, 0.1))), sizes=((0.0, 0.5), (1.0, 1.5)))


def main() -> None:
    creature = gambol.roach()
    world = gambol.make_world(creature)
    film = gambol.run(world, gambol.start(world), seconds=0.6)
    stepping = film.signals["stepping"][:, 0] > 0.5
    landed = stepping[:-1] & ~stepping[1:]

    def footfalls(frame: int) -> dict[str, np.ndarray]:
        feet = film.signals["feet"][frame, 0][landed[frame]] * [1.0, 1.0, 0.0] + [0.0, 0.0, SIZE]
        return {"dust": np.repeat(feet, GRAINS, axis=0)}

    dust = Emitter(
        speed=Spread(0.12, 0.08), cone=1.2, lifetime=Spread(0.15, 0.05), radius=Spread(2.5e-4, 1e-4), drag=(25.0, 0.0),
        restitution=0.1, friction=1.0, look=SAND,
    )  # fmt: skip
    system = ParticleSystem({"dust": dust}, (Gravity(), Wind((-0.05, 0.0, 0.0))), figure=creature.figure)
    dusty = with_particles(film, system, events=footfalls)
    (grains,) = dusty.matter
    born = len(np.unique(grains.numbers))
    print(f"{landed.sum()} footfalls, {born} grains of dust, at most {grains.points[:, 2].max() * 1e3:.1f} mm high")
    assert born == GRAINS * landed.sum(), "every footfall throws up its grains"
    assert grains.points[:, 2].min() > 0.0, "dust fell through the ground"
    out = Path("out")
    out.mkdir(exist_ok=True)
    write_page(dusty, out / "dust.html")


if __name__ == "__main__":
    main()
