"""The table of creatures by name, and their lookup."""

from gambol.creatures.animals import ANIMAL_ENTRIES
from gambol.creatures.beer import BEER
from gambol.creatures.bruderlin_calvert.entry import BRUDERLIN_CALVERT
from gambol.creatures.crawlers import INCHWORM, SNAKE, WORM
from gambol.creatures.dog import DOG
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.geyer_herr.entry import GEYER_HERR
from gambol.creatures.passive_walker import walker
from gambol.creatures.people.entries import RUNNER, SIMBICON, SIMBICON_3D
from gambol.creatures.raibert import biped, hopper, hopper_3d, quadruped
from gambol.errors import WorldError, did_you_mean

_ROWS: tuple[CreatureEntry, ...] = (
    GEYER_HERR,
    SIMBICON,
    SIMBICON_3D,
    RUNNER,
    BRUDERLIN_CALVERT,
    hopper.ENTRY,
    hopper_3d.ENTRY,
    biped.ENTRY,
    quadruped.ENTRY,
    walker.ENTRY,
    DOG,
    BEER,
    SNAKE,
    WORM,
    INCHWORM,
    *ANIMAL_ENTRIES,
)

CREATURES: dict[str, CreatureEntry] = {entry.name: entry for entry in _ROWS}
"""All creatures but the roach, by name. The roach has more options and measures, see gambol.roach()."""


def add_creature(entry: CreatureEntry) -> None:
    """Add a creature to the table. Raises WorldError if its name is taken."""
    if entry.name in CREATURES or entry.name == "roach":
        raise WorldError(f'there is a creature "{entry.name}" already; give another name')
    CREATURES[entry.name] = entry


def creature_entry(name: str) -> CreatureEntry:
    """Return the entry of a creature. Raises WorldError, with a similar name, for an unknown name."""
    if name not in CREATURES:
        raise WorldError(f'there is no creature "{name}"; {did_you_mean(name, ("roach", *CREATURES))}')
    return CREATURES[name]
