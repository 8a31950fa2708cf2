"""The scenes of McKenna's film: `python -m validation.scenes [NAME ...]`; without names, all of them.

It plays the scripts of examples/scripts, draws eight frames of each scene to docs/pictures/scene-NAME.png, and writes a
page and a video of each to out/validation/scenes. The picture of the oscillators in free space has their dials instead;
examples/wires.py adds the sparks to the wires.
"""

import runpy
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
import numpy as np

from gambol import read_script
from gambol.view import write_oscillator_picture, write_page, write_video
from gambol.view.stage import Stage
from gambol.world import Film

ROOT = Path(__file__).parents[1]
WIRES = ROOT / "examples" / "wires.py"
SCRIPTS, PICTURES, OUT = (
    ROOT / "examples" / "scripts",
    ROOT / "docs" / "pictures",
    ROOT / "out" / "validation" / "scenes",
)
COLUMNS, WIDTH, HEIGHT, GAP = 4, 234, 150, 5
"""Frames in a row, their size, and the space between them [pixels]."""

TIMES: Mapping[str, tuple[float, ...]] = {
    "jump": (0.03, 0.2, 0.39, 0.42, 0.44, 0.47, 0.51, 0.85),
    "twitch": (0.3, 0.51, 0.53, 0.76, 0.96, 1.25, 1.35, 1.85),
    "backward-legs": (0.1, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0),
    "flip-over": (0.05, 0.3, 0.5, 0.55, 0.58, 0.61, 0.65, 1.0),
    "flip-off-wall": (0.1, 0.45, 0.55, 0.6, 0.69, 0.72, 0.76, 0.9),
    "right-itself": (0.1, 0.14, 0.2, 0.27, 0.36, 0.5, 0.7, 1.2),
    "wires": (0.05, 0.2, 0.34, 0.369, 0.4, 0.408, 0.45, 0.75),
    "oscillator-wheel": (0.765, 2.19),
}
"""The times of the frames in each picture [s]."""


def main(names: Sequence[str]) -> int:
    """Play scenes and write their pictures, pages and videos."""
    OUT.mkdir(parents=True, exist_ok=True)
    for name in names or TIMES:
        film: Film = runpy.run_path(str(WIRES))["with_sparks"](OUT) if name == "wires" else _film(name)
        if name == "oscillator-wheel":
            write_oscillator_picture(film, PICTURES / "scene-oscillators.png", times=TIMES[name])
        else:
            draw_frames(film, TIMES[name], PICTURES / f"scene-{name}.png")
        write_page(film, OUT / f"{name}.html", speed=0.2)
        write_video(film, OUT / f"{name}.mp4", speed=0.2, quality="draft")
    return 0


def _film(name: str) -> Film:
    return read_script(SCRIPTS / f"{name}.corpus").run(OUT)


def draw_frames(film: Film, times: Sequence[float], path: Path) -> None:
    """Draw frames of a film at some times [s] as a sheet, seen by the camera of its script or as in videos."""
    matplotlib.use("agg")
    from matplotlib import pyplot

    rows = -(-len(times) // COLUMNS)
    size = COLUMNS * (WIDTH + GAP), rows * (HEIGHT + GAP)
    sheet = pyplot.figure(figsize=(size[0] / 100.0, size[1] / 100.0), dpi=100)
    with Stage(film, 2 * WIDTH, 2 * HEIGHT) as stage:
        for k, time in enumerate(times):
            frame = int(np.argmin(np.abs(film.time - time)))
            stage.pose(frame)
            stage.aim(frame)
            left, top = k % COLUMNS * (WIDTH + GAP), k // COLUMNS * (HEIGHT + GAP)
            bottom = size[1] - top - HEIGHT
            axes = sheet.add_axes((left / size[0], bottom / size[1], WIDTH / size[0], HEIGHT / size[1]))
            axes.set_axis_off()
            axes.imshow(np.asarray(stage.screenshot()), aspect="auto")
            axes.text(0.03, 0.97, f"{1e3 * time:.0f} ms", transform=axes.transAxes, va="top", fontsize=7)
    sheet.savefig(path)
    pyplot.close(sheet)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
