"""Elements with named inputs in physical units, for unknowns that are scaled.

An unknown of the program is a physical number divided by its scale, so that figures of milligrams and of tonnes give
equally well-scaled programs. A function of an element gets physical numbers by names; its outputs are divided by
scales.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Scalar
from gambol.plan.program import Element, ElementFunction, OutputText

Named: TypeAlias = Mapping[str, Sequence[Scalar]]
"""Inputs of one instance by name, in physical units."""

NamedFunction: TypeAlias = Callable[[Named], Sequence[Scalar]]
"""Returns the outputs of one instance, in physical units."""

Inputs: TypeAlias = Mapping[str, NDArray[np.intp] | NDArray[np.float64]]
"""Inputs by name (instances, size): integers are indices of unknowns, other numbers are constants."""

Bounds: TypeAlias = tuple[float | Sequence[float] | NDArray[np.float64], float | Sequence[float] | NDArray[np.float64]]
"""Lower and upper bounds of the outputs, for all instances or (instances, outputs)."""

EQUATION: Bounds = (0.0, 0.0)
POSITIVE: Bounds = (0.0, np.inf)


@dataclass(frozen=True)
class KeyedFunction:
    """A function of named inputs. Two of them are equal if their keys are equal.

    key: all that the function depends on. Later plans of the same figure can then use the recorded formula again.
    """

    key: Hashable
    function: NamedFunction = field(compare=False)

    def __call__(self, x: Named) -> Sequence[Scalar]:
        """Return the outputs of one instance."""
        return self.function(x)


def element(
    name: str,
    function: NamedFunction,
    inputs: Inputs,
    times: NDArray[np.float64],
    unknown_scales: NDArray[np.float64],
    output_scales: Sequence[float],
    bounds: Bounds | None,
) -> Element:
    """Return an element of a program.

    name: name in messages. function, inputs: see NamedFunction and Inputs. times (instances): times for messages [s].
    unknown_scales: scales of all unknowns. output_scales: a scale for each output. bounds: bounds in physical units;
    None for a cost.
    """
    unknown = {key: index for key, index in inputs.items() if index.dtype.kind in "iu"}
    constant = {key: values for key, values in inputs.items() if key not in unknown}
    columns = {key: tuple(float(s) for s in unknown_scales[index[0]]) for key, index in unknown.items()}
    widths = {key: values.shape[1] for key, values in constant.items()}
    n = len(times)
    shape = (n, len(output_scales) if bounds is not None else 0)
    lower, upper = bounds if bounds is not None else (0.0, 0.0)
    scale = np.asarray(output_scales, float) if bounds is not None else np.ones(0)
    return Element(
        name,
        scaled(function, tuple(columns.items()), tuple(widths.items()), tuple(output_scales)),
        _joined_columns(list(unknown.values()), n).astype(np.intp),
        _joined_columns(list(constant.values()), n).astype(np.float64),
        np.broadcast_to(np.asarray(lower, float), shape) / scale if bounds is not None else np.zeros((n, 0)),
        np.broadcast_to(np.asarray(upper, float), shape) / scale if bounds is not None else np.zeros((n, 0)),
        np.asarray(times, float),
        OutputText(scales=tuple(float(s) for s in output_scales)),
    )


def with_units(
    base: Element, units: str | Sequence[str], *, names: Sequence[str] = (), instances: Sequence[str] = ()
) -> Element:
    """Return an element with the units of its violations in messages: one unit for all outputs, or one for each.

    names, instances: see OutputText.
    """
    scales = base.text.scales
    each = (units,) * len(scales) if isinstance(units, str) else tuple(units)
    return replace(base, text=OutputText(scales, each, tuple(names), tuple(instances)))


@lru_cache(maxsize=1024)
def scaled(
    function: NamedFunction,
    columns: tuple[tuple[str, tuple[float, ...]], ...],
    widths: tuple[tuple[str, int], ...],
    output_scales: tuple[float, ...],
) -> ElementFunction:
    """Return the function of (unknowns, constants) that calls a function of named inputs in physical units.

    columns: scales of the unknowns of each name, in order. widths: number of constants of each name, in order. Equal
    arguments give the same function, which a solver differentiates once.
    """

    def instance(unknowns: Sequence[Scalar], constants: Sequence[Scalar]) -> Sequence[Scalar]:
        named: dict[str, Sequence[Scalar]] = {}
        i = j = 0
        for key, scales in columns:
            named[key] = [times(x, s) for x, s in zip(unknowns[i : i + len(scales)], scales, strict=True)]
            i += len(scales)
        for key, width in widths:
            named[key] = list(constants[j : j + width])
            j += width
        return [times(y, 1.0 / s) for y, s in zip(function(named), output_scales, strict=True)]

    return instance


def times(x: Scalar, factor: float) -> Scalar:
    """Return x times a constant factor, x itself if the factor is 1."""
    return x if factor == 1.0 else x * factor


def _joined_columns(arrays: Sequence[NDArray[np.generic]], rows: int) -> NDArray[np.generic]:
    return np.concatenate(list(arrays), axis=1) if arrays else np.zeros((rows, 0))
