"""Gaits of four-legged mammals: times of landing and of stance of each foot in a stride.

    phase_i = theta - offset_i        leg i stands while 0 <= phase_i < duty_i        [Hildebrand 1965; McGhee 1968]

Offsets are from the touchdown of the left hind foot to the touchdown of each foot. Crawl, walk, pace, trot, bound and
pronk have the offsets that define them. Offsets of canter and gallops vary between animals and speeds; here they are
within the observed ranges: a canter has three beats. In a gallop the hind feet land one after the other, and then the
fore feet: in the same order in the transverse "gallop", in the opposite order in the "rotary-gallop". Leads are to the
right.
"""

from dataclasses import dataclass

from gambol.errors import WorldError

LEGS = ("hind left", "front left", "hind right", "front right")
"""The legs, in the order of offsets and duty factors."""


@dataclass(frozen=True)
class QuadrupedGait:
    """A periodic gait of four legs, in the order of LEGS.

    offsets: phases at which feet land [cycles]. duty: the fraction of the stride for which each leg stands. Raises
    WorldError for a duty factor that is not between 0 and 1, both excluded.
    """

    name: str
    offsets: tuple[float, float, float, float]
    duty: tuple[float, float, float, float]

    def __post_init__(self) -> None:
        for leg, duty in zip(LEGS, self.duty, strict=True):
            if not 0.0 < duty < 1.0:
                raise WorldError(f'the duty factor of the {leg} leg in the gait "{self.name}" is {duty}; 0 < duty < 1')


def _even(duty: float) -> tuple[float, float, float, float]:
    return (duty, duty, duty, duty)


GAITS = {
    gait.name: gait
    for gait in (
        QuadrupedGait("crawl", (0.0, 0.23, 0.5, 0.73), _even(0.77)),  # wave gait, the most stable creeping gait
        QuadrupedGait("walk", (0.0, 0.25, 0.5, 0.75), _even(0.65)),  # lateral sequence, duty as in a preferred walk
        QuadrupedGait("trot", (0.0, 0.5, 0.5, 0.0), _even(0.45)),
        QuadrupedGait("pace", (0.0, 0.0, 0.5, 0.5), _even(0.48)),
        QuadrupedGait("bound", (0.0, 0.5, 0.0, 0.5), _even(0.35)),
        QuadrupedGait("pronk", (0.0, 0.0, 0.0, 0.0), _even(0.45)),
        QuadrupedGait("canter", (0.0, 0.3, 0.3, 0.6), _even(0.38)),
        QuadrupedGait("gallop", (0.0, 0.45, 0.12, 0.57), _even(0.3)),
        QuadrupedGait("rotary-gallop", (0.0, 0.57, 0.12, 0.45), _even(0.3)),
    )
}
"""The gaits by name."""
