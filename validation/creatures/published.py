"""Measures of creatures beside published figures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Numbers = Mapping[str, Any]


def _duty_factor(numbers: Numbers) -> float:
    return sum(numbers["duty_factor"].values()) / len(numbers["duty_factor"])


def _step(numbers: Numbers) -> float:
    return 0.5 * numbers["stride_m"]


def _measure(key: str) -> Callable[[Numbers], float]:
    return lambda numbers: numbers[key]


@dataclass(frozen=True)
class Published:
    """A published figure. ours: takes the measures of a creature, returns the same quantity."""

    creature: str
    quantity: str
    ours: Callable[[Numbers], float]
    figure: str
    source: str


PEOPLE = "people [Perry and Burnfield 2010]"
COLLINS = "people [Collins, Ruina, Tedrake and Wisse 2005]"
DOG = "one dog, hips 0.38 m high, trot, see [the dog](../theory/dog.md)"

PUBLISHED = (
    Published("geyer-herr", "speed, m/s", _measure("speed_m_per_s"), "1.3", "Geyer and Herr 2010"),
    Published("geyer-herr", "stride, s", _measure("stride_s"), "1.0 to 1.1", PEOPLE),
    Published("geyer-herr", "step, m", _step, "0.65 to 0.75", PEOPLE),
    Published("geyer-herr", "duty factor", _duty_factor, "0.60 to 0.62", PEOPLE),
    Published("geyer-herr", "cost of transport", _measure("cost_of_transport"), "0.05", COLLINS),
    Published("simbicon", "speed, m/s", _measure("speed_m_per_s"), "1", "target of the same table in simbicon2d-unity"),
    Published("simbicon", "cost of transport", _measure("cost_of_transport"), "0.05", COLLINS),
    Published("simbicon-3d", "stride, s", _measure("stride_s"), "1.0 to 1.1", PEOPLE),
    Published("bruderlin-calvert", "stride, s", _measure("stride_s"), "1.18", "its own procedural walk at 1.2 m/s"),
    Published("bruderlin-calvert", "step, m", _step, "0.71", "its own procedural walk at 1.2 m/s"),
    Published("raibert-hopper", "speed, m/s", _measure("speed_m_per_s"), "2", "demonstration of RaibertFast"),
    Published("dog", "speed, m/s", _measure("speed_m_per_s"), "1.9", DOG),
    Published("dog", "stride, s", _measure("stride_s"), "0.50", DOG),
    Published("dog", "duty factor", _duty_factor, "0.36 to 0.44", DOG),
)
"""Where a source gives a figure. None was found for the measures of Raibert's real machines, of Hodgins' runner, of
Beer's insect, and of Hirose's and Miller's snakes."""

HEAD = """
## Beside published figures

| creature | quantity | here | published | source |
| --- | --- | --- | --- | --- |
"""

TAIL = """
The continuum snake of 50 segments moves at 28.0 mm/s, and PyElastica's at 27.8 mm/s, in one run of
[`python -m validation.creatures.continuum_snake`](../theory/crawlers.md#against-pyelastica). No figures were found for
Raibert's real machines, Hodgins' runner, Beer's insect, and the snakes of Hirose and Miller. The cost of transport here
is the positive work of motors or muscles; that of people is their mechanical one, too.
"""


def published_section(rows: Mapping[str, Numbers]) -> str:
    """Return the section of the page. rows: measures by creature."""
    lines = [
        f"| `{p.creature}` | {p.quantity} | {p.ours(rows[p.creature]):.2f} | {p.figure} | {p.source} |"
        for p in PUBLISHED
        if p.creature in rows
    ]
    return HEAD + "\n".join(lines) + "\n" + TAIL
