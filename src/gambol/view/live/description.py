"""The description of a world for its page: names of its numbers, settings, signals, and rows of its state."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.view.live.numbers import number_names
from gambol.view.live.settings import Setting, settings
from gambol.view.live.signals import page_contacts, page_signals
from gambol.world import Engine, State, World
from gambol.world.capacity import GrowingCapacity
from gambol.world.film_attachments import attachment_name
from gambol.world.film_paths import SCALARS, film_paths
from gambol.world.observe import snapshot_rows


def world_description(
    engine: Engine,
    state: State,
    numbers: NDArray[Any],
    genes: Sequence[Setting] = (),
    more: Mapping[str, float] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the description of a world for its page, as data for JSON.

    engine: engine of the world; state: its first state, of one world; numbers: its inputs, (rows, 1); genes: sliders of
    genes; more: numbers of the page by name, besides the inputs.
    """
    names = list(number_names(engine.numbers_template))
    values: dict[str, float] = dict(zip(names, numbers[:, 0].tolist(), strict=True)) | dict(more)
    return {
        "dt": engine.world.timing.control_step,
        "numbers": {name: row for row, name in enumerate(values)},
        "settings": [*settings(engine.world, values), *(_with_first(gene, values) for gene in genes)],
        "cuts": _cuts(engine.world),
        "contactsOf": page_contacts(engine.world, state),
        "muscles": _muscles(engine.world),
        "attachments": _attachments(engine.world, state),
        **page_signals(engine, state),
        **_rows(engine, state),
    }


def _cuts(world: World) -> dict[str, list[int]]:
    """Return the numbers that cut off limbs, by name, each with the indices of the links that it cuts off."""
    figure = world.figure
    return {f"cuts.{n}": [link.index - 1 for link in figure.subtree(figure.link(n).index)] for n in world.external.cuts}


def _muscles(world: World) -> list[dict[str, Any]]:
    """Return the rows of a snapshot for each line of a muscle: of its activation and force, and of its points.

    links: indices of the links of its joints; 0 is the first link.
    """
    rows = snapshot_rows(world)["paths"]
    first, found = (rows.start if isinstance(rows, slice) else rows), list[dict[str, Any]]()
    for path in film_paths(world):
        points = first + SCALARS
        for count in path.lines:
            found.append({"levels": first, "points": points, "links": [index - 1 for index in path.links]})
            points += 3 * count
        first += path.count
    return found


def _attachments(world: World, state: State) -> list[dict[str, Any]]:
    """Return the name in films, the ends of each attachment, and the row of a state that is 1 while it is intact.

    An end has a link, -1 for the world, and a point of it [m].
    """
    rows = State(world, np.arange(float(len(state.rows)))[:, None])  # the value of each entry is the number of its row
    return [
        {
            "name": attachment_name(k, each),
            "ends": [
                {"link": -1 if name is None else world.figure.link(name).index - 1, "point": list(point)}
                for name, point in ((each.link, each.point), (each.other, each.other_point))
            ],
            "intact": int(np.ravel(row)[0]),
        }
        for k, (each, row) in enumerate(zip(world.external.attachments, rows.step_state.memory.intact, strict=True))
    ]


def _with_first(gene: Setting, values: Mapping[str, float]) -> Setting:
    """Return the slider of a gene with the first values of its numbers."""
    return gene | {"sets": [entry | {"first": values[entry["name"]]} for entry in gene["sets"]]}


def _rows(engine: Engine, state: State) -> dict[str, int | None]:
    """Return the rows of a state and of a snapshot that the page reads, by name."""
    rows: NDArray[np.float64] = np.arange(float(len(state.rows)))[:, None]
    clock = State(engine.world, rows).step_state.clock  # the value of each entry is the number of its row
    entries = {"controlSteps": clock.control_steps, "elapsed": clock.elapsed, "status": clock.status}
    snapshot = snapshot_rows(engine.world)
    firsts = {name: snapshot[name] for name in ("positions", "quaternions", "centre")}
    return {
        **{name: int(np.ravel(value)[0]) for name, value in entries.items()},
        **{name: rows.start for name, rows in firsts.items() if isinstance(rows, slice)},
        "overCapacity": GrowingCapacity(engine, engine.numbers()).counter_row,
    }
