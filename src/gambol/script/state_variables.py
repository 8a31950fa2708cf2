"""Quantities over time in the film of a script: coordinates of joints, positions of bodies, energies."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, did_you_mean
from gambol.figure import JOINTS
from gambol.world import Film
from gambol.world.context import LEDGER_SIGNS

if TYPE_CHECKING:
    from gambol.script.built_world import BuiltWorld
    from gambol.script.interpreter import Interpreter

AXES = ("x", "y", "z")
ENERGIES = ("kinetic", "potential", "stored")
QUANTITIES = {
    **dict.fromkeys(ENERGIES, "J"),
    "energy": "J",
    **dict.fromkeys(LEDGER_SIGNS, "J"),
    "unaccounted": "J",
    "positive_power": "W",
    "clearance": "m",
    "elsewhere": "N",
}
"""The quantities of a world, with units; "energy" is the sum of ENERGIES, the others are signals of films."""

COORDINATE = re.compile(r"(d?q)(\d*)")


@dataclass(frozen=True, slots=True)
class Variable:
    """A quantity in a film.

    label: label with the unit. signal: name of a signal, "energy" or "position". index: index in the signal.
    """

    label: str
    signal: str
    index: tuple[int, ...] = ()

    def values(self, film: Film) -> NDArray[np.float64]:
        """Return the values in each frame (F,). Raises GambolError if a change of the figure has removed them."""
        if self.signal == "energy":
            return sum((film.signals[name][:, 0] for name in ENERGIES), np.zeros(len(film.time)))
        if self.signal == "position":
            return film.position[(slice(None), 0, *self.index)]
        if self.signal not in film.signals:
            raise GambolError(f'the film has no "{self.label}" in all of its frames, because the figure has changed')
        return film.signals[self.signal][(slice(None), 0, *self.index)]


def find_variable(interp: "Interpreter", built: "BuiltWorld", word: str) -> Variable:
    """Return the quantity that a word names. Raises GambolError, with the nearest name, for an unknown one.

    word: one of QUANTITIES, centre.x (y, z), BODY.x (y, z), BODY.q or BODY.dq; for a joint with several coordinates
    BODY.q0, BODY.q1 and so on. built: the current world.
    """
    if word in QUANTITIES:
        return Variable(f"{word} [{QUANTITIES[word]}]", word)
    body, dot, field = word.rpartition(".")
    if not dot:
        raise GambolError(
            f'there is no quantity "{word}"; {did_you_mean(word, QUANTITIES)} (write a joint angle as BODY.q)'
        )
    if body == "centre" and field in AXES:
        return Variable(f"{word} [m]", "centre", (AXES.index(field),))
    corpus, name = interp.spec.find_body(body, interp.current_corpus())
    if corpus.name not in built.links:
        raise GambolError(f'corpus "{corpus.name}" is not simulated; switch it on by integrate')
    link = built.world.figure.link(built.links[corpus.name][name])
    if field in AXES:
        return Variable(f"{word} [m]", "position", (link.index - 1, AXES.index(field)))
    match = COORDINATE.fullmatch(field)
    if match is None:
        raise GambolError(f'"{body}" has no "{field}"; it has x, y, z, and its joint q and dq')
    kind, number = match.groups()
    rows: slice = link.q if kind == "q" else link.v
    joint = JOINTS[link.joint.kind]
    units, k = joint.q_units if kind == "q" else joint.v_units, int(number or 0)
    count = len(units)
    if k >= count or (count > 1 and not number):
        known = " to ".join(f"{kind}{n}" for n in (0, count - 1)) if count > 1 else kind if count else f"no {kind}"
        raise GambolError(f'the joint of "{body}" has no "{field}"; it has {known}')
    return Variable(f"{word} [{units[k]}]", "q" if kind == "q" else "v", (rows.start + k,))
