"""Moving a state through time."""

from gambol.integrate.adaptive import Verdict, dealt, error_ratio, judged
from gambol.integrate.euler import corpus_euler
from gambol.integrate.tableau import RK4, RKF45, Tableau, tableau_step

__all__ = ["RK4", "RKF45", "Tableau", "Verdict", "corpus_euler", "dealt", "error_ratio", "judged", "tableau_step"]
