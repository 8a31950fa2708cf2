"""Sizes of parts as unknowns of an assembly by energy: factors of a figure's parameters.

    parameter = given value * e^s        s: 0 at the start

The descent of the constraint energy then changes sizes as well as poses: a parametrised model. Sizes stay positive,
and all parameters of one factor keep their proportions. [Witkin, Fleischer and Barr 1987]
"""

from collections.abc import Mapping, Sequence

from gambol.errors import GambolError
from gambol.figure import Figure
from gambol.figure.parameters import parameters, with_values
from gambol.figure.parameters.named import check_known
from gambol.lanes import Scalar, exp

Sizes = Mapping[str, Sequence[str]]
"""Names of a figure's parameters that one factor multiplies, by a name of the factor."""


def check_sizes(figure: Figure, sizes: Sizes) -> None:
    """Raise GambolError for parameters that a figure does not have, that are 0, or that two factors multiply."""
    values, owner = parameters(figure), dict[str, str]()
    for size, names in sizes.items():
        check_known(figure, tuple(names), values)
        if not names:
            raise GambolError(f'the size "{size}" multiplies no parameter; give one, such as "rod.part 0.length"')
        for name in names:
            if name in owner:
                raise GambolError(f'"{name}" is multiplied by "{owner[name]}" and by "{size}"; give it to one of them')
            if values[name] == 0.0:
                raise GambolError(f'"{name}" of the size "{size}" is 0, which no factor changes; leave it out')
            owner[name] = size


def sized_links(figure: Figure, sizes: Sizes) -> set[int]:
    """Return the indices of the links whose parameters are multiplied."""
    changed = tuple(name for names in sizes.values() for name in names)
    return {link.index for link in figure.links if any(name.startswith(f"{link.name}.") for name in changed)}


def sized(figure: Figure, sizes: Sizes, factors: Sequence[Scalar]) -> Figure:
    """Return the figure with parameters times factors; use it in formulas only, see with_values()."""
    values = parameters(figure)
    pairs = zip(sizes.values(), factors, strict=True)
    return with_values(figure, {name: values[name] * factor for names, factor in pairs for name in names})


def sized_by_logarithms(figure: Figure, sizes: Sizes, s: Sequence[Scalar]) -> Figure:
    """Return the figure with the factors e^s; the figure itself if it has no such sizes."""
    return sized(figure, sizes, [exp(x) for x in s]) if sizes else figure
