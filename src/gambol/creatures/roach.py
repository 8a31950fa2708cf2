"""The roach: McKenna's hexapod, with 38 degrees of freedom, 2.2 g and 3 cm. [McKenna 1990, appendix C]"""

from importlib.resources import files

from gambol.creatures.creature import Creature
from gambol.creatures.creature_file import read_creature

FILE = "roach.toml"


def roach(parameters: str = "tuned") -> Creature:
    """Return the hexapod of the thesis.

    parameters: name of a parameter set in roach.toml: "thesis" has the numbers of the printed script, "tuned" walks
    well, and "cockroach" also has ground forces with the signs of a cockroach's. Abdomen, thorax and head lie along x,
    the head in front; the left legs are those with y > 0. Raises GambolError for an unknown set.
    """
    text = files("gambol.creatures").joinpath(FILE).read_text(encoding="utf-8")
    return read_creature(text, FILE, parameters)
