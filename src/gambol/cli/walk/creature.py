"""Walks of creatures by name: their worlds from options, their simulation, and their measures."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rich.table import Table

from gambol.cli import choices, defaults, report
from gambol.cli.walk.creature_request import CreatureRequest
from gambol.cli.walk.directions import (
    commanded_speed,
    directed_options,
    path_seconds,
    timed_options,
    with_gait_as_input,
)
from gambol.collide import Ground, Plane
from gambol.collide.hills import random_hills
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.measures import CreatureMeasures, measure_creature, with_limbs
from gambol.creatures.steered import steerable_course
from gambol.creatures.table import CREATURES, creature_entry
from gambol.errors import GambolError, WorldError
from gambol.world import Film, Push, State, World, run, start, was_interrupted
from gambol.world.run import Progress

FILM_RATE = 200.0
"""Frames per second of films of creatures by name: times of touchdowns are known to 5 ms."""

HILL_RATIO = 0.05
"""Height of hills, as a fraction of the creature's standing height: for a person, that of roots and kerbs."""

PUSH_TIME = 0.1
"""Duration of a push [s]."""

ROWS: tuple[tuple[str, str, str, float, int], ...] = (
    ("speed", "speed_m_per_s", "m/s", 1.0, 3),
    ("Froude number", "froude_number", "", 1.0, 3),
    ("whole strides measured", "strides", "", 1.0, 0),
    ("stride", "stride_s", "s", 1.0, 3),
    ("", "stride_m", "m", 1.0, 3),
    ("time with no limb on the ground", "flight", "%", 100.0, 1),
    ("cost of transport", "cost_of_transport", "", 1.0, 3),
    ("work of the actuators", "motor_work_j", "J", 1.0, 3),
    ("work of external forces", "outside_work_j", "J", 1.0, 3),
    ("lost in dampers", "damping_loss_j", "J", 1.0, 3),
    ("lost by impact", "impact_loss_j", "J", 1.0, 3),
    ("lost by sliding", "sliding_loss_j", "J", 1.0, 3),
    ("lost by numerical damping", "numerical_damping_j", "J", 1.0, 3),
    ("unaccounted for", "unaccounted_energy_fraction", "% of the energy turned over", 100.0, 3),
    ("real-time factor", "realtime_factor", "", 1.0, 2),
)
"""Rows of the table: title, field of CreatureMeasures, unit to show, factor to this unit, number of decimals."""

FACTS = ("speed_m_per_s", "froude_number", "stride_s", "cost_of_transport", "realtime_factor")
"""Measures that the page of all creatures shows."""

ROACH_ROW = (
    "roach",
    "a cockroach with 38 degrees of freedom, by McKenna: oscillators, reflexes and motor programs",
    "0.8",
    "tripod wave",
    "see gambol walk --help",
)


@dataclass(frozen=True)
class CreatureWalk:
    """A walk ready to be simulated. seconds: its duration [s]. options: options of its world."""

    request: CreatureRequest
    entry: CreatureEntry
    world: World
    state: State
    seconds: float
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


def prepare_walk(request: CreatureRequest, row: CreatureEntry | None = None) -> CreatureWalk:
    """Return the walk of a request. Raises GambolError for invalid options, before the simulation.

    row: entry of a creature that is not in the table of creatures.
    """
    entry = row or creature_entry(request.name)
    seconds = entry.seconds if request.seconds is None else request.seconds
    if not 0.0 < seconds < math.inf:
        raise GambolError(f"--seconds: {seconds:g} is not possible; give more than 0")
    for name in ("speed", "slope", "push"):
        if not math.isfinite(getattr(request, name) or 0.0):
            raise GambolError(f"--{name}: {getattr(request, name)} is not possible; give a finite number")
    speed = commanded_speed(request, entry)
    given: dict[str, Any] = {"gait": request.gait, "speed": speed, "contact": request.contact}
    if request.slope is not None:
        given["slope"] = math.radians(request.slope)
    if request.push is not None:
        given["push"] = Push((request.push, 0.0, 0.0), 0.5 * seconds, 0.5 * seconds + PUSH_TIME)
    if request.ground is not None:
        given["ground"] = _ground(request, entry)
    if "seed" in entry.options:
        given["seed"] = request.seed
    given |= directed_options(request, entry)
    try:
        if "path" in given and request.seconds is None:
            one_gait = {"gait": request.gait.partition(":")[0]} if entry.timed_gait and request.gait else {}
            seconds = path_seconds(entry, entry.world(**given | one_gait), given["path"])
        given |= timed_options(request, entry, seconds)
        world = entry.world(**given)
    except WorldError as error:
        raise GambolError(f"{request.name}: {error}") from error
    jitter = defaults.JITTER if request.lanes > 1 else 0.0
    state = start(world, request.lanes, jitter=jitter, seed=request.seed, precision=request.precision)
    return CreatureWalk(request, entry, world, state, seconds, given)


def creature_page_state(walk: CreatureWalk) -> State:
    """Return the first state for the page of a walk. Its world has the same motion, and can be steered in the page."""
    world = steerable_course(walk.world)
    if walk.entry.timed_gait and walk.request.lanes == 1:
        world = with_gait_as_input(walk.world, walk.entry, walk.options)
    if world is walk.world or walk.request.lanes > 1:
        return walk.state
    return start(world, seed=walk.request.seed, precision=walk.request.precision)


