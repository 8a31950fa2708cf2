"""Linear complementarity with bounds, by pivoting and by iteration."""

from gambol.contact.complementarity.linear.dantzig import dantzig
from gambol.contact.complementarity.linear.lemke import lemke
from gambol.contact.complementarity.linear.problem import LinearProblem, Solved
from gambol.contact.complementarity.linear.relaxation import conjugate_sweeps, gauss_seidel

__all__ = ["LinearProblem", "Solved", "conjugate_sweeps", "dantzig", "gauss_seidel", "lemke"]
