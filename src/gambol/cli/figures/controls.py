"""The option --control of `gambol run`: controls of motors."""

import math
from collections.abc import Sequence

from gambol.errors import GambolError


def read_controls(texts: Sequence[str]) -> dict[str, float]:
    """Return controls by the names of motors. texts: each NAME=VALUE. Raises GambolError for other texts."""
    controls: dict[str, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not (equals and name and math.isfinite(value)):
            raise GambolError(f'--control: "{text}" is not NAME=VALUE, such as --control elbow=0.5')
        if name in controls:
            raise GambolError(f'--control: "{name}" is given twice')
        controls[name] = value
    return controls
