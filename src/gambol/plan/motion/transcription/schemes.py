"""Transcription schemes, which advance the state over an interval of length h, as tables of coefficients.

    y(c_i) = y(0) + h sum_j A_ij y'(c_j)            integral of L = h sum_j b_j L(c_j)

    trapezoid         Lobatto IIIA of order 2        [Betts 2010, 4.5; Kelly 2017, 3]
    hermite-simpson   Lobatto IIIA of order 4        [Betts 2010, 4.5; Kelly 2017, 4]
    backward euler    order 1                        [Posa, Cantu and Tedrake 2014]
    finite differences v_i = (q_{i+1} - q_i) / h and a_i = (q_{i+1} - 2 q_i + q_{i-1}) / h^2  [Witkin and Kass 1988]

The differences of Witkin and Kass are, with v_i as an unknown, q_{i+1} = q_i + h v_i and v_i = v_{i-1} + h a_i.
The equation of motion holds at the inner nodes of a phase only, and there are no forces at its ends.
"""

from dataclasses import dataclass

Row = tuple[float, ...]


@dataclass(frozen=True)
class Scheme:
    """One scheme.

    nodes: c, from 0 to 1. position, velocity: the rows of A for the nodes after the first. quadrature: b. at_start,
    at_end: True if the equation of motion holds at the first and at the last node of a phase. degree: degree of the
    derivatives of the interpolating polynomials. order: order of the error of the state.
    """

    nodes: Row
    position: tuple[Row, ...]
    velocity: tuple[Row, ...]
    quadrature: Row
    at_start: bool
    at_end: bool
    degree: int
    order: int

    @property
    def steps(self) -> int:
        """Number of nodes that an interval adds."""
        return len(self.nodes) - 1


TRAPEZOID = ((0.5, 0.5),)
SIMPSON = ((5 / 24, 8 / 24, -1 / 24), (1 / 6, 4 / 6, 1 / 6))

SCHEMES: dict[str, Scheme] = {
    "hermite-simpson": Scheme((0.0, 0.5, 1.0), SIMPSON, SIMPSON, SIMPSON[1], True, True, 2, 4),
    "trapezoid": Scheme((0.0, 1.0), TRAPEZOID, TRAPEZOID, TRAPEZOID[0], True, True, 1, 2),
    "finite differences": Scheme((0.0, 1.0), ((1.0, 0.0),), ((0.0, 1.0),), (0.5, 0.5), False, False, 0, 1),
    "backward euler": Scheme((0.0, 1.0), ((0.0, 1.0),), ((0.0, 1.0),), (0.0, 1.0), False, True, 0, 1),
}
"""The schemes by the name of the method."""
