"""The search space of a body plan: sizes, attachment points, ranges, strengths and control. Also space_of()."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from gambol.control.gene import Gene
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype.body import MOTORS, Body, MusclePair, muscled, with_motors
from gambol.evolve.genotype.bounds import PLAN_MARGINS, Margins, check_body
from gambol.evolve.genotype.breeding.coding import Coding, check_probability, coding_of, shift_signal
from gambol.evolve.genotype.breeding.free import FreeSpace
from gambol.evolve.genotype.genotype import Control, Genotype, topology, with_neutral_control
from gambol.evolve.genotype.plans import BODY, PLANS, plan_named
from gambol.evolve.search.space import BoxSpace


@dataclass(frozen=True)
class GenotypeSpace:
    """The space of all genotypes near a plan, which have its structure. See search.Space.

    plan: the genotype at the centre of the space; the values of its control do not matter. margins: margins of the
    body's fields around the plan, by name; empty if only the control evolves. shift_rate: probability that a mutation
    also shifts a signal in time, see shift_signal(). Raises EvolveError for an invalid plan or probability.
    """

    plan: Genotype
    margins: Margins = field(default_factory=lambda: PLAN_MARGINS)
    shift_rate: float = 0.1
    coding: Coding = field(init=False, repr=False, compare=False)
    box: BoxSpace = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_probability(self.shift_rate)
        check_body(self.plan.body)
        object.__setattr__(self, "plan", with_neutral_control(self.plan))
        object.__setattr__(self, "coding", coding_of(self.plan, self.margins))
        object.__setattr__(self, "box", BoxSpace(self.coding.genes))

    @property
    def genes(self) -> tuple[Gene, ...]:
        """The genes that may change: genes of the body, phase leads of twins, and genes of the control."""
        return self.box.genes

    @property
    def size(self) -> int:
        """The number of genes."""
        return self.box.size

    def random(self, rng: Generator) -> Genotype:
        """Return a creature with every gene uniform between its bounds."""
        return self._with_values(self.box.random(rng))

    def mutated(self, genotype: Genotype, steps: ArrayLike, rng: Generator) -> Genotype:
        """Return a creature with normally distributed changes of genes; see also shift_rate.

        steps: standard deviation in units of each gene's sigma, one number or one for each gene.
        """
        values = self.box.mutated(self._values(genotype), steps, rng)
        if rng.random() < self.shift_rate:
            values = shift_signal(self.genes, values, steps, rng)
        return self._with_values(values)

    def crossed(self, a: Genotype, b: Genotype, rng: Generator) -> Genotype:
        """Return a creature that inherits each part, with the genes of its signal, from a or b at random."""
        parts = self.coding.parts
        from_b = {part: rng.random() < 0.5 for part in dict.fromkeys(parts)}
        pairs = zip(self._values(a), self._values(b), parts, strict=True)
        return self._with_values([y if from_b[part] else x for x, y, part in pairs])

    def blended(self, parents: Sequence[Genotype]) -> Genotype:
        """Return the creature with the mean of the parents' genes, which is the circular mean for cyclic genes."""
        return self._with_values(self.box.blended([self._values(parent) for parent in parents]))

    def vector(self, genotype: Genotype) -> NDArray[np.float64]:
        """Return the genes as fractions of their ranges (size,)."""
        return self.box.vector(self._values(genotype))

    def of_vector(self, x: ArrayLike) -> Genotype:
        """Return the creature with genes at these fractions of their ranges."""
        return self._with_values(self.box.of_vector(x))

    def same_structure(self, a: Genotype, b: Genotype) -> bool:
        """Return True if two creatures have the same structure, as all creatures of this space have."""
        return topology(a) == topology(b)

    def _values(self, genotype: Genotype) -> tuple[float, ...]:
        if topology(genotype) != topology(self.plan):
            raise EvolveError("a genotype of another structure is not in this space; see topology()")
        return self.coding.values(genotype)

    def _with_values(self, values: Sequence[float]) -> Genotype:
        return self.coding.with_values(self.plan, values)


FREE = "free"
"""The name of the space of bodies of any structure."""

DEFAULT_MAX_LINKS = 9
"""The default of the largest number of links of a free body besides its trunk: one more than a quadruped has."""


def space_of(
    body: str | Body,
    control: Control | None = None,
    *,
    fixed: bool = False,
    links: int = DEFAULT_MAX_LINKS,
    muscles: bool = False,
    motor: str | None = None,
    metabolism: str | None = None,
) -> GenotypeSpace | FreeSpace:
    """Return the space of creatures to search.

    body: the name of a plan, "free", or a body as the plan, such as one from a file. control: kind and settings of the
    control; its values do not matter. fixed: True to evolve the control only. links: largest number of links of a free
    body besides its trunk. muscles: True for muscles at every joint, instead of motors. motor: kind of all motors, one
    of MOTORS; None: those of the body. metabolism: of muscles that replace motors, see MusclePair. Raises EvolveError
    for an unknown name or kind, and for a free body with fixed = True.
    """
    if motor not in (None, *MOTORS):
        raise EvolveError(f'no motor is called "{motor}"; {did_you_mean(str(motor), MOTORS)}')
    control = control or Control()
    if body == FREE:
        if fixed:
            raise EvolveError('a "free" body cannot be fixed; name a plan, or give a body')
        return FreeSpace(control, links, muscles=muscles, motor=motor or MOTORS[0], metabolism=metabolism)
    if isinstance(body, str) and not BODY.is_known(body):
        raise EvolveError(f'no body is called "{body}"; {did_you_mean(body, [*PLANS, FREE])}')
    plan = plan_named(body) if isinstance(body, str) else body
    plan = muscled(plan, MusclePair(metabolism=metabolism)) if muscles else plan
    plan = plan if motor is None else with_motors(plan, motor)
    return GenotypeSpace(Genotype(plan, control), {} if fixed else PLAN_MARGINS)
