"""Many free bodies in one world: what lies, rolls, slides and bounces in a pile, in lanes over bodies and contacts."""

from gambol.contact.pile.body import GROUND, Body, Pile, Rub
from gambol.contact.pile.state import Books, Memory, PileState, laid
from gambol.contact.pile.step import Mover

__all__ = ["GROUND", "Body", "Books", "Memory", "Mover", "Pile", "PileState", "Rub", "laid"]
