"""The numbers that settings of a page set; the page computes the same in settings.js."""

from collections.abc import Mapping, Sequence

from gambol.view.live.settings import Setting


def numbers_of(settings: Sequence[Setting], changed: Mapping[str, float], name: str) -> dict[str, float]:
    """Return the values of the numbers of one setting, by name.

    settings: settings of the page. changed: values of the settings that differ from their first ones, by name, in the
    order of the page: where settings share a number, the later one decides. name: name of the setting.
    """
    values: dict[str, float] = {
        one["name"]: one["first"] for each in settings if each["name"] == name for one in each["sets"]
    }
    for each in settings:
        for one in each["sets"] if each["name"] in changed else ():
            if one["name"] in values:
                values[one["name"]] = _number_of(one, each["value"], changed[each["name"]])
    return values


def _number_of(one: Setting, first: float, value: float) -> float:
    """Return the value of a number, see settings.py. one: an entry of "sets"; first, value: values of the setting."""
    if "off" in one:
        return one["first"] if value else one["off"]
    if "power" in one:
        return one["first"] * (value / first) ** one["power"]
    if one["slope"] == 1.0 and one["first"] == first:
        return value  # exactly
    return one["first"] + one["slope"] * (value - first)
