"""A picture of figures from files: `python -m benchmarks.gallery` runs each, checks its ledger, and draws them all.

The licences of the files (MIT of gymnasium's, BSD of ANYmal's and Go2's, Apache of Panda's) permit such pictures.
"""

import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure as Sheet
from matplotlib.image import imread

import gambol
from benchmarks.robots import robot, robot_model
from gambol.collide import Plane
from gambol.formats import Model, atomic_write
from gambol.view import with_floor, write_still
from gambol.world import Film

PICTURE = Path("docs") / "pictures" / "figures.png"
EXAMPLES = Path(__file__).parents[1] / "examples" / "figures"
COLUMNS, WIDTH = 4, 12.8  # pictures in a row; inches of a row
MAX_UNACCOUNTED = 0.01  # largest unaccounted energy, relative to the energy exchanged


@dataclass(frozen=True)
class Shot:
    """A figure from a file at a time of its motion [s]; robot: True if the file is one of benchmarks.robots."""

    title: str
    file: str
    time: float
    robot: bool = True

    @property
    def model(self) -> Model:
        """Return the model in the file."""
        return robot_model(robot(self.file)) if self.robot else gambol.read_figure(EXAMPLES / self.file)


SHOTS = (
    Shot("humanoid.xml", "humanoid", 0.0),
    Shot("humanoid.xml, 1 s later", "humanoid", 1.0),
    Shot("ant.xml", "ant", 0.6),
    Shot("half_cheetah.xml", "half cheetah", 0.2),
    Shot("anymal.urdf", "ANYmal C", 0.15),
    Shot("go2.urdf", "Go2", 0.2),
    Shot("panda.urdf", "Panda", 0.8),
    Shot("trapeze.toml", "trapeze.toml", 1.6, robot=False),
)


def film_at(shot: Shot) -> Film:
    """Return the frame of a shot as a film. Raises AssertionError if the ledger does not balance up to that time."""
    model = shot.model
    world = gambol.make_world(model, ground=Plane() if shot.robot else None)
    film = gambol.run(world, gambol.start(world), max(shot.time, 1 / 240), rate=240.0)
    lost = np.abs(film.signals["unaccounted"]).max()
    assert lost <= MAX_UNACCOUNTED * np.ptp(film.signals["potential"]) + 1e-9, (
        f"{shot.title}: {lost:g} J are unaccounted for"
    )
    still = replace(film.between(shot.time, shot.time), name=shot.title)
    return still if shot.robot else with_floor(still)


def main() -> int:
    """Draw all shots in one picture."""
    rows = -(-len(SHOTS) // COLUMNS)
    sheet = Sheet(figsize=(WIDTH, 0.75 * WIDTH / COLUMNS * rows))
    with tempfile.TemporaryDirectory() as folder:
        for k, shot in enumerate(SHOTS):
            image = imread(write_still(film_at(shot), Path(folder) / f"{k}.png"))
            x, y = k % COLUMNS / COLUMNS, 1.0 - (k // COLUMNS + 1) / rows
            axes = sheet.add_axes((x + 0.002, y + 0.002, 1 / COLUMNS - 0.004, 1 / rows - 0.004))
            axes.set_axis_off()
            axes.imshow(image[::2, ::2], aspect="auto", interpolation="antialiased")
    with atomic_write(PICTURE) as beside:
        sheet.savefig(beside, dpi=150)
    return 0


if __name__ == "__main__":
    sys.exit(main())
