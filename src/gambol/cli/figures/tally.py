"""What a run of a figure came to: energies, momentum, where it ended; as a table and for a file."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from gambol.collide import HeightGrid
from gambol.creatures.beginning import beginning
from gambol.creatures.specimens import MOST_PAIRS, pairs_left_out
from gambol.creatures.terrain import ground_notes
from gambol.dynamics import STANDARD_GRAVITY, kinematics, momentum
from gambol.figure import PlacedLink
from gambol.formats import Specimen
from gambol.world import Film, State, World, was_interrupted
from gambol.world.record import ENTRIES
from gambol.world.step import NOT_FINITE, UNDERFLOW
from gambol.world.world import LARGE_STEPS

DOUBTFUL = 0.05  # of the energy exchanged: beyond it a motion is not what its laws would make it
SEEN = 1e-4  # of what it takes to lift the figure by its size: an error of less energy is not seen
STIFF = 30_000  # steps per second: what a figure of a metre needs in a hard bounce is a tenth of that
STORES = ("kinetic", "potential", "stored")

ROWS: tuple[tuple[str, str, str], ...] = (
    ("energy of motion", "kinetic_j", "J"),
    ("energy of height", "potential_j", "J"),
    ("in springs and ground", "stored_j", "J"),
    ("momentum", "momentum_ns", "N s"),
    ("angular momentum", "angular_momentum_nms", "N m s"),
)
"""Title, key and unit of what is shown at the start and at the end."""

PAID: tuple[tuple[str, str], ...] = (
    ("work of biases", "motors"),
    ("work from outside", "outside"),
    ("lost in dampers and friction", "damping"),
    ("lost by impact", "impact"),
    ("lost by sliding", "sliding"),
    ("work of moving bodies apart", "stabilisation"),
)
"""Title and entry of the ledger."""


def filmed(film: Film) -> dict[str, Any]:
    """What a film alone tells: how long it is, how it ended, and what it cost."""
    signals = film.signals
    status = signals["status"][-1] if "status" in signals else np.zeros(film.worlds)
    stopped = [int(lane) for lane in np.flatnonzero((status == NOT_FINITE) | (status == UNDERFLOW))]
    told: dict[str, Any] = {
        "duration_s": film.duration,
        "interrupted": was_interrupted(film),
        "stopped_lanes": stopped,
    }
    for key, name in (("steps_taken", "taken"), ("steps_rejected", "rejected")):
        if name in signals:
            told[key] = float(signals[name][-1].mean())
    if "unsolved" in signals:
        told["steps_unsolved"] = float(signals["unsolved"][-1].max())
        told["contact_missed_by"] = float(signals["residual"].max())
    if "wall" in signals and signals["wall"][-1].max() > 0.0:
        told["realtime_factor"] = film.duration * film.worlds / float(signals["wall"][-1].max())
    return told


def summary(film: Film, specimen: Specimen, begun: State, ended: State) -> dict[str, Any]:
    """What a run of a figure came to: of the first world, and of each where there are several."""
    figure = specimen.figure
    about = {
        "name": figure.name,
        "links": len(figure.links),
        "degrees_of_freedom": figure.nv,
        "constraints": len(figure.constraints),
        "mass_kg": figure.mass,
        "size_m": begun.world.size,
    }
    worlds = [_world(film, specimen, begun, ended, w) for w in range(film.worlds)]
    each = {"worlds": worlds} if len(worlds) > 1 else {}
    return {"figure": about, "contact": begun.world.contact} | filmed(film) | worlds[0] | each


def _world(film: Film, specimen: Specimen, begun: State, ended: State, w: int) -> dict[str, Any]:
    signals = {name: signal[:, w] for name, signal in film.signals.items()}
    gained, lost = (max(0.0, float((sign * signals["unaccounted"]).max())) for sign in (1.0, -1.0))
    scale, largest = _exchanged(signals), max(gained, lost)
    return {
        "start": _moment(signals, 0, specimen, begun, w),
        "end": _moment(signals, -1, specimen, ended, w) | _pose(film, ended, w),
        "ledger_j": {name: float(signals[name][-1]) for name in ENTRIES},
        "unaccounted_j": float(signals["unaccounted"][-1]),
        "unaccounted_largest_j": largest,
        "unaccounted_fraction": largest / scale if scale else 0.0,
        "unaccounted_gained_fraction": gained / scale if scale else 0.0,
    }


def _exchanged(signals: dict[str, NDArray[np.float64]]) -> float:
    """How much energy changed its form or owner [J]: the most that any store gained or lost, and all that was lost."""
    swings = [float(np.ptp(signals[name])) for name in STORES]
    return max(*swings, sum(abs(float(signals[name][-1])) for name in ENTRIES))


def _moment(
    signals: dict[str, NDArray[np.float64]], frame: int, specimen: Specimen, state: State, w: int
) -> dict[str, Any]:
    """Energies and momenta: those of a frame of the film, and of the state that it shows."""
    q, v = ([float(x) for x in rows[w]] for rows in (state.q, state.v))
    h = momentum(kinematics(specimen.figure, q, v))
    energies = {f"{name}_j": float(signals[name][frame]) for name in STORES}
    return energies | {"momentum_ns": [*h.f], "angular_momentum_nms": [*h.n]}


def _pose(film: Film, state: State, w: int) -> dict[str, Any]:
    """Where everything ended."""
    poses = zip(film.link_names, film.position[-1, w], film.quaternion[-1, w], strict=True)
    return {
        "q": state.q[w].astype(float).tolist(),
        "v": state.v[w].astype(float).tolist(),
        "links": {name: {"position_m": p.tolist(), "quaternion": q.tolist()} for name, p, q in poses},
    }


def said(specimen: Specimen, world: World, fixed: bool) -> list[str]:
    """What to tell of a run beside the file's own notes: what rests, what was changed, what may surprise.

    fixed: whether the root is held by the world only because nothing was said.
    """
    figure, notes = specimen.figure, list(beginning(specimen, world).changes)
    touches, roots = world.solid, {root.joint.kind for root in figure.roots}
    if specimen.motors and not any("ctuators" in note for note in specimen.notes):
        notes.append("Nothing drives the motors: springs and weight alone move the figure.")
    if fixed and figure.root.joint.kind == "fixed":
        notes.append("Its root is fixed to the world, as URDF has it; --base free lets it go.")
    if "free" in roots and not figure.prescribed and not touches and any(specimen.gravity):
        notes.append("There is no ground, so it falls; --ground flat gives it one.")
    if pairs := pairs_left_out(specimen):
        notes.append(
            f"No parts touch each other: {pairs} pairs of them may, and more than {MOST_PAIRS} take minutes to compile."
        )
    if touches and isinstance(world.ground, HeightGrid) and any(_has_edges(link) for link in figure.links):
        notes.append(
            "On uneven ground parts with edges touch at points only: at corners, and round parts where they are lowest "
            "over the plane below their middle."
        )
    notes += ground_notes(world)
    if touches and not any(link.contact_points() for link in figure.links):
        notes.append("It has no shapes that could touch the ground.")
    return notes


def _has_edges(link: PlacedLink) -> bool:
    """Whether a link touches the ground with more than balls."""
    return any(part.shape.kind not in ("sphere", "capsule") for part in link.parts if part.contact_points())


def doubts(told: dict[str, Any]) -> list[str]:
    """Warnings after a run whose energy does not balance: what it gained from nowhere is worse than what it lost."""
    if "figure" not in told:
        return []
    least = SEEN * told["figure"]["mass_kg"] * STANDARD_GRAVITY * told["figure"]["size_m"]
    worlds = [world for world in told.get("worlds", [told]) if world["unaccounted_largest_j"] > least]
    gained = max((world["unaccounted_gained_fraction"] for world in worlds), default=0.0)
    missing = max((world["unaccounted_fraction"] for world in worlds), default=0.0)
    if not missing > DOUBTFUL:
        return []
    large = told["contact"] in LARGE_STEPS
    cure = "Take a shorter --step" + ("." if large else ", or an --integrator that knows its error, such as rkf45.")
    part = f"{100 * missing:.0f} % of the energy that was exchanged"
    if large and not gained > DOUBTFUL:
        return [f"Large steps took {part}: it moves less than it would. {cure}"]
    gift = ", and some came from nowhere" if gained > DOUBTFUL else ""
    return [f"The ledger cannot account for {part}{gift}: do not trust these numbers. {cure}"]


def advice(film: Film, told: dict[str, Any]) -> list[str]:
    """What to tell after a run in which nothing happened, or that took very many steps of a figure."""
    if "kinetic" in film.signals and "figure" in told and not film.signals["kinetic"].any():
        return ["Nothing moved: no force acts where it starts. Its file may give it a velocity, or another posture."]
    if "figure" in told and told.get("steps_taken", 0.0) > STIFF * film.duration:
        step = film.duration / told["steps_taken"]
        return [
            f"Its steps were {1e6 * step:.0f} microseconds long: light links with much friction, or stiff stops, ask "
            "for that. --contact stepping takes large ones; --integrator rosenbrock takes longer ones, after a longer "
            "compilation."
        ]
    return []


def table(told: dict[str, Any]) -> Table:
    """The measures of a run to read."""
    shown = Table(box=None, pad_edge=False, show_header="start" in told)
    for column in ("", "start", "end", ""):
        shown.add_column(column, justify="right" if column else "left")
    for title, key, unit in ROWS if "start" in told else ():
        shown.add_row(title, _number(told["start"][key]), _number(told["end"][key]), unit)
    for title, key in PAID if "ledger_j" in told else ():
        if told["ledger_j"][key]:
            shown.add_row(title, "", _number(told["ledger_j"][key]), "J")
    for title, key, unit in (
        ("unaccounted for, at most", "unaccounted_largest_j", "J"),
        ("of the energy exchanged", "unaccounted_fraction", ""),
        ("steps taken", "steps_taken", ""),
        ("steps rejected", "steps_rejected", ""),
        ("steps whose contacts were not solved", "steps_unsolved", ""),
        ("contact missed by, at most", "contact_missed_by", "m/s"),
        ("simulated over wall time", "realtime_factor", ""),
    ):
        if key in told:
            shown.add_row(title, "", _number(told[key]), unit)
    return shown


def _number(value: float | Sequence[float]) -> str:
    """A number, or the length of a vector."""
    return f"{value if isinstance(value, float | int) else float(np.linalg.norm(value)):.6g}"
