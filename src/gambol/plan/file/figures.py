"""The figure of a plan file: links in the plan itself, the path of another file, or a name."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Figure
from gambol.formats import Model, read_model
from gambol.formats.figure_file import model_of_table
from gambol.formats.table import Table
from gambol.plan.file.values import wrong_value
from gambol.plan.motion.spec.plan import Ranges
from gambol.plan.problems import hopper, lamp, quadruped, single_rigid_body

FigureLoader: TypeAlias = Callable[[], Model]
"""Returns the model of a figure that has a name."""

FIGURES: Mapping[str, Callable[[], Figure]] = {
    "hopper": hopper,
    "lamp": lamp,
    "quadruped": quadruped,
    "single rigid body": single_rigid_body,
}
"""The figures of the named problems."""

FILES = (".toml", ".xml", ".urdf", ".usd", ".usda", ".usdc", ".usdz")


def read_plan_figure(table: Table, folder: Path, loaders: Mapping[str, FigureLoader]) -> Model:
    """Return the model of a plan's figure.

    table: table of the plan, with the key "figure": a table with the keys of a figure file, the path of a file with a
    suffix in FILES, or a name. folder: folder of the plan file, to which paths are relative. loaders: loaders of
    further names. Raises GambolError that names the file and the key.
    """
    if isinstance(table.data.get("figure"), dict):
        return model_of_table(table.table("figure"))
    name = table.text("figure")
    known: dict[str, FigureLoader] = {key: _model_maker(make) for key, make in FIGURES.items()} | dict(loaders)
    if name in known:
        return known[name]()
    if not name.lower().endswith(FILES):
        raise GambolError(
            f'{table.location_of("figure")}: there is no figure "{name}"; {did_you_mean(name, known)}; or give a file '
            f"that ends in {', '.join(FILES)}, or a table with links"
        )
    path = folder / name
    if not path.is_file():
        raise GambolError(
            f'{table.location_of("figure")}: there is no file "{path}"; paths are relative to the plan file'
        )
    return read_model(path)


def _model_maker(make: Callable[[], Figure]) -> FigureLoader:
    return lambda: Model(make())


def motor_ranges(table: Table, model: Model) -> dict[str, Ranges]:
    """Return the bounds of the joint forces of a figure's motors, by link. Raises GambolError without motors.

    table: table of the plan, for the message.
    """
    result: dict[str, Ranges] = {}
    for motor in model.motors:
        gear = motor.gear[0]
        limit = abs(motor.gain) if motor.kind == "torque" else math.inf  # other kinds are bounded by their force limits
        low = max(motor.weakest, limit * motor.lower if motor.kind == "torque" else -math.inf)
        high = min(motor.strongest, limit * motor.upper if motor.kind == "torque" else math.inf)
        bounds = sorted((gear * low, gear * high))
        result[motor.joint] = (bounds[0], bounds[1])
    if not result:
        raise wrong_value(table, "torques", "a table of bounds by link: the figure has no motors of its own")
    return result
