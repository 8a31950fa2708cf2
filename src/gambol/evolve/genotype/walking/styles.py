"""Styles of walking: how the numbers of a stride change with a mood, a pain or a load, and with speed.

Speed follows the laws of animals: the swing time is constant, and the frequency grows with the speed as
f = f_0 (0.55 + 0.45 v), which has the slope of stride length ~ v^0.6 of [Alexander 1976] at v = 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gambol.evolve.genotype.walking.stride import Stride
from gambol.lanes import Scalar

FREQUENCY_AT_REST = 0.55
"""The frequency of steps on the spot, as a fraction of that of the walk."""

LAME_DUTY = 0.05
"""The difference between the duty factors of the other feet and of a sore foot."""


@dataclass(frozen=True, slots=True)
class Style:
    """Changes of a stride.

    pace: speed without a command of speed, as a fraction of that of the walk. frequency, lift, sway, bob, nod, wag:
    factors of these numbers of a stride. crouch: is added to the crouch of the stride [h]. head, tail: rotation of the
    joints of head and tail downward, as a fraction of their reach. lame: 1 if the left foot of the foremost pair is
    sore: it stands for a shorter time, and the head rises while it stands.
    """

    pace: Scalar = 1.0
    frequency: Scalar = 1.0
    lift: Scalar = 1.0
    sway: Scalar = 1.0
    bob: Scalar = 1.0
    nod: Scalar = 1.0
    wag: Scalar = 1.0
    crouch: Scalar = 0.0
    head: Scalar = 0.0
    tail: Scalar = 0.0
    lame: Scalar = 0.0


STYLES: Mapping[str, Style] = {
    "tired": Style(pace=0.7, frequency=0.95, lift=0.8, bob=1.3, wag=0.2, crouch=0.03, head=0.7, tail=0.6),
    "heavy": Style(pace=0.8, frequency=0.95, lift=0.9, sway=1.2, bob=1.6, wag=0.5, crouch=0.04, head=0.2),
    "eager": Style(pace=1.05, frequency=1.02, lift=1.2, nod=1.3, wag=1.6, head=-0.6, tail=-0.7),
    "limping": Style(pace=0.75, nod=0.3, wag=0.4, head=0.2, tail=0.3, lame=1.0),
    "carrying": Style(pace=0.8, lift=0.9, sway=1.2, nod=0.2, wag=0.4, crouch=0.02, head=-0.5),
}
"""The styles by name. Carrying: something in the mouth, the head held up and still."""


def with_speed(stride: Stride, speed: Scalar) -> Stride:
    """Return a stride at another speed. speed: as a fraction of its own speed. Values may be arrays."""
    frequency = stride.frequency * (FREQUENCY_AT_REST + (1.0 - FREQUENCY_AT_REST) * speed)
    swing = (1.0 - stride.duty) / stride.frequency
    duty = 1.0 - frequency * swing
    travel = stride.travel * speed * (duty / stride.duty) * (stride.frequency / frequency)
    return replace(stride, frequency=frequency, duty=duty, travel=travel)


def styled(stride: Stride, style: Style) -> Stride:
    """Return a stride in a style, at the same speed. Values may be arrays."""
    factors = {name: getattr(stride, name) * getattr(style, name) for name in ("lift", "sway", "bob", "nod", "wag")}
    frequency, travel = stride.frequency * style.frequency, stride.travel / style.frequency
    return replace(stride, frequency=frequency, travel=travel, crouch=stride.crouch + style.crouch, **factors)


def lame(stride: Stride, amount: Scalar) -> Stride:
    """Return the stride of a sore leg, which stands for a shorter time at the same speed. amount: 0 (sound) to 1."""
    duty = stride.duty - LAME_DUTY * amount
    return replace(stride, duty=duty, travel=stride.travel * (duty / stride.duty))
