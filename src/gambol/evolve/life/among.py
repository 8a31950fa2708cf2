"""Creatures of any body among others in one program: told as data of a template, each with its own tree.

Their muscles take the places of the template's links; where a creature has none, a servo holds a link that is not
there. Signals are dealt out to these places, so patterns are those whose actuators do not feel each other.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from gambol.control import Actuator
from gambol.control.patterns import Bred, Pattern, Shape
from gambol.errors import EvolveError
from gambol.evolve.genotype import Genotype, Grown
from gambol.evolve.genotype.genotype import Doubling
from gambol.evolve.life.extent import length_of
from gambol.evolve.life.growing import creature_of
from gambol.evolve.life.home import Array, Lodged, chains_of, world_of
from gambol.evolve.tasks import Task
from gambol.figure import Figure, JointSpring
from gambol.figure.anybody import Told, any_tree, as_data
from gambol.figure.measures import measured, measures
from gambol.lanes import leaves, rebuilt
from gambol.world import Engine, World

RHYTHMS = ("spectral", "sinusoid")
"""Patterns each of whose signals depends on its own genes and the time alone."""

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
        self.template, self.varied = template_of(links), told_measures(links)
        self.slots = tuple(link.name for link in self.template.links[1:])
        creature = creature_of(first)
        told = as_data(creature.figure, self.template)
        lodger = replace(
            creature,
            figure=told.figure,
            springs=dict.fromkeys(self.slots, LOOSE),
            actuators=dict.fromkeys(self.slots, RESTING),
            pattern=_dealt(creature, self._owners(told)),
            feet=self.slots,
        )
        self.world: World = world_of(lodger, task).varying(self.varied)

    def lodged(self, engine: Engine, genotypes: Sequence[Genotype]) -> Lodged:
        """Such creatures, in their order."""
        creatures = [creature_of(one) for one in genotypes]
        told = [as_data(creature.figure, self.template) for creature in creatures]
        both = list(zip(creatures, told, strict=True))
        each = [self._numbers(creature, one) for creature, one in both]
        numbers = rebuilt(each[0], iter(np.array([leaves(one) for one in each]).T))
        q = np.array([one.coordinates(creature.q) for creature, one in both])
        places = {slot: k for k, slot in enumerate(self.slots)}
        figure = measured(self.template, numbers["measures"])
        return Lodged(
            engine.numbers(**numbers),
            q,
            tuple(tuple(places[one.names[foot]] for foot in creature.feet) for creature, one in both),
            figure,
            np.array([self._chains(creature, one) for creature, one in both]),
            length_of(figure, list(q.T)),
            np.array([creature.height for creature in creatures]),
            np.array([creature.figure.mass for creature in creatures]),
        )

    def own_coordinates(self, genotype: Genotype, q: Array) -> Array:
        """Coordinates of the template (nq) as those of a creature's own figure."""
        told = as_data(creature_of(genotype).figure, self.template)
        return np.array(told.given_coordinates(list(q)))

    def _chains(self, creature: Grown, told: Told) -> list[int]:
        """The limb that each link of the template is of."""
        chains = chains_of(creature.figure)
        return [0, *(chains[name] if name else 0 for name in self._owners(told))]

    def _owners(self, told: Told) -> list[str | None]:
        """For each place of the template the creature's link that is in it."""
        owners = {slot: name for name, slot in told.names.items()}
        return [owners.get(slot) for slot in self.slots]

    def _numbers(self, creature: Grown, told: Told) -> dict[str, Any]:
        """What Engine.numbers() is told to change for a creature."""
        owners, found = self._owners(told), measures(told.figure)
        springs = [creature.springs[name] if name else LOOSE for name in owners]
        actuators = [creature.actuators[name] if name else RESTING for name in owners]
        own = list(zip(self.slots, springs, actuators, strict=True))
        return {
            "measures": {name: found[name] for name in self.varied},
            "springs": {slot: [{"damping": spring.damping}] for slot, spring, _ in own},
            "limits": {slot: [[spring.lower, spring.upper]] for slot, spring, _ in own},
            "actuators": {slot: actuator.numbers() for slot, _, actuator in own},
            "control": {"pattern": _dealt(creature, owners).numbers()},
        }


def _dealt(creature: Grown, owners: Sequence[str | None]) -> Pattern:
    """A creature's signals for places of a template, by the link that is in each; where none is, whatever the first is.

    Raises EvolveError for a pattern that feels.
    """
    pattern, order = creature.pattern, list(creature.actuators)
    if pattern.kind not in RHYTHMS or not isinstance(pattern, Doubling) or not isinstance(pattern, Bred):
        raise EvolveError(
            f'the control "{pattern.kind}" cannot be dealt out to bodies told as data; '
            f"take one of {', '.join(RHYTHMS)}, or let bodies be compiled"
        )
    own = pattern.shape
    shape = Shape(len(owners), size=own.size, slowest=own.slowest, fastest=own.fastest)
    return pattern.with_twins([order.index(name) if name else 0 for name in owners], [0.0] * len(owners), shape)
