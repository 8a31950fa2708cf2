"""The batch world of bodies of any topology: the trees of all bodies are packed as data of one template.

Each link of the template has a servo: the servo of the creature's link, or a servo that holds an absent link. The
signals of patterns are assigned to links of the template, so patterns must be feedforward: no signal depends on
another.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gambol.control.patterns import Pattern, PatternShape, pattern_kind
from gambol.errors import EvolveError
from gambol.evolve.evaluate.batch_world import (
    Array,
    BatchInputs,
    LimbEnds,
    Randomization,
    friction_row,
    world_of,
)
from gambol.evolve.fitness.trajectory import OF_LINKS
from gambol.evolve.genotype import Control, Genotype, Phenotype, grow
from gambol.evolve.genotype.anatomy import last_end, standing_feet
from gambol.evolve.genotype.body import DRIVES, MUSCLES, driven_by
from gambol.evolve.genotype.muscle_pairs import absent_pair
from gambol.evolve.genotype.template_arrays import (
    ABSENT_MOTORS,
    ABSENT_SPRING,
    FEEDFORWARD,
    TemplateArrays,
    template_arrays,
)
from gambol.evolve.tasks import Task
from gambol.figure import Figure
from gambol.figure.parameters import parameters
from gambol.figure.template import any_tree, pack
from gambol.world import Engine, World

LINK_BALLS, TRUNK_BALLS = 1, 4
"""Numbers of contact balls of a grown link, and of a trunk."""

SHARED_NAMES = (".axis.", ".pitch", ".gear")
"""Substrings of the names of parameters that all bodies share."""

PART, ROTATION = ".part", ".rotation."
"""Substrings of the names of parameters of parts, and of rotations; all bodies share the rotations of parts."""

TRUNK_SUFFIXES = ("mass", "inertia.xx", "inertia.yy", "inertia.zz", "radius", "position.x", "position.y", "position.z")
"""Suffixes of the names of parameters in which trunks differ."""


ABSENT_ACTUATORS = {
    **dict(zip(DRIVES, ABSENT_MOTORS.values(), strict=False)),  # the first drives are motors
    **{drive: absent_pair(model) for drive, model in MUSCLES.items()},
    "both": absent_pair(None),
}
"""The actuators of absent links, by the kind of actuation of a body, see driven_by(). Bodies of the kind "both" raise
an error when they are grown."""


@lru_cache(maxsize=16)
def template_of(links: int) -> Figure:
    """Return the template for all bodies with at most `links` links besides the trunk."""
    return any_tree(links + 1, LINK_BALLS, TRUNK_BALLS)


@lru_cache(maxsize=16)
def variable_parameters(links: int) -> tuple[str, ...]:
    """Return the names of the parameters of template_of(links) in which bodies differ."""
    template = template_of(links)
    root = template.root.name
    return tuple(
        name for name in parameters(template) if _is_variable(name.removeprefix(root), name.startswith(f"{root}."))
    )


def _is_variable(name: str, is_trunk: bool) -> bool:
    """Return True if bodies differ in a parameter.

    name: name of the parameter, without the root's name. is_trunk: True for a parameter of the root.
    """
    if is_trunk:
        return name.endswith(TRUNK_SUFFIXES) and name.split(".")[1] != "position"  # the joint's position is always 0
    return not any(substring in name for substring in SHARED_NAMES) and not (PART in name and ROTATION in name)


class TemplateWorld:
    """A batch world for creatures of any topology.

    first: any genotype of the batch; all have the same kind of control. task: task of the rollouts. links: largest
    number of links of a body besides its trunk. Raises EvolveError for a control with signals that cannot be assigned
    to the template's links.
    """

    def __init__(self, first: Genotype, task: Task, links: int) -> None:
        if first.control.kind not in FEEDFORWARD:
            raise EvolveError(
                f'the control "{first.control.kind}" cannot be assigned to the links of a template; '
                f'take one of {", ".join(FEEDFORWARD)}, or set the option bodies to "topology"'
            )
        self.template = template_of(links)
        link_names = tuple(link.name for link in self.template.links[1:])
        representative = Phenotype(
            self.template,
            dict.fromkeys(link_names, ABSENT_SPRING),
            dict.fromkeys(link_names, ABSENT_ACTUATORS[driven_by(first.body)]),
            _pattern(first.control, len(link_names)),
            link_names,
            dict.fromkeys(link_names, 0.0),
            height=1.0,
            length=1.0,
        )
        self.world: World = world_of(representative, task).parametrised_by(variable_parameters(links))
        self._friction, self._friction_row = task.friction, friction_row(self.world)

    def batch_inputs(self, engine: Engine, genotypes: Sequence[Genotype]) -> BatchInputs:
        """Return the program's inputs for genotypes, in their order. engine: engine of the world."""
        arrays = template_arrays(genotypes, self.template)
        limb_of_link = np.array(
            [_limbs_of_links(*pair, len(self.template.links)) for pair in zip(genotypes, arrays.feet, strict=True)]
        )
        rows = np.ascontiguousarray(engine.numbers(**arrays.numbers(self.world)))
        sizes, friction = (arrays.length, arrays.height, arrays.mass), np.full(len(genotypes), self._friction)
        randomization = Randomization(arrays.units, arrays.balls_at, self._friction_row)
        feet = tuple(
            tuple(ends[k] for k in standing_feet(genotype.body))
            for genotype, ends in zip(genotypes, arrays.feet, strict=True)
        )
        ends = {name: _limb_ends(genotypes, arrays, name) for name in OF_LINKS}
        return BatchInputs(rows, arrays.q, feet, ends, limb_of_link, *sizes, friction, randomization)

    def figure_coordinates(self, genotype: Genotype, q: Array) -> Array:
        """Return coordinates of the template (nq) as coordinates of the figure grown from a genotype."""
        packed = pack(grow(genotype).figure, self.template)
        return np.array(packed.source_coordinates(list(q)))


def _pattern(control: Control, count: int) -> Pattern:
    """Return a pattern of a control's kind with `count` signals and arbitrary values of genes."""
    kind = pattern_kind(control.kind)
    shape = PatternShape(count, size=control.size, slowest=control.slowest, fastest=control.fastest)
    return kind.of_genes(shape, [0.5 * (gene.lower + gene.upper) for gene in kind.genes_of(shape)])


def _limb_ends(genotypes: Sequence[Genotype], arrays: TemplateArrays, word: str) -> LimbEnds:
    """Return the ends of the last limbs with a word in their names. arrays: of the genotypes."""
    limbs = [last_end(genotype.body, word) for genotype in genotypes]
    feet = tuple(-1 if k < 0 else ends[k] for k, ends in zip(limbs, arrays.feet, strict=True))
    axes = np.zeros((len(feet), 3, 3))
    for creature, foot in ((creature, foot) for creature, foot in enumerate(feet) if foot >= 0):
        for i, row in enumerate(arrays.links[foot].axes.rows):
            axes[creature, i] = [np.broadcast_to(x, len(feet))[creature] for x in row]
    return LimbEnds(feet, axes)


def _limbs_of_links(genotype: Genotype, feet: Sequence[int], links: int) -> NDArray[np.int64]:
    """Return the number of the limb that each link of the template belongs to, 0 for none (links,).

    The links of a limb are consecutive, and its foot is the last of them. feet: indices of the creature's feet among
    the template's links without the root. links: number of links in the template.
    """
    limbs = np.zeros(links, np.int64)
    for number, ((_, limb, _), foot) in enumerate(zip(genotype.body.chains(), feet, strict=True), start=1):
        limbs[foot + 2 - len(limb.freedoms) : foot + 2] = number
    return limbs
