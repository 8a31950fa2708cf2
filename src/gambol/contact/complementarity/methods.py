"""Contact solvers by name, with one signature."""

from typing import Protocol

from gambol.contact.complementarity.cones.arnold import arnold
from gambol.contact.complementarity.cones.newton import cone_newton
from gambol.contact.complementarity.cones.problem import ContactProblem, ContactSolution
from gambol.contact.complementarity.cones.pyramid import pyramid_lemke
from gambol.contact.complementarity.cones.rotating_boxes import rotating_box_dantzig
from gambol.contact.complementarity.cones.sweeps import cone_conjugate_sweeps, cone_gauss_seidel
from gambol.errors import GambolError, did_you_mean


class ConeSolver(Protocol):
    """A solver of contact problems with friction cones."""

    def __call__(self, problem: ContactProblem, /, *, tolerance: float | None = None) -> ContactSolution:
        """Return impulses that obey the laws within a tolerance, or else the best impulses."""
        ...


SOLVERS: dict[str, ConeSolver] = {
    "newton": cone_newton,
    "sweeps": cone_gauss_seidel,
    "conjugate": cone_conjugate_sweeps,
    "dantzig": rotating_box_dantzig,
    "lemke": pyramid_lemke,
    "arnold": arnold,
}
"""Solvers of contact problems: Newton's method and Gauss-Seidel, plain and in conjugate directions, on cones; Dantzig's
on rotating boxes; Lemke's on pyramids; Arnold's iteration, for one contact alone."""

SINGLE_CONTACT_ONLY = ("arnold",)
"""Solvers for one static contact only. Arnold's adds a force at the contact that needs it most and never removes one:
for the four contacts of a box its result is wrong. Limits, loops and sticky feet get no force.
"""


def solver(name: str, contacts: float = 1, others: int = 0) -> ConeSolver:
    """Return the solver with a name, for problems of a given size.

    name: a key of SOLVERS; contacts: number of contacts, math.inf for any number; others: number of other rows: limits,
    loops and sticky contacts. Raises GambolError for an unknown name, and for a solver not meant for such problems.
    """
    if name not in SOLVERS:
        raise GambolError(f'unknown contact solver "{name}"; {did_you_mean(name, list(SOLVERS))}')
    if name in SINGLE_CONTACT_ONLY and (contacts > 1 or others):
        raise GambolError(
            f'"{name}" is meant for one static contact alone, without limits and closed loops: other '
            'problems get wrong forces; use "newton"'
        )
    return SOLVERS[name]
