"""Limbs that a script cuts off: inputs of its world, and signals of its film; see gambol.world.cuts."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.gait import GaitController, GaitGroup
from gambol.gait.reflex import UNREACHABLE
from gambol.world import Engine, Film, World

HELD = -1.0
"""A load trigger with which a leg never steps, see gambol.gait.leg_decisions."""


def numbers_with_cuts(world: World, cut: tuple[str, ...]) -> NDArray[Any] | None:
    """Return the inputs of a world (rows, 1), in which the subtrees of links are cut off; None without any.

    cut: names of the first links of the subtrees, which are among the cuts of the world. Legs of gaits in them never
    step.
    """
    if not cut:
        return None
    control, missing = world.numbers()["control"], _links_in(world, cut)
    gaits = world.controller.gaits if isinstance(world.controller, GaitGroup) else {"": world.controller}
    for name, gait in gaits.items():
        numbers = control["gaits"][name] if name else control
        for i, leg in enumerate(gait.legs if isinstance(gait, GaitController) else ()):
            if missing & set(leg.links):
                numbers["bent_back"][i], numbers["load"][i] = UNREACHABLE, HELD
    return Engine(world, lanes=1).numbers(cuts={n: float(n in cut) for n in world.external.cuts}, control=control)


def with_cut_links(film: Film, world: World, cut: tuple[str, ...]) -> Film:
    """Return the film of a world with the signal "cut_off", if links of the world can be cut off; cut: as above."""
    if not world.external.cuts:
        return film
    missing = _links_in(world, cut)
    is_cut = np.array([name in missing for name in film.link_names], float)
    signal = np.broadcast_to(is_cut, (len(film.time), film.worlds, len(is_cut))).copy()
    return replace(film, signals={**film.signals, "cut_off": signal})


def _links_in(world: World, cut: tuple[str, ...]) -> set[str]:
    """Return the names of the links in the subtrees."""
    figure = world.figure
    return {each.name for name in cut for each in figure.subtree(figure.link(name).index)}
