"""The numbers that settings of a page set; the page computes the same in settings.js."""

from collections.abc import Mapping, Sequence

from gambol.view.live.settings import Setting


def numbers_of(settings: Sequence[Setting], changed: Mapping[str, float], name: str) -> dict[str, float]:
    """Return the values of the numbers of one setting, by name.

    settings: settings of the page. changed: values of the settings that differ from their first ones, by name, in the
    order of the page: where settings share a number, the later one decides. name: name of the setting.
    """
    values: dict[str, float] = {
        entry["name"]: entry["first"] for each in settings if each["name"] == name for entry in each["sets"]
    }
    for each in settings:
        for entry in each["sets"] if each["name"] in changed else ():
            if entry["name"] in values:
                values[entry["name"]] = _number_of(entry, each["value"], changed[each["name"]])
    return values


def _number_of(entry: Setting, first: float, value: float) -> float:
    """Return the value of a number, see settings.py. entry: an entry of "sets"; first, value: values of the setting."""
    if "off" in entry:
        return entry["first"] if value else entry["off"]
    if "power" in entry:
        return entry["first"] * (value / first) ** entry["power"]
    if entry["slope"] == 1.0 and entry["first"] == first:
        return value  # exactly
    return entry["first"] + entry["slope"] * (value - first)
