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
from gambol.evolve.genotype import Genotype, Grown
from gambol.evolve.genotype.crowd import Crowd, crowd_of
from gambol.evolve.genotype.crowd.signals import RHYTHMS as RHYTHMS
from gambol.evolve.genotype.genotype import Doubling
from gambol.evolve.life.home import Array, Lodged, world_of
from gambol.evolve.tasks import Task
from gambol.figure import Figure, JointSpring
from gambol.figure.anybody import any_tree
from gambol.figure.measures import measured, measures
from gambol.world import Engine, World

BALLS, ROOT_BALLS = 1, 4
"""That a grown link, and a trunk, may touch with."""

RESTING = Actuator(0.0, 0.0, stiffness=1.0, damping=1.0)
"""The servo of a link that is not there; its rotor of 1 kg m2 never moves."""

LOOSE = JointSpring(damping=1.0, lower=-1.0, upper=1.0)
"""The spring of a link that is not there, of the form that those of grown joints have."""

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

    Raises EvolveError for a pattern whose signals cannot be dealt out.
    """

    def __init__(self, first: Genotype, task: Task, links: int) -> None:
        self.template = template_of(links)
        names = tuple(link.name for link in self.template.links[1:])
        crowd = crowd_of([first], self.template)
        lodger = Grown(
            measured(self.template, {name: np.asarray(x).item() for name, x in measures(crowd.figure).items()}),
            dict.fromkeys(names, LOOSE),
            dict.fromkeys(names, RESTING),
            _rhythm(first, len(names)),
            names,
            dict.fromkeys(names, 0.0),
            float(crowd.height[0]),
            float(crowd.length[0]),
        )
        self.world: World = world_of(lodger, task).varying(told_measures(links))

    def lodged(self, engine: Engine, genotypes: Sequence[Genotype]) -> Lodged:
        """Such creatures, in their order."""
        crowd = crowd_of(genotypes, self.template)
        return Lodged(
            engine.numbers(**crowd.numbers(self.world)),
            crowd.q,
            crowd.feet,
            crowd.figure,
            _chains(crowd),
            crowd.length,
            crowd.height,
            crowd.mass,
        )

    def own_coordinates(self, genotype: Genotype, q: Array) -> Array:
        """Coordinates of the template (nq) as those of a creature's own figure: its links come first."""
        return q[: 7 + genotype.body.links]


def _chains(crowd: Crowd) -> NDArray[np.int64]:
    """Which limb each link of the template is of (W, links), by number from 1: those up to its foot; 0 for none."""
    chains = np.zeros((len(crowd.feet), len(crowd.figure.links)), dtype=np.int64)
    for own, feet in zip(chains, crowd.feet, strict=True):
        first = 1
        for number, foot in enumerate(feet, start=1):
            own[first : foot + 2] = number
            first = foot + 2
    return chains


def _rhythm(genotype: Genotype, count: int) -> Pattern:
    """A pattern like those that creatures' signals are dealt out to, every gene in the middle of its range."""
    control = genotype.control
    shape = Shape(count, size=control.size, slowest=control.slowest, fastest=control.fastest)
    pattern = pattern_kind(control.kind)
    inner = pattern.of_genes(shape, [gene.lower + gene.range / 2 for gene in pattern.genes_of(shape)])
    return inner.with_twins(range(count), [0.0] * count, shape) if isinstance(inner, Doubling) else inner
