"""Gaits as sequences of events: their number, their events in order, and creeping gaits.

In a stride each of k legs lands once and lifts once. If no two of these 2 k events coincide, the gait is non-singular,
and its sequence, which repeats, is one of

    N = (2 k - 1)!                                            [McGhee 1968; McKenna 1990, eq. 1]

In a creeping gait at most one leg is in the air at a time, so the next event after the lift of a leg is its landing;
there are (k - 1)! of them. A gait is regular if all legs have the same duty factor, and symmetric if the two legs of
each pair step half a stride apart. [McGhee and Frank 1968]
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from gambol.errors import WorldError

MAX_LISTED = 5
"""Maximum number of legs for which sequences are listed: the 39,916,800 of six legs are only counted."""

PHASE_TOLERANCE = 1e-9
"""Difference of phases that counts as none [cycles]: rounding of decimal phases."""


@dataclass(frozen=True, order=True, slots=True)
class Event:
    """A leg lands or lifts. leg: index of the leg; lands: False if it lifts."""

    leg: int
    lands: bool


EventSequence = tuple[Event, ...]
"""The events of a stride in order, from the landing of leg 0 on."""


def gait_count(legs: int) -> int:
    """Return the number of non-singular gaits of a number of legs. Raises WorldError for fewer than one leg."""
    _check_legs(legs)
    return math.factorial(2 * legs - 1)


def creeping_gait_count(legs: int) -> int:
    """Return the number of creeping gaits of a number of legs. Raises WorldError for fewer than one leg."""
    _check_legs(legs)
    return math.factorial(legs - 1)


def event_sequences(legs: int) -> Iterator[EventSequence]:
    """Yield the sequences of all non-singular gaits. Raises WorldError unless there are 1 to MAX_LISTED legs."""
    _check_legs(legs)
    if legs > MAX_LISTED:
        raise WorldError(f"{legs} legs have {gait_count(legs):,} gaits; sequences are listed for up to {MAX_LISTED}")
    first = Event(0, True)
    others = [Event(leg, lands) for leg in range(legs) for lands in (True, False) if (leg, lands) != (0, True)]
    return ((first, *rest) for rest in permutations(others))


def creeping_sequences(legs: int) -> Iterator[EventSequence]:
    """Yield the sequences of all creeping gaits. Raises WorldError for fewer than one leg."""
    _check_legs(legs)
    for order in permutations(range(1, legs)):
        following = (event for leg in order for event in (Event(leg, False), Event(leg, True)))
        yield (Event(0, True), *following, Event(0, False))


def sequence_of(offsets: Sequence[float], duty: Sequence[float]) -> EventSequence:
    """Return the sequence of events of a gait.

    offsets: phases at which the legs land [cycles]; duty: their duty factors, between 0 and 1. Raises WorldError for a
    singular gait, which has no such sequence, and for duty factors out of range.
    """
    check_duty(offsets, duty)
    times = [(0.0, Event(0, True))]
    for leg, (offset, duty_factor) in enumerate(zip(offsets, duty, strict=True)):
        lands = (offset - offsets[0]) % 1.0
        times += [(lands, Event(leg, True))] * (leg > 0) + [((lands + duty_factor) % 1.0, Event(leg, False))]
    times.sort()
    for (a, first), (b, second) in zip(times, [*times[1:], (1.0, times[0][1])], strict=True):
        if b - a < PHASE_TOLERANCE:
            raise WorldError(
                f"legs {first.leg} and {second.leg} have an event at the same time: the gait is singular, and has no "
                "sequence; change an offset or a duty factor"
            )
    return tuple(event for _, event in times)


def supports(sequence: EventSequence) -> tuple[frozenset[int], ...]:
    """Return the legs that stand after each event of a sequence.

    Raises WorldError for a sequence in which a leg does not land once and lift once.
    """
    legs = {event.leg for event in sequence}
    if set(sequence) != {Event(leg, lands) for leg in legs for lands in (True, False)} or len(sequence) != 2 * len(
        legs
    ):
        raise WorldError("this sequence of events is not a stride: in a stride each leg lands once and lifts once")
    standing = {leg for leg in legs if sequence.index(Event(leg, False)) < sequence.index(Event(leg, True))}
    result: list[frozenset[int]] = []
    for event in sequence:
        standing = standing | {event.leg} if event.lands else standing - {event.leg}
        result.append(frozenset(standing))
    return tuple(result)


def is_creeping(sequence: EventSequence) -> bool:
    """Return True if at most one leg is in the air at any time."""
    return all(len(standing) >= len(sequence) // 2 - 1 for standing in supports(sequence))


def is_regular(duty: Sequence[float]) -> bool:
    """Return True if all legs have the same duty factor."""
    return max(duty) - min(duty) < PHASE_TOLERANCE


def is_symmetric(offsets: Sequence[float], pairs: Sequence[tuple[int, int]]) -> bool:
    """Return True if the legs of each pair land half a stride apart. pairs: indices of a left and a right leg."""
    return all(abs((offsets[a] - offsets[b]) % 1.0 - 0.5) < PHASE_TOLERANCE for a, b in pairs)


def check_duty(offsets: Sequence[float], duty: Sequence[float]) -> None:
    """Raise WorldError unless there is one duty factor between 0 and 1 for each offset."""
    if len(offsets) != len(duty) or not offsets:
        raise WorldError(f"{len(offsets)} legs need as many duty factors, not {len(duty)}")
    for leg, duty_factor in enumerate(duty):
        if not 0.0 < duty_factor < 1.0:
            raise WorldError(f"the duty factor of leg {leg} is {duty_factor}; it must be between 0 and 1")


def _check_legs(legs: int) -> None:
    if legs < 1:
        raise WorldError(f"a gait needs at least one leg, not {legs}")
