"""The terms of the tasks natural and trot, and those of them that apply to a body.

Frequency, duty factor, symmetry, alternation of left and right, landings in a stride and the phase of fore and hind
limbs have the weight 1: with less, evolution finds quick trots, limps, bounds, or several landings of a foot in a
stride, at walking speed. Other terms that compare with animals have the weight of their class of measures: rhythm,
posture, forces and energies, smoothness. A term that a body cannot have is left out, such as the load on the front feet
of a biped.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.fitness import WeightedTerm
from gambol.evolve.fitness.natural import NATURAL_TERMS, PREFIX
from gambol.evolve.genotype.anatomy import last_end
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.standing import check_stands
from gambol.gait.animals import GALLOP, TROT, WALK

WALKING_FROUDE = 0.25
"""The Froude number at which the task rewards walking: near that of a walking dog, 0.26; animals run above 0.35 to
0.5."""

TROTTING_FROUDE = 0.6
"""The Froude number at which the task rewards trotting: dogs trot at 1.0, horses from 0.35 on."""

RHYTHM, POSTURE, FORCES, SMOOTHNESS = 0.4, 0.2, 0.2, 0.2
"""The weights of the classes of measures."""

ANIMAL_WEIGHTS = {
    "stride frequency": 1.0,
    "duty factor": 1.0,
    "swing time": RHYTHM,
    "stride length": RHYTHM,
    "asymmetry": 1.0,
    "alternation": 1.0,
    "landings": 1.0,
    "limb phase": 1.0,
    "bob": POSTURE,
    "bobs twice": POSTURE,
    "sway": POSTURE,
    "speed ripple": POSTURE,
    "trunk pitch": POSTURE,
    "foot lift": POSTURE,
    "energy phase": FORCES,
    "pendulum recovery": FORCES,
    "humps": FORCES,
    "front load": FORCES,
    "power": FORCES,
    "trunk smoothness": SMOOTHNESS,
}
"""The weights of the terms by measure."""


def natural_terms(gait: str, froude: float) -> tuple[WeightedTerm, ...]:
    """Return the terms of a task that rewards a gait of animals at a Froude number.

    gait: class of the gait. Feet of animals hardly slide: sliding counts above 2 % of the distance.
    """
    return (
        WeightedTerm("at_froude", 3.0, -1.0, 1.0, options={"wanted": froude}),
        WeightedTerm("ahead", 0.5, 0.0, 1.0),
        WeightedTerm("straightness", 0.25),
        WeightedTerm("upright", 0.25, 0.0, 1.0),
        WeightedTerm("height", 0.25, 0.0, 1.0),
        *(WeightedTerm(PREFIX + name, weight, options={"gait": gait}) for name, weight in ANIMAL_WEIGHTS.items()),
        WeightedTerm("slip", -4.0, 0.02, 0.5),
        WeightedTerm("dragging", -1.0, 0.0, 1.0),
        WeightedTerm("tangle", -2.0),
    )


NATURAL = natural_terms(WALK, WALKING_FROUDE)
"""The terms of the task natural, whose gait is a walk."""

TROTTING = natural_terms(TROT, TROTTING_FROUDE)
"""The terms of the task trot."""


BIPED_TRIALS, BIPED_UNEVENNESS = 4, 0.05
"""Trials of bodies on one pair of legs, and the largest offset of their initial joint positions [rad]. Two trials with
0.02 rad are enough for more legs; of the lives of dinosaurs and birds that evolved so, 15 % ended in a fall."""


@dataclass(frozen=True)
class Requirement:
    """A requirement of a term. text: description for messages; is_met: returns True for a body that meets it."""

    text: str
    is_met: Callable[[Body], bool]


def _pairs(body: Body) -> int:
    return sum(limb.mirrored and limb.foot for limb in body.limbs)


def is_biped(body: Body) -> bool:
    """Return True for a body that stands on one pair of legs."""
    return _pairs(body) == 1 and all(limb.mirrored for limb in body.limbs if limb.foot)


def _has_four_legs(body: Body) -> bool:
    return _pairs(body) == 2 and all(limb.mirrored for limb in body.limbs if limb.foot)


REQUIREMENTS = {
    PREFIX + "asymmetry": Requirement("a pair of legs", lambda body: _pairs(body) > 0),
    PREFIX + "alternation": Requirement("a pair of legs", lambda body: _pairs(body) > 0),
    PREFIX + "limb phase": Requirement("four legs", _has_four_legs),
    PREFIX + "front load": Requirement("four legs", _has_four_legs),
    PREFIX + "fore-aft balance": Requirement("four legs", _has_four_legs),
    PREFIX + "head pitch": Requirement("a head", lambda body: last_end(body, "head") >= 0),
    PREFIX + "tail lag": Requirement("a tail", lambda body: last_end(body, "tail") >= 0),
}
"""Requirements of terms by name; every body with legs meets those of all other terms."""


def terms_for(terms: tuple[WeightedTerm, ...], body: Body, name: str) -> tuple[WeightedTerm, ...]:
    """Return the terms that a body can have. name: name of the body, for errors.

    Raises EvolveError for terms about animals and a body that has no pair of legs or cannot stand, and for an unknown
    class of gait.
    """
    for term in terms:
        gait = term.options.get("gait", "") if term.term in NATURAL_TERMS else ""
        if gait not in ("", WALK, TROT, GALLOP):
            raise EvolveError(
                f'the term "{term.term}" has the gait {gait!r}; {did_you_mean(str(gait), (WALK, TROT, GALLOP))}'
            )
    if any(term.term in NATURAL_TERMS for term in terms) and not _pairs(body):
        raise EvolveError(
            f'"{name}" has no pair of legs, so its gait cannot be compared with animals; take a body with legs'
        )
    if any(term.term in NATURAL_TERMS for term in terms):
        check_stands(body, name)
    return tuple(term for term in terms if term.term not in REQUIREMENTS or REQUIREMENTS[term.term].is_met(body))


def omitted_terms(terms: tuple[WeightedTerm, ...], body: Body) -> dict[str, str]:
    """Return what each term needs that a body cannot have, such as "four legs", by the names of the terms."""
    return {
        term.term: REQUIREMENTS[term.term].text
        for term in terms
        if term.term in REQUIREMENTS and not REQUIREMENTS[term.term].is_met(body)
    }
