"""Search spaces by the name of a body plan, or around a given body."""

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.bounds import PLAN_MARGINS
from gambol.evolve.genotype.breeding.free import FreeSpace
from gambol.evolve.genotype.breeding.near import GenotypeSpace
from gambol.evolve.genotype.genotype import Control, Genotype
from gambol.evolve.genotype.plans import PLANS, plan_named

FREE = "free"
"""The name of the space of bodies of any structure."""

LINKS = 9
"""The default of the largest number of links on a free body's trunk: one more than a quadruped has."""


def space_of(
    body: str | Body, control: Control | None = None, *, fixed: bool = False, links: int = LINKS
) -> GenotypeSpace | FreeSpace:
    """Return the space of creatures to search.

    body: the name of a plan, "free", or a body as the plan, such as one from a file. control: its kind and settings;
    its values do not matter. fixed: True to evolve the control only. links: largest number on the trunk of a free body.
    Raises EvolveError for an unknown name, and for a free body with fixed = True.
    """
    control = control or Control()
    if body == FREE:
        if fixed:
            raise EvolveError('a "free" body cannot be fixed; name a plan, or give a body')
        return FreeSpace(control, links)
    if isinstance(body, str) and body not in PLANS:
        raise EvolveError(f'no body is called "{body}"; {did_you_mean(body, [*PLANS, FREE])}')
    plan = plan_named(body) if isinstance(body, str) else body
    return GenotypeSpace(Genotype(plan, control), {} if fixed else PLAN_MARGINS)
