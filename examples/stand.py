"""Dropped from 5 mm, the roach lands and stands, with its belly above the ground."""

import gambol


def main() -> None:
    creature = gambol.roach()
    world = gambol.make_world(creature, begins=10.0)
    film = gambol.run(world, gambol.start(world, drop=0.005), seconds=0.5)

    clearance, height = film.signals["clearance"][:, 0], film.signals["centre"][:, 0, 2]
    late = film.time > 0.4
    weight = creature.figure.mass * world.gravity
    carried = film.signals["push"][late].sum(axis=-1).mean() / weight
    print(f"smallest clearance {1e3 * clearance.min():.1f} mm, carries {carried:.3f} of its weight")
    assert clearance.min() > 0.0, "the belly touched"
    assert abs(carried - 1.0) < 0.02, "it does not rest on its feet"
    assert height[late].max() - height[late].min() < 1e-4, "it still moves"


if __name__ == "__main__":
    main()