def _ground(request: CreatureRequest, entry: CreatureEntry) -> Ground:
    """Return the requested ground; hills are scaled to the creature."""
    text = request.ground
    if text == "flat":
        return Plane()
    if text == "hills":
        height = entry.height
        return random_hills(
            HILL_RATIO * height, wavelength=2.0 * height, half_width=30.0 * height, level=height, seed=request.seed
        )
    return choices.read_ground_file(str(text), request.spacing)


def simulate(
    walk: CreatureWalk, progress: Progress, *, coordinates: bool = False, contacts: bool = False
) -> tuple[Film, tuple[CreatureMeasures, ...]]:
    """Simulate a walk; return its film, with limbs, and its measures.

    coordinates, contacts: True to record joint coordinates, and contacts.
    """
    threads = (os.cpu_count() or 1) if walk.request.lanes > 1 else 1
    control_step = walk.world.timing.control_step
    rate = 1.0 / (max(1, round(1.0 / (FILM_RATE * control_step))) * control_step)
    film = run(
        walk.world,
        walk.state,
        walk.seconds,
        rate=rate,
        threads=threads,
        progress=progress,
        coordinates=coordinates,
        contacts=contacts,
    )
    film = with_limbs(film, walk.world, walk.entry)
    return replace(film, name=_title(walk, film)), measure_creature(film, walk.world, walk.entry)


def _title(walk: CreatureWalk, film: Film) -> str:
    request = walk.request
    count = f"{request.lanes} x {request.name}" if request.lanes > 1 else request.name
    keys = ("gait", "speed", "slope", "push", "ground", "turn", "crab", "variation")
    given = [f"{key} {getattr(request, key)}" for key in keys if getattr(request, key) is not None]
    given += [f"speed {', '.join(map(str, request.speeds))}"] if request.speeds else []
    given += ["backward"] if request.backward else []
    given += [*request.style, *(["along a path"] if request.path else [])]
    return ", ".join([f"{count}: {film.duration:.2f} s", *given])


def creature_notes(walk: CreatureWalk, film: Film, measures: Sequence[CreatureMeasures]) -> list[str]:
    """Return warnings about a walk: falls, and walks that are too short to measure."""
    notes: list[str] = []
    for lane, measured in enumerate(measures):
        subject = f"{walk.request.name} {lane}" if len(measures) > 1 else walk.request.name
        if measured.fell:
            last = f'; "{measured.last_limb}" stood last' if measured.last_limb else ""
            notes.append(
                f"{subject} fell at {measured.fell_at_s:.2f} s: its {walk.entry.trunk} was less than "
                f"{walk.entry.fall_height:g} m above the ground{last}"
            )
    if walk.request.path is not None:
        notes.append("the measures include the end of the path, where the creature brakes and stands")
    if not any(measured.strides or measured.fell for measured in measures) and not was_interrupted(film):
        notes.append("there are no two strides, so stride, duty factors and phases are missing; give more --seconds")
    return notes


def creature_summary(
    walk: CreatureWalk, film: Film, measures: Sequence[CreatureMeasures], notes: Sequence[str]
) -> dict[str, Any]:
    """Return the content of the JSON file: the mean measures of all worlds, and facts of the run."""
    means = report.mean_measures(measures)
    info = {"duration_s": film.duration, "interrupted": was_interrupted(film), "notes": list(notes)}
    several = {"walks": [asdict(measured) for measured in measures]} if len(measures) > 1 else {}
    return {**means, "asked": asdict(walk.request), **info, **several}


def creature_table(measures: Sequence[CreatureMeasures]) -> Table:
    """Return a table of the measures of the first world, with duty factor and phase of each limb."""
    measured = measures[0]
    table = Table(box=None, pad_edge=False, show_header=False)
    for title, key, unit, factor, decimals in ROWS:
        table.add_row(title, report.number(factor * getattr(measured, key), decimals), unit)
    for limb, duty in measured.duty_factor.items():
        table.add_row(f"{limb}: duty factor, phase", report.number(duty, 3), report.number(measured.phase[limb], 3))
    table.columns[1].justify = "right"
    return table


def summary_of(name: str) -> str:
    """Return a description of a creature in one line; name: "roach", or a key of CREATURES."""
    return ROACH_ROW[1] if name == ROACH_ROW[0] else CREATURES[name].summary


def facts(summary: Mapping[str, Any]) -> dict[str, str]:
    """Return the measures that the page of all creatures shows, with units. summary: summary of the JSON file."""
    shown: dict[str, str] = {}
    for title, key, unit, _, decimals in ROWS:
        if key in FACTS and isinstance(summary[key], float) and math.isfinite(summary[key]):
            shown[title] = f"{report.number(summary[key], decimals)} {unit}".strip()
    return shown


def creature_list() -> Table:
    """Return a table of all creatures: name, summary, default duration, gaits and options."""
    table = Table(box=None, pad_edge=False)
    for column in ("creature", "description", "seconds", "gaits", "options"):
        table.add_column(column, justify="right" if column == "seconds" else "left")
    table.add_row(*ROACH_ROW)
    for entry in CREATURES.values():
        names = ["crab" if name == "sideways" else name for name in entry.options]
        options = " ".join(f"--{name}" for name in (*names, *(["backward"] if entry.backward_speed else [])))
        table.add_row(entry.name, entry.summary, f"{entry.seconds:g}", " ".join(entry.gaits), options)
    return table
