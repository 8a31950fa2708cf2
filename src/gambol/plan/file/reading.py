"""Reading a plan file. Errors name file, line, key and remedy."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, cast, get_args

from gambol.collide import Ground, HeightGrid, Plane
from gambol.errors import GambolError, PlanError
from gambol.figure import Springs
from gambol.formats import Model
from gambol.formats.figure_file import read_springs
from gambol.formats.heights import read_heights
from gambol.formats.safe_files import file_text
from gambol.formats.table import MAX_TEXT_BYTES, Table, read_table
from gambol.plan.file.figures import FigureLoader, motor_ranges, read_plan_figure
from gambol.plan.file.goals import link_names, read_cycle, read_path, read_pose, read_target
from gambol.plan.file.starting import StartOptions, read_start
from gambol.plan.file.tracking import TrackingOptions, read_tracking
from gambol.plan.file.values import by_link, duration, ranges
from gambol.plan.motion import Cost, Mesh, Phase, Plan, Point, Pose
from gambol.plan.motion.spec.mesh import Method
from gambol.plan.motion.spec.phases import Landing
from gambol.plan.motion.spec.plan import Ranges

FORMAT = "gambol plan 1"
"""The format name in the first line of a plan file: `format = "gambol plan 1"`."""

FILE_KEYS = ("format", "tracking", "start_from", "window")
PLAN_KEYS = tuple(item.name for item in fields(Plan))
MESH_DYNAMICS = ("inverse", "forward")
CONES = ("pyramid", "circle")


@dataclass(frozen=True)
class PlanFile:
    """The content of a plan file: the plan, options of its simulation, and the motion that it starts from."""

    plan: Plan
    tracking: TrackingOptions
    start: StartOptions = field(default_factory=StartOptions)


def read_plan(path: str | Path, figures: Mapping[str, FigureLoader] | None = None) -> PlanFile:
    """Return the plan in a file (.toml).

    figures: functions that return the model of a figure, by its name in files, in addition to the figures of named
    problems. Raises GambolError, which names file, line, key and remedy, for a file that cannot be read or is not a
    plan.
    """
    path = Path(path)
    return parse_plan(file_text(path, "plan file", MAX_TEXT_BYTES), path, figures)


def parse_plan(text: str, path: str | Path, figures: Mapping[str, FigureLoader] | None = None) -> PlanFile:
    """Return the plan in the text of a plan file. path: path of the file. For the other argument see read_plan()."""
    path = Path(path)
    table = read_table(text, path.name)
    if "format" not in table:
        raise PlanError(f'{table.where}: this is not a plan file; a plan file begins with format = "{FORMAT}"')
    table.text("format", allowed=(FORMAT,))
    table.check_keys(*FILE_KEYS, *PLAN_KEYS)
    model = read_plan_figure(table, path.parent, figures or {})
    tracking = read_tracking(table.table("tracking")) if "tracking" in table else TrackingOptions()
    return PlanFile(_plan(table, model, path), tracking, read_start(table, path.parent, model.figure))


def _plan(table: Table, model: Model, path: Path) -> Plan:
    figure, default = model.figure, Plan(model.figure)
    return Plan(
        figure,
        tuple(_phase(row) for row in table.tables("phases")) or default.phases,
        table.text("name", path.stem),
        torques=_torques(table, model),
        limits=_ranges(table, "limits", model),
        speeds=_ranges(table, "speeds", model),
        springs=_springs(table, model),
        gravity=_gravity(table, model),
        ground=_ground(table, path.parent),
        friction=table.number("friction", default.friction),
        cone=cast(Literal["pyramid", "circle"], table.text("cone", default.cone, allowed=CONES)),
        clearance=table.number("clearance", default.clearance),
        points=tuple(_point(row) for row in table.tables("points")),
        start=_pose(table, "start", model),
        goal=_pose(table, "goal", model),
        poses=tuple(read_pose(row, model, timed=True) for row in table.tables("poses")),
        targets=tuple(read_target(row) for row in table.tables("targets")),
        paths=tuple(read_path(row) for row in table.tables("paths")),
        cycle=read_cycle(table.table("cycle")) if "cycle" in table else None,
        duration=duration(table, "duration", 0.0) if "duration" in table else None,
        costs=tuple(_cost(row) for row in table.tables("costs")) or default.costs,
        guess=tuple(read_pose(row, model, timed=True) for row in table.tables("guess")),
        mesh=_mesh(table.table("mesh")) if "mesh" in table else default.mesh,
    )


def _phase(row: Table) -> Phase:
    row.check_keys(*(item.name for item in fields(Phase)))
    default = Phase()
    return Phase(
        row.text("name", default.name),
        duration(row, "duration", 1.0),
        link_names(row, "contacts"),
        link_names(row, "may_touch"),
        cast(Landing, row.text("landing", default.landing, allowed=get_args(Landing))),
        row.integer("intervals") if "intervals" in row else default.intervals,
    )


def _torques(table: Table, model: Model) -> Mapping[str, Ranges]:
    """Return the bounds of torques: a table by link, or "motors" for the bounds of the figure's motors."""
    if table.data.get("torques") == "motors":
        return motor_ranges(table, model)
    return _ranges(table, "torques", model)


