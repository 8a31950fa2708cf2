"""The numbers that settings of a page set; the page computes the same in settings.js."""

import math
from collections.abc import Mapping, Sequence

from gambol.view.live.settings import Setting

TILTING = ("gravity", "slope")
"""Settings that together set gravity as a vector."""


def numbers_of(settings: Sequence[Setting], changed: Mapping[str, float], name: str) -> dict[str, float]:
    """Return the values of the numbers of one setting, by name.

    settings: settings of the page. changed: values of the settings that differ from their first ones, by name, in the
    order of the page: where settings share a number, the later one decides. name: name of the setting.
    """
    if name in TILTING and any(each["name"] == name and not each["sets"] for each in settings):
        return _gravity_of({each["name"]: each["value"] for each in settings} | dict(changed))
    values: dict[str, float] = {
        entry["name"]: entry["first"] for each in settings if each["name"] == name for entry in each["sets"]
    }
    for each in settings:
        for entry in each["sets"] if each["name"] in changed else ():
            if entry["name"] in values:
                values[entry["name"]] = _number_of(entry, each["value"], changed[each["name"]])
    return values


def _gravity_of(values: Mapping[str, float]) -> dict[str, float]:
    """Return gravity in the axes of a ground that rises along x, see tilted_gravity(). values: of all settings."""
    gravity, slope = values["gravity"], math.radians(values["slope"])
    return {"gravity.x": 0.0 - gravity * math.sin(slope), "gravity.z": -gravity * math.cos(slope)}


def _number_of(entry: Setting, first: float, value: float) -> float:
    """Return the value of a number, see settings.py. entry: an entry of "sets"; first, value: values of the setting."""
    if "off" in entry:
        return entry["first"] if value else entry["off"]
    if "power" in entry:
        return entry["first"] * (value / first) ** entry["power"]
    if entry["slope"] == 1.0 and entry["first"] == first:
        return value  # exactly
    return entry["first"] + entry["slope"] * (value - first)
