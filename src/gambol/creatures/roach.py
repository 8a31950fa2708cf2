"""The roach: McKenna's hexapod, with 38 degrees of freedom, 2.2 g and 3 cm. [McKenna 1990, appendix C]"""

from collections.abc import Sequence
from importlib.resources import files

from gambol.creatures.creature import Creature
from gambol.creatures.creature_file import Reading, read_creature, readings_of

FILE = "roach.toml"


def roach(parameters: str = "tuned", readings: Sequence[str] = ()) -> Creature:
    """Return the hexapod of the thesis.

    parameters: name of a parameter set in roach.toml: "thesis" has the numbers of the printed script, "tuned" walks
    well, "cockroach" also has ground forces with the signs of a cockroach's, and "agile" has these signs, is as fast as
    "tuned" with two fifths of the work, and has no leg that passes through the abdomen. readings: names of readings of
    doubtful lines of the print, see roach_readings(). Abdomen, thorax and head lie along x, the head in front; the left
    legs are those with y > 0. Raises GambolError for an unknown set or reading.
    """
    return read_creature(_text(), FILE, parameters, readings)


def roach_readings() -> dict[str, Reading]:
    """Return the readings of doubtful lines of the printed script, by name."""
    return readings_of(_text(), FILE)


def _text() -> str:
    return files("gambol.creatures").joinpath(FILE).read_text(encoding="utf-8")