def _ranges(table: Table, key: str, model: Model) -> Mapping[str, Ranges]:
    rows = by_link(table, key, model.figure)
    return {name: ranges(rows, name) for name in rows}


def _springs(table: Table, model: Model) -> Mapping[str, Springs]:
    """Return the springs of the figure, some of them replaced by springs of the plan."""
    rows = by_link(table, "springs", model.figure)
    return {**model.springs, **{name: read_springs(rows, name) for name in rows}}


def _gravity(table: Table, model: Model) -> Any:
    """Return gravity: a number, three numbers, or the figure's gravity."""
    if "gravity" not in table:
        return model.gravity
    return table.triple("gravity") if isinstance(table.data["gravity"], list) else table.number("gravity")


def _ground(table: Table, folder: Path) -> Ground:
    """Return the ground: a plane at a height, or the heights of a file around the origin."""
    if "ground" not in table:
        return Plane()
    row = table.table("ground")
    row.check_keys("height", "heights", "spacing")
    if "heights" not in row:
        return Plane(row.number("height", 0.0))
    heights, spacing = read_heights(folder / row.text("heights")), row.number("spacing")
    if not spacing > 0.0:
        raise GambolError(f"{row.location_of('spacing')} is {spacing:g}; it should be more than 0 m")
    rows, columns = heights.shape
    return HeightGrid(heights, spacing, -spacing * (rows - 1) / 2, -spacing * (columns - 1) / 2)


def _point(row: Table) -> Point:
    row.check_keys(*(item.name for item in fields(Point)))
    position = row.triple("position", (0.0, 0.0, 0.0))
    return Point(row.text("name"), row.text("link"), position, row.number("radius", 0.0))


def _pose(table: Table, key: str, model: Model) -> Pose:
    return read_pose(table.table(key), model, timed=False) if key in table else Pose()


def _cost(row: Table) -> Cost:
    row.check_keys("kind", "weight", "joints")
    return Cost(row.text("kind", "effort"), row.number("weight", 1.0), link_names(row, "joints"))


def _mesh(table: Table) -> Mesh:
    table.check_keys(*(item.name for item in fields(Mesh)))
    default = Mesh()
    return Mesh(
        cast(Method, table.text("method", default.method, allowed=get_args(Method))),
        table.integer("intervals") if "intervals" in table else default.intervals,
        table.number("tolerance", default.tolerance),
        table.integer("refinements") if "refinements" in table else default.refinements,
        cast(Literal["inverse", "forward"], table.text("dynamics", default.dynamics, allowed=MESH_DYNAMICS)),
    )
