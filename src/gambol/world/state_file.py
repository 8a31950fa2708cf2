"""States in files, with the same bits; and the reset of some worlds of a state."""

import io
import json
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import GambolError, WorldError
from gambol.formats import atomic_write
from gambol.formats.safe_files import file_bytes, read_arrays
from gambol.lanes import leaf_indices, leaves
from gambol.world.context import LEDGER_SIGNS
from gambol.world.former_ledger import added_leaves
from gambol.world.rest_state import rest_state
from gambol.world.state import State
from gambol.world.timing import MIN_TOLERANCE
from gambol.world.world import World

FORMAT = "gambol state 1"
MAX_BYTES = 4_000_000_000
"""Maximum size of a file that is read."""


def save_state(state: State, path: str | Path) -> Path:
    """Write the state of all its worlds to a NumPy archive (.npz), and return its path.

    load_state() restores the same bits, so a run continues as if it had not stopped. Raises GambolError for a folder
    that cannot be written to.
    """
    about = {
        "format": FORMAT,
        "figure": state.world.figure.name,
        "layout": _layout(state.world),
        "ledger": list(LEDGER_SIGNS),
    }
    arrays: dict[str, NDArray[Any]] = {
        "rows": np.ascontiguousarray(state.rows),
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
    }
    with atomic_write(path) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)  # pyright: ignore[reportArgumentType]  # numpy's stub of **kwds
    return Path(path)


def load_state(path: str | Path, world: World) -> State:
    """Return the state in a file that save_state() wrote.

    world: the world of the state, or a world with the same links, joints, controller and contact method. Entries of the
    energy ledger that a file of an earlier version does not have begin at 0. Raises GambolError for a file that is not
    a state, WorldError for the state of another world.
    """
    name, (rows, about) = Path(path).name, _read(Path(path))
    added = sorted(added_leaves(leaf_indices(rest_state(world)), about))
    layout = _layout(world)
    layout["numbers"] -= len(added)
    stored_layout = about.get("layout")
    if stored_layout != layout:
        known = cast("dict[str, Any]", stored_layout) if isinstance(stored_layout, dict) else {}
        key = next((key for key in layout if known.get(key) != layout[key]), "layout")
        raise WorldError(
            f'"{name}" is a state of "{str(about.get("figure"))[:40]}", not of this world of "{world.figure.name}": '
            f"its {key} differ; make the world with the same figure, controller and contact method"
        )
    if rows.ndim != 2 or rows.shape[0] != layout["numbers"] or rows.dtype.name not in MIN_TOLERANCE:
        raise GambolError(f'"{name}" is damaged: its rows are {rows.dtype} of shape {rows.shape}')
    return State(world, np.insert(rows, [row - k for k, row in enumerate(added)], 0.0, axis=0) if added else rows)


def reset(state: State, mask: ArrayLike, initial: State) -> None:
    """Set some worlds of a state back to an initial state, in place; the others do not change.

    mask (W,): True for the worlds to reset. initial: state of the same number of worlds, or of one world for all; the
    two states must be of equal worlds, and of the same precision. Raises WorldError for other shapes, precisions or
    worlds.
    """
    chosen, worlds = np.asarray(mask), state.rows.shape[1]
    if chosen.dtype != np.bool_ or chosen.shape != (worlds,):
        raise WorldError(
            f"a mask of type {chosen.dtype} and shape {chosen.shape} is not a mask of worlds; give {worlds} bools"
        )
    if initial.rows.dtype != state.rows.dtype or _layout(initial.world) != _layout(state.world):
        raise WorldError(
            "a state can be reset only to a state of the same figure, controller, contact method and precision"
        )
    if initial.rows.shape[1] not in (1, worlds):
        raise WorldError(
            f"a state of {initial.rows.shape[1]} worlds cannot reset {worlds} worlds; give {worlds} worlds, or one"
        )
    state.rows[:, chosen] = initial.rows if initial.rows.shape[1] == 1 else initial.rows[:, chosen]


def _layout(world: World) -> dict[str, Any]:
    """Return the properties that must be equal in two worlds, so that a state of one is a state of the other."""
    figure = world.figure
    return {
        "links": [link.name for link in figure.links],
        "joints": [link.joint.kind for link in figure.links],
        "numbers": len(leaves(rest_state(world))),
        "contact": world.method.name,
    }


def _read(path: Path) -> tuple[NDArray[Any], dict[str, Any]]:
    """Return the rows and the metadata of a file. Raises GambolError for a file that is not a state."""
    content = file_bytes(path, "state", MAX_BYTES)
    try:
        arrays = read_arrays(io.BytesIO(content))
        data: Any = json.loads(arrays["about"].tobytes())
        about = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
        if about.get("format") != FORMAT:
            raise ValueError(f'its format is not "{FORMAT}"')
        return arrays["rows"], about
    except (ValueError, KeyError, RecursionError) as error:
        raise GambolError(f'"{path.name}" is not a state saved by save_state(): {error}') from error
