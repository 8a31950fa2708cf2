"""Linear complementarity with bounds, by pivoting and by iteration."""

from gambol.contact.complementarity.linear.dantzig import dantzig
from gambol.contact.complementarity.linear.lemke import lemke
from gambol.contact.complementarity.linear.problem import LinearProblem, LinearSolution
from gambol.contact.complementarity.linear.relaxation import conjugate_sweeps, gauss_seidel

__all__ = ["LinearProblem", "LinearSolution", "conjugate_sweeps", "dantzig", "gauss_seidel", "lemke"]
