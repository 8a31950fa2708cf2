"""Dynamic quantities of a state.

Articulated bodies, Jacobians, mass, gravity and Coriolis terms, momentum, responses (accelerations of links and
contacts per unit force), and derivatives.
"""

from gambol.dynamics.quantities.articulated import Articulated, articulated
from gambol.dynamics.quantities.centroidal import (
    centroidal_bias,
    centroidal_matrix,
    centroidal_matrix_rate,
    centroidal_momentum,
)
from gambol.dynamics.quantities.coriolis import bias_forces, coriolis_forces, coriolis_matrix, gravity_forces
from gambol.dynamics.quantities.derivatives import (
    Derivatives,
    forward_dynamics_derivatives,
    inverse_dynamics_derivatives,
    position_jacobian,
    time_derivative,
)
from gambol.dynamics.quantities.hybrid import hybrid_dynamics
from gambol.dynamics.quantities.jacobians import (
    bias_acceleration,
    link_jacobian,
    link_jacobian_rate,
    point_jacobian,
)
from gambol.dynamics.quantities.mass import inverse_mass_matrix
from gambol.dynamics.quantities.operational import (
    Contact,
    collision_matrix,
    inverse_operational_inertia,
    operational_inertia,
    response,
)

__all__ = [
    "Articulated",
    "Contact",
    "Derivatives",
    "articulated",
    "bias_acceleration",
    "bias_forces",
    "centroidal_bias",
    "centroidal_matrix",
    "centroidal_matrix_rate",
    "centroidal_momentum",
    "collision_matrix",
    "coriolis_forces",
    "coriolis_matrix",
    "forward_dynamics_derivatives",
    "gravity_forces",
    "hybrid_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_mass_matrix",
    "inverse_operational_inertia",
    "link_jacobian",
    "link_jacobian_rate",
    "operational_inertia",
    "point_jacobian",
    "position_jacobian",
    "response",
    "time_derivative",
]
