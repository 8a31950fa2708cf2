"""Ways of solving contacts by name, all asked alike."""

from typing import Protocol

from gambol.contact.complementarity.cones.arnold import arnold
from gambol.contact.complementarity.cones.newton import cone_newton
from gambol.contact.complementarity.cones.problem import Answered, ContactProblem
from gambol.contact.complementarity.cones.pyramid import pyramid_lemke
from gambol.contact.complementarity.cones.sweeps import cone_conjugate_sweeps, cone_gauss_seidel
from gambol.contact.complementarity.cones.turning import turning_dantzig
from gambol.errors import GambolError, did_you_mean


class ConeSolver(Protocol):
    """What finds the impulses or forces of contacts."""

    def __call__(self, problem: ContactProblem, /, *, tolerance: float | None = None) -> Answered:
        """Impulses that obey the laws within a tolerance, or the best that was found."""
        ...


SOLVERS: dict[str, ConeSolver] = {
    "newton": cone_newton,
    "sweeps": cone_gauss_seidel,
    "conjugate": cone_conjugate_sweeps,
    "dantzig": turning_dantzig,
    "lemke": pyramid_lemke,
    "arnold": arnold,
}
"""Solvers of contact problems: Newton's method and Gauss-Seidel, plain and in conjugate directions, on cones; Dantzig's
on turning boxes; Lemke's on pyramids; Arnold's iteration, for one contact alone.
"""

ALONE = ("arnold",)
"""Solvers that are meant for one static contact and nothing else. Arnold's adds a force where it is lacking most and
takes none back: at the four contacts of a box its answer is wrong. Limits, loops and sticky feet get no force at all.
"""


def solver(name: str, contacts: float = 1, others: int = 0) -> ConeSolver:
    """The solver of a name, for problems of so many contacts and other rows: limits, loops and what sticks.

    contacts: math.inf where any number may come. Raises GambolError for an unknown one, and for one that is not meant
    for such problems.
    """
    if name not in SOLVERS:
        raise GambolError(f'contacts are not solved by "{name}"; {did_you_mean(name, list(SOLVERS))}')
    if name in ALONE and (contacts > 1 or others):
        raise GambolError(
            f'"{name}" is meant for one static contact alone, without limits and closed loops: its forces are '
            'wrong elsewhere; take "newton"'
        )
    return SOLVERS[name]
