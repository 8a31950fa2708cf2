"""Poses, goals and paths in a plan file."""

from typing import Literal, cast, get_args

from gambol.figure import PlacedLink
from gambol.formats import Model
from gambol.formats.table import Table
from gambol.plan.file.values import coordinates, place, time, wrong_value
from gambol.plan.motion import Cycle, PointPath, PointTarget, Pose
from gambol.plan.motion.spec.goals import Relation, Values

POSE_KEYS = ("positions", "velocities", "tolerance", "posture", "at_rest")
PACES = ("time", "free")


def read_pose(row: Table, model: Model, *, timed: bool) -> Pose:
    """Return a pose. timed: True if it has a time.

    With posture = true, all other joints have their initial positions; with at_rest = true, they have a velocity of 0.
    """
    row.check_keys(*POSE_KEYS, *(("time",) if timed else ()))
    positions = dict(coordinates(row, "positions", model.figure, "q"))
    velocities = dict(coordinates(row, "velocities", model.figure, "v"))
    joints = [link for link in model.figure.links if not link.is_fixed]
    if row.boolean("posture", False):
        positions = {link.name: _values(model.q[link.q]) for link in joints} | positions
    if row.boolean("at_rest", False):
        velocities = {link.name: _zero_velocity(link) for link in joints} | velocities
    return Pose(time(row, "time") if timed else 0.0, positions, velocities, row.number("tolerance", 0.0))


def _values(numbers: tuple[float, ...]) -> Values:
    return numbers[0] if len(numbers) == 1 else numbers


def _zero_velocity(link: PlacedLink) -> Values:
    return _values((0.0,) * (link.v.stop - link.v.start))


def read_target(row: Table) -> PointTarget:
    """Return the goal of a point."""
    row.check_keys("point", "place", "time", "until", "relation", "radius", "velocity")
    return PointTarget(
        row.text("point"),
        place(row, "place"),
        time(row, "time", 0.0),
        time(row, "until") if "until" in row else None,
        cast(Relation, row.text("relation", "at", allowed=get_args(Relation))),
        row.number("radius", 0.0),
        place(row, "velocity"),
    )


def read_path(row: Table) -> PointPath:
    """Return a curve that a point follows; its points are control points of a Bezier curve."""
    row.check_keys("point", "curve", "time", "until", "pace")
    points = row.entries("curve")
    if len(points.data) < 2:
        raise wrong_value(row, "curve", "a list of two or more points, such as [[0, 0, 1], [1, 0, 1]]")
    return PointPath(
        row.text("point"),
        tuple(points.triple(number) for number in points),
        time(row, "time", 0.0),
        time(row, "until", 1.0),
        cast(Literal["time", "free"], row.text("pace", "time", allowed=PACES)),
    )


def read_cycle(table: Table) -> Cycle:
    """Return the cycle of a plan: the relation between its end and its start."""
    table.check_keys("travel", "mirrored", "pairs")
    pairs = table.pairs("pairs", ("left", "right")) if "pairs" in table else ()
    travel = table.data.get("travel", 0.0)
    return Cycle(
        _travel(table) if isinstance(travel, list) else table.number("travel", 0.0),
        table.boolean("mirrored", False),
        tuple((pair.text("left"), pair.text("right")) for pair in pairs),
    )


def _travel(table: Table) -> tuple[float, float]:
    numbers = table.numbers("travel")
    if len(numbers) != 2 or numbers[0] > numbers[1]:
        raise wrong_value(table, "travel", "a distance, or a list of the lowest and the highest")
    return numbers[0], numbers[1]


def link_names(table: Table, key: str) -> tuple[str, ...]:
    """Return a list of texts; empty if the key is missing."""
    entries = table.entries(key)
    return tuple(entries.text(number) for number in entries)
