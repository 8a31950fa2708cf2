"""The definitions of all commands, by group. [McKenna 1990, appendix D]"""

from gambol.script.commands import (
    collisions,
    curves,
    dumping,
    figures,
    gaits,
    graphs,
    joints,
    matter,
    motions,
    shaping,
    shots,
    surroundings,
)
from gambol.script.language.command import Definition

GROUPS: dict[str, tuple[Definition, ...]] = {
    "Objects and transforms": shaping.DEFINITIONS,
    "Figures": figures.DEFINITIONS,
    "Joints and motors": (*joints.DEFINITIONS, *curves.DEFINITIONS),
    "Gait": gaits.DEFINITIONS,
    "World, time and ground": surroundings.DEFINITIONS,
    "Collisions": collisions.DEFINITIONS,
    "Matter": matter.DEFINITIONS,
    "Running": motions.DEFINITIONS,
    "Dumps and loads": dumping.DEFINITIONS,
    "Graphs": graphs.DEFINITIONS,
    "Camera and light": shots.DEFINITIONS,
}
"""All definitions, by the title of their group."""

COMMANDS: dict[str, Definition] = {
    definition.name: definition for definitions in GROUPS.values() for definition in definitions
}
"""All definitions by name."""
