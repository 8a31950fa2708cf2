"""Random inputs of worlds by name: masses, friction, delays, gains, and all other numbers of World.numbers()."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fnmatch import fnmatchcase
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.world.state import Engine
from gambol.world.world import World

Array: TypeAlias = NDArray[Any]

INERTIA = ("xx", "yy", "zz", "xy", "xz", "yz")
"""The moments of inertia of a link, by the suffixes of the names of its parameters."""


def varied_numbers(
    world: World, worlds: int, factors: Mapping[str, tuple[float, float]], *, seed: int = 0
) -> NDArray[np.float64]:
    """Return inputs of worlds (rows, W) in which some numbers are multiplied by random factors, for run().

    world: world of the inputs. worlds: number W of worlds. factors: lowest and highest factor by the name of an input,
    such as "touch.friction", "parameters.trunk.mass", "control.delays.knee" or "sensors.imu.delay"; see input_names().
    A "*" in a name stands for any text; all inputs that it names then have the same factor in a world. Factors are
    uniformly distributed. seed: seed of the factors. Raises WorldError for unknown names, and for factors that are not
    a range.
    """
    if worlds < 1:
        raise WorldError(f"there cannot be {worlds} worlds; give at least one")
    engine = Engine(world)
    rows = dict(_named(engine.number_rows))
    numbers = np.repeat(engine.numbers(), worlds, axis=1)
    random = np.random.default_rng(seed)
    for name, (lowest, highest) in factors.items():
        if not -math.inf < lowest <= highest < math.inf:
            raise WorldError(
                f'the factors of "{name}" are from {lowest} to {highest}; give two finite numbers in order'
            )
        chosen = [row for known, row in rows.items() if known == name or fnmatchcase(known, name)]
        if not chosen:
            raise WorldError(f'a world has no input "{name}" that may vary; {did_you_mean(name, rows)}')
        numbers[chosen] *= random.uniform(lowest, highest, worlds)
    return numbers


def input_names(world: World) -> tuple[str, ...]:
    """Return the names of all inputs of a world, which may differ between worlds, such as "touch.friction"."""
    return tuple(name for name, _ in _named(world.numbers()))


def mass_parameters(figure: Figure, *links: str) -> tuple[str, ...]:
    """Return the names of the figure parameters that are the masses and inertias of links, for World.parameters.

    links: names of the links; none: all links with mass. With one factor for all parameters of a link, as for
    "parameters.trunk.*", the distribution of its mass does not change. Raises FigureError for unknown links.
    """
    chosen = [figure.link(name) for name in links] or [x for x in figure.links if x.mass_properties.mass]
    return tuple(f"{x.name}.{entry}" for x in chosen for entry in ("mass", *(f"inertia.{ab}" for ab in INERTIA)))


def _named(tree: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the leaves of a pytree with their names: keys, fields and indices with points in between."""
    prefix = f"{name}." if name else ""
    if isinstance(tree, Mapping):
        for key, value in cast("Mapping[str, Any]", tree).items():
            yield from _named(value, f"{prefix}{key}")
    elif is_dataclass(tree):
        for each in fields(tree):
            yield from _named(getattr(tree, each.name), f"{prefix}{each.name}")
    elif isinstance(tree, (list, tuple)):
        for k, value in enumerate(cast("list[Any]", tree)):
            yield from _named(value, f"{prefix}{k}")
    elif tree is not None:
        yield name, tree
