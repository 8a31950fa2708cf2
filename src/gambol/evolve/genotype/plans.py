"""Body plans from which evolution starts: as large as a dog, 5 to 15 kg, and animals from files."""

import math
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

from gambol.errors import EvolveError
from gambol.evolve.genotype.body import Body, Freedom, Limb, Segment, Trunk
from gambol.evolve.genotype.file import read_genotype
from gambol.evolve.references import Kind
from gambol.own_code import line_of

QUARTER = math.pi / 2
"""A quarter turn [rad]: a segment with this pitch points backwards, a segment with this roll points to the left."""

OUTWARD = -QUARTER
"""Azimuth of an axis along x, about which a vertical left leg swings outwards [rad]."""


def quadruped() -> Body:
    """Return the quadruped: two pairs of legs as in a dog, with elbows that point backwards and knees forwards."""
    fore_leg, hind_leg = _leg(0.5, -1.0, hip_radius=0.035), _leg(-0.5, 1.0, hip_radius=0.04)
    return Body(Trunk(), (Limb((0.8, 1.0, -0.5), True, fore_leg), Limb((-0.8, 1.0, -0.5), True, hind_leg)))


def hexapod() -> Body:
    """Return the hexapod: three pairs of legs that extend sideways, swing at the trunk and lift at the knee."""
    headings = {0.8: -0.5, 0.0: 0.0, -0.8: 0.5}  # by position along the trunk: fore legs point forwards
    limbs = (Limb((x, 1.0, 0.0), True, _sideways_leg(heading)) for x, heading in headings.items())
    return Body(Trunk(0.5, 0.2, 0.09), tuple(limbs))


def biped() -> Body:
    """Return the biped: a short trunk on two legs of three segments; the last is a foot that points forwards."""
    swing = Freedom(middle=-0.4, reach=0.6, strength=0.6)
    thigh = Segment(0.22, 0.05, 0.035, freedoms=(Freedom(azimuth=OUTWARD, reach=0.25), swing))
    shank = Segment(0.22, 0.035, 0.022, freedoms=(Freedom(middle=0.8, strength=0.6),))
    foot = Segment(0.14, 0.022, 0.02, pitch=-QUARTER, freedoms=(Freedom(middle=-0.4, reach=0.5, strength=1.0),))
    return Body(Trunk(0.2, 0.26, 0.2), (Limb((-0.4, 0.7, -0.8), True, (thigh, shank, foot)),))


def newt() -> Body:
    """Return the newt: a flat trunk on its belly, and four short legs that extend sideways."""
    headings = {0.7: -0.4, -0.7: 0.4}
    limbs = (Limb((x, 1.0, 0.7), True, _short_leg(heading)) for x, heading in headings.items())
    return Body(Trunk(0.4, 0.1, 0.06, 1000.0), tuple(limbs))


def snake() -> Body:
    """Return the snake: a head, and behind it one limb of eight segments.

    The first joint bends sideways to steer, all others bend up and down. Sideways waves would need ground with lower
    friction along the body than across it; up-and-down waves do not.
    """
    neck, body_joint = Freedom(azimuth=QUARTER, reach=0.3, strength=0.1), Freedom(reach=0.9, strength=0.4)
    radii = [0.045 - 0.003 * k for k in range(9)]
    segments = (
        Segment(0.13, upper, lower, pitch=0.0 if k else QUARTER, freedoms=(body_joint if k else neck,))
        for k, (upper, lower) in enumerate(pairwise(radii))
    )
    return Body(Trunk(0.15, 0.11, 0.09, 1000.0), (Limb((-1.0, 0.0, 0.0), False, tuple(segments)),))


def eel() -> Body:
    """Return the eel: a slim head, and behind it one tapering limb of six long segments that bend sideways."""
    joint = (Freedom(azimuth=QUARTER, reach=0.8),)
    radii = [0.03 - 0.0033 * k for k in range(7)]
    segments = (
        Segment(0.2, upper, lower, pitch=0.0 if k else QUARTER, freedoms=joint)
        for k, (upper, lower) in enumerate(pairwise(radii))
    )
    return Body(Trunk(0.2, 0.05, 0.08, 1000.0), (Limb((-1.0, 0.0, 0.0), False, tuple(segments)),))


def _leg(hip: float, knee: float, hip_radius: float) -> tuple[Segment, ...]:
    """Return the two segments of a leg; hip, knee: rest angles [rad]; hip_radius: radius at the hip [m]."""
    thigh = Segment(0.2, hip_radius, 0.022, freedoms=(Freedom(middle=hip, reach=0.6),))
    return thigh, Segment(0.2, 0.022, 0.016, freedoms=(Freedom(middle=knee, reach=0.6),))


def _sideways_leg(heading: float) -> tuple[Segment, ...]:
    """Return a leg with a level upper and a vertical lower segment; heading: angle from sideways to backwards [rad]."""
    femur = Segment(0.18, 0.03, 0.02, roll=QUARTER, freedoms=(Freedom(middle=heading, reach=0.5),))
    return femur, Segment(0.22, 0.02, 0.014, freedoms=(Freedom(azimuth=OUTWARD, middle=-1.4, reach=0.5),))


def _short_leg(heading: float) -> tuple[Segment, ...]:
    """Return a short leg with a level upper and a slanting lower segment; heading: as for _sideways_leg()."""
    swing = Freedom(middle=heading, reach=0.7, strength=1.0)
    lift = Freedom(azimuth=OUTWARD, middle=-0.5, reach=0.9, strength=1.0)
    upper = Segment(0.1, 0.022, 0.018, roll=QUARTER, freedoms=(swing,))
    return upper, Segment(0.07, 0.018, 0.014, freedoms=(lift,))


ANIMALS = (
    "beetle",
    "spider",
    "crab",
    "dog",
    "cat",
    "horse",
    "lizard",
    "bird",
    "dinosaur",
    "monkey",
    "centipede",
    "oculus",
)
"""The body plans of animals with heads, tails and colours; each has a file in the folder animals."""


@cache
def animal(name: str) -> Body:
    """Return the body of a file in the folder animals; name: a name in ANIMALS."""
    return read_genotype(Path(__file__).parent / "animals" / f"{name}.toml").body


PLANS: dict[str, Callable[[], Body]] = {
    "quadruped": quadruped,
    "hexapod": hexapod,
    "biped": biped,
    "newt": newt,
    "snake": snake,
    "eel": eel,
    **{name: partial(animal, name) for name in ANIMALS},
}
"""The body plans by name: each a function that returns a body."""


BODY = Kind("body", PLANS)
"""The bodies, of gambol and of users."""


def plan_named(name: str) -> Body:
    """Return the body plan of a name.

    name: in PLANS, a reference "module:name", or an entry point of "gambol.bodies"; it refers to a Body, or to a
    function that returns one. Raises EvolveError for an unknown name, with the nearest one, and for other objects.
    """
    if name in PLANS:
        return PLANS[name]()
    found = BODY.load(name)
    try:
        body = found() if callable(found) else found
    except Exception as error:  # code of the user, which may raise anything
        raise EvolveError(f'the body "{name}" raised {type(error).__name__}{line_of(error)}: {error}') from error
    if not isinstance(body, Body):
        raise EvolveError(f'the body "{name}" is {body!r}; give a Body, or a function that returns one')
    return body
