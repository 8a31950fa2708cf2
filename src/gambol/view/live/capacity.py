"""Programs of a page with twice the contact capacity: they repeat control steps with more contacts than the capacity.

So the page computes what gambol.world.capacity computes. The states of both programs differ in the contact cache.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gambol.contact.generation.sources import slot_count
from gambol.lanes import leaves
from gambol.lanes.wasm import stored_module
from gambol.world import Engine
from gambol.world.capacity import GrowingCapacity
from gambol.world.more_contacts import with_more_contacts

MAX_OPERATIONS = {"advance": 60_000, "disturbed": 20_000, "hills": 20_000}
"""Largest number of operations of each program for a page that also has the program with twice its capacity. The
first one is repeated most often: a page whose figure nobody touches then coincides with the film of the run."""

LARGER = "larger "
"""Beginning of the names of the programs with twice the capacity."""


def larger_engines(engines: Mapping[str, Engine]) -> dict[str, Engine]:
    """Return the engines with twice the capacity by the names of their programs. engines: engines of a page by name."""
    return {
        f"{LARGER}{name}": _larger(engine)
        for name, engine in engines.items()
        if name in MAX_OPERATIONS and _is_limited(engine) and _operations(engine) <= MAX_OPERATIONS[name]
    }


def cache_layouts(engine: Engine) -> list[dict[str, Any]]:
    """Return the rows of contacts in the states of an engine and of the engine with twice its capacity.

    Empty if the capacity holds all contacts. "slots": for each slot the row of its index (None: its own number), and
    the rows of its values; "others": all other rows, in the same order in both; "counter": the row that counts the
    steps over capacity, or None; "count": the number of rows.
    """
    return [_layout(engine), _layout(_larger(engine))] if _is_limited(engine) else []


def _larger(engine: Engine) -> Engine:
    return Engine(with_more_contacts(engine.world), engine.precision)


def _is_limited(engine: Engine) -> bool:
    """Return True if more contacts can be near than the capacity."""
    return GrowingCapacity(engine, engine.numbers()).counter_row is not None


def _operations(engine: Engine) -> int:
    return stored_module(engine.advance_spec, engine.precision).operations


def _layout(engine: Engine) -> dict[str, Any]:
    """Return the rows of contacts in the states of an engine, see cache_layouts()."""
    rows = engine.state_rows
    cache: Any = rows.memory.contact_cache
    count = slot_count(engine.world.scene)
    values = [[*cache.impulses[k], *cache.speeds[k : k + 1], *cache.sticking[k : k + 1]] for k in range(count)]
    rest = replace(cache, impulses=cache.impulses[count:], indices=[], speeds=[], sticking=[], over_capacity=[])
    return {
        "slots": [
            {"index": index, "rows": leaves(entry)}
            for index, entry in zip(cache.indices or [None] * count, values, strict=True)
        ],
        "others": leaves(replace(rows, memory=replace(rows.memory, contact_cache=rest))),
        "counter": cache.over_capacity[0] if cache.over_capacity else None,
        "count": len(leaves(rows)),
    }
