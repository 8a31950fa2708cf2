"""Contact systems at several configurations of a step; a slot may hold different contacts at each configuration."""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.contact_system import ContactSystem
from gambol.lanes import Index, Scalar, array, fori, where


@dataclass(frozen=True, slots=True)
class ContactScene:
    """The contact system at a configuration.

    indices: indices of its contacts among all possible ones; empty if all fit into the capacity. stance: 1 for contacts
    of feet that may stick now, else 0; empty in worlds without sticking. over_capacity: 1 if contacts exceed the
    capacity, else 0.
    """

    system: ContactSystem
    indices: list[Scalar]
    stance: list[Scalar]
    over_capacity: Scalar


def match_by_index(
    start: ContactScene,
    middle: ContactScene,
    values: Sequence[Scalar],
    otherwise: Sequence[Scalar],
    rows_per_contact: int,
) -> list[Scalar]:
    """Return the values at the start for each slot that has the same contact in mid-step, else the values `otherwise`.

    values, otherwise: rows_per_contact numbers for each contact.
    """
    result = list(values)
    for k, (index, middle_index) in enumerate(zip(start.indices, middle.indices, strict=True)):
        for row in range(rows_per_contact * k, rows_per_contact * k + rows_per_contact):
            result[row] = where(index == middle_index, result[row], otherwise[row])
    return result


def resting_flags(middle: ContactScene, final_scene: ContactScene, resting: Sequence[Scalar]) -> list[Scalar]:
    """Return for each gap of the final scene 1 if its contact rested in mid-step, in any slot, else 0."""
    contacts = len(middle.indices)
    zeros = [0.0] * len(final_scene.indices)
    return [*_matched(final_scene.indices, middle.indices, resting[:contacts], zeros), *resting[contacts:]]


def initial_gaps(
    start: ContactScene, final_scene: ContactScene, v_start: Sequence[Scalar], v: Sequence[Scalar], h: Scalar
) -> list[Scalar]:
    """Return the initial gap of each final contact, extrapolated from its speeds if the contact was not tracked."""
    start_speeds, final_speeds, contacts = (
        final_scene.system.speeds(v_start),
        final_scene.system.speeds(v),
        len(start.indices),
    )
    extrapolated = [
        gap - 0.5 * h * (start_speeds[row] + final_speeds[row])
        for gap, row in zip(final_scene.system.gaps, final_scene.system.normal_rows, strict=True)
    ]
    gaps = start.system.gaps
    return [*_matched(final_scene.indices, start.indices, gaps[:contacts], extrapolated[:contacts]), *gaps[contacts:]]


def _matched(
    indices: Sequence[Scalar], other_indices: Sequence[Scalar], values: Sequence[Scalar], otherwise: Sequence[Scalar]
) -> list[Scalar]:
    """Return for each index the value of the same index among others, else its value `otherwise`."""
    wanted, others, found, result = array(indices), array(other_indices), array(values), array(otherwise)

    def match(k: int | Index, _: None) -> None:
        def choose(m: int | Index, value: Scalar) -> Scalar:
            return where(wanted[k] == others[m], found[m], value)

        result[k] = fori(0, len(values), choose, result[k])

    fori(0, len(indices), match)
    return result.slice(0, len(indices))
