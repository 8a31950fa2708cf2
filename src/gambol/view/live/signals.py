"""Signals that a live page can show: rows of a snapshot or of a state, contacts, and feet."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from gambol.world import Engine, State, World
from gambol.world.actuator_forces import output_names
from gambol.world.contact_points import possible_contacts
from gambol.world.context import LEDGER_SIGNS, ledger_entries
from gambol.world.film.signals import signal_kind
from gambol.world.observe import snapshot_rows

ENERGIES = ("kinetic", "potential", "stored")
"""Fields of a snapshot that add up to the energy [J]."""


def page_signals(engine: Engine, state: State) -> dict[str, Any]:
    """Return the data that a page reads from snapshots and states besides poses: signals, ledger, loads, feet.

    state: state of one world, for the number of its rows. A signal has name, unit, labels of its lines, their rows,
    "of", the array that has these rows ("snapshot" or "state"), and a group or "".
    """
    world, snapshot = engine.world, snapshot_rows(engine.world)
    rows = State(world, np.arange(float(len(state.rows)))[:, None])  # the value of each entry is the number of its row
    ledger = dict(zip(LEDGER_SIGNS, (_row(x) for x in ledger_entries(rows.step_state.ledger)), strict=True))
    loads, feet = _row_list(snapshot["normal_forces"]), _row_list(snapshot["feet"])
    names = _feet_names(world)
    centre = _row_list(snapshot["centre"])
    signals = [
        _signal("energies", "J", ENERGIES, [_first(snapshot[name]) for name in ENERGIES]),
        _signal("ledger", "J", ledger, list(ledger.values()), of="state"),
        _signal("height of the centre of mass", "m", ("z",), centre[2:]),
        *([_signal("loads of feet", "N", names, loads)] if names else []),
        *_gait_signals(world, _row_list(snapshot["signals"])),
        *_actuator_signals(world, _row_list(snapshot["outputs"])),
        *_joint_signals(world, rows),
    ]
    return {
        "signals": signals,
        "ledger": [{"row": row, "sign": LEDGER_SIGNS[name]} for name, row in ledger.items()],
        "outside": list(ledger).index("outside"),
        "energies": [_first(snapshot[name]) for name in ENERGIES],
        "loads": [{"label": name, "row": row} for name, row in zip(names, loads, strict=True)],
        "feet": [{"row": row, "link": link} for row, link in zip(feet[::3], _feet_links(world), strict=True)],
    }


def page_contacts(world: World, state: State) -> dict[str, Any]:
    """Return the links of all possible contacts, and the rows of the contact cache in a state, or None without one."""
    rows = State(world, np.arange(float(len(state.rows)))[:, None])
    cache = rows.step_state.memory.contact_cache
    links = possible_contacts(world)
    if cache is None:
        return {"links": links, "cache": None}
    slots = len(cache.indices) or len(links)
    impulses = [[_row(x) for x in impulse] for impulse in cache.impulses[:slots]]
    indices = [_row(x) for x in cache.indices]
    return {"links": links, "cache": {"impulses": impulses, "indices": indices, "step": _row(cache.step_size)}}


def _feet_names(world: World) -> list[str]:
    """Return the names of feet: names of their legs, if a gait has legs."""
    legs = {leg.links[-1]: leg.name for leg in world.gait.legs} if world.gait else {}
    return [legs.get(name, name) for name in world.surface.feet]


def _feet_links(world: World) -> list[int]:
    """Return the indices of the links of feet; 0 is the first link."""
    return [world.figure.link(name).index - 1 for name in world.surface.feet]


def _row(number: Any) -> int:
    """Return the row of an entry of a state in which the value of each entry is the number of its row."""
    return int(np.ravel(number)[0])


def _row_list(rows: slice | int) -> list[int]:
    return [rows] if isinstance(rows, int) else list(range(rows.start, rows.stop))


def _first(rows: slice | int) -> int:
    return _row_list(rows)[0]


def _signal(
    name: str, unit: str, labels: Iterable[str], rows: Sequence[int], *, of: str = "snapshot", group: str = ""
) -> dict[str, Any]:
    return {"name": name, "unit": unit, "labels": list(labels), "rows": list(rows), "of": of, "group": group}


def _unit_of(name: str) -> str:
    kind = signal_kind(name)
    return kind.unit if kind else ""


def _gait_signals(world: World, rows: list[int]) -> Iterator[dict[str, Any]]:
    """Yield the signals of a gait. rows: rows of all signals, one after the other."""
    start = 0
    for name, signal in world.gait.signals.items() if world.gait else ():
        end = start + len(signal.joints)
        yield _signal(name, _unit_of(name), signal.joints, rows[start:end], group="gait")
        start = end


def _actuator_signals(world: World, rows: list[int]) -> Iterator[dict[str, Any]]:
    """Yield the outputs of actuators. rows: rows of all outputs, one after the other."""
    for (actuator, entry), row in zip(output_names(world), rows, strict=True):
        name = f"actuator {actuator} {entry}"
        yield _signal(f"{actuator}: {entry}", _unit_of(name), (entry,), [row], group="actuators")


def _joint_signals(world: World, rows: State) -> Iterator[dict[str, Any]]:
    """Yield coordinate and velocity of each joint with one degree of freedom.

    rows: the state with row numbers as values.
    """
    q, v = np.ravel(rows.q), np.ravel(rows.v)
    for link in world.figure.links:
        if len(rows_v := _row_list(link.v)) == 1 == len(_row_list(link.q)):
            both = [int(q[_first(link.q)]), int(v[rows_v[0]])]
            yield _signal(link.name, "", ("coordinate", "velocity"), both, of="state", group="joints")
