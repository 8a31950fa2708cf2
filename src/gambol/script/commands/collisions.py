"""Commands of collisions between bodies: which collide, by which contact method, and with which parameters."""

from typing import TYPE_CHECKING

import numpy as np

from gambol.errors import GambolError
from gambol.script.collisions import IMPULSES, METHODS, SPRINGS
from gambol.script.language.command import Definition, Values

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter

MIN_DEPTH = 1e-12
"""Minimum depth beyond which a force is constant [m]; a divisor."""


def _collide(interp: "Interpreter", values: Values) -> None:
    current = interp.current_corpus()
    first, second = (interp.spec.find_body(name, current) for name in values)
    interp.spec.collisions.add((first[0].name, first[1]), (second[0].name, second[1]), interp.where)


def _collision(interp: "Interpreter", values: Values) -> None:
    interp.spec.collisions.on = values[0] != "off"


def _collisionanalysis(interp: "Interpreter", values: Values) -> None:
    interp.spec.collisions.method = SPRINGS if values[0] == "off" else IMPULSES


def _contactmethod(interp: "Interpreter", values: Values) -> None:
    if values[0] is None:
        interp.print_line(f"contactmethod {interp.spec.collisions.method}")
    else:
        interp.spec.collisions.method = values[0]


def _parameter(name: str, description: str, field: str, lowest: float = 0.0) -> Definition:
    """Return the definition of a command that sets a parameter of collisions or, without a value, outputs it.

    name, description: name and description of the command. field: field of Collisions. lowest: smallest value.
    """

    def act(interp: "Interpreter", values: Values) -> None:
        collisions = interp.spec.collisions
        if values[0] is None:
            interp.print_line(f"{name} {getattr(collisions, field):.10g}")
        elif not lowest <= values[0] < np.inf:
            raise GambolError(f"{values[0]:g} is not possible; give {lowest:g} or more")
        else:
            setattr(collisions, field, values[0])
            if collisions.method != SPRINGS:
                interp.warn(
                    f'{name} has no effect on contacts by "{collisions.method}", which use the parameters of the ground'
                )

    return Definition(name, "value:number?", description, act)


DEFINITIONS = (
    Definition("collide", "body1 body2", "lets two bodies collide, of any corpora (corpus/body)", _collide),
    Definition("collision", "switch:on|off?", "switches collisions between bodies on or off", _collision),
    Definition(
        "collisionanalysis",
        "switch:on|off?",
        "resolves all contacts by impulses instead of springs (off: by springs, the default)",
        _collisionanalysis,
    ),
    Definition(
        "contactmethod",
        "method:" + "|".join(METHODS) + "?",
        "sets or outputs the contact method of the world; those with large steps take steps of h",
        _contactmethod,
        is_extension=True,
    ),
    _parameter("collisone", "factor of the force between bodies while they separate; above 1 it adds energy", "one"),
    _parameter("collisionfric", "coefficient of friction between bodies", "fric"),
    _parameter(
        "collisonea", "strength of the exponential spring between bodies [N, per kg of the lighter corpus]", "ea"
    ),
    _parameter("collisoneB", "rise of the exponential spring between bodies [1/m]", "eB"),
    _parameter(
        "collisionemaxz", "depth beyond which the force between bodies does not increase [m]", "emaxz", MIN_DEPTH
    ),
)
