"""Conversion of plain data to JSON and back, exact to the last bit of every number.

An archive stores some hundred numbers of every individual. orjson prints a float in 25 ns, the standard library in
400 ns; both print the shortest digits that read back as the same number.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import orjson

from gambol.errors import EvolveError

OPTIONS = orjson.OPT_SERIALIZE_NUMPY  # arrays become lists


def to_json(data: Any, label: str) -> str:
    """Return the JSON of plain data: mappings, sequences, numbers, strings, bools and None.

    label: name of the data in errors. Numbers that are not finite become null. Raises EvolveError for other types.
    """
    try:
        return orjson.dumps(data, option=OPTIONS).decode()
    except TypeError as error:
        raise EvolveError(f"{label} is not plain data: {error}") from error


def to_finite_json(data: Any, label: str) -> str:
    """Return the JSON of plain data, such as a genotype. All numbers must be finite.

    label: name of the data in errors. Raises EvolveError with the path of a number that is not finite.
    """
    text = to_json(data, label)
    if "null" in text and (path := path_of_nonfinite(data)):
        raise EvolveError(
            f"{label} holds a number that is not finite: {path.lstrip('.')}; a search must keep to bounds"
        )
    return text


def from_json(text: str, label: str) -> Any:
    """Return the data of a JSON text; label: its name in errors. Raises EvolveError if the text is damaged."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise EvolveError(f"{label} is damaged: {error}; restore a copy of the archive") from error


def path_of_nonfinite(data: Any) -> str:
    """Return the path of the first number in nested data that is not finite, such as ".limbs.1 = nan"; "" if none."""
    if isinstance(data, float):
        return "" if math.isfinite(data) else f" = {data}"
    items: Any = ()
    if isinstance(data, Mapping):
        items = cast("Mapping[str, Any]", data).items()
    elif isinstance(data, Sequence) and not isinstance(data, str):
        items = enumerate(cast("Sequence[Any]", data))
    return next((f".{key}{path}" for key, item in items if (path := path_of_nonfinite(item))), "")
