"""Files of changed inputs, which the button "numbers" of a live page saves: JSON with figure, source and numbers.

    {"format": "gambol numbers", "figure": "roach", "source": {"kind": "roach", "options": {}}, "numbers": {...}}

Numbers are by their names in the page. "gravity" may be a vector, if the ground was tilted. The source says how a
command of gambol made the world: its kind and its options; null: a program of the user made the world. "genes" has the
changed genes of an evolved creature by their names; the numbers that follow from genes are left out.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.contact import Medium
from gambol.errors import GambolError, did_you_mean
from gambol.view.live.disturbance import with_medium
from gambol.view.live.hills import HILLS, SHAPE, SHAPES, on_hills, size_of
from gambol.view.live.limbs import limbs_of
from gambol.view.live.numbers import number_names
from gambol.world import Engine, State, World

FORMAT = "gambol numbers"
MAX_BYTES = 1_000_000
"""Maximum size of a file: all numbers of the largest creatures are some 100 kB."""

Value = float | tuple[float, float, float]


@dataclass(frozen=True)
class NumberFile:
    """Changed inputs of a world.

    figure: name of its figure; source: its origin, or None; numbers: values by name; genes: values of changed genes by
    name.
    """

    figure: str
    source: Mapping[str, Any] | None
    numbers: Mapping[str, Value]
    genes: Mapping[str, float]


def read_number_file(path: Path) -> NumberFile:
    """Return the content of a file. Raises GambolError for a file that cannot be read or is of another format."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise GambolError(f'"{path}" is larger than {MAX_BYTES} bytes, so it is not a file of numbers of a page')
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GambolError(f'"{path}" cannot be read: {error.strerror}') from error
    except (ValueError, RecursionError) as error:
        if isinstance(error, GambolError):
            raise
        raise GambolError(f'"{path}" is not JSON: {error}') from error
    if not isinstance(data, dict) or cast("Any", data).get("format") != FORMAT:
        raise GambolError(
            f'"{path}" is not of the format "{FORMAT}"; the button "numbers" of a live page saves such files'
        )
    content = cast("dict[str, Any]", data)
    numbers, source, genes = content.get("numbers"), content.get("source"), content.get("genes", {})
    if not (isinstance(numbers, dict) and isinstance(genes, dict) and (source is None or isinstance(source, dict))):
        raise GambolError(f'"{path}": "numbers" and "genes" must be objects, and "source" an object or null')
    values = {str(name): _value(path, str(name), value) for name, value in cast("dict[str, Any]", numbers).items()}
    changed = {str(name): _finite(path, str(name), value) for name, value in cast("dict[str, Any]", genes).items()}
    return NumberFile(str(content.get("figure", "")), cast("Any", source), values, changed)


def _value(path: Path, name: str, value: Any) -> Value:
    """Return a number, or a vector of gravity. Raises GambolError for anything else."""
    if name == "gravity" and isinstance(value, list) and len(axes := cast("list[Any]", value)) == 3:
        x, y, z = (_finite(path, name, each) for each in axes)
        return (x, y, z)
    return _finite(path, name, value)


def _finite(path: Path, name: str, value: Any) -> float:
    """Return a number. Raises GambolError for anything but a finite one. name: its name in the file."""
    if type(value) not in (int, float) or not math.isfinite(value):
        raise GambolError(f'"{path}": {name} is {value!r}; give a finite number')
    return float(value)


def changed_inputs(
    state: State, numbers: NDArray[Any] | None, changes: Mapping[str, Value]
) -> tuple[State, NDArray[Any]]:
    """Return a state of a world that has all changed inputs, such as a medium, and its inputs (rows, 1), changed.

    state: state of one world; numbers: its inputs, or None for those of the world; changes: values by name. Raises
    GambolError for unknown names.
    """
    engine = Engine(state.world, state.precision)
    inputs = engine.numbers() if numbers is None else numbers
    values = dict(zip(number_names(engine.numbers_template), inputs[:, 0].tolist(), strict=True))
    world, gravity = state.world, changes.get("gravity")
    if isinstance(gravity, tuple) or (gravity is not None and "gravity.x" in values):
        vector = gravity if isinstance(gravity, tuple) else (0.0, 0.0, -gravity)
        world = replace(world, gravity=vector)
        axes = dict(zip(("gravity.x", "gravity.y", "gravity.z"), vector, strict=True))
        values |= axes | {"gravity": -vector[2]}  # of a program with a vector, and of one with a scalar
        changes = {name: x for name, x in changes.items() if name != "gravity"}
    world, more = _with_inputs(replace(state, world=world), changes, size_of(state.world, values))
    values = more | values
    if "ground.rows" in more or not changes.get(HILLS, 1.0):
        changes = {name: x for name, x in changes.items() if name not in (HILLS, SHAPE)}
    for name in changes:
        if name not in values:
            raise GambolError(f'this world has no number "{name}"; {did_you_mean(name, values)}')
    values |= changes
    names = number_names(Engine(world, engine.precision).numbers_template)
    return State(world, state.rows), np.array([[values[name]] for name in names], inputs.dtype)


def _with_inputs(state: State, changes: Mapping[str, Value], size: float) -> tuple[World, dict[str, float]]:
    """Return the world of a state with the cuts, the medium and the hills that are changed; and new inputs by name.

    size: size of the world [m].
    """
    world, values, height, shape = state.world, dict[str, float](), changes.get(HILLS, 0.0), _shape(changes)
    if cut := [link for link in limbs_of(world).values() if f"cuts.{link}" in changes]:
        cuts = tuple(dict.fromkeys((*world.external.cuts, *cut)))
        world = replace(world, external=replace(world.external, cuts=cuts))
        values |= {f"cuts.{link}": 0.0 for link in cut}
    if any(name.startswith("medium.") for name in changes):
        world = with_medium(world, size)
        medium = world.external.medium or Medium()
        values |= {f"medium.{name}": x for name, x in medium.numbers().items()}
    if isinstance(height, float) and height and (hilly := on_hills(world, state, height, shape, size)) is not None:
        world = hilly
        values |= {f"ground.{name}": x for name, x in hilly.ground.numbers().items()}
    return world, values


def _shape(changes: Mapping[str, Value]) -> int:
    """Return the index of the shape of hills. Raises GambolError for a number that is none."""
    shape = changes.get(SHAPE, 0.0)
    if shape not in range(len(SHAPES)):
        raise GambolError(f"{SHAPE} is {shape}; give a whole number from 0 to {len(SHAPES) - 1}")
    return int(cast("float", shape))
