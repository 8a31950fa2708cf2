"""The mass of the muscles of a body, in the volumes of the links that they connect.

    m = 2 F0 l0 density / tension      half of it in each of the two links of the joint, evenly spread
    strength' = strength M / M'        M, M': mass of the body without and with muscles

A gene strength is relative to the mass of the body without muscles, so stronger muscles do not make the weight to which
they are compared larger. A muscle spread over the length of two bones has its centre of mass near the joint, as an
animal's muscle that spans it.
"""

from collections.abc import Sequence
from dataclasses import replace

from gambol.evolve.genotype.anatomy import frustum_of, mass_of
from gambol.evolve.genotype.body import Body, Freedom, Limb, Segment, with_freedoms
from gambol.evolve.genotype.muscle_pairs import mass_of_muscles
from gambol.evolve.genotype.servos import strength_of, unit_of
from gambol.lanes import Scalar, total


def with_muscle_mass(body: Body) -> Body:
    """Return a body with the densities and strengths that follow from the mass of its muscles; numbers: any scalars.

    A body without muscles that have a metabolism is returned unchanged.
    """
    if all(freedom.muscles is None or freedom.muscles.metabolism is None for freedom in _freedoms(body)):
        return body
    mass = mass_of(body)
    pairs = [_masses(limb, mass) for limb in body.limbs]
    on_trunk = total(0.5 * len(limb.sides) * masses[0] for limb, masses in zip(body.limbs, pairs, strict=True))
    trunk = body.trunk
    heavier = replace(
        body,
        trunk=replace(trunk, density=trunk.density + on_trunk / (trunk.length * trunk.width * trunk.height)),
        limbs=tuple(_heavier(limb, masses) for limb, masses in zip(body.limbs, pairs, strict=True)),
    )
    weaker = mass / mass_of(heavier)
    return with_freedoms(heavier, lambda freedom: replace(freedom, strength=weaker * freedom.strength))


def _freedoms(body: Body) -> Sequence[Freedom]:
    return [freedom for limb in body.limbs for freedom in limb.freedoms]


def _masses(limb: Limb, mass: Scalar) -> list[Scalar]:
    """Return the mass of the muscles at the joint of each segment of a limb, without its twin [kg].

    mass: mass of the body without muscles [kg].
    """
    return [
        total(
            mass_of_muscles(f, strength_of(f, limb, number, mass), unit_of(f, segment.length)) for f in segment.freedoms
        )
        for number, segment in enumerate(limb.segments)
    ]


def _heavier(limb: Limb, masses: Sequence[Scalar]) -> Limb:
    """Return a limb whose segments have half of the muscles at both of their ends; masses: see _masses()."""
    shares = (0.5 * (upper + lower) for upper, lower in zip(masses, [*masses[1:], 0.0], strict=True))
    segments = (_with_mass(segment, share) for segment, share in zip(limb.segments, shares, strict=True))
    return replace(limb, segments=tuple(segments))


def _with_mass(segment: Segment, mass: Scalar) -> Segment:
    """Return a segment with additional mass [kg]."""
    unit_density = frustum_of(replace(segment, density=1.0)).mass_properties().mass
    return replace(segment, density=segment.density + mass / unit_density)
