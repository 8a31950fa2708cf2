"""The results of a run of a figure: energies, momentum and the final pose, as a table and for the JSON file."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from gambol.collide import HeightGrid
from gambol.creatures.initial_configuration import initial_configuration
from gambol.creatures.models import MAX_PAIRS, omitted_pair_count
from gambol.creatures.terrain import ground_warnings
from gambol.dynamics import kinematics, momentum
from gambol.figure import PlacedLink
from gambol.formats import Model
from gambol.world import Film, State, World, was_interrupted
from gambol.world.context import LEDGER_SIGNS
from gambol.world.events.ledger import unaccounted_fraction
from gambol.world.step import NOT_FINITE, UNDERFLOW

MIN_STIFF_STEP_RATE = 30_000  # steps per simulated second: a figure of 1 m needs a tenth of this in a hard bounce
ENERGY_SIGNALS = ("kinetic", "potential", "stored")

ROWS: tuple[tuple[str, str, str], ...] = (
    ("kinetic energy", "kinetic_j", "J"),
    ("potential energy", "potential_j", "J"),
    ("energy in springs and ground", "stored_j", "J"),
    ("momentum", "momentum_ns", "N s"),
    ("angular momentum", "angular_momentum_nms", "N m s"),
)
"""Rows with a value at the start and at the end: title, key and unit."""

LEDGER_ROWS: tuple[tuple[str, str], ...] = (
    ("work of joint biases", "motors"),
    ("work of external forces", "outside"),
    ("lost in dampers and friction", "damping"),
    ("lost by impact", "impact"),
    ("lost by sliding", "sliding"),
    ("work of position correction", "stabilisation"),
    ("lost by numerical damping", "numerical_damping"),
)
"""Rows of the energy ledger: title and entry."""


def film_summary(film: Film) -> dict[str, Any]:
    """Return the results that follow from a film alone: duration, status, steps and speed."""
    signals = film.signals
    status = signals["status"][-1] if "status" in signals else np.zeros(film.worlds)
    stopped = [int(lane) for lane in np.flatnonzero((status == NOT_FINITE) | (status == UNDERFLOW))]
    results: dict[str, Any] = {
        "duration_s": film.duration,
        "interrupted": was_interrupted(film),
        "stopped_lanes": stopped,
    }
    for key, name in (("steps_taken", "taken"), ("steps_rejected", "rejected")):
        if name in signals:
            results[key] = float(signals[name][-1].mean())
    if "unsolved" in signals:
        results["steps_unsolved"] = float(signals["unsolved"][-1].max())
        results["contact_missed_by"] = float(signals["residual"].max())
    if "wall" in signals and signals["wall"][-1].max() > 0.0:
        results["realtime_factor"] = film.duration * film.worlds / float(signals["wall"][-1].max())
    return results


def summary(film: Film, model: Model, initial: State, final: State) -> dict[str, Any]:
    """Return the results of the first world of a run and, if there are several worlds, of each world.

    film, model: film and model of the run. initial, final: states before and after the run.
    """
    figure = model.figure
    figure_info = {
        "name": figure.name,
        "links": len(figure.links),
        "degrees_of_freedom": figure.nv,
        "constraints": len(figure.constraints),
        "mass_kg": figure.mass,
        "size_m": initial.world.size,
    }
    worlds = [_world_summary(film, model, initial, final, w) for w in range(film.worlds)]
    per_world = {"worlds": worlds} if len(worlds) > 1 else {}
    return {"figure": figure_info, "contact": initial.world.method.name} | film_summary(film) | worlds[0] | per_world


def _world_summary(film: Film, model: Model, initial: State, final: State, w: int) -> dict[str, Any]:
    signals = {name: signal[:, w] for name, signal in film.signals.items()}
    return {
        "start": _state_summary(signals, 0, model, initial, w),
        "end": _state_summary(signals, -1, model, final, w) | _final_pose(film, final, w),
        "ledger_j": {name: float(signals[name][-1]) for name in LEDGER_SIGNS},
        "unaccounted_j": float(signals["unaccounted"][-1]),
        "unaccounted_largest_j": float(abs(signals["unaccounted"]).max()),
        "unaccounted_fraction": float(unaccounted_fraction(film.signals)[w]),
    }


def _state_summary(
    signals: dict[str, NDArray[np.float64]], frame: int, model: Model, state: State, w: int
) -> dict[str, Any]:
    """Return the energies of world w in a frame of the film, and its momenta in the same state."""
    q, v = ([float(x) for x in rows[w]] for rows in (state.q, state.v))
    h = momentum(kinematics(model.figure, q, v))
    energies = {f"{name}_j": float(signals[name][frame]) for name in ENERGY_SIGNALS}
    return energies | {"momentum_ns": [*h.f], "angular_momentum_nms": [*h.n]}


def _final_pose(film: Film, state: State, w: int) -> dict[str, Any]:
    """Return the final coordinates, velocities and link poses."""
    poses = zip(film.link_names, film.position[-1, w], film.quaternion[-1, w], strict=True)
    return {
        "q": state.q[w].astype(float).tolist(),
        "v": state.v[w].astype(float).tolist(),
        "links": {name: {"position_m": p.tolist(), "quaternion": q.tolist()} for name, p, q in poses},
    }


def run_notes(model: Model, world: World, fixed_by_default: bool, driven: bool = False) -> list[str]:
    """Return notes on a run, such as unused motors or changes of the initial state.

    Notes of the file's reader are not among them.

    fixed_by_default: True if no option asked to fix the root to the world. driven: True if the motors are on.
    """
    figure, notes = model.figure, list(initial_configuration(model, world).changes)
    has_ground, root_kinds = world.has_ground, {root.joint.kind for root in figure.roots}
    noted = any("ctuators" in note for note in model.notes)  # by a reader
    if model.motors and not driven and not noted:
        notes.append("The motors are off: springs and weight alone move the figure.")
    if fixed_by_default and figure.root.joint.kind == "fixed":
        notes.append("Its root is fixed to the world, the default of URDF; --base free releases it.")
    if "free" in root_kinds and not figure.prescribed and not has_ground and any(model.gravity):
        notes.append("There is no ground, so it falls; --ground flat adds one.")
    if pairs := omitted_pair_count(model):
        notes.append(
            f"Parts do not collide with each other: {pairs} pairs exist; more than {MAX_PAIRS} take minutes to compile."
        )
    if has_ground and isinstance(world.ground, HeightGrid) and any(_has_edges(link) for link in figure.links):
        notes.append(
            "On uneven ground, parts with edges have contacts at some points only: at their corners or, if round, "
            "at their lowest points above the plane below their centre."
        )
    notes += ground_warnings(world)
    if has_ground and not any(link.contact_points() for link in figure.links):
        notes.append("It has no shapes that could touch the ground.")
    return notes


def _has_edges(link: PlacedLink) -> bool:
    """True if a link has colliding parts other than spheres and capsules."""
    return any(part.shape.kind not in ("sphere", "capsule") for part in link.parts if part.contact_points())


def run_hints(film: Film, results: dict[str, Any]) -> list[str]:
    """Return hints after a run without any motion, or with very many steps. results: results of summary()."""
    if "kinetic" in film.signals and "figure" in results and not film.signals["kinetic"].any():
        return [
            "Nothing moved: no force acts in the initial state. The file can specify a velocity or another posture."
        ]
    if "figure" in results and results.get("steps_taken", 0.0) > MIN_STIFF_STEP_RATE * film.duration:
        step = film.duration / results["steps_taken"]
        return [
            f"Its steps were {1e6 * step:.0f} microseconds long: light links with much friction, or stiff stops, need "
            "short steps. --contact stepping takes large steps; --integrator rosenbrock takes longer steps, after a "
            "longer compilation."
        ]
    return []


def table(results: dict[str, Any]) -> Table:
    """Return the results of a run as a table to print."""
    rows = Table(box=None, pad_edge=False, show_header="start" in results)
    for column in ("", "start", "end", ""):
        rows.add_column(column, justify="right" if column else "left")
    for title, key, unit in ROWS if "start" in results else ():
        rows.add_row(title, _number(results["start"][key]), _number(results["end"][key]), unit)
    for title, key in LEDGER_ROWS if "ledger_j" in results else ():
        if results["ledger_j"][key]:
            rows.add_row(title, "", _number(results["ledger_j"][key]), "J")
    for title, key, unit in (
        ("unaccounted energy, at most", "unaccounted_largest_j", "J"),
        ("as a fraction of the energy turned over", "unaccounted_fraction", ""),
        ("steps taken", "steps_taken", ""),
        ("steps rejected", "steps_rejected", ""),
        ("steps whose contacts did not converge", "steps_unsolved", ""),
        ("contact residual, at most", "contact_missed_by", "m/s"),
        ("real-time factor", "realtime_factor", ""),
    ):
        if key in results:
            rows.add_row(title, "", _number(results[key]), unit)
    return rows


def _number(value: float | Sequence[float]) -> str:
    """Return a number as text, or the norm of a vector."""
    return f"{value if isinstance(value, float | int) else float(np.linalg.norm(value)):.6g}"
