"""The mass of a body plan: densities and strengths that follow from a given mass.

    density    each x M / (mass with the given densities)
    strength   each x (M / 10 kg)^(-1/3)

At equal muscle stress, animals of one shape have torques that grow as area times arm, M^(2/3) M^(1/3), and weight times
length grows as M^(4/3). So the gene strength, torque / (weight length), falls with mass.
"""

from dataclasses import replace

from gambol.errors import EvolveError
from gambol.evolve.genotype.anatomy import mass_of
from gambol.evolve.genotype.body import Body, Freedom, Limb, with_freedoms
from gambol.evolve.genotype.bounds import BOUNDS

USUAL_MASS = 10.0
"""The mass for which a plan states its strengths [kg]."""

DENSITIES = (400.0, 1600.0)
"""Mean densities of animals, with room for feathers and shells and for the coarse shapes of a plan [kg/m3]: flesh has
1060, and birds with feathers 600 to 800."""

_, _, _, _, STRENGTH = BOUNDS[Freedom]


def with_mass(body: Body, mass: float) -> Body:
    """Return a body scaled to a mass [kg]; for densities and strengths see the module. Strengths stay in their bounds.

    Raises EvolveError for a mass that gives the body a density that no animal has.
    """
    if not mass > 0.0:
        raise EvolveError(f"a mass of {mass:g} kg is not possible; give more than 0")
    given_mass = float(mass_of(body))
    volume = given_mass / _mean_density(body, given_mass)
    if not DENSITIES[0] <= mass / volume <= DENSITIES[1]:
        low, high = (volume * density for density in DENSITIES)
        raise EvolveError(
            f"a body of this size that weighs {mass:g} kg has {mass / volume:.0f} kg/m3, which no animal has; "
            f"give {low:.2g} to {high:.2g} kg, or another size"
        )
    factor = mass / given_mass
    limbs = tuple(_with_density(limb, factor) for limb in body.limbs)
    scaled = replace(body, trunk=replace(body.trunk, density=factor * body.trunk.density), limbs=limbs)
    weaker = (mass / USUAL_MASS) ** (-1.0 / 3.0)
    return with_freedoms(scaled, lambda freedom: replace(freedom, strength=_clipped(weaker * freedom.strength)))


def _clipped(strength: float) -> float:
    return min(max(strength, STRENGTH.lower), STRENGTH.upper)


def _with_density(limb: Limb, factor: float) -> Limb:
    return replace(limb, segments=tuple(replace(s, density=factor * s.density) for s in limb.segments))


def _mean_density(body: Body, mass: float) -> float:
    """Return the mean density of a body [kg/m3]; mass: its mass [kg]."""
    unit_density_body = replace(
        body,
        trunk=replace(body.trunk, density=1.0),
        limbs=tuple(
            replace(limb, segments=tuple(replace(s, density=1.0) for s in limb.segments)) for limb in body.limbs
        ),
    )
    return mass / float(mass_of(unit_density_body))
