"""Creatures of any body among others in one program: told as data of a template, each with its own tree.

Their muscles take the places of the template's links; where a creature has none, a servo holds a link that is not
there. Signals are dealt out to these places, so patterns are those whose actuators do not feel each other.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gambol.control import Actuator
from gambol.control.patterns import Pattern, Shape, pattern_kind
from gambol.errors import EvolveError
from gambol.evolve.genotype import Control, Genotype, Grown, grown
from gambol.evolve.genotype.crowd import LOOSE, RESTING, RHYTHMS, crowd_of
from gambol.evolve.life.home import Array, Lodged, Play, friction_row, world_of
from gambol.evolve.tasks import Task
from gambol.figure import Figure
from gambol.figure.anybody import any_tree, as_data
from gambol.figure.measures import measures
from gambol.world import Engine, World

BALLS, ROOT_BALLS = 1, 4
"""That a grown link, and a trunk, may touch with."""

SAME = (".axis.", ".pitch", ".gear", ".rotation.")
"""What in the names of a link's measures says that all bodies have it alike; of rotations only those of parts."""

TRUNKS = ("mass", "inertia.xx", "inertia.yy", "inertia.zz", "radius", "position.x", "position.y", "position.z")
"""The ends of the names of measures in which trunks differ."""


@lru_cache(maxsize=16)
def template_of(links: int) -> Figure:
    """The figure that stands for all bodies with so many links on their trunk."""
    return any_tree(links + 1, BALLS, ROOT_BALLS)


@lru_cache(maxsize=16)
def told_measures(links: int) -> tuple[str, ...]:
    """The measures of the template in which bodies differ."""
    template = template_of(links)
    root = template.root.name
    return tuple(name for name in measures(template) if _differs(name.removeprefix(root), name.startswith(f"{root}.")))


def _differs(name: str, trunk: bool) -> bool:
    if trunk:
        return name.endswith(TRUNKS) and name.split(".")[1] != "position"
    return not any(word in name for word in SAME[:3]) and not (".part" in name and SAME[3] in name)


class CommonHome:
    """A home for creatures of any body with no more than so many links.

    Raises EvolveError for a control whose signals cannot be dealt out.
    """

    def __init__(self, first: Genotype, task: Task, links: int) -> None:
        if first.control.kind not in RHYTHMS:
            raise EvolveError(
                f'the control "{first.control.kind}" cannot be dealt out to bodies of any structure; '
                f"take one of {', '.join(RHYTHMS)}, or let bodies be compiled"
            )
        self.template = template_of(links)
        slots = tuple(link.name for link in self.template.links[1:])
        stand_in = Grown(
            self.template,
            dict.fromkeys(slots, LOOSE),
            dict.fromkeys(slots, Actuator(**RESTING)),
            _pattern(first.control, len(slots)),
            slots,
            dict.fromkeys(slots, 0.0),
            height=1.0,
            length=1.0,
        )
        self.world: World = world_of(stand_in, task).varying(told_measures(links))
        self._friction, self._friction_row = task.friction, friction_row(self.world)

    def lodged(self, engine: Engine, genotypes: Sequence[Genotype]) -> Lodged:
        """Creatures of such bodies, as data of the template, in their order."""
        crowd = crowd_of(genotypes, self.template)
        chains = np.array([_chains(*of, len(self.template.links)) for of in zip(genotypes, crowd.feet, strict=True)])
        rows = np.ascontiguousarray(engine.numbers(**crowd.numbers(self.world)))
        sizes, rough = (crowd.length, crowd.height, crowd.mass), np.full(len(genotypes), self._friction)
        play = Play(crowd.units, crowd.height_with, self._friction_row)
        return Lodged(rows, crowd.q, crowd.feet, chains, *sizes, rough, play)

    def own_coordinates(self, genotype: Genotype, q: Array) -> Array:
        """Coordinates of the template (nq) as those of a creature's own figure."""
        told = as_data(grown(genotype).figure, self.template)
        return np.array(told.given_coordinates(list(q)))


def _pattern(control: Control, places: int) -> Pattern:
    """A pattern of a control's kind with so many signals, whose numbers do not matter."""
    kind = pattern_kind(control.kind)
    shape = Shape(places, size=control.size, slowest=control.slowest, fastest=control.fastest)
    return kind.of_genes(shape, [0.5 * (gene.lower + gene.upper) for gene in kind.genes_of(shape)])


def _chains(genotype: Genotype, feet: Sequence[int], links: int) -> NDArray[np.int64]:
    """The limb that each link of the template is of: a chain's links follow each other up to its foot."""
    found = np.zeros(links, np.int64)
    for number, ((_, limb, _), foot) in enumerate(zip(genotype.body.chains(), feet, strict=True), start=1):
        found[foot + 2 - len(limb.freedoms) : foot + 2] = number
    return found
