"""Contacts with friction cones: their problem, and how it is solved."""

from gambol.contact.complementarity.cones.newton import cone_newton
from gambol.contact.complementarity.cones.one_contact import Give, one_contact
from gambol.contact.complementarity.cones.problem import Answered, ContactProblem, failing, in_cone
from gambol.contact.complementarity.cones.pyramid import pyramid, pyramid_lemke
from gambol.contact.complementarity.cones.sweeps import cone_conjugate_sweeps, cone_gauss_seidel
from gambol.contact.complementarity.cones.turning import turning_dantzig

__all__ = [
    "Answered",
    "ContactProblem",
    "Give",
    "cone_conjugate_sweeps",
    "cone_gauss_seidel",
    "cone_newton",
    "failing",
    "in_cone",
    "one_contact",
    "pyramid",
    "pyramid_lemke",
    "turning_dantzig",
]
