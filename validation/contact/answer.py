"""Answers of contact methods to a problem, with the known answer and the limitations of the methods."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Answer:
    """One number of a problem by one method.

    step: time step, or output step of penalty [s]; 0 for a single impact; ours, reference: values; tolerance: largest
    error of an engine with this method; limitation: reason for a larger error of this method; bound: tolerance then.
    """

    name: str
    method: str
    step: float
    ours: float
    reference: float
    tolerance: float
    limitation: str = ""
    bound: float = 0.0

    @property
    def error(self) -> float:
        """The distance of ours from the reference."""
        return abs(self.ours - self.reference)

    @property
    def holds(self) -> bool:
        """True if the error is within the tolerance, or within the bound of the limitation."""
        return self.error <= (self.bound if self.limitation else self.tolerance)


@dataclass(frozen=True)
class ContactProblem:
    """A contact problem. setup: its description; reference: source of the answer; solve: returns the answers."""

    title: str
    setup: str
    reference: str
    solve: Callable[[], list[Answer]]


@dataclass(frozen=True)
class MethodAnswers:
    """Answers of a method at one step. limits: limitation and bound, by the beginning of the answer's name."""

    method: str
    step: float
    limits: dict[str, tuple[str, float]]

    def answer(self, name: str, ours: float, reference: float, tolerance: float) -> Answer:
        """Return an answer, with the limitation that applies to its name, if any."""
        limitation, bound = next((limit for prefix, limit in self.limits.items() if name.startswith(prefix)), ("", 0.0))
        return Answer(name, self.method, self.step, float(ours), float(reference), tolerance, limitation, bound)

    def worst(self, name: str, ours: Sequence[float], reference: Sequence[float], tolerance: float) -> Answer:
        """Return the answer with the largest error of several."""
        k = int(np.argmax(np.abs(np.array(ours) - np.array(reference))))
        return self.answer(f"{name}, the worst of {len(reference)}", ours[k], reference[k], tolerance)


def method_answers(
    methods: Sequence[tuple[str, float]], limits: dict[str, dict[str, tuple[str, float]]] | None = None
) -> list[MethodAnswers]:
    """Return a MethodAnswers for each method and step, with its limitations, by method and name."""
    return [MethodAnswers(method, h, (limits or {}).get(method, {})) for method, h in methods]
