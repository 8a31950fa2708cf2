"""A cat chases a beetle that flees, catches it and pushes it along; both stay on their feet."""

from pathlib import Path

import numpy as np

import gambol
from gambol import Place

RATE = 24.0  # frames/s


def main() -> None:
    world = gambol.together(
        {"cat": gambol.make_world("cat"), "beetle": gambol.make_world("beetle")},
        {"cat": Place(-1.2, 0.4), "beetle": Place(0.0, 0.0, 0.4)},
        behaviours={"cat": "chase", "beetle": "flee"},
    )
    film = gambol.run(world, gambol.start(world), seconds=7.0, rate=RATE)
    cat, beetle = (film.position[:, 0, film.link_names.index(f"{name}/trunk")] for name in ("cat", "beetle"))
    distance = np.hypot(*(cat - beetle)[:, :2].T)
    caught = int(np.argmin(distance))
    heights = f"the cat's trunk at {cat[:, 2].min():.2f} m or more, the beetle's at {beetle[:, 2].min():.2f} m"
    print(
        f"{distance[caught]:.2f} m apart after {film.time[caught]:.1f} s, {distance[0]:.2f} m at the start; {heights}"
    )
    assert distance[caught] < 0.29, "the beetle got away"  # half of both trunks: noses touch tails
    assert cat[:, 2].min() > 0.2, "the cat fell"
    assert beetle[:, 2].min() > 0.5 * beetle[0, 2], "the beetle fell"
    out = Path("out")
    out.mkdir(exist_ok=True)
    gambol.write_page(film, out / "chase.html")


if __name__ == "__main__":
    main()
