"""Random inputs of worlds by name: masses, friction, delays, gains, and all other numbers of World.numbers().

This is what reinforcement learning calls domain randomisation.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.figure.parameters import parameters
from gambol.world.state import Engine
from gambol.world.world import World

Array: TypeAlias = NDArray[Any]

Factors: TypeAlias = Mapping[str, tuple[float, float]]
"""Lowest and highest factor by the name of an input, see varied_numbers()."""

INERTIA = ("xx", "yy", "zz", "xy", "xz", "yz")
"""The moments of inertia of a link, by the suffixes of the names of its parameters."""

OF_LINKS: Mapping[str, tuple[str, ...]] = {"mass": ("mass", "inertia.*"), "friction": ("part*.friction",)}
"""The figure parameters of a link that have one factor in common, by the first word of its name: "mass.trunk"."""


@dataclass(frozen=True)
class RandomFactors:
    """Random factors of inputs of worlds, uniformly distributed.

    rows: for each name the indices of its inputs among Engine.numbers(). lowest, highest (names): range of each factor.
    """

    rows: tuple[tuple[int, ...], ...]
    lowest: Array
    highest: Array

    @staticmethod
    def of(engine: Engine, factors: Factors) -> "RandomFactors":
        """Return the random factors of the inputs of an engine; arguments and errors: see varied_numbers()."""
        rows = dict(_named_leaves(engine.number_rows))
        for name, (lowest, highest) in factors.items():
            if not -math.inf < lowest <= highest < math.inf:
                raise WorldError(
                    f'the factors of "{name}" are from {lowest} to {highest}; give two finite numbers in order'
                )
        chosen = [_rows_of(name, rows) for name in factors]
        lowest, highest = np.array([*factors.values()], float).reshape(-1, 2).T
        return RandomFactors(tuple(chosen), lowest, highest)

    def draw(self, random: Generator, worlds: int) -> Array:
        """Return factors (names, W) for W = worlds."""
        return random.uniform(self.lowest[:, None], self.highest[:, None], (len(self.rows), worlds))

    def scaled(self, numbers: Array, drawn: Array) -> Array:
        """Return inputs (rows, W) times the factors drawn (names, W); numbers (rows, 1 or W): without them."""
        scaled = np.repeat(numbers, drawn.shape[1] // numbers.shape[1], axis=1)
        for rows, factor in zip(self.rows, drawn, strict=True):
            scaled[list(rows)] *= factor
        return scaled


def varied_numbers(world: World, worlds: int, factors: Factors, *, seed: int = 0) -> NDArray[np.float64]:
    """Return inputs of worlds (rows, W) in which some numbers are multiplied by random factors, for run().

    world: world of the inputs. worlds: number W of worlds. factors: lowest and highest factor by the name of an input,
    such as "touch.friction", "parameters.trunk.mass", "control.delays.knee" or "sensors.imu.delay"; see input_names().
    A "*" in a name stands for any text; all inputs that it names then have the same factor in a world. "mass.trunk"
    stands for the mass and the inertia of a link, "friction.foot" for the coefficients of friction of its parts; both
    are inputs in a world of with_inputs(). Factors are uniformly distributed. seed: seed of the factors. Raises
    WorldError for unknown names, and for factors that are not a range.
    """
    if worlds < 1:
        raise WorldError(f"there cannot be {worlds} worlds; give at least one")
    engine = Engine(world)
    random_factors = RandomFactors.of(engine, factors)
    return random_factors.scaled(engine.numbers(), random_factors.draw(np.random.default_rng(seed), worlds))


def with_inputs(world: World, names: Iterable[str]) -> World:
    """Return a world in which the named masses and coefficients of friction of links are inputs of the program.

    names: names of inputs, see varied_numbers(); names other than "mass.LINK" and "friction.LINK" are ignored.
    """
    patterns = [pattern for name in names for pattern in _patterns(name) if pattern != name]
    known = [name for name in parameters(world.figure) if name not in world.parameters]
    chosen = [name for name in known if any(fnmatchcase(f"parameters.{name}", pattern) for pattern in patterns)]
    return replace(world, parameters=(*world.parameters, *chosen)) if chosen else world


def input_names(world: World) -> tuple[str, ...]:
    """Return the names of all inputs of a world, which may differ between worlds, such as "touch.friction"."""
    return tuple(name for name, _ in _named_leaves(world.numbers()))


def mass_parameters(figure: Figure, *links: str) -> tuple[str, ...]:
    """Return the names of the figure parameters that are the masses and inertias of links, for World.parameters.

    links: names of the links; none: all links with mass. With one factor for all parameters of a link, as for
    "parameters.trunk.*", the distribution of its mass does not change. Raises FigureError for unknown links.
    """
    chosen = [figure.link(name) for name in links] or [x for x in figure.links if x.mass_properties.mass]
    return tuple(f"{x.name}.{entry}" for x in chosen for entry in ("mass", *(f"inertia.{ab}" for ab in INERTIA)))


def _patterns(name: str) -> tuple[str, ...]:
    """Return the patterns of the inputs that a name stands for; see varied_numbers()."""
    kind, _, link = name.partition(".")
    return tuple(f"parameters.{link}.{entry}" for entry in OF_LINKS[kind]) if kind in OF_LINKS else (name,)


def _rows_of(name: str, rows: Mapping[str, int]) -> tuple[int, ...]:
    """Return the indices of the inputs that a name stands for. Raises WorldError if there is none.

    rows: index of each input, by name.
    """
    patterns = _patterns(name)
    chosen = [row for known, row in rows.items() if any(known == x or fnmatchcase(known, x) for x in patterns)]
    if chosen:
        return tuple(chosen)
    if patterns != (name,):
        raise WorldError(
            f'a world has no input for "{name}": no link has this name and a mass or a friction of its own'
        )
    raise WorldError(f'a world has no input "{name}" that may vary; {did_you_mean(name, rows)}')


def _named_leaves(tree: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the leaves of a pytree with their names: keys, fields and indices with points in between."""
    prefix = f"{name}." if name else ""
    if isinstance(tree, Mapping):
        for key, value in cast("Mapping[str, Any]", tree).items():
            yield from _named_leaves(value, f"{prefix}{key}")
    elif is_dataclass(tree):
        for each in fields(tree):
            yield from _named_leaves(getattr(tree, each.name), f"{prefix}{each.name}")
    elif isinstance(tree, (list, tuple)):
        for k, value in enumerate(cast("list[Any]", tree)):
            yield from _named_leaves(value, f"{prefix}{k}")
    elif tree is not None:
        yield name, tree
