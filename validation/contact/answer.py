"""What methods of contact answer to a problem, beside the known answer, and where a method cannot do better."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Answer:
    """One number of a problem by one method.

    step: of large steps, or of what penalty shows [s]; 0 for a single instant. wanted: how far an engine that claims
    the method may be from the reference. nature: why this method is farther off, and bound: how far it then is.
    """

    what: str
    method: str
    step: float
    ours: float
    reference: float
    wanted: float
    nature: str = ""
    bound: float = 0.0

    @property
    def error(self) -> float:
        """How far ours is from the reference."""
        return abs(self.ours - self.reference)

    @property
    def holds(self) -> bool:
        """Whether ours is as near as wanted, or as the method's nature lets it be."""
        return self.error <= (self.bound if self.nature else self.wanted)


@dataclass(frozen=True)
class ContactProblem:
    """setup: what moves and touches; reference: where the answer is from; solve: gives the answers."""

    title: str
    setup: str
    reference: str
    solve: Callable[[], list[Answer]]


@dataclass(frozen=True)
class Sheet:
    """Answers of one method at one step. limits: by what, why it is farther off by nature, and how far at most."""

    method: str
    step: float
    limits: dict[str, tuple[str, float]]

    def answer(self, what: str, ours: float, reference: float, wanted: float) -> Answer:
        """One answer, with its limit where there is one whose name it begins with."""
        nature, bound = next((limit for name, limit in self.limits.items() if what.startswith(name)), ("", 0.0))
        return Answer(what, self.method, self.step, float(ours), float(reference), wanted, nature, bound)

    def worst(self, what: str, ours: Sequence[float], reference: Sequence[float], wanted: float) -> Answer:
        """The worst of several answers of one kind."""
        k = int(np.argmax(np.abs(np.array(ours) - np.array(reference))))
        return self.answer(f"{what}, the worst of {len(reference)}", ours[k], reference[k], wanted)


def sheets(
    methods: Sequence[tuple[str, float]], limits: dict[str, dict[str, tuple[str, float]]] | None = None
) -> list[Sheet]:
    """A sheet for each method and its step, with the limits of its nature, by method and what."""
    return [Sheet(method, h, (limits or {}).get(method, {})) for method, h in methods]
