"""The options of `gambol evolve` about the ground, a path on it, and the speed; they change the task of a run."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.cli import choices
from gambol.collide import HeightGrid
from gambol.errors import EvolveError, GambolError
from gambol.evolve.evaluate.options import search_space, task_of
from gambol.evolve.fitness import WeightedTerm
from gambol.evolve.genotype import Genotype, Phenotype, grow, plan_named
from gambol.evolve.genotype.breeding import GenotypeSpace
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.runs import Settings
from gambol.evolve.tasks import Task
from gambol.evolve.tasks.terrain import Heights, Hills, Slope, Terrain, grid_of
from gambol.gait import GroundPath

HILL_RATIO = 1.0 / 3.0  # height of hills, as a fraction of standing height, as in `gambol walk --ground hills`
HILL_LENGTHS = 2.0  # shortest wavelength of hills [body lengths], as in `gambol run --ground hills`
SPEED_WEIGHT = 2.0  # of the term at_speed: it outweighs all terms about natural motion
SPEED_TERMS = ("speed", "pace")
"""Terms that reward the highest speed; if a speed is requested, another term replaces them."""

PATH_STRIDE = 4  # every fourth of the 65 samples of a smooth path becomes a corner of the term's path


@dataclass(frozen=True)
class Surroundings:
    """The options as given by the user; None for an option that was not given.

    spacing: spacing of the heights of a file [m]; slope [degrees]; speed [m/s].
    """

    ground: str | None = None
    spacing: float = 0.05
    path: str | None = None
    slope: float | None = None
    speed: float | None = None

    def changes(self, settings: Settings) -> dict[str, Any]:
        """Return the changes of the task of a run, as in options["task"] of its settings; empty without options.

        settings: settings of the run. Raises GambolError, with the name of the option, for impossible values.
        """
        task, changes = task_of(settings), dict[str, Any]()
        self._check(task)
        if self.ground is not None or self.slope is not None:
            terrain = self._terrain(settings)
            changes["ground"] = terrain.as_data() if terrain else None
        terms = task.terms
        if self.path is not None:
            path = choices.read_path(self.path)
            self._check_path(path, settings, changes)
            changes["start"] = [path.x[0], path.y[0], path.heading[0]]
            terms = (
                _path_term(path, self.speed),
                *(term for term in terms if term.term not in ("along", "along_path")),
            )
        elif self.speed is not None:
            others = (term for term in terms if term.term not in (*SPEED_TERMS, "at_speed"))
            terms = (WeightedTerm("at_speed", SPEED_WEIGHT, options={"wanted": self.speed}), *others)
        if terms != task.terms:
            changes["terms"] = [term.as_data() for term in terms]
        return changes

    def _check(self, task: Task) -> None:
        """Raise GambolError for options that contradict each other or do not fit the task."""
        for option, value in (("ground", self.ground), ("slope", self.slope), ("path", self.path)):
            if value is not None and task.medium is not None:
                raise GambolError(f'--{option}: the task "{task.name}" has no ground, creatures float; leave it out')
        if self.ground is not None and self.slope is not None:
            raise GambolError("--slope: a ground has its own slopes; give --ground or --slope, not both")
        names = [term.term for term in task.terms]
        if self.path is not None and not {"along", "along_path"} & set(names):
            raise GambolError(f'--path: the task "{task.name}" does not follow a path; leave TASK out, or give path')
        if self.speed is None:
            return
        if not 0.0 < self.speed < math.inf:
            raise GambolError(f"--speed: {self.speed:g} m/s is not possible; give more than 0, such as 0.5")
        if self.path is None and not {*SPEED_TERMS, "at_speed"} & set(names):
            remedy = "give --path FILE, too" if task.name == "path" else "it is for walk, hop, swim and path"
            raise GambolError(f'--speed: the task "{task.name}" has no speed; {remedy}')

    def _terrain(self, settings: Settings) -> Terrain | None:
        if self.slope is not None:
            try:
                return Slope(math.radians(self.slope))
            except EvolveError as error:
                raise GambolError(f"--slope: {error}") from error
        return terrain_named(str(self.ground), self.spacing, settings.seed, body_of(settings))

    def _check_path(self, path: GroundPath, settings: Settings, changes: dict[str, Any]) -> None:
        """Raise GambolError for a path with speeds, and for a path that leaves the ground."""
        if min(path.speed) < 1.0:
            raise GambolError(f'--path: "{self.path}" has a third column, of speeds; leave it out, and give --speed')
        terrain = self._terrain(settings) if "ground" in changes else task_of(settings).ground
        if terrain is None:
            return
        low, high = _extent(grid_of(terrain))
        points = path.points()
        outside = np.flatnonzero(((points < low) | (points > high)).any(axis=1))
        if outside.size:
            x, y = points[outside[0]]
            raise GambolError(
                f'--path: "{self.path}" leaves the ground at ({x:.3g}, {y:.3g}) m; the ground has x from '
                f"{low[0]:.3g} to {high[0]:.3g} m and y from {low[1]:.3g} to {high[1]:.3g} m"
            )


def body_of(settings: Settings) -> Phenotype:
    """Return a body as large as the bodies of a run: the body of its plan, or the quadruped for free bodies."""
    space = search_space(settings)
    plan = space.plan if isinstance(space, GenotypeSpace) else with_neutral_control(Genotype(plan_named("quadruped")))
    return grow(plan)


def terrain_named(text: str, spacing: float, seed: int, body: Phenotype) -> Terrain | None:
    """Return the ground that --ground names ("flat", "hills", or the path of a height file); None for flat ground.

    spacing: spacing of the heights of a file [m]. seed: seed of hills. body: determines the size of hills. Raises
    GambolError for other texts, and for a ground that is smaller than the body.
    """
    if text == "flat":
        return None
    if text == "hills":
        return Hills(round(HILL_RATIO * float(body.height), 3), round(HILL_LENGTHS * float(body.length), 3), seed)
    grid = choices.read_ground_file(text, spacing)
    low, high = _extent(grid)
    if min(high - low) < 2.0 * float(body.length):
        raise GambolError(
            f'--ground: "{text}" is {high[0] - low[0]:.3g} m by {high[1] - low[1]:.3g} m, too small for a creature of '
            f"{float(body.length):.3g} m; give more heights, or a larger --spacing than {spacing:g}"
        )
    try:
        return Heights(grid.heights, spacing, text.replace("\\", "/").rpartition("/")[2])
    except EvolveError as error:
        raise GambolError(f"--ground: {error}") from error


def description(task: Task) -> str:
    """Return a phrase for the slope and the speed of a task, such as " up a slope of 10 degrees at 0.5 m/s", or ""."""
    words = [task.ground.description] if task.ground else []
    for term in task.terms:
        if term.term == "at_speed":
            words.append(f"at {term.options['wanted']:g} m/s")
        if term.term == "along_path":
            corners = np.array([(0.0, 0.0), *term.options["points"]])
            words.append(f"along a path of {np.linalg.norm(np.diff(corners, axis=0), axis=1).sum():.3g} m")
            words += [f"at {speed:g} m/s"] if (speed := term.options.get("speed")) else []
    return "".join(f" {word}" for word in words)


def _path_term(path: GroundPath, speed: float | None) -> WeightedTerm:
    """Return the term of a path.

    The points [m] are relative to the first point, with x along the initial heading of the path.
    """
    c, s = math.cos(path.heading[0]), math.sin(path.heading[0])
    x, y = (path.points()[PATH_STRIDE::PATH_STRIDE] - path.points()[0]).T
    points = np.stack([c * x + s * y, c * y - s * x], axis=-1).tolist()
    return WeightedTerm("along_path", 1.0, options={"points": points} | ({"speed": speed} if speed else {}))


def _extent(grid: HeightGrid) -> tuple[Any, Any]:
    """Return the least and the largest x and y of a grid [m]."""
    low = np.array([grid.x0, grid.y0])
    return low, low + grid.spacing * (np.array(grid.heights.shape) - 1)
