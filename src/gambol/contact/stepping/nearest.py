"""The selection of the nearest contacts for the slots of a step.

Near candidates get consecutive slots in their order. If they are more than the slots, each replaces in turn the contact
with the largest gap, if its own gap is smaller. Candidates and slots are rows of arrays, so the code does not grow with
their number.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gambol.collide.gap import FAR
from gambol.contact.stepping.contact import NO_CONTACT, Candidate
from gambol.lanes import Array, Index, Scalar, empty, fori, leaves, maximum, tree_map, unflatten, when, where

GAP = 2
"""Place of the gap among the numbers of a candidate, after its own number and its link."""


@dataclass(frozen=True, slots=True)
class CandidateRows:
    """Possible contacts, or slots for them, as rows of an array.

    numbers: the numbers of all rows; like: a candidate with the same fields; count: number of rows.
    """

    numbers: Array
    like: Candidate
    count: int

    @staticmethod
    def empty(like: Candidate, count: int) -> "CandidateRows":
        """Return rows that are to be filled. like: a candidate with the same fields."""
        return CandidateRows(empty(count * len(leaves(like))), like, count)

    @staticmethod
    def of(candidates: Sequence[Candidate]) -> "CandidateRows":
        """Return candidates with the same fields as rows."""
        rows = CandidateRows.empty(candidates[0], len(candidates))
        for k, candidate in enumerate(candidates):
            rows.write(k, leaves(candidate))
        return rows

    @property
    def width(self) -> int:
        """The number of numbers of a row."""
        return len(leaves(self.like))

    def write(self, k: int | Index, numbers: Sequence[Scalar]) -> None:
        """Replace a row."""
        self.numbers.write(k * self.width, numbers)

    def row(self, k: int | Index) -> list[Scalar]:
        """Return the numbers of a row."""
        return self.numbers.slice(k * self.width, self.width)

    def gap(self, k: int | Index) -> Scalar:
        """Return the gap of a row."""
        return self.numbers[k * self.width + GAP]

    def set_gap(self, k: int | Index, gap: Scalar) -> None:
        """Replace the gap of a row."""
        self.numbers[k * self.width + GAP] = gap

    def replace_where(self, k: int | Index, mask: Scalar, numbers: Sequence[Scalar]) -> None:
        """Replace a row where a mask holds."""
        self.write(k, [where(mask, x, y) for x, y in zip(numbers, self.row(k), strict=True)])

    def clear(self) -> None:
        """Replace all rows by empty slots."""
        blank = leaves(replace(tree_map(lambda _: 0.0, self.like), number=NO_CONTACT, gap=FAR))
        fori(0, self.count, lambda k, _: self.write(k, blank))

    def candidates(self) -> list[Candidate]:
        """Return all rows."""
        return [unflatten(self.like, iter(self.row(k))) for k in range(self.count)]


def select_nearest(candidates: CandidateRows, max_contacts: int) -> tuple[list[Candidate], Scalar]:
    """Return max_contacts slots with the nearest candidates, and the number of all near ones.

    A candidate is near if its gap is below FAR.
    """
    slots = CandidateRows.empty(candidates.like, max_contacts)
    slots.clear()

    def append(k: int | Index, count: Scalar) -> Scalar:
        _append(slots, candidates.row(k), count)
        return count + 1.0

    count = _each_near(candidates, append, 0.0)

    def refill() -> None:
        slots.clear()
        _each_near(candidates, lambda k, _: _insert(slots, candidates.row(k)), ())

    when(count > float(max_contacts), refill)
    return slots.candidates(), count


def _each_near(
    candidates: CandidateRows, step: Callable[[int | Index, Scalar], Scalar | None], state: Scalar
) -> Scalar:
    """Return the state after step(k, state) for all near candidates."""

    def near(k: int | Index, state: Scalar) -> Scalar:
        return when(candidates.gap(k) < FAR, lambda: step(k, state), otherwise=state)

    return fori(0, candidates.count, near, state)


def _append(slots: CandidateRows, row: Sequence[Scalar], count: Scalar) -> None:
    """Put a candidate into the slot of number `count`, if there is one."""

    def put(k: int | Index, number: Scalar) -> Scalar:
        slots.replace_where(k, number == count, row)
        return number + 1.0

    fori(0, slots.count, put, 0.0)


def _insert(slots: CandidateRows, row: Sequence[Scalar]) -> None:
    """Replace the contact with the largest gap, the first of equal ones, if the candidate's gap is smaller."""
    largest = fori(0, slots.count, lambda k, size: maximum(slots.gap(k), size), -FAR)

    def put(k: int | Index, pending: Scalar) -> Scalar:
        is_largest = (slots.gap(k) >= largest) & (pending > 0.5)
        slots.replace_where(k, is_largest, row)
        return where(is_largest, 0.0, pending)

    fori(0, slots.count, put, where(row[GAP] < largest, 1.0, 0.0))
