"""The commands of the language, a table for each of their groups. [McKenna 1990, appendix D]"""

from gambol.script.commands import dumping, figures, gaits, joints, motions, shaping, surroundings
from gambol.script.language.row import Row

GROUPS: dict[str, tuple[Row, ...]] = {
    "Objects and transforms": shaping.ROWS,
    "Figures": figures.ROWS,
    "Joints and motors": joints.ROWS,
    "Gait": gaits.ROWS,
    "World, time and ground": surroundings.ROWS,
    "Running": motions.ROWS,
    "Dumps and loads": dumping.ROWS,
}
"""All rows, by what they are about."""

COMMANDS: dict[str, Row] = {row.name: row for rows in GROUPS.values() for row in rows}
"""All commands by name."""
