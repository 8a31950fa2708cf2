"""Contacts with friction cones: the problem, and its solvers."""

from gambol.contact.complementarity.cones.newton import cone_newton
from gambol.contact.complementarity.cones.one_contact import DelassusBlock, one_contact
from gambol.contact.complementarity.cones.problem import ContactProblem, ContactSolution, in_cone, violations
from gambol.contact.complementarity.cones.pyramid import pyramid, pyramid_lemke
from gambol.contact.complementarity.cones.rotating_boxes import rotating_box_dantzig
from gambol.contact.complementarity.cones.sweeps import cone_conjugate_sweeps, cone_gauss_seidel

__all__ = [
    "ContactProblem",
    "ContactSolution",
    "DelassusBlock",
    "cone_conjugate_sweeps",
    "cone_gauss_seidel",
    "cone_newton",
    "in_cone",
    "one_contact",
    "pyramid",
    "pyramid_lemke",
    "rotating_box_dantzig",
    "violations",
]
