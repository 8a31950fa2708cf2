"""A hound chases a beetle that flees, and stands over it within 12 s; both stay on their feet."""

from pathlib import Path

import numpy as np

import gambol
from gambol import Place

RATE = 24.0  # frames/s


def main() -> None:
    world = gambol.together(
        {"hound": gambol.make_world("hound"), "beetle": gambol.make_world("beetle")},
        {"hound": Place(-1.2, 0.4), "beetle": Place(0.0, 0.0, 0.4)},
        behaviours={"hound": "chase", "beetle": "flee"},
    )
    film = gambol.run(world, gambol.start(world), seconds=12.0, rate=RATE)
    hound, beetle = (film.position[:, 0, film.link_names.index(f"{name}/trunk")] for name in ("hound", "beetle"))
    distance = np.hypot(*(hound - beetle)[:, :2].T)
    caught = int(np.argmin(distance))
    heights = f"the hound's trunk at {hound[:, 2].min():.2f} m or more, the beetle's at {beetle[:, 2].min():.2f} m"
    print(
        f"{distance[caught]:.2f} m apart after {film.time[caught]:.1f} s, {distance[0]:.2f} m at the start; {heights}"
    )
    assert distance[caught] < 0.23, "the beetle got away"  # half the length of the hound's trunk
    assert hound[:, 2].min() > 0.3, "the hound fell"
    assert beetle[:, 2].min() > 0.5 * beetle[0, 2], "the beetle fell"
    out = Path("out")
    out.mkdir(exist_ok=True)
    gambol.write_page(film, out / "chase.html")


if __name__ == "__main__":
    main()
