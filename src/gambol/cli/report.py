"""The measures of a walk, as a table and as a JSON file."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table

from gambol.creatures import Creature
from gambol.creatures.gait_metrics import Walk
from gambol.creatures.ground_forces import GroundForces
from gambol.creatures.measures import CreatureMeasures
from gambol.formats import atomic_write
from gambol.gait.stances import mean_phase
from gambol.world import Film, was_interrupted

ROWS: tuple[tuple[str, str, str, float, int], ...] = (
    ("speed", "speed_cm_per_s", "cm/s", 1.0, 2),
    ("", "body_lengths_per_s", "body lengths/s", 1.0, 2),
    ("whole strides measured", "strides", "", 1.0, 0),
    ("stride", "stride_s", "ms", 1e3, 1),
    ("feet on the ground", "mean_feet", "", 1.0, 2),
    ("heading drift", "heading_drift_deg_per_s", "deg/s", 1.0, 2),
    ("sway, side to side", "sway_mm", "mm", 1.0, 2),
    ("sways per stride", "sway_per_stride", "", 1.0, 0),
    ("smallest belly clearance", "belly_clearance_mm", "mm", 1.0, 2),
    ("work of the motors", "motor_work_j", "uJ", 1e6, 1),
    ("lost in dampers", "damping_loss_j", "uJ", 1e6, 1),
    ("lost by impact", "impact_loss_j", "uJ", 1e6, 1),
    ("lost by sliding", "sliding_loss_j", "uJ", 1e6, 1),
    ("lost by numerical damping", "numerical_damping_j", "uJ", 1e6, 1),
    ("unaccounted for", "unaccounted_energy_fraction", "% of the energy turned over", 100.0, 3),
    ("steps taken", "steps_taken", "", 1.0, 0),
    ("steps rejected", "steps_rejected", "", 1.0, 0),
    ("real-time factor", "realtime_factor", "", 1.0, 2),
)
"""Rows of the table: title, field of Walk, unit to show, factor to this unit, number of decimals."""


def mean_measures(walks: Sequence[Walk] | Sequence[CreatureMeasures] | Sequence[GroundForces]) -> dict[str, Any]:
    """Return the mean measures of walks.

    Phases are averaged on the circle; a measure that is missing in all walks is NaN. A text is that of the first walk;
    a condition is True if it holds in any walk.
    """
    return {field.name: _mean(field.name, [getattr(walk, field.name) for walk in walks]) for field in fields(walks[0])}


def _mean(name: str, values: list[Any]) -> Any:
    if is_dataclass(values[0]):
        values = [asdict(value) for value in values]
    if isinstance(values[0], dict):
        leg_values = cast("list[dict[str, float]]", values)
        return {leg: _mean(name, [value[leg] for value in leg_values]) for leg in leg_values[0]}
    if isinstance(values[0], str):
        return values[0]
    if isinstance(values[0], bool):
        return any(values)
    finite = np.array([value for value in values if math.isfinite(value)])
    if not len(finite):
        return math.nan
    if len(values) == 1:
        return values[0]
    return mean_phase(finite) if name == "phase" else float(finite.mean())


def summary(request: dict[str, Any], film: Film, walks: Sequence[Walk], notes: Sequence[str]) -> dict[str, Any]:
    """Return the content of the JSON file: the mean measures of the walks and facts of the run.

    request: options of the command, stored as "asked". film: film of the walks. walks: their measures; if there are
    several, the measures of each are stored as well. notes: remarks for the user.
    """
    status = film.signals["status"][-1]
    per_walk = {"walks": [asdict(walk) for walk in walks]} if len(walks) > 1 else {}
    run_info = {"duration_s": film.duration, "interrupted": was_interrupted(film), "notes": list(notes)}
    stopped = [int(lane) for lane in np.flatnonzero((status == 1.0) | (status == 2.0))]
    return {**mean_measures(walks), "asked": request, **run_info, "stopped_lanes": stopped, **per_walk}


def missing_measure_notes(film: Film, walks: Sequence[Walk]) -> list[str]:
    """Return a note if completed walks were too short to measure strides."""
    if film.signals["status"][-1].any() or was_interrupted(film) or any(walk.strides for walk in walks):
        return []
    return ["the walk has no whole stride, so speed, stride and phases are missing; give more --seconds"]


def uncalibrated_reflex_notes(creature: Creature, reflexes: str) -> list[str]:
    """Return a note if reflexes were requested that the creature does not have."""
    if reflexes == "off" or creature.reflexes:
        return []
    return [f"the {creature.parameters} set of the {creature.name} has no calibrated reflexes; it walks without"]


def write_summary(content: dict[str, Any], path: Path) -> None:
    """Write measures as JSON; measures that are not finite are null."""
    with atomic_write(path) as temporary:
        temporary.write_text(json.dumps(_with_nulls(content), indent=2, allow_nan=False) + "\n", encoding="utf-8")


def _with_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_nulls(inner) for key, inner in cast("dict[str, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_with_nulls(inner) for inner in cast("Sequence[Any]", value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def tables(walks: Sequence[Walk]) -> RenderableType:
    """Return a table of the measures and a table of the legs. Several walks give means and ranges."""
    several = len(walks) > 1
    table = Table(box=None, pad_edge=False, show_header=several)
    for column in ("", f"mean of {len(walks)}" if several else "", *(["minimum", "maximum"] if several else []), ""):
        table.add_column(column, justify="right" if column else "left")
    means = mean_measures(walks)
    for title, key, unit, factor, decimals in ROWS:
        finite = [factor * v for v in (float(getattr(walk, key)) for walk in walks) if math.isfinite(v)]
        numbers = [
            factor * means[key],
            *((min(finite, default=math.nan), max(finite, default=math.nan)) if several else ()),
        ]
        table.add_row(title, *(number(v, decimals) for v in numbers), unit)
    legs = Table(box=None, pad_edge=False)
    for column in ("leg", "duty factor", "phase"):
        legs.add_column(column, justify="left" if column == "leg" else "right")
    for leg, duty in means["duty_factor"].items():
        legs.add_row(leg, number(duty, 3), number(means["phase"][leg], 3))
    return Group(table, "", legs)


def number(value: float, decimals: int) -> str:
    """Return a number for a table; "-" if it is not finite."""
    return f"{value:.{decimals}f}" if math.isfinite(value) else "-"
