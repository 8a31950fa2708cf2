"""Search spaces by the name of a body plan, or around a genotype."""

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.bounds import NEAR
from gambol.evolve.genotype.breeding.free import FreeSpace
from gambol.evolve.genotype.breeding.near import GenotypeSpace
from gambol.evolve.genotype.genotype import Control, Genotype
from gambol.evolve.genotype.plans import PLANS, plan_named

FREE = "free"
"""The name of the space of bodies of any structure."""

LINKS = 9
"""The default number of links on a free body's trunk: one more than a quadruped has."""


def space_of(
    body: str | Body, control: Control | None = None, *, fixed: bool = False, links: int = LINKS
) -> GenotypeSpace | FreeSpace:
    """Return the space of creatures to search.

    body: the name of a plan, "free", or a body that is a plan itself, such as one from a file. control: its kind and
    settings, not its values. fixed: True to evolve the control only. links: largest number
    on the trunk of a free body. Raises EvolveError for unknown names, and for a free body that is fixed.
    """
    control = control or Control()
    if body == FREE:
        if fixed:
            raise EvolveError('a "free" body cannot be fixed; name a plan, or give a body')
        return FreeSpace(control, links)
    if isinstance(body, str) and body not in PLANS:
        raise EvolveError(f'no body is called "{body}"; {did_you_mean(body, [*PLANS, FREE])}')
    plan = plan_named(body) if isinstance(body, str) else body
    return GenotypeSpace(Genotype(plan, control), {} if fixed else NEAR)
